(* Algorithm 3 computes the scalar aggregation of the logical algebra, and its output is a physical stream again. *)
From Coq Require Import List Arith Lia Bool Permutation.
From Snapeq Require Export AggregationAlgorithm.
Import ListNotations.

Section Correct.
  Context {E S V : Type} `{Decidable E} `{Decidable V}.
  Variables (init : E -> S) (merge : S -> E -> S) (eval : S -> V) (none : V).

  (* The order in which tuples are merged does not matter. *)
  Hypothesis merge_exchange : forall v a b, merge (merge v a) b = merge (merge v b) a.
  Hypothesis init_exchange : forall a b, merge (init a) b = merge (init b) a.

  Definition aggregate_of (es : list E) : V :=
    match es with [] => none | e :: rest => eval (fold_left merge rest (init e)) end.

  Lemma fold_permutation l m v : Permutation l m -> fold_left merge l v = fold_left merge m v.
  Proof. intros moved. revert v. induction moved; simpl; intros v; auto. now rewrite merge_exchange. congruence. Qed.

  Lemma fold_first l a b : fold_left merge (b :: l) (init a) = fold_left merge (a :: l) (init b).
  Proof. simpl. now rewrite init_exchange. Qed.

  Lemma aggregate_of_permutation l m : Permutation l m -> aggregate_of l = aggregate_of m.
  Proof.
    induction 1; simpl aggregate_of; trivial.
    - now rewrite (fold_permutation l l').
    - exact (f_equal eval (fold_first l y x)).
    - congruence.
  Qed.

  Theorem aggregation_algorithm_correct P : ordered P ->
    logical (aggregation_algorithm init merge eval P) == aggregate aggregate_of (logical P).
  Proof.
    intros in_order t v. unfold snapshot. simpl. rewrite aggregation_algorithm_alive by trivial.
    pose proof (bag_logical P t) as snapshot. rewrite (aggregate_of_permutation _ _ snapshot). unfold unless_empty.
    destruct (alive t P) as [|e l] eqn:there, (bag (logical P) t) as [|e' l']; simpl; trivial.
    - now apply Permutation_sym, Permutation_nil in snapshot.
    - now apply Permutation_nil in snapshot.
  Qed.
End Correct.

Section Ordered.
  Context {E S V : Type}.
  Variables (init : E -> S) (merge : S -> E -> S) (eval : S -> V).

  Lemma chain_parts now low (area : elements S) : chain low area -> low <= now -> exists mid,
    low <= mid <= now /\ chain mid (open now area) /\
    forall rest : elements V, chain mid rest -> chain low (evaluated eval (finished now area) ++ rest).
  Proof.
    revert low. induction area as [|[v [a b]] area IH]; simpl; intros low linked early.
    - exists low. repeat split; trivial; lia.
    - destruct linked as (bounds & linked). destruct (Nat.leb_spec b now), (Nat.ltb_spec now b); try lia.
      + destruct (IH b linked) as (mid & ? & ? & joined); [lia|]. exists mid. repeat split; trivial; try lia.
        now apply joined.
      + destruct (open_all now b area linked) as (-> & ->); [lia|]. exists low. simpl. repeat split; trivial; lia.
  Qed.

  Lemma evaluated_chain low (area : elements S) : chain low area -> chain low (evaluated eval area).
  Proof. revert low. induction area as [|[v [a b]] area IH]; simpl; intuition. Qed.

  Lemma run_chain P : forall now low area, ordered_from now P -> low <= now -> chain low area -> no_gap now area ->
    chain low (run init merge eval area P).
  Proof.
    induction P as [|[e [s f]] P IH]; intros now low area in_order early linked gapless.
    - now apply evaluated_chain.
    - destruct in_order as (bounds & in_order).
      assert (gapless' : no_gap s area) by (intros x y xy; apply gapless; lia).
      assert (linked' : chain low (update init merge e s f s area)) by (apply update_chain; trivial; lia).
      destruct (chain_parts s low _ linked') as (mid & place & left & joined); [lia|].
      cbn [run]. apply joined. apply (IH s); trivial; try lia.
      intros x y xy. apply (step_no_gap init merge e s f area low); trivial; lia.
  Qed.

  (* Property 7.5: the intervals of the results are disjoint, and in order. *)
  Theorem aggregation_algorithm_disjoint P : ordered P -> chain 0 (aggregation_algorithm init merge eval P).
  Proof. intros in_order. apply (run_chain P 0); simpl; auto. intros x y _ covered. now destruct covered. Qed.

  Lemma chain_ordered X low (area : elements X) : chain low area -> ordered_from low area.
  Proof.
    revert low. induction area as [|[v [a b]] area IH]; simpl; trivial.
    intros low (bounds & linked). split; trivial. apply ordered_earlier with b; [lia|auto].
  Qed.

  Theorem aggregation_algorithm_ordered P : ordered P -> ordered (aggregation_algorithm init merge eval P).
  Proof. intros in_order. now apply chain_ordered, aggregation_algorithm_disjoint. Qed.
End Ordered.
