(* Multiset difference as a stateful algorithm over two ordered inputs, and its proof. *)
From Coq Require Import List Arith Lia Bool.
From Snapeq Require Export Cancellation.
Import ListNotations.

Section DifferenceAlgorithm.
  Context {E : Type} `{Decidable E}.

  (* What lies before an instant, and what lies at or after it. *)
  Definition cut_before (now : nat) (P : elements E) : elements E :=
    flat_map (fun x => tagged (fst x) (List.filter nonempty [(fst (snd x), Nat.min (snd (snd x)) now)])) P.
  Definition cut_from (now : nat) (P : elements E) : elements E :=
    flat_map (fun x => tagged (fst x) (List.filter nonempty [(Nat.max (fst (snd x)) now, snd (snd x))])) P.

  (* State: left elements that no right one has cancelled, right elements that have cancelled no left one.
     Both inputs come in one list, ordered by start; the tuples of the left one are marked true. *)
  Fixpoint run (L R : elements E) (input : elements (bool * E)) : elements E :=
    match input with
    | [] => sort_by_start L
    | ((side, x), (s, f)) :: rest =>
        let L' := cut_from s L in
        let R' := cut_from s R in
        sort_by_start (cut_before s L) ++
          if side
          then let (R'', new) := cancel R' x [(s, f)] in run (L' ++ tagged x new) R'' rest
          else let (L'', new) := cancel L' x [(s, f)] in run L'' (R' ++ tagged x new) rest
    end.

  Definition marked (side : bool) (P : elements E) : elements (bool * E) :=
    List.map (fun x => ((side, fst x), snd x)) P.
  Definition difference_algorithm (P Q : elements E) : elements E :=
    run [] [] (sort_by_start (marked true P ++ marked false Q)).

  Lemma cut_before_copies now P e t : copies (cut_before now P) e t = if t <? now then copies P e t else 0.
  Proof.
    induction P as [|[x [a b]] P IH]; cbn [cut_before flat_map]; [now destruct (t <? now)|].
    fold (cut_before now P). rewrite copies_app, copies_cons, IH, copies_tagged. unfold here, nonempty. simpl.
    destruct (Nat.ltb_spec a (Nat.min b now)), (decide x e); unfold depth; simpl; instants; lia.
  Qed.

  Lemma cut_from_copies now P e t : copies (cut_from now P) e t = if now <=? t then copies P e t else 0.
  Proof.
    induction P as [|[x [a b]] P IH]; cbn [cut_from flat_map]; [now destruct (now <=? t)|].
    fold (cut_from now P). rewrite copies_app, copies_cons, IH, copies_tagged. unfold here, nonempty. simpl.
    destruct (Nat.ltb_spec (Nat.max a now) b), (decide x e); unfold depth; simpl; instants; lia.
  Qed.

  Lemma filtered_holding l : Forall holding (List.filter nonempty l).
  Proof.
    apply Forall_forall. intros i there. apply filter_In in there as (_ & there). now apply Nat.ltb_lt in there.
  Qed.

  Lemma cut_from_sound now P : sound (cut_from now P).
  Proof.
    apply Forall_forall. intros y there. apply in_flat_map in there as (x & _ & there).
    exact (proj1 (Forall_forall _ _) (tagged_sound (fst x) _ (filtered_holding _)) y there).
  Qed.

  Definition disjoint (L R : elements E) := forall e t, copies L e t = 0 \/ copies R e t = 0.

  Lemma single_one s f t : depth t [(s, f)] <= 1.
  Proof. rewrite depth_one. destruct (during t (s, f)); simpl; lia. Qed.

  (* What one element does to the two sides of the state, whichever it belongs to. *)
  Lemma cancelled Mine Other x s f : s < f -> forall Other' new, cancel (cut_from s Other) x [(s, f)] = (Other', new) ->
    disjoint Mine Other -> forall e t,
    copies Other' e t = (if s <=? t then copies Other e t else 0) - here x e t (s, f) /\
    copies (cut_from s Mine ++ tagged x new) e t
      = (if s <=? t then copies Mine e t else 0)
        + (here x e t (s, f) - if s <=? t then copies Other e t else 0).
  Proof.
    intros proper Other' new result apart_ e t.
    assert (holds : Forall holding [(s, f)]) by (repeat constructor; trivial).
    destruct (cancel_correct (cut_from s Other) x [(s, f)] (cut_from_sound s Other) holds (single_one s f))
      as (left & right & _). rewrite result in left, right. cbn [fst snd] in left, right.
    rewrite copies_app, left, copies_tagged, right, !cut_from_copies, !depth_one. unfold here.
    destruct (decide x e) as [->|]; split; trivial; lia.
  Qed.

  Lemma copies_other_side side other x i (input : elements (bool * E)) e t : side <> other ->
    copies (((side, x), i) :: input) (other, e) t = copies input (other, e) t.
  Proof. intros. rewrite copies_cons. unfold here. destruct (decide (side, x) (other, e)); [congruence|trivial]. Qed.

  Lemma copies_same_side side x i (input : elements (bool * E)) e t :
    copies (((side, x), i) :: input) (side, e) t = here x e t i + copies input (side, e) t.
  Proof.
    rewrite copies_cons. unfold here. destruct (decide (side, x) (side, e)), (decide x e); congruence.
  Qed.

  Lemma here_early x e t s f : t < s -> here x e t (s, f) = 0.
  Proof. intros. unfold here. destruct (decide x e); trivial. instants; trivial; lia. Qed.

  Lemma run_copies input : forall now L R e t, ordered_from now input -> disjoint L R ->
    copies (run L R input) e t
    = (copies L e t + copies input (true, e) t) - (copies R e t + copies input (false, e) t).
  Proof.
    induction input as [|[[side x] [s f]] input IH]; intros now L R e t in_order apart_.
    - cbn [run]. rewrite !copies_nil, (copies_permutation _ _ e t (sort_permutation _ L)).
      destruct (apart_ e t); lia.
    - destruct in_order as ((late & proper) & in_order). cbn [run].
      assert (gone : forall b, t < s -> copies input (b, e) t = 0)
        by (intros; unfold copies; now rewrite (alive_before _ s)).
      rewrite copies_app, (copies_permutation _ _ e t (sort_permutation _ _)), cut_before_copies.
      assert (early := here_early x e t s f). specialize (apart_ e t) as apart_here. destruct side.
      + rewrite (copies_same_side true), (copies_other_side true false) by easy.
        destruct (cancel (cut_from s R) x [(s, f)]) as [R' new] eqn:result.
        assert (step := cancelled L R x s f proper R' new result apart_). rewrite (IH s); trivial.
        * destruct (step e t) as (-> & ->). specialize (gone true) as gone_true. specialize (gone false).
          destruct (Nat.ltb_spec t s), (Nat.leb_spec s t); lia.
        * intros d u. destruct (step d u) as (-> & ->). specialize (apart_ d u). cases; lia.
      + rewrite (copies_same_side false), (copies_other_side false true) by easy.
        destruct (cancel (cut_from s L) x [(s, f)]) as [L' new] eqn:result.
        assert (apart' : disjoint R L) by (intros d u; specialize (apart_ d u); tauto).
        assert (step := cancelled R L x s f proper L' new result apart'). rewrite (IH s); trivial.
        * destruct (step e t) as (-> & ->). specialize (gone true) as gone_true. specialize (gone false).
          destruct (Nat.ltb_spec t s), (Nat.leb_spec s t); lia.
        * intros d u. destruct (step d u) as (-> & ->). specialize (apart_ d u). cases; lia.
  Qed.

  Lemma copies_marked side P e t : copies (marked side P) (side, e) t = copies P e t.
  Proof.
    induction P as [|[x i] P IH]; trivial. cbn [marked List.map fst snd]. fold (marked side P).
    now rewrite copies_same_side, copies_cons, IH.
  Qed.

  Lemma copies_unmarked side other P e t : side <> other -> copies (marked side P) (other, e) t = 0.
  Proof.
    intros. induction P as [|[x i] P IH]; trivial. cbn [marked List.map fst snd]. fold (marked side P).
    now rewrite copies_other_side.
  Qed.

  Lemma marked_from side now P : ordered_from now P -> all_from now (marked side P).
  Proof.
    intros in_order [b x] s f there. apply in_map_iff in there as ([y [a c]] & equal & there). injection equal as.
    subst. exact (ordered_starts _ now P in_order _ _ _ there).
  Qed.

  Lemma merged_ordered P Q : ordered P -> ordered Q -> ordered (sort_by_start (marked true P ++ marked false Q)).
  Proof.
    intros left right. apply sort_ordered. intros x s f there. apply in_app_or in there as [there|there].
    - now apply (marked_from true 0 P left x).
    - now apply (marked_from false 0 Q right x).
  Qed.

  Theorem difference_algorithm_correct P Q : ordered P -> ordered Q ->
    logical (difference_algorithm P Q) == difference (logical P) (logical Q).
  Proof.
    intros left right t e. unfold snapshot. simpl.
    change (copies (difference_algorithm P Q) e t = copies P e t - copies Q e t). unfold difference_algorithm.
    rewrite (run_copies _ 0); [|now apply merged_ordered|intros d u; auto].
    rewrite !(copies_permutation _ _ _ t (sort_permutation _ _)), !copies_app, !copies_marked.
    rewrite (copies_unmarked false true), (copies_unmarked true false), !copies_nil by easy. lia.
  Qed.

  (* The output is a physical stream again: what lies before each start is put in order and released. *)
  Lemma in_cut_before now P x s f : In (x, (s, f)) (cut_before now P) ->
    s < f <= now /\ exists b, In (x, (s, b)) P.
  Proof.
    intros there. apply in_flat_map in there as ([y [a b]] & there & piece).
    apply in_map_iff in piece as (i & equal & piece). apply filter_In in piece as ([<-|[]] & valid).
    apply Nat.ltb_lt in valid. cbn [fst snd] in *. injection equal as. subst. split; [lia|]. now exists b.
  Qed.

  Lemma in_cut_from now P x s f : In (x, (s, f)) (cut_from now P) -> now <= s < f.
  Proof.
    intros there. apply in_flat_map in there as ([y [a b]] & there & piece).
    apply in_map_iff in piece as (i & equal & piece). apply filter_In in piece as ([<-|[]] & valid).
    apply Nat.ltb_lt in valid. cbn [fst snd] in *. injection equal as. lia.
  Qed.

  Lemma in_fold_apart js : forall l s f, In (s, f) (fold_left all_apart js l) -> exists i, In i l /\ fst i <= s.
  Proof.
    induction js as [|j js IH]; simpl; intros l s f there; [now exists (s, f)|].
    apply IH in there as (k & there & early). apply in_flat_map in there as (i & there & piece). exists i.
    split; trivial.
    apply filter_In in piece as ([<-|[<-|[]]] & _); simpl in early; lia.
  Qed.

  (* Nothing that is left of a list or of intervals starts earlier than before. *)
  Lemma cancel_from now x : forall P l, all_from now P -> Forall holding l ->
    (forall s f, In (s, f) l -> now <= s) ->
    all_from now (fst (cancel P x l)) /\ (forall s f, In (s, f) (snd (cancel P x l)) -> now <= s).
  Proof.
    induction P as [|[y [a b]] P IH]; intros l starts holds late; simpl; [now split|].
    assert (bounds : now <= a < b) by (apply (starts y); simpl; auto).
    assert (starts' : all_from now P) by (intros z c d there; apply (starts z); simpl; auto).
    destruct (decide y x) as [->|].
    - specialize (IH (all_apart l (a, b)) starts' (all_apart_holding _ _)).
      destruct (cancel P x (all_apart l (a, b))) as [P' l']. simpl in *. destruct IH as (good & good').
      + intros s f there. apply in_flat_map in there as ([c d] & there & piece). apply late in there.
        apply filter_In in piece as (piece & _). simpl in piece.
        destruct piece as [equal|[equal|[]]]; injection equal as; lia.
      + split; trivial. intros z s f there. apply in_app_or in there as [there|there]; [|now apply (good z)].
        apply in_map_iff in there as (i & equal & there). injection equal as. subst.
        assert (valid : holding (s, f)).
        { eapply Forall_forall; [|exact there]. apply fold_holding. repeat constructor. unfold holding. simpl. lia. }
        apply in_fold_apart in there as (k & [<-|[]] & early). unfold holding in valid. simpl in *. lia.
    - specialize (IH l starts' holds late). destruct (cancel P x l) as [P' l']. simpl in *.
      destruct IH as (good & good').
      split; trivial. intros z s f [equal|there]; [injection equal as; lia|now apply (good z)].
  Qed.

  Lemma run_ordered input : forall now L R, ordered_from now input -> all_from now L ->
    ordered_from now (run L R input).
  Proof.
    induction input as [|[[side x] [s f]] input IH]; intros now L R in_order starts; cbn [run].
    - now apply sort_ordered.
    - destruct in_order as ((late & proper) & in_order).
      assert (holds : Forall holding [(s, f)]) by (repeat constructor; trivial).
      assert (at_s : forall a b, In (a, b) [(s, f)] -> s <= a) by (intros a b [equal|[]]; injection equal as; lia).
      apply ordered_app with s; trivial.
      + apply sort_ordered. intros y a b there. apply in_cut_before in there as (? & c & there).
        apply starts in there. lia.
      + intros y a b there. apply (Permutation.Permutation_in _ (sort_permutation _ _)), in_cut_before in there. lia.
      + destruct side.
        * destruct (cancel_correct (cut_from s R) x [(s, f)] (cut_from_sound s R) holds (single_one s f))
            as (_ & _ & _ & valid).
          destruct (cancel_from s x (cut_from s R) [(s, f)] (in_cut_from s R) holds at_s) as (_ & right).
          destruct (cancel (cut_from s R) x [(s, f)]) as [R' new]. cbn [fst snd] in *. apply IH; trivial.
          intros y a b there. apply in_app_or in there as [there|there]; [now apply in_cut_from in there|].
          apply in_map_iff in there as (i & equal & there). injection equal as. subst. split; [now apply (right a b)|].
          exact (proj1 (Forall_forall _ _) valid (a, b) there).
        * destruct (cancel_from s x (cut_from s L) [(s, f)] (in_cut_from s L) holds at_s) as (left & _).
          destruct (cancel (cut_from s L) x [(s, f)]) as [L' new]. now apply IH.
  Qed.

  Theorem difference_algorithm_ordered P Q : ordered P -> ordered Q -> ordered (difference_algorithm P Q).
  Proof. intros left right. apply run_ordered; [now apply merged_ordered|intros x s f []]. Qed.
End DifferenceAlgorithm.
