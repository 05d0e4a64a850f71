(* Rules about filters, with predicates that may be TRUE, FALSE or NULL. *)
From Coq Require Import Arith Lia Bool List.
From Snapeq Require Import Rules.

Section SelectionRules.
  Context {E F : Type} `{Decidable E} `{Decidable F}.
  Implicit Types (A B : stream E) (p q : E -> truth).

  Theorem filter_cascade p q A : filter p (filter q A) == filter (fun e => both (p e) (q e)) A.
  Proof. pointwise. Qed.
  Theorem filters_commute p q A : filter p (filter q A) == filter q (filter p A).
  Proof. pointwise. Qed.
  Theorem filter_twice p A : filter p (filter p A) == filter p A.
  Proof. pointwise. Qed.
  Theorem filter_true A : filter (fun _ => Some true) A == A.
  Proof. pointwise. Qed.
  Theorem filter_unknown A B : union B (filter (fun _ => None) A) == B.
  Proof. pointwise. Qed.
  Theorem conjunction_as_intersection p q A :
    filter (fun e => both (p e) (q e)) A == intersection (filter p A) (filter q A).
  Proof. pointwise. Qed.
  Theorem disjunction_as_difference p q A :
    filter (fun e => either (p e) (q e)) A == union (filter p A) (difference (filter q A) (filter p A)).
  Proof. pointwise. Qed.
  Theorem disjunction_as_disjoint_union p q A :
    filter (fun e => either (p e) (q e)) A == union (filter p A) (filter (fun e => both (q e) (not_true (p e))) A).
  Proof. pointwise. Qed.
  Theorem three_way_partition p A :
    A == union (union (filter p A) (filter (fun e => opposite (p e)) A)) (filter (fun e => unknown (p e)) A).
  Proof. intros t e. unfold snapshot. cbn. apply one_of_three. Qed.
  Theorem complement p A : difference A (filter p A) == filter (fun e => not_true (p e)) A.
  Proof. pointwise. Qed.
  Theorem filter_through_difference p A B : filter p (difference A B) == difference (filter p A) (filter p B).
  Proof. pointwise. Qed.
  Theorem filter_through_difference_on_the_left p A B : filter p (difference A B) == difference (filter p A) B.
  Proof. pointwise. Qed.
  Theorem filter_through_intersection p A B : filter p (intersection A B) == intersection (filter p A) (filter p B).
  Proof. pointwise. Qed.
  Theorem filter_through_intersection_on_one_side p A B : filter p (intersection A B) == intersection A (filter p B).
  Proof. pointwise. Qed.
  Theorem filter_through_distinct p A : filter p (distinct A) == distinct (filter p A).
  Proof. pointwise. Qed.
  Theorem filter_through_map (p : F -> truth) (f : E -> F) A :
    filter p (map f A) == map f (filter (fun e => p (f e)) A).
  Proof.
    intros t y. unfold snapshot. cbn. unfold total. cbn. rewrite <- sum_if. apply sum_ext. intros x _.
    destruct (decide (f x) y) as [<-|]; destruct (holds _); lia.
  Qed.
  Theorem filter_through_product p A (B : stream F) : filter (fun ef => p (fst ef)) (product A B)
    == product (filter p A) B.
  Proof. pointwise. Qed.
  Theorem filter_split_over_product p (q : F -> truth) A (B : stream F) :
    filter (fun ef => both (p (fst ef)) (q (snd ef))) (product A B) == product (filter p A) (filter q B).
  Proof. pointwise. Qed.
End SelectionRules.
