(* Snapshot-reducibility (Definition 6.2): proved of every standard operator. *)
From Coq Require Import List Arith Lia Bool Permutation.
From Snapeq Require Export Windows.
Import ListNotations.

(* A relation is a finite multiset: here, a stream that does not change. *)
Record relation (E : Type) := Relation {
  number : E -> nat;
  members : list E;
  known : forall e, 0 < number e -> In e members }.
Arguments Relation {E}.
Arguments number {E}.
Arguments members {E}.
Arguments known {E}.

Definition at_instant {E} (t : nat) (A : stream E) : relation E :=
  Relation (fun e => A e t) (rows A t) (fun e => listed A e t).
Definition always {E} (R : relation E) : stream E :=
  Stream (fun e _ => number R e) (fun _ => members R) (fun e _ => known R e).
Definition same {E} (R S : relation E) := forall e, number R e = number S e.

(* There is an operator on relations, one that only looks at multiplicities, that gives every snapshot. *)
Definition reducible {E F} (op : stream E -> stream F) :=
  exists over : relation E -> relation F,
    (forall R S, same R S -> same (over R) (over S)) /\
    forall A t, same (at_instant t (op A)) (over (at_instant t A)).
Definition reducible2 {E F G} (op : stream E -> stream F -> stream G) :=
  exists over : relation E -> relation F -> relation G,
    (forall R R' S S', same R R' -> same S S' -> same (over R S) (over R' S')) /\
    forall A B t, same (at_instant t (op A B)) (over (at_instant t A) (at_instant t B)).

(* It is enough that what comes out at an instant is fixed by what goes in at that instant. *)
Definition local {E F} (op : stream E -> stream F) :=
  forall A B t u, same_at t A u B -> same_at t (op A) u (op B).
Definition local2 {E F G} (op : stream E -> stream F -> stream G) :=
  forall A A' B B' t u, same_at t A u A' -> same_at t B u B' -> same_at t (op A B) u (op A' B').

Lemma local_reducible E F (op : stream E -> stream F) : local op -> reducible op.
Proof.
  intros fixed. exists (fun R => at_instant 0 (op (always R))). split.
  - intros R S equal. exact (fixed (always R) (always S) 0 0 equal).
  - intros A t. exact (fixed A (always (at_instant t A)) t 0 (fun e => eq_refl)).
Qed.

Lemma local2_reducible E F G (op : stream E -> stream F -> stream G) : local2 op -> reducible2 op.
Proof.
  intros fixed. exists (fun R S => at_instant 0 (op (always R) (always S))). split.
  - intros R R' S S' left right. exact (fixed (always R) (always R') (always S) (always S') 0 0 left right).
  - intros A B t.
    exact (fixed A (always (at_instant t A)) B (always (at_instant t B)) t 0 (fun e => eq_refl) (fun e => eq_refl)).
Qed.

(* And it is necessary. *)
Lemma reducible_local E F (op : stream E -> stream F) : reducible op -> local op.
Proof.
  intros (over & respects & gives) A B t u equal e.
  specialize (respects (at_instant t A) (at_instant u B) equal e). specialize (gives A t e) as left.
  specialize (gives B u e) as right. unfold same_at, snapshot in *. simpl in *. congruence.
Qed.

Section Standard.
  Context {E F K V : Type} `{Decidable E} `{Decidable F} `{Decidable K} `{Decidable V}.

  Theorem filter_reducible p : reducible (@filter E p).
  Proof.
    apply local_reducible. intros A B t u equal e. unfold snapshot. simpl. now rewrite (equal e : A e t = B e u).
  Qed.

  Theorem distinct_reducible : reducible (@distinct E).
  Proof.
    apply local_reducible. intros A B t u equal e. unfold snapshot. simpl. now rewrite (equal e : A e t = B e u).
  Qed.

  Theorem map_reducible (f : E -> F) : reducible (map f).
  Proof. apply local_reducible. intros A B t u equal y. now apply total_same. Qed.

  Lemma pairwise (combine : nat -> nat -> nat) (op : stream E -> stream E -> stream E) :
    (forall A B e t, op A B e t = combine (A e t) (B e t)) -> reducible2 op.
  Proof.
    intros by_numbers. apply local2_reducible. intros A A' B B' t u left right e. unfold snapshot.
    rewrite !by_numbers. now rewrite (left e : A e t = A' e u), (right e : B e t = B' e u).
  Qed.

  Theorem union_reducible : reducible2 (@union E).
  Proof. now apply (pairwise Nat.add). Qed.

  Theorem difference_reducible : reducible2 (@difference E).
  Proof. now apply (pairwise Nat.sub). Qed.

  Theorem intersection_reducible : reducible2 (@intersection E).
  Proof. now apply (pairwise Nat.min). Qed.

  Lemma product_local : local2 (@product E F).
  Proof.
    intros A A' B B' t u left right [e f]. unfold snapshot. simpl.
    now rewrite (left e : A e t = A' e u), (right f : B f t = B' f u).
  Qed.

  Theorem product_reducible : reducible2 (@product E F).
  Proof. apply local2_reducible, product_local. Qed.

  Lemma join_local on : local2 (@join E F on).
  Proof.
    intros A A' B B' t u left right [e f]. unfold snapshot. simpl.
    now rewrite (left e : A e t = A' e u), (right f : B f t = B' f u).
  Qed.

  Theorem join_reducible on : reducible2 (@join E F on).
  Proof. apply local2_reducible, join_local. Qed.

  Lemma partner_same on (B B' : stream F) (e : E) t u : same_at t B u B' -> partner on B e t = partner on B' e u.
  Proof.
    intros equal. apply eq_true_iff_eq. rewrite !partner_iff. unfold same_at, snapshot in equal.
    now setoid_rewrite equal.
  Qed.

  Theorem semijoin_reducible on : reducible2 (@semijoin E F on).
  Proof.
    apply local2_reducible. intros A A' B B' t u left right e. unfold snapshot. simpl.
    now rewrite (partner_same on B B' e t u right), (left e : A e t = A' e u).
  Qed.

  Lemma antijoin_local on : local2 (@antijoin E F on).
  Proof.
    intros A A' B B' t u left right e. unfold snapshot. simpl.
    now rewrite (partner_same on B B' e t u right), (left e : A e t = A' e u).
  Qed.

  Theorem antijoin_reducible on : reducible2 (@antijoin E F on).
  Proof. apply local2_reducible, antijoin_local. Qed.

  Lemma left_join_local on : local2 (@left_join E F on).
  Proof.
    intros A A' B B' t u left right [e [f|]].
    - exact (join_local on A A' B B' t u left right (e, f)).
    - exact (antijoin_local on A A' B B' t u left right e).
  Qed.

  Theorem left_join_reducible on : reducible2 (@left_join E F on).
  Proof. apply local2_reducible, left_join_local. Qed.

  Section AnyAggregate.
    Variable f : list E -> V.
    Hypothesis of_a_multiset : forall l m, Permutation l m -> f l = f m.

    Lemma unless_empty_same (l m : list E) n : Permutation l m -> unless_empty l n = unless_empty m n.
    Proof.
      intros equal. destruct l, m; trivial.
      - now apply Permutation_nil in equal.
      - now apply Permutation_sym, Permutation_nil in equal.
    Qed.

    Theorem aggregate_reducible : reducible (aggregate f).
    Proof.
      apply local_reducible. intros A B t u equal v. unfold snapshot. simpl.
      now rewrite (of_a_multiset _ _ (bag_same A B t u equal)), (unless_empty_same _ _ _ (bag_same A B t u equal)).
    Qed.

    Theorem total_aggregate_reducible : reducible (total_aggregate f).
    Proof.
      apply local_reducible. intros A B t u equal v. unfold snapshot. simpl.
      now rewrite (of_a_multiset _ _ (bag_same A B t u equal)).
    Qed.

    Lemma group_permutation (k : E -> K) g l m : Permutation l m -> Permutation (group_of k g l) (group_of k g m).
    Proof.
      unfold group_of. induction 1; simpl; auto.
      - destruct (decide (k x) g); auto.
      - destruct (decide (k y) g), (decide (k x) g); auto. apply perm_swap.
      - eauto using Permutation_trans.
    Qed.

    Theorem grouping_reducible (k : E -> K) : reducible (grouping k f).
    Proof.
      apply local_reducible. intros A B t u equal [g v]. unfold snapshot. simpl.
      pose proof (group_permutation k g _ _ (bag_same A B t u equal)) as groups.
      now rewrite (of_a_multiset _ _ groups), (unless_empty_same _ _ _ groups).
    Qed.
  End AnyAggregate.
End Standard.

Section OtherOuterJoins.
  Context {E F : Type}.

  Theorem right_join_reducible on : reducible2 (@right_join E F on).
  Proof.
    apply local2_reducible. intros A A' B B' t u left right [e f].
    exact (left_join_local (turned on) B B' A A' t u right left (f, e)).
  Qed.

  Theorem full_join_reducible on : reducible2 (@full_join E F on).
  Proof.
    apply local2_reducible. intros A A' B B' t u left right [[e|] [f|]]; [| | |reflexivity].
    - exact (left_join_local on A A' B B' t u left right (e, Some f)).
    - exact (left_join_local on A A' B B' t u left right (e, None)).
    - exact (antijoin_local (turned on) B B' A A' t u right left f).
  Qed.
End OtherOuterJoins.
