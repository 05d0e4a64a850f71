(* Windows are not snapshot-reducible: the same snapshot may come out as different ones. *)
From Coq Require Import List Arith Lia Bool.
From Snapeq Require Import Reducible.
Import ListNotations.

(* The stream of units that has one element, at one instant; at `None`, never. *)
Definition blink (instant : option nat) : stream unit.
Proof.
  refine (Stream (fun _ t => match instant with Some i => if i =? t then 1 else 0 | None => 0 end) (fun _ => [tt]) _).
  abstract (intros [] t _; simpl; auto).
Defined.

(* What shows that an operator is not: an element seen at an instant at which it is not there, where nothing is seen
  of nothing. *)
Lemma not_reducible (op : stream unit -> stream unit) i t : i <> t ->
  op (blink (Some i)) tt t <> op (blink None) tt t -> ~ reducible op.
Proof.
  intros elsewhere differs over. apply differs. apply reducible_local in over.
  apply (over (blink (Some i)) (blink None) t t). intros []. unfold snapshot. simpl.
  destruct (Nat.eqb_spec i t); [contradiction|trivial].
Qed.

Lemma blink_never l : sum (fun t => blink None tt t) l = 0.
Proof. now apply sum_none. Qed.

Lemma blink_seen i l : NoDup l -> In i l -> sum (fun t => blink (Some i) tt t) l = 1.
Proof.
  intros once there. rewrite (sum_ext _ _ (fun t => if Nat.eq_dec t i then 1 else 0)).
  - now rewrite (sum_one Nat.eq_dec (fun _ => 1)).
  - intros t _. simpl. destruct (Nat.eqb_spec i t), (Nat.eq_dec t i); congruence.
Qed.

(* Every window that at some instant reaches another one. *)
Lemma window_not_reducible reach i t : i <> t -> NoDup (reach t) -> In i (reach t) -> ~ reducible (@window unit reach).
Proof.
  intros elsewhere once there. apply (not_reducible _ i t elsewhere).
  cbn [times window]. rewrite blink_seen, blink_never by trivial. easy.
Qed.

Theorem time_window_not_reducible w : 2 <= w -> ~ reducible (@time_window unit w).
Proof. intros. apply (window_not_reducible _ 0 1); [easy|apply span_once|]. rewrite in_span. lia. Qed.

Theorem slide_window_not_reducible w s : 1 <= w -> 2 <= s -> ~ reducible (@slide_window unit w s).
Proof.
  intros. apply (window_not_reducible _ 0 1); [easy|apply span_once|].
  unfold sliding, boundary. rewrite Nat.div_small by lia. rewrite in_span. lia.
Qed.

Theorem unbounded_window_not_reducible : ~ reducible (@unbounded_window unit).
Proof. apply (window_not_reducible _ 0 1); [easy|apply span_once|]. unfold unbounded. rewrite in_span. lia. Qed.

Theorem landmark_window_not_reducible a : ~ reducible (@landmark_window unit a).
Proof. apply (window_not_reducible _ a (a + 1)); [lia|apply span_once|]. unfold landmark. rewrite in_span. lia. Qed.

Theorem resetting_window_not_reducible a r : 2 <= r -> ~ reducible (@resetting_window unit a r).
Proof.
  intros. assert (started : (a <=? a + 1) = true) by (apply Nat.leb_le; lia).
  assert (not_yet : (a + 1 - a) / r = 0) by (apply Nat.div_small; lia).
  apply (window_not_reducible _ a (a + 1)); [lia| |]; unfold resetting; rewrite started, not_yet;
    [apply span_once|rewrite in_span; lia].
Qed.

Theorem delay_not_reducible k : 1 <= k -> ~ reducible (@delay unit k).
Proof.
  intros. apply (window_not_reducible _ 0 k); [lia| |]; unfold delayed; rewrite Nat.leb_refl.
  - repeat constructor. easy.
  - rewrite Nat.sub_diag. now left.
Qed.

Theorem dstream_not_reducible : ~ reducible (@dstream unit).
Proof. now apply (not_reducible _ 0 1). Qed.

(* An element that stays is new at 0 only. *)
Definition constant_unit : stream unit.
Proof. refine (Stream (fun _ _ => 1) (fun _ => [tt]) _). abstract (intros [] t _; simpl; auto). Defined.

Theorem istream_not_reducible : ~ reducible (@istream unit).
Proof.
  intros over. apply reducible_local in over.
  discriminate (over constant_unit constant_unit 0 1 (fun e => eq_refl) tt).
Qed.

Theorem rows_with_ties_not_reducible n : 1 <= n -> ~ reducible (@rows_with_ties unit _ n).
Proof.
  intros. apply (not_reducible _ 0 1); [easy|]. destruct n as [|n]; [lia|]. vm_compute. easy.
Qed.

(* The now-window is the identity, and so it is reducible. *)
Theorem now_window_reducible E : reducible (@time_window E 1).
Proof.
  apply local_reducible. intros A B t u equal e. unfold same_at, snapshot in *. cbn. unfold span.
  replace (t + 1 - 1) with t by lia. replace (u + 1 - 1) with u by lia.
  replace (t + 1 - t) with 1 by lia. replace (u + 1 - u) with 1 by lia. cbn. now rewrite equal.
Qed.
