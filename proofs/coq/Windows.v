(* Windows, delays and the stream operators of CQL: the operators that look at other instants. *)
From Coq Require Import List Arith Lia Bool.
From Snapeq Require Export Operators.
Import ListNotations.

(* A window shows, at each instant, everything of the instants that it reaches then. *)
Definition window {E} (reach : nat -> list nat) (A : stream E) : stream E.
Proof.
  refine (Stream (fun e t => sum (A e) (reach t)) (fun t => flat_map (rows A) (reach t)) _).
  abstract (intros e t there; apply sum_positive in there as (i & within & there);
    apply in_flat_map; exists i; split; auto; now apply listed).
Defined.

(* All instants from the first to the last. *)
Definition span (first last : nat) : list nat := seq first (last + 1 - first).
Definition boundary (slide t : nat) : nat := slide * (t / slide).

Definition sliding w s t := span (boundary s t + 1 - w) (boundary s t).
Definition unbounded t := span 0 t.
Definition landmark a t := span a t.
Definition resetting a r t := if a <=? t then span (a + r * ((t - a) / r)) t else [].
Definition delayed k t := if k <=? t then [t - k] else [].

Definition time_window {E} w := @window E (fun t => span (t + 1 - w) t).       (* (5) *)
Definition slide_window {E} w s := @window E (sliding w s).
Definition unbounded_window {E} := @window E unbounded.
Definition landmark_window {E} a := @window E (landmark a).
Definition resetting_window {E} a r := @window E (resetting a r).
Definition delay {E} k := @window E (delayed k).

Definition istream {E} (A : stream E) := difference A (delay 1 A).
Definition dstream {E} (A : stream E) := difference (delay 1 A) A.

(* The last N occurrences, those of one instant entering and leaving together: ROWS N WITH TIES. *)
Definition rows_with_ties {E} `{Decidable E} (n : nat) (A : stream E) : stream E.
Proof.
  refine (Stream
    (fun e t => sum (fun i => if sum (fun j => total A j (fun _ => 1)) (span (i + 1) t) <? n
      then A e i else 0) (span 0 t))
    (fun t => flat_map (rows A) (span 0 t)) _).
  abstract (intros e t there; apply sum_positive in there as (i & within & there); apply in_flat_map; exists i;
    destruct (_ <? n); [split; auto; now apply listed|lia]).
Defined.

Lemma in_span first last i : In i (span first last) <-> first <= i <= last.
Proof. unfold span. rewrite in_seq. lia. Qed.

Lemma span_once first last : NoDup (span first last).
Proof. apply seq_NoDup. Qed.

Lemma slide_of_one w t : sliding w 1 t = span (t + 1 - w) t.
Proof. unfold sliding, boundary. now rewrite Nat.div_1_r, Nat.mul_1_l. Qed.

Lemma delay_times E k (A : stream E) e t : delay k A e t = if k <=? t then A e (t - k) else 0.
Proof. simpl. unfold delayed. destruct (k <=? t); simpl; lia. Qed.
