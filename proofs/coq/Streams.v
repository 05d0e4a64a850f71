(* Logical streams: how often each tuple is there at each instant, finitely many at a time; when two are equal. *)
From Coq Require Import List Arith Lia Bool ZArith Permutation.
From Snapeq Require Export Multiplicities.
Import ListNotations.

Class Decidable (E : Type) := decide : forall x y : E, {x = y} + {x <> y}.
#[export] Instance decidable_nat : Decidable nat := Nat.eq_dec.
#[export] Instance decidable_int : Decidable Z := Z.eq_dec.
#[export] Instance decidable_unit : Decidable unit.
Proof. unfold Decidable. decide equality. Defined.
#[export] Instance decidable_bool : Decidable bool := bool_dec.
#[export] Instance decidable_pair {E F} `{Decidable E} `{Decidable F} : Decidable (E * F).
Proof. intros [a b] [c d]. destruct (decide a c), (decide b d); [left|right|right|right]; congruence. Defined.
#[export] Instance decidable_option {E} `{Decidable E} : Decidable (option E).
Proof. intros [a|] [b|]; [destruct (decide a b); [left|right]| right | right | left]; congruence. Defined.

(* `rows` only bears witness that each snapshot is finite: nothing may depend on more of it. *)
Record stream (E : Type) := Stream {
  times : E -> nat -> nat;
  rows : nat -> list E;
  listed : forall e t, 0 < times e t -> In e (rows t) }.
Arguments Stream {E}.
Arguments times {E}.
Arguments rows {E}.
Arguments listed {E}.
Coercion times : stream >-> Funclass.

(* (6) the snapshot at an instant, (7) equality of streams. *)
Definition snapshot {E} (t : nat) (A : stream E) : E -> nat := fun e => A e t.
Definition equivalent {E} (A B : stream E) := forall t e, snapshot t A e = snapshot t B e.
Infix "==" := equivalent (at level 70).

Definition same_at {E} (t : nat) (A : stream E) (u : nat) (B : stream E) := forall e, snapshot t A e = snapshot u B e.

(* The sum of g(e)·n(e,t) over all tuples e. *)
Section Totals.
  Context {E : Type} `{Decidable E}.

  Definition present (A : stream E) t := nodup decide (rows A t).
  Definition total (A : stream E) t (g : E -> nat) := sum (fun e => g e * A e t) (present A t).

  Lemma present_once (A : stream E) t : NoDup (present A t).
  Proof. apply NoDup_nodup. Qed.

  Lemma present_listed (A : stream E) t e : 0 < A e t -> In e (present A t).
  Proof. intros. now apply nodup_In, listed. Qed.

  (* It does not depend on how the tuples are listed. *)
  Lemma total_over (A : stream E) t g l : NoDup l -> (forall e, 0 < g e -> 0 < A e t -> In e l) ->
    total A t g = sum (fun e => g e * A e t) l.
  Proof.
    intros once all. apply sum_support; auto using present_once; try exact decide.
    all: intros e; destruct (Nat.eq_dec (g e * A e t) 0); auto; right.
    - apply present_listed. nia.
    - apply all; nia.
  Qed.

  Lemma total_same (A B : stream E) t u g : same_at t A u B -> total A t g = total B u g.
  Proof.
    intros same. rewrite (total_over A t g (present B u)).
    - apply sum_ext. intros e _. now rewrite (same e : A e t = B e u).
    - apply present_once.
    - intros e _ there. apply present_listed. now rewrite <- (same e : A e t = B e u).
  Qed.

  Lemma total_positive (A : stream E) t g : 0 < total A t g <-> exists e, 0 < g e /\ 0 < A e t.
  Proof.
    unfold total. rewrite sum_positive. split.
    - intros (e & _ & there). exists e. nia.
    - intros (e & ? & ?). exists e. split; [now apply present_listed|nia].
  Qed.

  Lemma total_one (A : stream E) t a : total A t (fun e => if decide e a then 1 else 0) = A a t.
  Proof.
    rewrite (total_over A t _ [a]).
    - simpl. destruct (decide a a); [lia|easy].
    - repeat constructor. easy.
    - intros e. destruct (decide e a) as [->|]; simpl; auto; lia.
  Qed.
End Totals.

(* The snapshot as a list, each tuple as often as it is there. *)
Section Bags.
  Context {E : Type} `{Decidable E}.

  Definition bag (A : stream E) t : list E := flat_map (fun e => repeat e (A e t)) (present A t).

  Lemma count_repeat (e x : E) n : count_occ decide (repeat x n) e = if decide e x then n else 0.
  Proof.
    destruct (decide e x) as [->|differs].
    - now apply count_occ_repeat_eq.
    - apply count_occ_repeat_neq. congruence.
  Qed.

  Lemma count_bag (A : stream E) t e : count_occ decide (bag A t) e = A e t.
  Proof.
    unfold bag. rewrite count_as_sum, sum_flat_map. rewrite <- (total_one A t e) at 1. unfold total.
    apply sum_ext. intros x _. rewrite <- count_as_sum, count_repeat.
    destruct (decide e x), (decide x e); congruence || lia.
  Qed.

  Lemma bag_same (A B : stream E) t u : same_at t A u B -> Permutation (bag A t) (bag B u).
  Proof. intros same. apply (Permutation_count_occ decide). intros e. rewrite !count_bag. apply same. Qed.
End Bags.
