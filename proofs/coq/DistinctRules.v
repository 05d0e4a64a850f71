(* Rules about duplicate elimination, and about maps below it. *)
From Coq Require Import Arith Lia Bool List.
From Snapeq Require Import Rules.

Section DistinctRules.
  Context {E : Type}.
  Implicit Types A B : stream E.

  Theorem distinct_twice A : distinct (distinct A) == distinct A.
  Proof. pointwise. Qed.
  Theorem distinct_into_union A B : distinct (union A B) == distinct (union (distinct A) (distinct B)).
  Proof. pointwise. Qed.
  Theorem distinct_union_as_disjoint_union A B :
    distinct (union A B) == union (distinct A) (difference (distinct B) (distinct A)).
  Proof. pointwise. Qed.
  Theorem distinct_of_either_union A B : distinct (larger_union A B) == distinct (union A B).
  Proof. pointwise. Qed.
  Theorem distinct_over_disjoint_union p A B :
    let other := filter (fun e => not_true (p e)) B in
    distinct (union (filter p A) other) == union (distinct (filter p A)) (distinct other).
  Proof. pointwise. Qed.
  Theorem distinct_through_intersection A B : distinct (intersection A B) == intersection (distinct A) (distinct B).
  Proof. pointwise. Qed.
  Theorem distinct_on_one_side_of_intersection A B : distinct (intersection A B) == intersection A (distinct B).
  Proof. pointwise. Qed.
  Theorem difference_from_distinct A B : difference (distinct A) B == difference (distinct A) (distinct B).
  Proof. pointwise. Qed.
  Theorem less_all_but_one A : difference A (difference A (distinct A)) == distinct A.
  Proof. pointwise. Qed.

  (* Where there are no duplicates. *)
  Definition duplicate_free {X} (A : stream X) := forall e t, A e t <= 1.

  Theorem nothing_to_remove A : duplicate_free A -> distinct A == A.
  Proof. intros once t e. specialize (once e t). unfold snapshot. cbn. lia. Qed.
  Theorem product_without_duplicates F A (B : stream F) : duplicate_free A -> duplicate_free B ->
    distinct (product A B) == product A B.
  Proof. intros left right t [e f]. specialize (left e t). specialize (right f t). unfold snapshot. cbn. nia. Qed.
  Theorem intersection_without_duplicates A B : duplicate_free A -> distinct (intersection A B) == intersection A B.
  Proof. intros once t e. specialize (once e t). unfold snapshot. cbn. lia. Qed.
  Theorem difference_of_a_set A B : duplicate_free A -> difference A B == difference A (distinct B).
  Proof. intros once t e. specialize (once e t). unfold snapshot. cbn. lia. Qed.
End DistinctRules.

Section Aggregates.
  Context {E K V : Type} `{Decidable E} `{Decidable K} `{Decidable V}.

  Lemma unless_empty_small X (l : list X) n : n <= 1 -> unless_empty l n <= 1.
  Proof. destruct l; simpl; lia. Qed.

  Theorem an_aggregate_is_distinct (f : list E -> V) A : distinct (aggregate f A) == aggregate f A.
  Proof. intros t v. unfold snapshot. simpl. apply Nat.min_l, unless_empty_small. destruct (decide _ v); lia. Qed.
  Theorem groups_are_distinct (k : E -> K) (f : list E -> V) A : distinct (grouping k f A) == grouping k f A.
  Proof. intros t v. unfold snapshot. simpl. apply Nat.min_l, unless_empty_small. destruct (decide _ (snd v)); lia. Qed.
End Aggregates.

Section Maps.
  Context {E F G : Type} `{Decidable E} `{Decidable F} `{Decidable G}.
  Implicit Types A B : stream E.

  Theorem map_through_union (f : E -> F) A B : map f (union A B) == union (map f A) (map f B).
  Proof.
    intros t y. unfold snapshot. cbn [times map union]. set (l := present (union A B) t).
    assert (listed_in : forall e, 0 < A e t \/ 0 < B e t -> In e l) by (intros; apply present_listed; cbn; lia).
    rewrite (total_over A t _ l), (total_over B t _ l); eauto; try apply present_once.
    rewrite <- sum_add. apply sum_ext. intros. cbn. lia.
  Qed.

  Lemma map_positive (f : E -> F) A y t : 0 < map f A y t <-> exists x, f x = y /\ 0 < A x t.
  Proof.
    cbn [times map]. rewrite total_positive. split; intros (x & hit & there); exists x.
    - destruct (decide (f x) y); [auto|lia].
    - destruct (decide (f x) y); [auto|congruence].
  Qed.
  Theorem duplicates_before_map_do_not_matter (f : E -> F) A : distinct (map f A) == distinct (map f (distinct A)).
  Proof.
    intros t y. apply by_sets. rewrite !map_positive. cbn.
    split; intros (x & hit & there); exists x; split; trivial; lia.
  Qed.

  Theorem map_after_map (f : E -> F) (g : F -> G) A : map g (map f A) == map (fun x => g (f x)) A.
  Proof.
    intros t z. unfold snapshot. cbn [times map]. set (l := present A t).
    rewrite (total_over (map f A) t _ (nodup decide (List.map f l))).
    - cbn [times map]. unfold total at 1. fold l.
      rewrite (sum_ext _ _ (fun y => sum (fun x =>
        (if decide (g y) z then 1 else 0) * ((if decide (f x) y then 1 else 0) * A x t)) l)).
      2: { intros. now rewrite sum_scaled. }
      rewrite sum_swap. unfold total. fold l. apply sum_ext. intros x there.
      rewrite (sum_ext _ _ (fun y => if decide y (f x) then (if decide (g y) z then 1 else 0) * A x t else 0)).
      + rewrite (sum_one decide (fun y => (if decide (g y) z then 1 else 0) * A x t)); trivial.
        * apply NoDup_nodup.
        * apply nodup_In, in_map, there.
      + intros y _. destruct (decide (f x) y), (decide y (f x)); try congruence; lia.
    - apply NoDup_nodup.
    - intros y _ there. apply map_positive in there as (x & <- & there). apply nodup_In, in_map, present_listed, there.
  Qed.

  Theorem projection_on_everything A : map (fun x => x) A == A.
  Proof. intros t y. unfold snapshot. cbn [times map]. apply total_one. Qed.

  (* A map that loses nothing: there is a way back. *)
  Lemma injective_map (f : E -> F) A x t : (forall y, f y = f x -> y = x) -> map f A (f x) t = A x t.
  Proof.
    intros injective. cbn [times map]. rewrite <- (total_one A t x). unfold total. apply sum_ext. intros y _.
    destruct (decide (f y) (f x)) as [equal|], (decide y x) as [->|]; trivial; [|easy]. exfalso. auto.
  Qed.
  Lemma map_elsewhere (f : E -> F) A y t : (forall x, f x <> y) -> map f A y t = 0.
  Proof.
    intros none. destruct (Nat.eq_0_gt_0_cases (map f A y t)) as [|there]; trivial.
    apply map_positive in there as (x & hit & _). now destruct (none x).
  Qed.
End Maps.

Section Extensions.
  Context {E F : Type} `{Decidable E} `{Decidable F} (f : E -> F).
  Implicit Types A B : stream E.

  (* One more column that is computed from the others. *)
  Definition extension (A : stream E) : stream (E * F) := map (fun x => (x, f x)) A.

  Lemma extension_times A x y t : extension A (x, y) t = if decide (f x) y then A x t else 0.
  Proof.
    unfold extension. destruct (decide (f x) y) as [<-|differs].
    - apply (injective_map (fun x => (x, f x))). congruence.
    - apply map_elsewhere. congruence.
  Qed.

  Ltac by_extension := intros; intros t [x y]; unfold snapshot; cbn [times distinct difference intersection];
    rewrite !extension_times; cbn [times distinct difference intersection]; destruct (decide (f x) y); trivial.

  Theorem extension_through_distinct A : distinct (extension A) == extension (distinct A).
  Proof. by_extension. Qed.
  Theorem extension_through_difference A B : extension (difference A B) == difference (extension A) (extension B).
  Proof. by_extension. Qed.
  Theorem extension_through_intersection A B : extension (intersection A B) == intersection (extension A) (extension B).
  Proof. by_extension. Qed.
End Extensions.
