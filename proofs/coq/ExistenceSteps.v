(* The rewritings of ∃ in equivalence/prover/existence.py, under the names of its methods. NULL is None; a variable that
   stands for several is a tuple. *)
From Coq Require Import ZArith Lia.
Open Scope Z_scope.

(* _some: ∃ goes through ∨, and away where nothing depends on it. *)
Theorem exists_through_or A (p q : A -> Prop) : (exists x, p x \/ q x) <-> (exists x, p x) \/ (exists x, q x).
Proof. firstorder. Qed.

Theorem exists_of_nothing A (inhabitant : A) (p : Prop) : (exists _ : A, p) <-> p.
Proof. firstorder. Qed.

(* _merged: ∃x: φ(x) ∧ ∃y: ψ(x, y) iff ∃x, y: φ(x) ∧ ψ(x, y). *)
Theorem exists_merged A B (p : A -> Prop) (q : A -> B -> Prop) :
  (exists x, p x /\ exists y, q x y) <-> (exists x y, p x /\ q x y).
Proof. firstorder. Qed.

(* _one_point: ∃x: x = τ ∧ φ(x) iff φ(τ). *)
Theorem exists_one_point A (a : A) (p : A -> Prop) : (exists x, x = a /\ p x) <-> p a.
Proof. split; [intros (x & -> & holds); exact holds | eauto]. Qed.

(* _present: ∃x: x is not NULL ∧ φ(x) iff ∃y: φ(some y). *)
Theorem exists_present A (p : option A -> Prop) : (exists x, x <> None /\ p x) <-> (exists y, p (Some y)).
Proof.
  split.
  - intros ([y|] & there & holds); [eauto | contradiction].
  - intros (y & holds). exists (Some y). split; [discriminate | exact holds].
Qed.

(* _pinned: ∃x: τ ≤ x ≤ τ ∧ φ(x) iff φ(τ). *)
Theorem exists_pinned a (p : Z -> Prop) : (exists x, a <= x <= a /\ p x) <-> p a.
Proof.
  split.
  - intros (x & between & holds). replace a with x by lia. exact holds.
  - intros holds. exists a. split; [lia | exact holds].
Qed.

(* _between: ∃x: a ≤ x ≤ b iff a ≤ b; with several bounds, iff every lower one is at most every upper one. *)
Theorem exists_between a b : (exists x, a <= x <= b) <-> a <= b.
Proof. split; [intros (x & between); lia | intros room; exists a; lia]. Qed.

Theorem exists_between_several a a' b b' :
  (exists x, a <= x /\ a' <= x /\ x <= b /\ x <= b') <-> a <= b /\ a <= b' /\ a' <= b /\ a' <= b'.
Proof. split; [intros (x & between); lia | intros room; exists (Z.max a a'); lia]. Qed.

(* _cases: ∃x: φ(x) ∧ (ψ(x) ∨ χ(x)) iff ∃x: φ(x) ∧ ψ(x) or ∃x: φ(x) ∧ χ(x). *)
Theorem exists_cases A (p q r : A -> Prop) :
  (exists x, p x /\ (q x \/ r x)) <-> (exists x, p x /\ q x) \/ (exists x, p x /\ r x).
Proof. firstorder. Qed.

(* _shifted: ∃x: φ(x + τ) iff ∃x: φ(x), over all integers x. *)
Theorem exists_shifted c (p : Z -> Prop) : (exists x, p (x + c)) <-> (exists x, p x).
Proof.
  split; intros (x & holds); [eauto |].
  exists (x - c). replace (x - c + c) with x by lia. exact holds.
Qed.

(* _needless: a guard may go if, wherever the others hold, some values make them all hold, and it too. *)
Theorem exists_needless A (p q : A -> Prop) (witness : A -> A) :
  (forall x, p x -> p (witness x) /\ q (witness x)) -> ((exists x, p x /\ q x) <-> (exists x, p x)).
Proof. firstorder. Qed.

(* _apart: ∃x, y: φ(x) ∧ ψ(y) iff (∃x: φ(x)) ∧ (∃y: ψ(y)). *)
Theorem exists_apart A B (p : A -> Prop) (q : B -> Prop) :
  (exists x y, p x /\ q y) <-> (exists x, p x) /\ (exists y, q y).
Proof. firstorder. Qed.

(* _lean: what follows from the rest of a conjunction may go; _decided: a case may be decided where the rest decides it. *)
Theorem conjunction_lean (p q : Prop) : (p -> q) -> (p /\ q <-> p).
Proof. firstorder. Qed.

Theorem case_decided A (p : Prop) (c : bool) (then' otherwise : A) (q : A -> Prop) :
  (p -> c = true) -> (p /\ q (if c then then' else otherwise) <-> p /\ q then').
Proof. intros decided. split; intros (holds & rest); (rewrite (decided holds) in * || idtac); split; auto. Qed.

(* _decided_by_numbers: a comparison of sums that differ in a number only. *)
Theorem compared_by_numbers a n : (a <= a + n <-> 0 <= n) /\ (a < a + n <-> 1 <= n).
Proof. lia. Qed.

(* _either: a case that implies another one may go. *)
Theorem case_needless (p q : Prop) : (p -> q) -> (p \/ q <-> q).
Proof. firstorder. Qed.

(* _wider: (∃x: φ(x) ∧ ψ(x)) ∨ χ iff (∃x: φ(x)) ∨ χ, if φ(x) ∧ ¬ψ(x) implies χ; formulas over streams are decidable. *)
Theorem exists_wider A (p q : A -> Prop) (other : Prop) :
  (forall x, q x \/ ~ q x) -> (forall x, p x -> ~ q x -> other) ->
  ((exists x, p x /\ q x) \/ other <-> (exists x, p x) \/ other).
Proof.
  intros decidable covered. split.
  - intros [(x & holds & _) | given]; eauto.
  - intros [(x & holds) | given]; [| auto].
    destruct (decidable x) as [yes | no]; eauto.
Qed.
