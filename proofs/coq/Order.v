(* The order of physical streams: by start. Every interval holds an instant. *)
From Coq Require Import List Arith Lia Bool Permutation.
From Snapeq Require Export Intervals.
Import ListNotations.

Fixpoint ordered_from {E} (now : nat) (P : elements E) : Prop :=
  match P with
  | [] => True
  | (_, (s, f)) :: r => now <= s < f /\ ordered_from s r
  end.
Definition ordered {E} (P : elements E) := ordered_from 0 P.

Lemma ordered_earlier E now then_ (P : elements E) : now <= then_ -> ordered_from then_ P -> ordered_from now P.
Proof. destruct P as [|[x [s f]] P]; simpl; intuition lia. Qed.

Lemma ordered_starts E now (P : elements E) : ordered_from now P -> forall x s f, In (x, (s, f)) P -> now <= s < f.
Proof.
  revert now. induction P as [|[y [a b]] P IH]; simpl; intros now H x s f []; intuition.
  - injection H0 as; lia.
  - injection H0 as; lia.
  - apply (IH _ H2) in H0. lia.
  - apply (IH _ H2) in H0. lia.
Qed.

Lemma alive_before E now (P : elements E) t : ordered_from now P -> t < now -> alive t P = [].
Proof.
  intros in_order early. destruct (alive t P) as [|x l] eqn:there; trivial.
  assert (valid : In x (alive t P)) by (rewrite there; simpl; auto).
  apply in_alive in valid as ([s f] & inside & valid). apply during_iff in valid. simpl in valid.
  apply (ordered_starts _ _ _ in_order) in inside. lia.
Qed.

(* The ordered list that serves as a queue. *)
Fixpoint insert_by_start {E} (x : E * interval) (Q : elements E) : elements E :=
  match Q with
  | [] => [x]
  | y :: r => if fst (snd x) <? fst (snd y) then x :: Q else y :: insert_by_start x r
  end.
Definition sort_by_start {E} (P : elements E) : elements E := fold_right insert_by_start [] P.

Lemma insert_permutation E (x : E * interval) Q : Permutation (insert_by_start x Q) (x :: Q).
Proof.
  induction Q as [|y Q IH]; simpl; auto. destruct (_ <? _); auto.
  rewrite IH. apply perm_swap.
Qed.

Lemma sort_permutation E (P : elements E) : Permutation (sort_by_start P) P.
Proof. induction P; simpl; auto. now rewrite insert_permutation, IHP. Qed.

Lemma insert_ordered E now (x : E) s f Q :
  now <= s < f -> ordered_from now Q -> ordered_from now (insert_by_start (x, (s, f)) Q).
Proof.
  revert now. induction Q as [|[y [a b]] Q IH]; simpl; intros now bounds in_order; auto.
  destruct in_order as (first & rest). destruct (Nat.ltb_spec s a); simpl; repeat split; auto; try lia.
  apply IH; trivial. lia.
Qed.

Definition all_from {E} now (P : elements E) := forall x s f, In (x, (s, f)) P -> now <= s < f.

Lemma sort_ordered E now (P : elements E) : all_from now P -> ordered_from now (sort_by_start P).
Proof.
  induction P as [|[x [s f]] P IH]; simpl; intros inside; trivial.
  apply insert_ordered.
  - apply (inside x s f). simpl; auto.
  - apply IH. intros y a b there. apply (inside y a b). simpl; auto.
Qed.

Lemma ordered_app E now next (P Q : elements E) : ordered_from now P ->
  (forall x s f, In (x, (s, f)) P -> s <= next) -> now <= next -> ordered_from next Q -> ordered_from now (P ++ Q).
Proof.
  revert now. induction P as [|[x [s f]] P IH]; simpl; intros now in_order inside late rest.
  - now apply ordered_earlier with next.
  - split; [lia|]. apply IH; intuition eauto.
Qed.

Lemma from_later E now next (P : elements E) :
  ordered_from now P -> (forall x s f, In (x, (s, f)) P -> next <= s) -> ordered_from next P.
Proof.
  destruct P as [|[x [s f]] P]; simpl; intros in_order late; trivial.
  specialize (late x s f (or_introl eq_refl)). intuition lia.
Qed.

Lemma ordered_parts E low bound (P Q : elements E) : ordered_from low (P ++ Q) -> low <= bound ->
  (forall x s f, In (x, (s, f)) P -> s <= bound) -> exists mid,
  low <= mid <= bound /\ ordered_from mid Q /\ forall R, ordered_from mid R -> ordered_from low (P ++ R).
Proof.
  revert low. induction P as [|[x [s f]] P IH]; simpl; intros low in_order early starts.
  - exists low. auto.
  - destruct in_order as (bounds & in_order). destruct (IH s in_order) as (mid & place & rest & joined).
    + apply (starts x s f). auto.
    + intros y a b there. apply (starts y a b). auto.
    + exists mid. repeat split; trivial; try lia. now apply joined.
Qed.
