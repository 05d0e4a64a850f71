(* Duplicate elimination as a stateful algorithm over an ordered list, and its proof. *)
From Coq Require Import List Arith Lia Bool Permutation.
From Snapeq Require Export Order.
Import ListNotations.

Section DistinctAlgorithm.
  Context {E : Type} `{Decidable E}.

  (* State: until when each tuple that is still valid has been reported. *)
  Definition reported := list (E * nat).

  Fixpoint until (x : E) (R : reported) : nat :=
    match R with [] => 0 | (y, f) :: r => if decide y x then f else until x r end.

  Definition without (x : E) (R : reported) := List.filter (fun y => if decide (fst y) x then false else true) R.
  Definition purged (now : nat) (R : reported) := List.filter (fun y => now <? snd y) R.

  (* What is new about an element: the part of its interval that no earlier one of the same tuple covers. *)
  Definition news (R : reported) x s f : elements E :=
    let from := Nat.max s (until x R) in if from <? f then [(x, (from, f))] else [].

  Definition noted (R : reported) x f : reported := (x, Nat.max f (until x R)) :: without x R.

  (* What has been found waits in a queue until nothing that starts earlier can come. *)
  Definition released (now : nat) (Q : elements E) := List.filter (fun x => fst (snd x) <=? now) Q.
  Definition waiting (now : nat) (Q : elements E) := List.filter (fun x => now <? fst (snd x)) Q.

  Fixpoint run (R : reported) (Q : elements E) (P : elements E) : elements E :=
    match P with
    | [] => Q
    | (x, (s, f)) :: rest =>
        let R' := purged s R in
        let Q' := fold_right insert_by_start Q (news R' x s f) in
        released s Q' ++ run (noted R' x f) (waiting s Q') rest
    end.

  Definition distinct_algorithm (P : elements E) : elements E := run [] [] P.

  (* Lookups after the changes of the state. *)
  Lemma until_without x y R : until y (without x R) = if decide x y then 0 else until y R.
  Proof.
    induction R as [|[z f] R IH]; simpl; [now destruct (decide x y)|].
    destruct (decide z x) as [->|]; simpl; rewrite ?IH.
    - now destruct (decide x y).
    - destruct (decide z y) as [->|]; destruct (decide x y); congruence.
  Qed.

  Lemma until_noted x y f R : until y (noted R x f) = if decide x y then Nat.max f (until x R) else until y R.
  Proof. simpl. rewrite until_without. now destruct (decide x y). Qed.

  Definition one_each (R : reported) := NoDup (List.map fst R).

  Lemma until_absent x (R : reported) : ~ In x (List.map fst R) -> until x R = 0.
  Proof. induction R as [|[y f] R IH]; simpl; intros no; trivial. destruct (decide y x); intuition. Qed.

  Lemma in_purged x now (R : reported) : In x (List.map fst (purged now R)) -> In x (List.map fst R).
  Proof. rewrite !in_map_iff. intros (y & same & there). apply filter_In in there as (there & _). eauto. Qed.

  Lemma until_purged x now R : one_each R -> until x (purged now R) = if now <? until x R then until x R else 0.
  Proof.
    intros once. induction R as [|[y f] R IH]; simpl; trivial. inversion once as [|? ? fresh rest]; subst.
    specialize (IH rest). destruct (Nat.ltb_spec now f); simpl; destruct (decide y x) as [->|]; trivial.
    - now apply Nat.ltb_lt in H0 as ->.
    - rewrite until_absent; [destruct (Nat.ltb_spec now f); lia|]. intros there. now apply fresh, (in_purged x now).
  Qed.

  Lemma one_each_filter p (R : reported) : one_each R -> one_each (List.filter p R).
  Proof.
    unfold one_each. induction R as [|[y f] R IH]; simpl; intros once; trivial.
    inversion once as [|? ? fresh rest]; subst. destruct (p (y, f)); simpl; auto. constructor; auto.
    intros there. apply fresh. apply in_map_iff in there as (z & same & there). apply filter_In in there as (there & _).
    apply in_map_iff. eauto.
  Qed.

  Lemma one_each_noted x f R : one_each R -> one_each (noted R x f).
  Proof.
    intros once. constructor; [|now apply one_each_filter].
    intros there. apply in_map_iff in there as ([y g] & same & there). apply filter_In in there as (_ & differs).
    simpl in *.
    destruct (decide y x); congruence.
  Qed.

  Lemma copies_fold (l Q : elements E) e t :
    copies (fold_right insert_by_start Q l) e t = copies l e t + copies Q e t.
  Proof.
    induction l as [|[x i] l IH]; simpl; trivial.
    rewrite (copies_permutation _ _ e t (insert_permutation _ (x, i) _)), !copies_cons, IH. lia.
  Qed.

  Lemma copies_released now Q e t : copies (released now Q) e t + copies (waiting now Q) e t = copies Q e t.
  Proof.
    induction Q as [|[x [s f]] Q IH]; simpl; trivial. rewrite copies_cons.
    destruct (Nat.leb_spec s now), (Nat.ltb_spec now s); try lia; rewrite copies_cons; lia.
  Qed.

  (* Each tuple is valid once more where the rest of the input has it and the state does not. *)
  Lemma run_correct P : forall now R Q e t, ordered_from now P -> one_each R ->
    copies (run R Q P) e t = copies Q e t + if t <? until e R then 0 else Nat.min (copies P e t) 1.
  Proof.
    induction P as [|[x [s f]] P IH]; intros now R Q e t in_order once.
    - cbn [run]. rewrite copies_nil. destruct (t <? until e R); simpl; lia.
    - destruct in_order as ((late & proper) & rest).
      assert (once' : one_each (purged s R)) by now apply one_each_filter.
      cbn [run]. rewrite copies_app, (IH s) by auto using one_each_noted.
      rewrite Nat.add_assoc, copies_released, copies_fold, copies_cons, until_noted by trivial.
      assert (none : t < s -> copies P e t = 0) by (intros; unfold copies; now rewrite (alive_before E s P t)).
      assert (news_at : copies (news (purged s R) x s f) e t
        = if decide x e then one_if (during t (Nat.max s (until x (purged s R)), f)) else 0).
      { unfold news. set (from := Nat.max s _). destruct (Nat.ltb_spec from f).
        - rewrite copies_cons, copies_nil. unfold here. lia.
        - rewrite copies_nil. destruct (decide x e); trivial. instants; lia. }
      rewrite news_at, !until_purged by trivial. unfold here. clear news_at.
      generalize dependent (copies P e t). intros n none.
      destruct (decide x e) as [->|]; destruct (Nat.ltb_spec s (until e R)); instants; lia.
  Qed.

  (* The output is a physical stream again: what is released never starts before what was. *)
  Lemma news_from R x s f : all_from s (news R x s f).
  Proof.
    unfold news. intros y a b. destruct (Nat.ltb_spec (Nat.max s (until x R)) f); simpl; [|easy].
    intros [equal|[]]. injection equal as; lia.
  Qed.

  Lemma fold_ordered now (l Q : elements E) :
    all_from now l -> ordered_from now Q -> ordered_from now (fold_right insert_by_start Q l).
  Proof.
    induction l as [|[x [s f]] l IH]; simpl; intros inside in_order; trivial.
    apply insert_ordered; [apply (inside x); simpl; auto|]. apply IH; trivial. intros y a b there. apply (inside y).
    simpl; auto.
  Qed.

  Lemma filter_ordered now p (Q : elements E) : ordered_from now Q -> ordered_from now (List.filter p Q).
  Proof.
    revert now. induction Q as [|[x [s f]] Q IH]; simpl; intros now in_order; trivial.
    destruct in_order as (bounds & rest). specialize (IH s rest).
    destruct (p _); [exact (conj bounds IH)|]. apply ordered_earlier with s; [lia|trivial].
  Qed.

  Lemma run_ordered P : forall now R Q, ordered_from now P -> ordered_from now Q -> ordered_from now (run R Q P).
  Proof.
    induction P as [|[x [s f]] P IH]; intros now R Q in_order queue; [exact queue|].
    destruct in_order as (bounds & rest). cbn [run]. set (Q' := fold_right _ _ _).
    assert (queue' : ordered_from now Q').
    { apply fold_ordered; trivial. intros y a b there. apply news_from in there. lia. }
    apply ordered_app with s; try lia.
    - now apply filter_ordered.
    - intros y a b there. apply filter_In in there as (_ & early). now apply Nat.leb_le in early.
    - apply IH; trivial. apply from_later with now; [apply filter_ordered; trivial|].
      intros y a b there. apply filter_In in there as (_ & later). apply Nat.ltb_lt in later. simpl in later. lia.
  Qed.

  Theorem distinct_algorithm_ordered P : ordered P -> ordered (distinct_algorithm P).
  Proof. intros in_order. now apply run_ordered. Qed.

  Theorem distinct_algorithm_correct P : ordered P -> logical (distinct_algorithm P) == distinct (logical P).
  Proof.
    intros in_order t e. unfold snapshot. simpl.
    change (copies (run [] [] P) e t = Nat.min (copies P e t) 1).
    now rewrite (run_correct P 0) by (trivial; constructor).
  Qed.
End DistinctAlgorithm.
