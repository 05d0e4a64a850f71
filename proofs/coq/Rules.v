(* What the rules of the catalogue are proved with. Their lemmas bear the rules' names. *)
From Coq Require Import List Arith Lia Bool.
From Snapeq Require Export PaperRules.
Import ListNotations.

(* The same tuples at every instant, however often. *)
Definition same_sets {E} (A B : stream E) := forall t e, 0 < snapshot t A e <-> 0 < snapshot t B e.

(* Each tuple at each instant for itself: cases of the predicates, then arithmetic. *)
Ltac pointwise :=
  intros; intros t e; unfold snapshot; cbn;
  rewrite ?holds_both, ?holds_either, ?holds_not_true;
  repeat match goal with
  | |- context [holds ?v] => destruct (holds v) eqn:?
  end; cbn; try lia.

Lemma by_sets E (A B : stream E) e t : (0 < A e t <-> 0 < B e t) -> distinct A e t = distinct B e t.
Proof. simpl. intros. destruct (Nat.eq_dec (A e t) 0), (Nat.eq_dec (B e t) 0); lia. Qed.

Lemma by_partners E F on (B : stream F) (e : E) t F' on' (B' : stream F') (e' : E) t' :
  ((exists f, holds (on e f) = true /\ 0 < B f t) <-> (exists f, holds (on' e' f) = true /\ 0 < B' f t')) ->
  partner on B e t = partner on' B' e' t'.
Proof. intros iff. apply eq_true_iff_eq. now rewrite !partner_iff. Qed.
