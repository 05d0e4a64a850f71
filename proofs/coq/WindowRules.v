(* Rules about time windows: contained, composed, cut in two. *)
From Coq Require Import Arith Lia Bool List.
From Snapeq Require Import Rules.

Section Spans.
  Variable f : nat -> nat.

  (* A sum over a span is one over all instants up to a bound, of what the span has. *)
  Lemma sum_span first last bound : last < bound ->
    sum f (span first last) = sum (fun i => if (first <=? i) && (i <=? last) then f i else 0) (seq 0 bound).
  Proof.
    intros early. rewrite <- sum_filter. apply sum_permutation, Permutation.NoDup_Permutation.
    - apply span_once.
    - apply NoDup_filter, seq_NoDup.
    - intros i. rewrite in_span, filter_In, in_seq, andb_true_iff, !Nat.leb_le. lia.
  Qed.

  Lemma sum_span_inside a b c d : c <= a -> b <= d -> sum f (span a b) <= sum f (span c d).
  Proof. intros. apply sum_inside; [apply span_once|]. intros i. rewrite !in_span. lia. Qed.

  Lemma span_positive a b : 0 < sum f (span a b) <-> exists i, a <= i <= b /\ 0 < f i.
  Proof. rewrite sum_positive. now setoid_rewrite in_span. Qed.
End Spans.

Lemma count_span a b bound : b < bound ->
  sum (fun i => if (a <=? i) && (i <=? b) then 1 else 0) (seq 0 bound) = b + 1 - a.
Proof.
  intros early. rewrite <- (sum_span (fun _ => 1)) by trivial. unfold span.
  generalize (b + 1 - a). intros n. generalize a. induction n; simpl; auto.
Qed.

Section WindowRules.
  Context {E : Type}.
  Implicit Types A B : stream E.

  Theorem filter_through_unbounded_window p A : filter p (unbounded_window A) == unbounded_window (filter p A).
  Proof. apply filter_through_any. Qed.

  Theorem smaller_window_is_contained v w A : v <= w ->
    intersection (time_window v A) (time_window w A) == time_window v A.
  Proof. intros smaller t e. unfold snapshot. cbn. apply Nat.min_l, sum_span_inside; lia. Qed.
  Theorem smaller_window_adds_nothing v w A B : v <= w -> union B (difference (time_window v A) (time_window w A)) == B.
  Proof.
    intros smaller t e. unfold snapshot. cbn.
    pose proof (sum_span_inside (A e) (t + 1 - v) t (t + 1 - w) t). lia.
  Qed.
  Theorem intersection_of_windows v w A :
    intersection (time_window v A) (time_window w A) == time_window (Nat.min v w) A.
  Proof.
    intros t e. unfold snapshot. cbn. destruct (Nat.le_ge_cases v w).
    - rewrite (Nat.min_l v w) by trivial. apply Nat.min_l, sum_span_inside; lia.
    - rewrite (Nat.min_r v w) by trivial. apply Nat.min_r, sum_span_inside; lia.
  Qed.
  Theorem distinct_union_of_windows v w A :
    distinct (union (time_window v A) (time_window w A)) == distinct (time_window (Nat.max v w) A).
  Proof.
    intros t e. apply by_sets. cbn. pose proof (sum_span_inside (A e) (t + 1 - v) t (t + 1 - Nat.max v w) t).
    pose proof (sum_span_inside (A e) (t + 1 - w) t (t + 1 - Nat.max v w) t).
    destruct (Nat.le_ge_cases v w);
      [rewrite (Nat.max_r v w) in * by trivial|rewrite (Nat.max_l v w) in * by trivial]; lia.
  Qed.
  Theorem window_contains_its_stream w A : 1 <= w -> intersection A (time_window w A) == A.
  Proof.
    intros proper t e. unfold snapshot. cbn. apply Nat.min_l. apply (sum_at_least _ (A e)). rewrite in_span. lia.
  Qed.
  Theorem unbounded_window_contains_window w A : intersection (time_window w A) (unbounded_window A) == time_window w A.
  Proof. intros t e. unfold snapshot. cbn. apply Nat.min_l, sum_span_inside; lia. Qed.
  Theorem window_of_a_difference_is_contained w A B :
    intersection (time_window w (difference A B)) (time_window w A) == time_window w (difference A B).
  Proof. intros t e. unfold snapshot. cbn. apply Nat.min_l, sum_monotone. intros. lia. Qed.
  Theorem window_of_nothing w A B : union B (time_window w (difference A A)) == B.
  Proof. intros t e. unfold snapshot. cbn. rewrite sum_none; [lia|]. intros. lia. Qed.
  Theorem distinct_below_distinct_window w A : distinct (time_window w (distinct A)) == distinct (time_window w A).
  Proof.
    intros t e. apply by_sets. cbn. rewrite !span_positive. split; intros (i & ? & ?); exists i; split; trivial; lia.
  Qed.

  (* How often the window of a window has an instant: the number of windows that have it and are had. *)
  Theorem window_of_window v w A e t : 1 <= w -> time_window v (time_window w A) e t
    = sum (fun j => (Nat.min t (j + w - 1) + 1 - Nat.max j (t + 1 - v)) * A e j) (seq 0 (t + 1)).
  Proof.
    intros proper. cbn. rewrite (sum_span _ _ _ (t + 1)) by lia.
    rewrite (sum_ext _ _ (fun i => sum (fun j =>
      A e j * if (Nat.max j (t + 1 - v) <=? i) && (i <=? Nat.min t (j + w - 1)) then 1 else 0) (seq 0 (t + 1)))).
    - rewrite sum_swap. apply sum_ext. intros j _. rewrite sum_scaled, count_span by lia. lia.
    - intros i within. apply in_seq in within. rewrite (sum_span _ _ _ (t + 1)) by lia. rewrite <- sum_if.
      apply sum_ext. intros j within'. apply in_seq in within'.
      destruct (Nat.leb_spec (t + 1 - v) i), (Nat.leb_spec i t), (Nat.leb_spec (i + 1 - w) j), (Nat.leb_spec j i),
        (Nat.leb_spec (Nat.max j (t + 1 - v)) i), (Nat.leb_spec i (Nat.min t (j + w - 1))); cbn; lia.
  Qed.
  Theorem windows_commute v w A : 1 <= v -> 1 <= w ->
    time_window v (time_window w A) == time_window w (time_window v A).
  Proof.
    intros ? ? t e. unfold snapshot. rewrite !window_of_window by trivial. apply sum_ext. intros j within.
    apply in_seq in within.
    f_equal. lia.
  Qed.

  Lemma window_of_window_positive v w A e t : 1 <= v -> 1 <= w ->
    0 < time_window v (time_window w A) e t <-> 0 < time_window (v + w - 1) A e t.
  Proof.
    intros ? ?. cbn. rewrite !span_positive. setoid_rewrite span_positive. split.
    - intros (i & ? & j & ? & ?). exists j. split; trivial. lia.
    - intros (j & ? & ?). exists (Nat.max j (t + 1 - v)). split; [lia|]. exists j. split; trivial. lia.
  Qed.
  Theorem distinct_window_of_window v w A : 1 <= v -> 1 <= w ->
    distinct (time_window v (time_window w A)) == distinct (time_window (v + w - 1) A).
  Proof. intros ? ? t e. now apply by_sets, window_of_window_positive. Qed.
  Theorem rows_of_window_of_window v w A : 1 <= v -> 1 <= w ->
    same_sets (time_window v (time_window w A)) (time_window (v + w - 1) A).
  Proof. intros ? ? t e. now apply window_of_window_positive. Qed.
  Theorem unbounded_window_absorbs_window w A : 1 <= w ->
    distinct (unbounded_window (time_window w A)) == distinct (unbounded_window A).
  Proof.
    intros ? t e. apply by_sets. cbn. unfold unbounded. rewrite !span_positive. setoid_rewrite span_positive. split.
    - intros (i & ? & j & ? & ?). exists j. split; trivial. lia.
    - intros (j & ? & ?). exists j. split; [lia|]. exists j. split; trivial. lia.
  Qed.
  Theorem unbounded_window_twice A : distinct (unbounded_window (unbounded_window A)) == distinct (unbounded_window A).
  Proof.
    intros t e. apply by_sets. cbn. unfold unbounded. rewrite !span_positive. setoid_rewrite span_positive. split.
    - intros (i & ? & j & ? & ?). exists j. split; trivial. lia.
    - intros (j & ? & ?). exists j. split; [lia|]. exists j. split; trivial. lia.
  Qed.
  Theorem what_meets_in_the_streams_meets_in_the_windows w A B :
    let both_ := distinct (time_window w (intersection A B)) in
    intersection both_ (distinct (intersection (time_window w A) (time_window w B))) == both_.
  Proof.
    intros both_ t e. unfold both_, snapshot. cbn.
    assert (sum (fun i => Nat.min (A e i) (B e i)) (span (t + 1 - w) t) <= sum (A e) (span (t + 1 - w) t))
      by (apply sum_monotone; intros; lia).
    assert (sum (fun i => Nat.min (A e i) (B e i)) (span (t + 1 - w) t) <= sum (B e) (span (t + 1 - w) t))
      by (apply sum_monotone; intros; lia).
    lia.
  Qed.

  (* The window of a window is not a longer window: what both have is counted twice. *)
  Theorem window_of_window_is_no_window :
    ~ forall A : stream unit, time_window 2 (time_window 2 A) == time_window 3 A.
  Proof.
    intros wrong. assert (all : forall (e : unit) (t : nat), 0 < 1 ->
      List.In e (List.cons tt List.nil)) by (intros []; simpl; auto).
    discriminate (wrong (Stream (fun _ _ => 1) (fun _ => List.cons tt List.nil) all) 1 tt).
  Qed.
End WindowRules.
