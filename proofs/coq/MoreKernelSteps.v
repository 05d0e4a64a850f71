(* More steps that equivalence/prover takes, under the names that it gives them: those about remainders, about parts of
   sums, about what comes last, and about the order of lists. As in KernelSteps.v, a sum over all values of a variable
   is one over a list of distinct values that has all summands other than 0. *)
From Coq Require Import List ZArith Lia Bool Sorted.
From Snapeq Require Import Sums KernelSteps.
Import ListNotations IntSums.
Open Scope Z_scope.

(* EMPTY: a sum over a ≤ x ≤ b with b < a is 0. *)
Theorem step_empty a b (f : Z -> Z) l : b < a -> sum (fun x => bracket ((a <=? x) && (x <=? b)) * f x) l = 0.
Proof.
  intros crossed. apply sum_none. intros x _. destruct (Z.leb_spec a x), (Z.leb_spec x b); cbn [bracket andb]; lia.
Qed.

(* SUBST: [x = τ]·f(x) = [x = τ]·f(τ); and so it is in a sum, where x, τ and f depend on what is summed over. *)
Theorem step_subst A (decide : forall x y : A, {x = y} + {x <> y}) (f : A -> Z) x a :
  bracket (if decide x a then true else false) * f x = bracket (if decide x a then true else false) * f a.
Proof. destruct (decide x a) as [->|]; cbn [bracket]; lia. Qed.

Theorem step_subst_sum A B (decide : forall x y : A, {x = y} + {x <> y}) (f : A -> B -> Z) (x a : B -> A) l :
  sum (fun y => bracket (if decide (x y) (a y) then true else false) * f (x y) y) l
  = sum (fun y => bracket (if decide (x y) (a y) then true else false) * f (a y) y) l.
Proof. apply sum_ext. intros y _. apply (step_subst A decide (fun z => f z y)). Qed.

(* REMAINDER: 0 ≤ a mod b < b, where b ≥ 1. *)
Theorem step_remainder a b : 1 <= b -> 0 <= a mod b < b.
Proof. intros positive. apply Z.mod_pos_bound. lia. Qed.

(* LATEST: where the rest is not 0 for x = τ only, Σ_{x ≤ τ} f(x) = f(τ). *)
Theorem step_latest f a l : NoDup l -> (f a <> 0 -> In a l) -> (forall x, x <= a -> f x <> 0 -> x = a) ->
  sum (fun x => bracket (x <=? a) * f x) l = f a.
Proof.
  intros once there only. rewrite <- (step_one Z.eq_dec f a l) by trivial. apply sum_ext. intros x _.
  destruct (Z.eq_dec x a) as [same|other], (Z.leb_spec x a); cbn [bracket]; try lia.
  destruct (Z.eq_dec (f x) 0) as [->|nonzero]; [lia|]. now destruct other; apply only.
Qed.

(* UNIQUE: Σ_x [φ(x)] = [∃x: φ(x)], where φ(x) and φ(y) only for x = y. *)
Theorem step_unique A (p : A -> bool) (there : bool) l :
  (forall x y, p x = true -> p y = true -> x = y) -> (there = true <-> exists x, p x = true) ->
  complete (fun x => bracket (p x)) l -> sum (fun x => bracket (p x)) l = bracket there.
Proof.
  intros one exist (once & all). destruct there.
  - destruct (proj1 exist eq_refl) as (x & holds).
    assert (member : In x l) by (apply all; now rewrite holds). clear exist all.
    induction once as [|a l fresh once IH]; simpl in *; [easy|]. destruct (p a) eqn:first; cbn [bracket].
    + rewrite sum_none; trivial. intros y inside. destruct (p y) eqn:second; trivial.
      now destruct fresh; rewrite (one a y).
    + destruct member as [->|member]; [congruence|]. now rewrite IH.
  - apply sum_none. intros x _. destruct (p x) eqn:holds; trivial.
    now discriminate (proj2 exist (ex_intro _ x holds)).
Qed.

(* PLACES: Σ_x [a ≤ x ≤ b ∧ φ(x)] ≤ max(b − a + 1, 0). *)
Theorem step_places a b (p : Z -> bool) l : NoDup l ->
  sum (fun x => bracket ((a <=? x) && (x <=? b) && p x)) l <= monus (b + 1) a.
Proof.
  intros once. set (f := fun x => bracket ((a <=? x) && (x <=? b) && p x)).
  set (within := fun x => (a <=? x) && (x <=? b)).
  assert (short : (length (filter within l) <= length (from a (Z.to_nat (b + 1 - a))))%nat).
  { apply NoDup_incl_length; [now apply NoDup_filter|]. intros x inside. apply filter_In in inside as (_ & inside).
    unfold within in inside. apply andb_prop in inside as (low & high). apply Z.leb_le in low, high.
    apply in_map_iff. exists (Z.to_nat (x - a)). rewrite in_seq. lia. }
  unfold from in short. rewrite map_length, seq_length in short.
  transitivity (sum (fun x => if within x then 1 else 0) l).
  - apply step_mono. intros x. unfold f, within. destruct (a <=? x), (x <=? b), (p x); cbn [bracket andb]; lia.
  - change 0 with IntMonoid.zero. rewrite <- (sum_filter _ within (fun _ => 1)), ones. unfold monus. lia.
Qed.

Lemma some_summands A (decide : forall x y : A, {x = y} + {x <> y}) (f : A -> Z) l m :
  (forall x, 0 <= f x) -> NoDup m -> complete f l -> sum f m <= sum f l.
Proof.
  intros natural once of_l. set (inside := fun x => if in_dec decide x m then true else false).
  transitivity (sum (fun x => bracket (inside x) * f x) l).
  - apply Z.eq_le_incl. transitivity (sum (fun x => bracket (inside x) * f x) m).
    + apply sum_ext. intros x there. unfold inside. destruct (in_dec decide x m); [cbn [bracket]; lia|easy].
    + apply (any_complete_list decide); split; trivial; [|apply of_l|]; intros x nonzero.
      * unfold inside in nonzero. destruct (in_dec decide x m); [trivial|now destruct nonzero].
      * apply of_l. intros none. apply nonzero. rewrite none. lia.
  - apply step_mono. intros x. specialize (natural x). destruct (inside x); cbn [bracket]; lia.
Qed.

(* PART OF: Σ_y f(τ(y), y) ≤ Σ_{x,y} f(x, y), for natural f: different y are different summands. *)
Theorem step_part_of A B (decide : forall x y : A, {x = y} + {x <> y}) (decide' : forall x y : B, {x = y} + {x <> y})
  (f : A -> B -> Z) (at_ : B -> A) l m :
  (forall x y, 0 <= f x y) -> complete (fun y => f (at_ y) y) m -> complete (fun xy => f (fst xy) (snd xy)) l ->
  sum (fun y => f (at_ y) y) m <= sum (fun xy => f (fst xy) (snd xy)) l.
Proof.
  intros natural (once & _) of_l.
  rewrite <- (sum_map _ _ (fun y => (at_ y, y)) (fun xy => f (fst xy) (snd xy))). apply some_summands; auto.
  - decide equality.
  - apply FinFun.Injective_map_NoDup; trivial. intros x y equal. congruence.
Qed.

Section AnyStrictOrder.
  Context {A : Type} (lt : A -> A -> Prop).
  Hypothesis lt_irrefl : forall x, ~ lt x x.
  Hypothesis lt_trans : forall x y z, lt x y -> lt y z -> lt x z.

  (* LAST: of finitely many x with φ(x) there is a last one, so ∃x: φ(x) ∧ few after x iff ∃x: φ(x). That few come after
     x is any condition that fails only where some later y has φ(y): that fewer than k come, with k ≥ 1, is one
     (step_last_sum), that none comes another (step_last_one). For what comes before, the order is turned round. *)
  Theorem step_last (p : A -> Prop) (few : A -> bool) l : (forall x, p x -> In x l) ->
    (forall x, p x -> few x = false -> exists y, p y /\ lt x y) ->
    (exists x, p x /\ few x = true) <-> exists x, p x.
  Proof.
    intros finite goes_on. split; [intros (x & holds & _); eauto|]. intros (x & holds).
    remember (length l) as n eqn:size.
    assert (later : forall y, p y -> y = x \/ lt x y -> In y l) by auto. clear finite.
    revert l x holds size later. induction n as [n IH] using lt_wf_ind. intros l x holds size later.
    destruct (few x) eqn:enough; [eauto|]. destruct (goes_on x holds enough) as (y & there & after).
    destruct (in_split x l) as (before & behind & ->); [auto|].
    apply (IH (length (before ++ behind))) with (l := before ++ behind) (x := y); trivial.
    - subst n. rewrite !app_length. simpl. lia.
    - intros z found further.
      assert (beyond : lt x z) by (destruct further as [->|further]; eauto).
      assert (member : In z (before ++ x :: behind)) by auto.
      apply in_app_iff in member as [member|[<-|member]]; [..|]; rewrite in_app_iff; auto.
      now destruct (lt_irrefl x).
  Qed.

  Theorem step_last_sum B (p : A -> Prop) (g : A -> B -> Z) (values : A -> list B) k l : (forall x, p x -> In x l) ->
    (forall x y, 0 <= g x y) -> 1 <= k -> (forall x y, p x -> 1 <= g x y -> exists z, p z /\ lt x z) ->
    (exists x, p x /\ sum (g x) (values x) < k) <-> exists x, p x.
  Proof.
    intros finite natural positive goes_on. rewrite <- (step_last p (fun x => sum (g x) (values x) <? k) l); trivial.
    - split; intros (x & holds & few); exists x; split; trivial; now apply Z.ltb_lt.
    - intros x holds many. apply Z.ltb_ge in many.
      assert (found : exists y, 1 <= g x y); [|destruct found as (y & found); eauto].
      assert (some : 1 <= sum (g x) (values x)) by lia. clear many.
      induction (values x) as [|y l' IH]; simpl in some; [lia|].
      destruct (Z.le_gt_cases 1 (g x y)); [eauto|]. apply IH. specialize (natural x y). lia.
  Qed.

  Theorem step_last_one (p : A -> Prop) l
    (decide : forall x, {p x} + {~ p x}) (later : forall x y, {lt x y} + {~ lt x y}) :
    (forall x, p x -> In x l) -> (exists x, p x) -> exists x, p x /\ ~ exists y, p y /\ lt x y.
  Proof.
    intros finite there.
    set (q := fun x y => (if decide y then true else false) && (if later x y then true else false)).
    rewrite <- (step_last p (fun x => negb (existsb (q x) l)) l) in there; trivial.
    - destruct there as (x & holds & few).
      exists x. split; trivial. intros (y & found & after). apply negb_true_iff in few.
      assert (existsb (q x) l = true); [|congruence]. apply existsb_exists. exists y. split; auto. unfold q.
      now destruct (decide y), (later x y).
    - intros x holds some. apply negb_false_iff, existsb_exists in some as (y & _ & found). exists y. unfold q in found.
      now destruct (decide y), (later x y).
  Qed.

  Lemma sorted_equal l m : StronglySorted lt l -> StronglySorted lt m -> (forall x, In x l <-> In x m) -> l = m.
  Proof.
    intros of_l. revert m. induction of_l as [|x l of_l IH first]; intros m of_m same.
    - destruct m as [|y m]; trivial. now destruct (proj2 (same y) (or_introl eq_refl)).
    - destruct of_m as [|y m of_m first']; [now destruct (proj1 (same x) (or_introl eq_refl))|].
      rewrite Forall_forall in first, first'.
      assert (x = y) as <-.
      { destruct (proj1 (same x) (or_introl eq_refl)) as [equal|behind]; [easy|].
        destruct (proj2 (same y) (or_introl eq_refl)) as [equal|behind']; [easy|].
        destruct (lt_irrefl x). eauto. }
      f_equal. apply IH; trivial. intros z. specialize (same z). simpl in same.
      split; intros there; [destruct (proj1 same) as [<-|]|destruct (proj2 same) as [<-|]]; auto.
      + now destruct (lt_irrefl x); apply first.
      + now destruct (lt_irrefl x); apply first'.
  Qed.
End AnyStrictOrder.

(* ORDER: the same occurrences, with the same elements, and any two of them in the same order. A list has an element for
   every occurrence for which its guard holds, in the order of their places; `other` says which occurrence on the right
   is which on the left. *)
Theorem step_order A B E (lt : A -> A -> Prop) (lt' : B -> B -> Prop) (guard : A -> Prop) (guard' : B -> Prop)
  (element : A -> E) (element' : B -> E) (other : A -> B) (back : B -> A) l m :
  (forall y, ~ lt' y y) -> (forall x y z, lt' x y -> lt' y z -> lt' x z) ->
  StronglySorted lt l -> (forall x, In x l <-> guard x) -> StronglySorted lt' m -> (forall y, In y m <-> guard' y) ->
  (forall y, other (back y) = y) -> (forall x, guard x <-> guard' (other x)) ->
  (forall x, guard x -> element x = element' (other x)) ->
  (forall x y, guard x -> guard y -> lt x y -> lt' (other x) (other y)) ->
  map element l = map element' m.
Proof.
  intros irrefl trans of_l in_l of_m in_m onto guards elements order.
  assert (m = map other l) as ->.
  - apply (sorted_equal lt'); trivial.
    + assert (all : forall x, In x l -> guard x) by (intros; now apply in_l). clear in_l.
      induction of_l as [|x l of_l IH first]; simpl; constructor; auto with datatypes.
      rewrite Forall_forall in *. intros y there. apply in_map_iff in there as (z & <- & there).
      apply order; auto with datatypes.
    + intros y. rewrite in_m, in_map_iff. split.
      * intros holds. exists (back y). rewrite in_l, guards, onto. auto.
      * intros (x & <- & there). now apply guards, in_l.
  - rewrite map_map. apply map_ext_in. intros x there. now apply elements, in_l.
Qed.
