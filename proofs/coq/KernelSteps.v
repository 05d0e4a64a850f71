(* The steps that equivalence/prover takes on sums, under the names that it gives them.

   Its sums run over all values of a variable, finitely many summands being other than 0: here, over a list of distinct
   values that has all of those. `sum_support` says that every such list gives the same sum. *)
From Coq Require Import List ZArith Lia Bool Permutation.
From Snapeq Require Import Sums.
Import ListNotations IntSums.
Open Scope Z_scope.

Definition bracket (b : bool) : Z := if b then 1 else 0.
Definition complete {A} (f : A -> Z) (l : list A) := NoDup l /\ forall x, f x <> 0 -> In x l.
Definition monus (a b : Z) := Z.max (a - b) 0.

Section AnyVariable.
  Context {A : Type} (decide : forall x y : A, {x = y} + {x <> y}).
  Implicit Types (f g : A -> Z) (l m : list A) (p q : A -> bool).

  Lemma complete_or f l : complete f l -> forall x, f x = 0 \/ In x l.
  Proof. intros (_ & all) x. destruct (Z.eq_dec (f x) 0); auto. Qed.

  Theorem any_complete_list f l m : complete f l -> complete f m -> sum f l = sum f m.
  Proof. intros of_l of_m. apply (sum_support decide); try apply complete_or; auto; [apply of_l|apply of_m]. Qed.

  (* LIN: products distribute over sums, sums over sums. *)
  Theorem step_lin_sum f g l : sum (fun x => f x + g x) l = sum f l + sum g l.
  Proof. apply sum_add. Qed.

  Theorem step_lin_product c f l : sum (fun x => c * f x) l = c * sum f l.
  Proof. induction l; simpl; lia. Qed.

  (* CONG: sums over the same variables are equal if what they sum is. *)
  Theorem step_cong f g l m : (forall x, f x = g x) -> complete f l -> complete g m -> sum f l = sum g m.
  Proof.
    intros equal of_l of_m. rewrite (sum_ext _ f g) by auto. apply any_complete_list; trivial.
    split; [apply of_l|]. intros x nonzero. apply of_l. now rewrite equal.
  Qed.

  (* ONE: Σ_x [x = τ]·f(x) = f(τ). *)
  Theorem step_one f a l : NoDup l -> (f a <> 0 -> In a l) ->
    sum (fun x => bracket (if decide x a then true else false) * f x) l = f a.
  Proof.
    intros once there. rewrite (sum_ext _ _ (fun x => if decide x a then f x else 0)).
    - destruct (in_dec decide a l) as [inside|outside]; [now apply sum_one|].
      rewrite sum_none; [destruct (Z.eq_dec (f a) 0); tauto || auto|].
      intros x seen. destruct (decide x a); congruence.
    - intros x _. destruct (decide x a); cbn [bracket]; lia.
  Qed.

  (* ABSORB: a guard that holds wherever the rest is not 0 may go; one that cannot hold makes the product 0. *)
  Theorem step_absorb f p l : (forall x, f x <> 0 -> p x = true) -> sum (fun x => bracket (p x) * f x) l = sum f l.
  Proof.
    intros implied. apply sum_ext. intros x _. destruct (Z.eq_dec (f x) 0) as [->|nonzero]; [lia|].
    rewrite implied by trivial. cbn [bracket]. lia.
  Qed.

  Theorem step_absorb_never f p l : (forall x, f x <> 0 -> p x = false) -> sum (fun x => bracket (p x) * f x) l = 0.
  Proof.
    intros never. apply sum_none. intros x _. destruct (Z.eq_dec (f x) 0) as [->|nonzero]; [lia|].
    now rewrite never.
  Qed.

  (* NATURAL: a sum of natural numbers is one. *)
  Theorem step_natural f l : (forall x, 0 <= f x) -> 0 <= sum f l.
  Proof. intros natural. induction l as [|a l IH]; simpl; [lia|]. specialize (natural a). lia. Qed.

  (* MONO: Σf ≤ Σg where f ≤ g everywhere. *)
  Theorem step_mono f g l : (forall x, f x <= g x) -> sum f l <= sum g l.
  Proof. intros smaller. induction l as [|a l IH]; simpl; [lia|]. specialize (smaller a). lia. Qed.

  (* TERM: a sum of natural numbers is at least each of them. *)
  Theorem step_term f l x : (forall y, 0 <= f y) -> complete f l -> f x <= sum f l.
  Proof.
    intros natural (_ & all). destruct (Z.eq_dec (f x) 0) as [->|nonzero]; [now apply step_natural|].
    specialize (all x nonzero). clear nonzero. induction l as [|a l IH]; simpl in *; [easy|].
    destruct all as [->|there]; [pose proof (step_natural f l natural); lia|]. specialize (IH there).
    specialize (natural a). lia.
  Qed.

  (* POS: it is at least 1 iff one of them is. *)
  Theorem step_pos f l : (forall x, 0 <= f x) -> complete f l -> 1 <= sum f l <-> exists x, 1 <= f x.
  Proof.
    intros natural all. split.
    - intros positive. clear all. induction l as [|a l IH]; simpl in positive; [lia|].
      destruct (Z.le_gt_cases 1 (f a)); [eauto|]. apply IH. specialize (natural a). lia.
    - intros (x & positive). pose proof (step_term f l x natural all). lia.
  Qed.

  (* PART: Σ[G]·f − Σ[H]·f = Σ[G ∧ ¬H]·f − Σ[H ∧ ¬G]·f; and what both sides have in common may go. *)
  Theorem step_part f p q l :
    sum (fun x => bracket (p x) * f x) l - sum (fun x => bracket (q x) * f x) l
    = sum (fun x => bracket (p x && negb (q x)) * f x) l - sum (fun x => bracket (q x && negb (p x)) * f x) l.
  Proof. induction l as [|a l IH]; simpl; trivial. destruct (p a), (q a); cbn [bracket andb negb]; lia. Qed.

  Theorem step_part_monus a b c d : a - b = c - d -> monus a b = monus c d.
  Proof. unfold monus. now intros ->. Qed.

  Theorem step_part_min a b c : 0 <= c -> a - b = - c -> Z.min a b = a.
  Proof. lia. Qed.
End AnyVariable.

(* LIN: finite sums may be exchanged. HOIST: Σ_{x,y} c·f(x)·g(y) = c · Σ_x f(x) · Σ_y g(y). *)
Theorem step_lin_exchange A B (f : A -> B -> Z) l m :
  sum (fun x => sum (f x) m) l = sum (fun y => sum (fun x => f x y) l) m.
Proof. apply sum_swap. Qed.

Theorem step_hoist A B c (f : A -> Z) (g : B -> Z) l m :
  sum (fun x => sum (fun y => c * (f x * g y)) m) l = c * (sum f l * sum g m).
Proof.
  rewrite (sum_ext _ _ (fun x => c * sum g m * f x)).
  - rewrite step_lin_product. ring.
  - intros x _. rewrite !step_lin_product. ring.
Qed.

(* A change of variable: the list of the new values is as good as that of the old ones. *)
Theorem step_bijection A B (f : B -> Z) (there : A -> B) (back : B -> A) l m
  (decide : forall x y : B, {x = y} + {x <> y}) :
  (forall x, back (there x) = x) -> (forall y, f y <> 0 -> there (back y) = y) ->
  complete (fun x => f (there x)) l -> complete f m -> sum (fun x => f (there x)) l = sum f m.
Proof.
  intros inverse onto (once & all) of_m. rewrite <- sum_map. apply (any_complete_list decide); trivial. split.
  - apply FinFun.Injective_map_NoDup; trivial. intros x y equal. rewrite <- (inverse x), <- (inverse y).
    now rewrite equal.
  - intros y nonzero. specialize (onto y nonzero). rewrite <- onto. apply in_map, all. now rewrite onto.
Qed.

(* SHIFT: Σ_x f(x + τ) = Σ_x f(x), over all integers x. *)
Theorem step_shift f by_ l m : complete (fun x => f (x + by_)) l -> complete f m ->
  sum (fun x => f (x + by_)) l = sum f m.
Proof.
  apply (step_bijection Z Z f (fun x => x + by_) (fun y => y - by_) l m Z.eq_dec); intros; lia.
Qed.

(* NOT NULL: Σ_x [x is not NULL]·f(x) = Σ_y f(some y). *)
Theorem step_not_null A (decide : forall x y : A, {x = y} + {x <> y}) (f : option A -> Z) l m :
  complete f l -> complete (fun y => f (Some y)) m ->
  sum (fun x => bracket (match x with Some _ => true | None => false end) * f x) l = sum (fun y => f (Some y)) m.
Proof.
  intros (once & all) (once' & all'). rewrite <- sum_map.
  assert (decide' : forall x y : option A, {x = y} + {x <> y}) by decide equality.
  set (g := fun x => bracket (match x with Some _ => true | None => false end) * f x).
  transitivity (sum g (map Some m)).
  - apply (any_complete_list decide'); split; trivial; unfold g.
    + intros x nonzero. apply all. destruct x; cbn [bracket] in *; lia.
    + apply FinFun.Injective_map_NoDup; trivial. congruence.
    + intros [x|] nonzero; [apply in_map, all'|]; cbn [bracket] in *; lia.
  - rewrite !sum_map. apply sum_ext. intros x _. unfold g. cbn [bracket]. lia.
Qed.

(* PIN: τ ≤ x ≤ τ leaves one value for x. *)
Theorem step_pin f a l : NoDup l -> (f a <> 0 -> In a l) ->
  sum (fun x => bracket ((a <=? x) && (x <=? a)) * f x) l = f a.
Proof.
  intros once there. rewrite <- (step_one Z.eq_dec f a l) by trivial. apply sum_ext. intros x _. f_equal. f_equal.
  destruct (Z.eq_dec x a), (Z.leb_spec a x), (Z.leb_spec x a); simpl; trivial; lia.
Qed.

(* COUNT: Σ_x [a ≤ x ≤ b] = max(b − a + 1, 0). *)
Definition from (a : Z) (n : nat) : list Z := map (fun k => a + Z.of_nat k) (seq 0 n).

Lemma ones A (l : list A) : sum (fun _ => 1) l = Z.of_nat (length l).
Proof. induction l as [|x l IH]; trivial. cbn [sum length]. rewrite IH, Nat2Z.inj_succ. lia. Qed.

Theorem step_count a b l : complete (fun x => bracket ((a <=? x) && (x <=? b))) l ->
  sum (fun x => bracket ((a <=? x) && (x <=? b))) l = monus (b + 1) a.
Proof.
  intros of_l. set (n := Z.to_nat (b + 1 - a)).
  rewrite (any_complete_list Z.eq_dec _ l (from a n)); trivial.
  - unfold from. rewrite sum_map, (sum_ext _ _ (fun _ => 1)).
    + rewrite ones, seq_length. unfold n, monus. lia.
    + intros k within. apply in_seq in within. unfold n in within.
      destruct (Z.leb_spec a (a + Z.of_nat k)), (Z.leb_spec (a + Z.of_nat k) b); simpl; lia.
  - split.
    + apply FinFun.Injective_map_NoDup; [intros x y equal; lia|apply seq_NoDup].
    + intros x inside. apply in_map_iff. exists (Z.to_nat (x - a)).
      destruct (Z.leb_spec a x), (Z.leb_spec x b); try (now destruct inside). rewrite in_seq. unfold n. lia.
Qed.

(* CASE: a guard that does not depend on the variable holds for all of the sum or for none of it. *)
Theorem step_case A (c : bool) (f : A -> Z) l : sum (fun x => bracket c * f x) l = if c then sum f l else 0.
Proof. rewrite step_lin_product. destruct c; cbn [bracket]; lia. Qed.

(* SCALE: k times as many of every value make all sums over them k times as large; so the mean of any function of the
   values, and with it the variance, stays the same. *)
Theorem step_scale A k (g n : A -> Z) l : sum (fun x => g x * (k * n x)) l = k * sum (fun x => g x * n x) l.
Proof. rewrite <- step_lin_product. apply sum_ext. intros. ring. Qed.

Theorem step_scale_mean A k (g n : A -> Z) l :
  sum (fun x => g x * (k * n x)) l * sum n l = sum (fun x => g x * n x) l * sum (fun x => k * n x) l.
Proof. rewrite step_scale, step_lin_product. ring. Qed.

Section AnyOrder.
  Context {A : Type} (le : A -> A -> Prop).
  Hypothesis le_refl : forall x, le x x.
  Hypothesis le_trans : forall x y z, le x y -> le y z -> le x z.
  Hypothesis le_antisym : forall x y, le x y -> le y x -> x = y.
  Hypothesis le_total : forall x y, le x y \/ le y x.

  (* The largest; the least is the largest of the order turned round. *)
  Definition extreme (x : A) (l : list A) := In x l /\ forall y, In y l -> le y x.

  (* EXTREME: a finite set that is not empty has a largest element, which no other one exceeds. *)
  Theorem step_extreme l : l <> [] -> exists x, extreme x l.
  Proof.
    induction l as [|a l IH]; [easy|]. intros _. destruct l as [|b l].
    - exists a. split; simpl; auto. intros y [->|[]]. apply le_refl.
    - destruct IH as (x & there & largest); [easy|]. destruct (le_total a x).
      + exists x. split; [now right|]. intros y [->|inside]; auto.
      + exists a. split; [now left|]. intros y [->|inside]; [apply le_refl|]. apply le_trans with x; auto.
  Qed.

  (* NEST: the largest of the largest elements of some sets is the largest of all their elements. *)
  Theorem step_nest B (s : B -> list A) (ys : list B) (top : B -> A) x :
    (forall y, In y ys -> extreme (top y) (s y)) -> extreme x (map top ys) <-> extreme x (flat_map s ys).
  Proof.
    intros tops. split; intros (there & largest).
    - apply in_map_iff in there as (y & <- & there). split.
      + apply in_flat_map. exists y. split; trivial. now apply tops.
      + intros z inside. apply in_flat_map in inside as (u & inside & member). apply le_trans with (top u).
        * now apply tops.
        * now apply largest, in_map.
    - apply in_flat_map in there as (y & there & member). destruct (tops y there) as (reached & bound).
      assert (x = top y) as ->.
      { apply le_antisym; [auto|]. apply largest, in_flat_map. eauto. }
      split; [now apply in_map|]. intros z inside. apply in_map_iff in inside as (u & <- & inside).
      apply largest, in_flat_map. exists u. split; trivial. now apply tops.
  Qed.
End AnyOrder.
