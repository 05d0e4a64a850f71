(* Coalescing as a stateful algorithm: adjacent intervals of one tuple become one, up to a length; and its proof. *)
From Coq Require Import List Arith Lia Bool.
From Snapeq Require Export Order.
Import ListNotations.

Section CoalesceAlgorithm.
  Context {E : Type} `{Decidable E}.
  Variable longest : nat.

  (* Does [s, f) go on where this element of the same tuple ends, and is what results not too long? *)
  Definition continues (x : E) s f (y : E * interval) : bool :=
    (if decide (fst y) x then true else false) && (snd (snd y) =? s) && (f - fst (snd y) <=? longest).

  (* The first element that goes on is made longer where it is; else the new one is the last. *)
  Fixpoint extended x s f (open : elements E) : elements E :=
    match open with
    | [] => [(x, (s, f))]
    | y :: rest => if continues x s f y then (x, (fst (snd y), f)) :: rest else y :: extended x s f rest
    end.

  (* What ended before the new start stays as it is; it waits for those that started earlier. *)
  Fixpoint settled (now : nat) (open : elements E) : elements E :=
    match open with
    | [] => []
    | y :: rest => if snd (snd y) <? now then y :: settled now rest else []
    end.
  Fixpoint unsettled (now : nat) (open : elements E) : elements E :=
    match open with
    | [] => []
    | y :: rest => if snd (snd y) <? now then unsettled now rest else open
    end.

  Fixpoint run (open : elements E) (P : elements E) : elements E :=
    match P with
    | [] => open
    | (x, (s, f)) :: rest => settled s open ++ run (extended x s f (unsettled s open)) rest
    end.

  Definition coalesce_algorithm (P : elements E) : elements E := run [] P.

  Definition proper (P : elements E) := forall x s f, In (x, (s, f)) P -> s < f.

  Lemma settled_unsettled now open : settled now open ++ unsettled now open = open.
  Proof. induction open as [|y open IH]; simpl; trivial. destruct (_ <? _); simpl; congruence. Qed.

  Lemma extended_copies x s f open e t : s < f -> proper open ->
    copies (extended x s f open) e t = here x e t (s, f) + copies open e t.
  Proof.
    intros valid. induction open as [|[y [a b]] open IH]; simpl; intros good.
    - now rewrite copies_cons.
    - assert (good' : proper open) by (intros z c d there; apply (good z); simpl; auto).
      assert (span : a < b) by (apply (good y); simpl; auto).
      unfold continues. cbn [fst snd].
      destruct (decide y x) as [->|]; cbn [andb];
        [destruct (Nat.eqb_spec b s), (Nat.leb_spec (f - a) longest); cbn [andb]|]; rewrite !copies_cons, ?IH;
          trivial; try lia.
      subst b. unfold here. destruct (decide x e); trivial. instants; lia.
  Qed.

  Lemma extended_proper x s f open : s < f -> proper open -> proper (extended x s f open).
  Proof.
    intros valid. induction open as [|[y [a b]] open IH]; simpl; intros good z c d.
    - intros [equal|[]]. injection equal as; lia.
    - assert (good' : proper open) by (intros w u v there; apply (good w); simpl; auto).
      assert (span : a < b) by (apply (good y); simpl; auto).
      destruct (continues _ _ _ _) eqn:goes_on; simpl.
      + intros [equal|there]; [injection equal as|now apply (good' z)].
        apply andb_true_iff in goes_on as (goes_on & _). apply andb_true_iff in goes_on as (_ & goes_on).
        apply Nat.eqb_eq in goes_on. simpl in goes_on. lia.
      + intros [equal|there]; [injection equal as; lia|now apply (IH good' z)].
  Qed.

  Lemma unsettled_proper now open : proper open -> proper (unsettled now open).
  Proof.
    intros good x s f there. apply (good x). rewrite <- (settled_unsettled now). apply in_or_app. auto.
  Qed.

  Lemma run_copies P : forall now open e t, ordered_from now P -> proper open ->
    copies (run open P) e t = copies open e t + copies P e t.
  Proof.
    induction P as [|[x [s f]] P IH]; intros now open e t in_order good; cbn [run].
    - rewrite copies_nil. lia.
    - destruct in_order as ((late & valid) & in_order). assert (good' := unsettled_proper s open good).
      rewrite copies_app, (IH s), extended_copies, copies_cons by auto using extended_proper.
      rewrite <- (settled_unsettled s open) at 3. rewrite copies_app. lia.
  Qed.

  Theorem coalesce_algorithm_correct P : ordered P -> logical (coalesce_algorithm P) == logical P.
  Proof. intros in_order t e. apply (run_copies P 0); trivial. intros x s f []. Qed.

  (* The output is a physical stream again. *)
  Lemma extended_ordered x s f : s < f -> forall open low, low <= s -> ordered_from low open ->
    (forall y a b, In (y, (a, b)) open -> a <= s) -> ordered_from low (extended x s f open).
  Proof.
    intros valid open. induction open as [|[y [a b]] open IH]; simpl; intros low early in_order starts; auto.
    destruct in_order as (bounds & in_order). destruct (continues _ _ _ _) eqn:goes_on; simpl.
    - apply andb_true_iff in goes_on as (goes_on & _). apply andb_true_iff in goes_on as (_ & goes_on).
      apply Nat.eqb_eq in goes_on. simpl in goes_on. split; trivial. lia.
    - split; trivial. apply IH; eauto.
  Qed.

  Lemma extended_starts x s f open : (forall y a b, In (y, (a, b)) open -> a <= s) ->
    forall y a b, In (y, (a, b)) (extended x s f open) -> a <= s.
  Proof.
    induction open as [|[z [c d]] open IH]; simpl; intros starts y a b.
    - intros [equal|[]]. injection equal as; lia.
    - destruct (continues _ _ _ _); simpl; intros [equal|there]; eauto.
      injection equal as; subst; eauto.
  Qed.

  Lemma run_ordered P : forall now low open, ordered_from now P -> low <= now -> ordered_from low open ->
    (forall y a b, In (y, (a, b)) open -> a <= now) -> ordered_from low (run open P).
  Proof.
    induction P as [|[x [s f]] P IH]; intros now low open in_order early kept starts; trivial.
    destruct in_order as (bounds & in_order). rewrite <- (settled_unsettled s open) in kept, starts.
    destruct (ordered_parts _ low s _ _ kept) as (mid & place & rest & joined); [lia| |].
    { intros y a b there. enough (a <= now) by lia. apply (starts y a b), in_or_app. auto. }
    assert (starts' : forall y a b, In (y, (a, b)) (unsettled s open) -> a <= s).
    { intros y a b there. enough (a <= now) by lia. apply (starts y a b), in_or_app. auto. }
    cbn [run]. apply joined. apply (IH s); trivial; try lia.
    - apply extended_ordered; trivial; lia.
    - now apply extended_starts.
  Qed.

  Theorem coalesce_algorithm_ordered P : ordered P -> ordered (coalesce_algorithm P).
  Proof. intros in_order. apply (run_ordered P 0); simpl; auto. intros y a b []. Qed.

  (* No more elements come out than go in. *)
  Lemma extended_length x s f open : length (extended x s f open) <= length open + 1.
  Proof. induction open; simpl; [lia|]. destruct (continues _ _ _ _); simpl; lia. Qed.

  Theorem coalesce_algorithm_length P : length (coalesce_algorithm P) <= length P.
  Proof.
    enough (forall open, length (run open P) <= length open + length P) as bound by apply (bound []).
    induction P as [|[x [s f]] P IH]; intros open; simpl; [lia|].
    rewrite app_length. specialize (IH (extended x s f (unsettled s open))).
    pose proof (extended_length x s f (unsettled s open)). rewrite <- (settled_unsettled s open) at 3.
    rewrite app_length. lia.
  Qed.

  (* An element that was put together is not too long. *)
  Lemma extended_bound x s f open y a b : In (y, (a, b)) (extended x s f open) ->
    (y, (a, b)) = (x, (s, f)) \/ In (y, (a, b)) open \/ b - a <= longest.
  Proof.
    induction open as [|[z [c d]] open IH]; simpl.
    - intros [<-|[]]. auto.
    - destruct (continues _ _ _ _) eqn:goes_on; simpl; intros [equal|there]; auto.
      + injection equal as. subst. right. right. apply andb_true_iff in goes_on as (_ & short).
        now apply Nat.leb_le in short.
      + apply IH in there. tauto.
  Qed.

  Theorem coalesce_algorithm_bound P x s f : In (x, (s, f)) (coalesce_algorithm P) ->
    In (x, (s, f)) P \/ f - s <= longest.
  Proof.
    enough (forall open, In (x, (s, f)) (run open P) -> In (x, (s, f)) open \/ In (x, (s, f)) P \/ f - s <= longest)
      as bound by (intros there; apply bound in there; simpl in there; tauto).
    induction P as [|[y [a b]] P IH]; intros open; cbn [run]; [auto|]. intros there.
    apply in_app_or in there as [there|there].
    - left. rewrite <- (settled_unsettled a open). apply in_or_app. auto.
    - apply IH in there as [there|there]; [|simpl; tauto].
      apply extended_bound in there as [->|[there|short]]; simpl; auto.
      left. rewrite <- (settled_unsettled a open). apply in_or_app. auto.
  Qed.
End CoalesceAlgorithm.
