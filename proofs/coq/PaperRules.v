(* Rules (9) to (15) of Krämer & Seeger 2009. The last three hold for every window that is a sum over instants. *)
From Coq Require Import List Arith Lia Bool.
From Snapeq Require Export Windows.
Import ListNotations.

(* Tuples are concatenated, so pairs may be nested either way. *)
Theorem rule_9 E F G (A : stream E) (B : stream F) (C : stream G) e f g t :
  product (product A B) C ((e, f), g) t = product A (product B C) (e, (f, g)) t.
Proof. simpl. lia. Qed.

Theorem rule_10 E p (A B : stream E) : filter p (union A B) == union (filter p A) (filter p B).
Proof. intros t e. unfold snapshot. simpl. cases; lia. Qed.

Theorem rule_11 E F (A : stream E) (B : stream F) : distinct (product A B) == product (distinct A) (distinct B).
Proof. intros t e. unfold snapshot. simpl. destruct (A _ t) as [|[]], (B _ t) as [|[]]; lia. Qed.

Theorem rule_12 E (A : stream E) : time_window 1 A == A.
Proof.
  intros t e. unfold snapshot. simpl. unfold span.
  replace (t + 1 - 1) with t by lia. replace (t + 1 - t) with 1 by lia. simpl. lia.
Qed.

Section AnyWindow.
  Context {E F : Type} `{Decidable E} `{Decidable F} (reach : nat -> list nat).

  Theorem filter_through_any p (A : stream E) : filter p (window reach A) == window reach (filter p A).
  Proof. intros t e. unfold snapshot. simpl. now rewrite sum_if. Qed.

  Theorem map_through_any (f : E -> F) (A : stream E) : map f (window reach A) == window reach (map f A).
  Proof.
    intros t y. unfold snapshot. simpl. set (all := present (window reach A) t).
    assert (listed_in : forall i x, In i (reach t) -> 0 < A x i -> In x all).
    { intros i x within there. apply present_listed. simpl. apply sum_positive. eauto. }
    rewrite (sum_ext _ _ (fun i => sum (fun x => (if decide (f x) y then 1 else 0) * A x i) all)).
    - rewrite <- sum_swap. apply sum_ext. intros x _. simpl. now rewrite sum_scaled.
    - intros i within. apply total_over; [apply present_once|eauto].
  Qed.

  Theorem union_through_any (A B : stream E) : union (window reach A) (window reach B) == window reach (union A B).
  Proof. intros t e. unfold snapshot. simpl. now rewrite <- sum_add. Qed.
End AnyWindow.

Theorem rule_13 E p w (A : stream E) : filter p (time_window w A) == time_window w (filter p A).
Proof. apply filter_through_any. Qed.

Theorem rule_14 E F `{Decidable E} `{Decidable F} (f : E -> F) w (A : stream E) :
  map f (time_window w A) == time_window w (map f A).
Proof. apply map_through_any. Qed.

Theorem rule_15 E w (A B : stream E) :
  union (time_window w A) (time_window w B) == time_window w (union A B).
Proof. apply union_through_any. Qed.
