(* More steps that equivalence/prover takes, under the names that it gives them: those about remainders, about parts of
   sums, about what comes last, and about the order of lists. As in KernelSteps.v, a sum over all values of a variable is
   one over a list of distinct values that has all summands other than 0. *)
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
