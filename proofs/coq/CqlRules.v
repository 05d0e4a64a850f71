(* Rules about delays, Istream and Dstream, sliding samples and landmarks. *)
From Coq Require Import Arith Lia Bool List.
From Snapeq Require Import Rules.

Lemma unbounded_step E (A : stream E) e t : unbounded_window A e (S t) = unbounded_window A e t + A e (S t).
Proof.
  change (sum (A e) (span 0 (S t)) = sum (A e) (span 0 t) + A e (S t)). unfold span.
  replace (S t + 1 - 0) with (S (t + 1)) by lia. replace (t + 1 - 0) with (t + 1) by lia. rewrite seq_S, sum_app.
  replace (0 + (t + 1)) with (S t) by lia. cbn. lia.
Qed.
Lemma unbounded_start E (A : stream E) e : unbounded_window A e 0 = A e 0.
Proof. cbn. lia. Qed.

Ltac delays := rewrite ?delay_times; cbn [times union difference intersection istream dstream distinct filter];
  rewrite ?delay_times; cbn [times union difference intersection istream dstream distinct filter]; rewrite ?delay_times.

(* The catalogue writes A[k], which the plans have no operator for, as a difference of two windows. *)
Lemma delay_by_windows E k (A : stream E) : delay k A == difference (time_window (k + 1) A) (time_window k A).
Proof.
  intros t e. unfold snapshot. rewrite delay_times. cbn [times difference time_window window].
  destruct (Nat.leb_spec k t).
  - replace (t + 1 - (k + 1)) with (t - k) by lia. unfold span.
    replace (t + 1 - (t - k)) with (S k) by lia. replace (t + 1 - (t + 1 - k)) with k by lia.
    cbn [seq sum]. replace (S (t - k)) with (t + 1 - k) by lia. lia.
  - replace (t + 1 - (k + 1)) with 0 by lia. replace (t + 1 - k) with 0 by lia. lia.
Qed.

Section Delays.
  Context {E : Type}.
  Implicit Types A B : stream E.

  Theorem delays_add_up j k A : delay k (delay j A) == delay (j + k) A.
  Proof.
    intros t e. unfold snapshot. rewrite !delay_times.
    destruct (Nat.leb_spec k t), (Nat.leb_spec (j + k) t), (Nat.leb_spec j (t - k)); try lia; trivial. f_equal. lia.
  Qed.
  Theorem delay_through_difference k A B : delay k (difference A B) == difference (delay k A) (delay k B).
  Proof. intros t e. unfold snapshot. delays. now destruct (k <=? t). Qed.
  Theorem delay_through_distinct k A : delay k (distinct A) == distinct (delay k A).
  Proof. intros t e. unfold snapshot. delays. now destruct (k <=? t). Qed.
  Theorem istream_by_windows A : istream A == difference A (delay 1 A).
  Proof. now intros t e. Qed.
  Theorem dstream_by_windows A : dstream A == difference (delay 1 A) A.
  Proof. now intros t e. Qed.
  Theorem what_comes_and_what_goes A : union (istream A) (delay 1 A) == union (dstream A) A.
  Proof. intros t e. unfold snapshot. delays. lia. Qed.
  Theorem what_is_new_and_what_stayed A : A == union (istream A) (intersection A (delay 1 A)).
  Proof. intros t e. unfold snapshot. delays. lia. Qed.

  (* Everything so far, the window, and what is older than that. *)
  Lemma unbounded_parts w A e t : unbounded_window A e t = time_window w A e t + delay w (unbounded_window A) e t.
  Proof.
    rewrite delay_times. cbn [times unbounded_window time_window window]. unfold unbounded, span.
    destruct (Nat.leb_spec w t).
    - replace (t + 1 - 0) with ((t - w + 1 - 0) + (t + 1 - (t + 1 - w))) by lia. rewrite seq_app, sum_app.
      replace (0 + (t - w + 1 - 0)) with (t + 1 - w) by lia. lia.
    - replace (t + 1 - w) with 0 by lia. lia.
  Qed.
  Theorem unbounded_window_in_two_parts w A :
    unbounded_window A == union (time_window w A) (delay w (unbounded_window A)).
  Proof. intros t e. apply unbounded_parts. Qed.
  Theorem window_as_a_difference w A : time_window w A
    == difference (unbounded_window A) (delay w (unbounded_window A)).
  Proof. intros t e. unfold snapshot. cbn [times difference]. rewrite (unbounded_parts w A e t). lia. Qed.

  (* From one instant to the next: what comes and what is too old. *)
  Lemma window_step w A e t :
    time_window w A e (S t) + (if w <=? S t then A e (S t - w) else 0) = time_window w A e t + A e (S t).
  Proof.
    pose proof (unbounded_parts w A e (S t)) as now. pose proof (unbounded_parts w A e t) as before.
    rewrite unbounded_step in now. rewrite delay_times in now, before.
    destruct (Nat.leb_spec w (S t)), (Nat.leb_spec w t); try lia.
    - replace (S t - w) with (S (t - w)) in * by lia. rewrite unbounded_step in now. lia.
    - replace (S t - w) with 0 in * by lia. rewrite unbounded_start in now. lia.
  Qed.
  Lemma window_start w A e : 1 <= w -> time_window w A e 0 = A e 0.
  Proof. intros. cbn [times time_window window]. replace (0 + 1 - w) with 0 by lia. cbn. lia. Qed.
  Theorem istream_of_window w A : 1 <= w -> istream (time_window w A) == difference A (delay w A).
  Proof.
    intros proper [|t] e; unfold snapshot; delays.
    - rewrite window_start by trivial. destruct (Nat.leb_spec w 0); [lia|]. cbn. lia.
    - pose proof (window_step w A e t). cbn [Nat.leb]. replace (S t - 1) with t by lia. lia.
  Qed.
  Theorem dstream_of_window w A : 1 <= w -> dstream (time_window w A) == difference (delay w A) A.
  Proof.
    intros proper [|t] e; unfold snapshot; delays.
    - destruct (Nat.leb_spec w 0); [lia|]. cbn. lia.
    - pose proof (window_step w A e t). cbn [Nat.leb]. replace (S t - 1) with t by lia. lia.
  Qed.
  Theorem what_enters_a_window_is_in_its_stream w A : 1 <= w ->
    intersection (istream (time_window w A)) A == istream (time_window w A).
  Proof.
    intros proper t e. pose proof (istream_of_window w A proper t e) as same. unfold snapshot in *.
    cbn [times intersection]. rewrite same. cbn [times difference]. lia.
  Qed.

  Theorem filter_through_istream p A : istream (filter p A) == filter p (istream A).
  Proof. intros t e. unfold snapshot. delays. destruct (1 <=? t), (holds (p e)); trivial. Qed.
  Theorem filter_through_dstream p A : dstream (filter p A) == filter p (dstream A).
  Proof. intros t e. unfold snapshot. delays. destruct (1 <=? t), (holds (p e)); trivial. Qed.
  Theorem istream_is_contained A : intersection (istream A) A == istream A.
  Proof. intros t e. unfold snapshot. delays. lia. Qed.
  Theorem nothing_comes_and_goes_at_once A : difference (istream A) (dstream A) == istream A.
  Proof. intros t e. unfold snapshot. delays. lia. Qed.
  Theorem nothing_goes_and_comes_at_once A : difference (dstream A) (istream A) == dstream A.
  Proof. intros t e. unfold snapshot. delays. lia. Qed.
  Theorem istream_of_distinct_has_no_duplicates A : distinct (istream (distinct A)) == istream (distinct A).
  Proof. intros t e. unfold snapshot. delays. lia. Qed.
  Theorem istream_of_union_is_contained A B :
    intersection (istream (union A B)) (union (istream A) (istream B)) == istream (union A B).
  Proof. intros t e. unfold snapshot. delays. destruct (1 <=? t); lia. Qed.
  Theorem dstream_of_union_is_contained A B :
    intersection (dstream (union A B)) (union (dstream A) (dstream B)) == dstream (union A B).
  Proof. intros t e. unfold snapshot. delays. destruct (1 <=? t); lia. Qed.

  Theorem istream_of_unbounded_window A : istream (unbounded_window A) == A.
  Proof.
    intros [|t] e; unfold snapshot; delays.
    - rewrite unbounded_start. cbn. lia.
    - rewrite unbounded_step. cbn [Nat.leb]. replace (S t - 1) with t by lia. lia.
  Qed.
  Theorem nothing_leaves_an_unbounded_window A B : union B (dstream (unbounded_window A)) == B.
  Proof.
    intros [|t] e; unfold snapshot; delays.
    - cbn. lia.
    - rewrite unbounded_step. cbn [Nat.leb]. replace (S t - 1) with t by lia. lia.
  Qed.
  Theorem istream_of_union_of_unbounded_windows A B :
    istream (union (unbounded_window A) (unbounded_window B)) == union A B.
  Proof.
    intros [|t] e; unfold snapshot; delays.
    - rewrite !unbounded_start. cbn. lia.
    - rewrite !unbounded_step. cbn [Nat.leb]. replace (S t - 1) with t by lia. lia.
  Qed.

  (* What came is there or left. *)
  Lemma came_and_left A e t :
    unbounded_window (istream A) e t = A e t + unbounded_window (dstream A) e t.
  Proof.
    induction t as [|t IH].
    - rewrite !unbounded_start. delays. cbn. lia.
    - rewrite !unbounded_step, IH. delays. cbn [Nat.leb]. replace (S t - 1) with t by lia. lia.
  Qed.
  Theorem what_came_is_there_or_left A : unbounded_window (istream A) == union A (unbounded_window (dstream A)).
  Proof. intros t e. apply came_and_left. Qed.
  Theorem what_came_and_did_not_leave A :
    difference (unbounded_window (istream A)) (unbounded_window (dstream A)) == A.
  Proof. intros t e. unfold snapshot. cbn [times difference]. rewrite came_and_left. lia. Qed.
End Delays.

(* A slide shows, between its boundaries, what the window was at the last of them. *)
Lemma boundary_span s t : span (boundary s t + 1 - 1) (boundary s t) = cons (boundary s t) nil.
Proof.
  unfold span. replace (boundary s t + 1 - 1) with (boundary s t) by lia.
  now replace (boundary s t + 1 - boundary s t) with 1 by lia.
Qed.
Lemma sample_times E s (A : stream E) e t : slide_window 1 s A e t = A e (boundary s t).
Proof. cbn. unfold sliding. rewrite boundary_span. cbn. lia. Qed.

Section AnyReach.
  Context {E F : Type} `{Decidable E} `{Decidable F}.
  Implicit Types A B : stream E.

  Theorem filter_through_slide p w s A : filter p (slide_window w s A) == slide_window w s (filter p A).
  Proof. apply filter_through_any. Qed.
  Theorem map_through_slide (f : E -> F) w s A : map f (slide_window w s A) == slide_window w s (map f A).
  Proof. apply map_through_any. Qed.
  Theorem union_through_slide w s A B :
    union (slide_window w s A) (slide_window w s B) == slide_window w s (union A B).
  Proof. apply union_through_any. Qed.
  Theorem filter_through_landmark p a r A : filter p (resetting_window a r A) == resetting_window a r (filter p A).
  Proof. apply filter_through_any. Qed.
  Theorem map_through_landmark (f : E -> F) a r A : map f (resetting_window a r A) == resetting_window a r (map f A).
  Proof. apply map_through_any. Qed.
  Theorem union_through_landmark a r A B :
    union (resetting_window a r A) (resetting_window a r B) == resetting_window a r (union A B).
  Proof. apply union_through_any. Qed.
  Theorem unbounded_window_is_a_landmark A : unbounded_window A == landmark_window 0 A.
  Proof. now intros t e. Qed.

  Theorem slide_is_a_sample w s A : slide_window w s A == slide_window 1 s (time_window w A).
  Proof. intros t e. unfold snapshot. now rewrite sample_times. Qed.
  Theorem sample_through_difference s A B :
    slide_window 1 s (difference A B) == difference (slide_window 1 s A) (slide_window 1 s B).
  Proof. intros t e. unfold snapshot. cbn [times difference]. now rewrite !sample_times. Qed.
  Theorem sample_through_intersection s A B :
    slide_window 1 s (intersection A B) == intersection (slide_window 1 s A) (slide_window 1 s B).
  Proof. intros t e. unfold snapshot. cbn [times intersection]. now rewrite !sample_times. Qed.
  Theorem sample_through_distinct s A : slide_window 1 s (distinct A) == distinct (slide_window 1 s A).
  Proof. intros t e. unfold snapshot. cbn [times distinct]. now rewrite !sample_times. Qed.
  Theorem sample_through_join on s A (B : stream F) :
    slide_window 1 s (join on A B) == join on (slide_window 1 s A) (slide_window 1 s B).
  Proof.
    intros t [e f]. unfold snapshot. rewrite sample_times. unfold join. cbn [times filter product fst snd].
    now rewrite !sample_times.
  Qed.
End AnyReach.
