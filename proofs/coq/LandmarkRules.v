(* Rules about landmark windows and about slides of windows. *)
From Coq Require Import Arith Lia Bool List.
From Snapeq Require Import Rules WindowRules.

Section LandmarkRules.
  Context {E : Type}.
  Implicit Types A : stream E.

  Theorem landmark_at_every_instant A : resetting_window 0 1 A == A.
  Proof.
    intros t e. unfold snapshot. cbn [times resetting_window window]. unfold resetting. cbn [Nat.leb].
    rewrite Nat.div_1_r, Nat.mul_1_l, Nat.sub_0_r. unfold span. cbn [Nat.add].
    replace (t + 1 - t) with 1 by lia. cbn. lia.
  Qed.
  Theorem landmark_is_contained a A : intersection (landmark_window a A) (unbounded_window A) == landmark_window a A.
  Proof. intros t e. unfold snapshot. cbn. unfold landmark, unbounded. apply Nat.min_l, sum_span_inside; lia. Qed.
  Theorem intersection_of_landmarks a b A :
    intersection (landmark_window a A) (landmark_window b A) == landmark_window (Nat.max a b) A.
  Proof.
    intros t e. unfold snapshot. cbn. unfold landmark. destruct (Nat.le_ge_cases a b).
    - rewrite (Nat.max_r a b) by trivial. apply Nat.min_r, sum_span_inside; lia.
    - rewrite (Nat.max_l a b) by trivial. apply Nat.min_l, sum_span_inside; lia.
  Qed.
  Theorem landmark_is_contained_in_a_window a r w A : 1 <= r -> r <= w ->
    intersection (resetting_window a r A) (time_window w A) == resetting_window a r A.
  Proof.
    intros proper shorter t e. unfold snapshot. cbn [times intersection resetting_window time_window window].
    apply Nat.min_l. unfold resetting. destruct (Nat.leb_spec a t); [|cbn; lia]. apply sum_span_inside; [|lia].
    pose proof (Nat.div_mod_eq (t - a) r). pose proof (Nat.mod_upper_bound (t - a) r). lia.
  Qed.
  Theorem landmark_of_a_later_landmark a b A : b <= a ->
    distinct (landmark_window b (landmark_window a A)) == distinct (landmark_window a A).
  Proof.
    intros later t e. apply by_sets. cbn. unfold landmark. rewrite !span_positive. setoid_rewrite span_positive. split.
    - intros (i & ? & j & ? & ?). exists j. split; trivial. lia.
    - intros (j & ? & ?). exists j. split; [lia|]. exists j. split; trivial. lia.
  Qed.

  Lemma boundary_before s t : boundary s t <= t.
  Proof. unfold boundary. destruct s; [simpl; lia|]. apply Nat.mul_div_le. lia. Qed.
  Theorem intersection_of_slides v w s A :
    intersection (slide_window v s A) (slide_window w s A) == slide_window (Nat.min v w) s A.
  Proof.
    intros t e. unfold snapshot. cbn [times intersection slide_window window]. unfold sliding.
    destruct (Nat.le_ge_cases v w).
    - rewrite (Nat.min_l v w) by trivial. apply Nat.min_l, sum_span_inside; lia.
    - rewrite (Nat.min_r v w) by trivial. apply Nat.min_r, sum_span_inside; lia.
  Qed.
  Theorem slide_is_contained_in_a_longer_window v w s A : 1 <= s -> w + s - 1 <= v ->
    intersection (slide_window w s A) (time_window v A) == slide_window w s A.
  Proof.
    intros proper longer t e. unfold snapshot. cbn [times intersection slide_window time_window window]. unfold sliding.
    apply Nat.min_l, sum_span_inside; [|apply boundary_before].
    unfold boundary. pose proof (Nat.div_mod_eq t s). pose proof (Nat.mod_upper_bound t s). lia.
  Qed.
  Theorem distinct_slide_of_window v w s A : 1 <= v -> 1 <= w ->
    distinct (slide_window v s (time_window w A)) == distinct (slide_window (v + w - 1) s A).
  Proof.
    intros proper proper' t e. apply by_sets.
    exact (window_of_window_positive v w A e (boundary s t) proper proper').
  Qed.
  Theorem sizes_under_a_slide_commute v w s A : 1 <= v -> 1 <= w ->
    slide_window v s (time_window w A) == slide_window w s (time_window v A).
  Proof. intros proper proper' t e. exact (windows_commute v w A proper proper' (boundary s t) e). Qed.
End LandmarkRules.
