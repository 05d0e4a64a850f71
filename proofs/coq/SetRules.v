(* Rules about union, difference and intersection of multisets. *)
From Coq Require Import Arith Lia.
From Snapeq Require Import Rules.

Section SetRules.
  Context {E : Type}.
  Implicit Types A B C : stream E.

  Theorem union_commutes A B : union A B == union B A.
  Proof. pointwise. Qed.
  Theorem union_associates A B C : union (union A B) C == union A (union B C).
  Proof. pointwise. Qed.
  Theorem union_with_nothing A : union A nothing == A.
  Proof. pointwise. Qed.
  Theorem intersection_commutes A B : intersection A B == intersection B A.
  Proof. pointwise. Qed.
  Theorem intersection_associates A B C : intersection (intersection A B) C == intersection A (intersection B C).
  Proof. pointwise. Qed.
  Theorem intersection_with_itself A : intersection A A == A.
  Proof. pointwise. Qed.
  Theorem difference_from_nothing A : difference A nothing == A.
  Proof. pointwise. Qed.
  Theorem difference_from_itself A B : union B (difference A A) == B.
  Proof. pointwise. Qed.
  Theorem intersection_as_difference A B : intersection A B == difference A (difference A B).
  Proof. pointwise. Qed.
  Theorem difference_from_the_common_part A B : difference A (intersection A B) == difference A B.
  Proof. pointwise. Qed.
  Theorem difference_and_common_part A B : A == union (difference A B) (intersection A B).
  Proof. pointwise. Qed.
  Theorem difference_twice A B C : difference (difference A B) C == difference A (union B C).
  Proof. pointwise. Qed.
  Theorem differences_commute A B C : difference (difference A B) C == difference (difference A C) B.
  Proof. pointwise. Qed.
  Theorem difference_undoes_union A B : difference (union A B) B == A.
  Proof. pointwise. Qed.
  Theorem difference_cancels A B C : difference (union A C) (union B C) == difference A B.
  Proof. pointwise. Qed.
  Theorem intersection_absorbs_union A B : intersection A (union A B) == A.
  Proof. pointwise. Qed.
  Theorem union_over_intersection A B C : union A (intersection B C) == intersection (union A B) (union A C).
  Proof. pointwise. Qed.
  Theorem difference_over_intersection A B C :
    difference (intersection A B) C == intersection (difference A C) (difference B C).
  Proof. pointwise. Qed.
  Theorem difference_from_intersection A B C :
    difference A (intersection B C) == larger_union (difference A B) (difference A C).
  Proof. pointwise. Qed.
  Theorem difference_from_larger_union A B C :
    difference A (larger_union B C) == intersection (difference A B) (difference A C).
  Proof. pointwise. Qed.
  Theorem larger_union_commutes A B : larger_union A B == larger_union B A.
  Proof. pointwise. Qed.
  Theorem intersection_over_larger_union A B C :
    intersection A (larger_union B C) == larger_union (intersection A B) (intersection A C).
  Proof. pointwise. Qed.
  Theorem sum_less_maximum_is_minimum A B : difference (union A B) (larger_union A B) == intersection A B.
  Proof. pointwise. Qed.
  Theorem symmetric_difference A B :
    union (difference A B) (difference B A) == difference (larger_union A B) (intersection A B).
  Proof. pointwise. Qed.
  Theorem intersection_over_disjoint_union p A B C :
    let other := fun e => not_true (p e) in
    intersection A (union (filter p B) (filter other C))
    == union (intersection A (filter p B)) (intersection A (filter other C)).
  Proof. pointwise. Qed.
  Theorem union_with_itself_as_sets A : same_sets (union A A) A.
  Proof. pointwise. Qed.
  Theorem intersection_over_union_as_sets A B C :
    same_sets (intersection A (union B C)) (union (intersection A B) (intersection A C)).
  Proof. pointwise. Qed.
End SetRules.
