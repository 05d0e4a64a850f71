(* Taking one copy of a tuple, over some intervals, away from a list: what is left of the list, and of the intervals. *)
From Coq Require Import List Arith Lia Bool.
From Snapeq Require Export Order.
Import ListNotations.

Definition nonempty (i : interval) : bool := fst i <? snd i.
Definition holding (i : interval) := fst i < snd i.
Definition depth (t : nat) (l : list interval) := sum (fun i => one_if (during t i)) l.

(* [i] without [j]: what is before it and what is after it. *)
Definition apart (i j : interval) : list interval :=
  List.filter nonempty [(fst i, Nat.min (snd i) (fst j)); (Nat.max (fst i) (snd j), snd i)].
Definition all_apart (l : list interval) (j : interval) := flat_map (fun i => apart i j) l.
Definition apart_from_all (i : interval) (js : list interval) := fold_left all_apart js [i].

Lemma depth_app t l m : depth t (l ++ m) = depth t l + depth t m.
Proof. apply sum_app. Qed.

Lemma depth_one t i : depth t [i] = one_if (during t i).
Proof. unfold depth. simpl. lia. Qed.

Lemma depth_apart t i j : holding j -> depth t (apart i j) = one_if (during t i && negb (during t j)).
Proof.
  destruct i as [a b], j as [c d]. unfold holding, apart, nonempty, depth. simpl. intros proper.
  destruct (Nat.ltb_spec a (Nat.min b c)), (Nat.ltb_spec (Nat.max a d) b); simpl; instants; simpl; lia.
Qed.

Lemma apart_holding i j : Forall holding (apart i j).
Proof. apply Forall_forall. intros k there. apply filter_In in there as (_ & there). now apply Nat.ltb_lt in there. Qed.

Lemma depth_all_apart t l j : holding j -> depth t (all_apart l j) = if during t j then 0 else depth t l.
Proof.
  intros proper. induction l as [|i l IH]; simpl.
  - now destruct (during t j).
  - rewrite depth_app, depth_apart, IH by trivial. unfold depth. simpl.
    destruct (during t j), (during t i); simpl; lia.
Qed.

Lemma all_apart_holding l j : Forall holding (all_apart l j).
Proof.
  apply Forall_forall. intros k there. apply in_flat_map in there as (i & _ & there).
  exact (proj1 (Forall_forall _ _) (apart_holding i j) k there).
Qed.

Lemma depth_fold t js : Forall holding js -> forall l,
  depth t (fold_left all_apart js l) = if 0 <? depth t js then 0 else depth t l.
Proof.
  induction 1 as [|j js proper _ IH]; intros l; simpl; trivial.
  rewrite IH, depth_all_apart by trivial. unfold depth at 3. simpl. fold (depth t js).
  destruct (during t j); simpl; now destruct (0 <? depth t js).
Qed.

Lemma fold_holding js : forall l, Forall holding l -> Forall holding (fold_left all_apart js l).
Proof. induction js; simpl; auto using all_apart_holding. Qed.

Section Cancel.
  Context {E : Type} `{Decidable E}.

  Definition tagged (x : E) (l : list interval) : elements E := List.map (fun i => (x, i)) l.
  Definition sound (P : elements E) := Forall (fun x => holding (snd x)) P.

  Fixpoint cancel (P : elements E) (x : E) (l : list interval) : elements E * list interval :=
    match P with
    | [] => ([], l)
    | (y, i) :: rest =>
        if decide y x then
          let (P', l') := cancel rest x (all_apart l i) in (tagged x (apart_from_all i l) ++ P', l')
        else let (P', l') := cancel rest x l in ((y, i) :: P', l')
    end.

  Lemma copies_tagged x l e t : copies (tagged x l) e t = if decide x e then depth t l else 0.
  Proof.
    induction l as [|i l IH]; simpl.
    - rewrite copies_nil. now destruct (decide x e).
    - change (tagged x (i :: l)) with ((x, i) :: tagged x l). rewrite copies_cons, IH. unfold here, depth. simpl.
      destruct (decide x e); lia.
  Qed.

  Lemma tagged_sound x l : Forall holding l -> sound (tagged x l).
  Proof. unfold sound, tagged. rewrite Forall_map. trivial. Qed.

  (* The intervals do not overlap: one copy at most is taken away at each instant. *)
  Lemma cancel_correct P x : forall l, sound P -> Forall holding l -> (forall t, depth t l <= 1) ->
    (forall e t, copies (fst (cancel P x l)) e t = copies P e t - if decide x e then depth t l else 0) /\
    (forall t, depth t (snd (cancel P x l)) = depth t l - copies P x t) /\
    sound (fst (cancel P x l)) /\ Forall holding (snd (cancel P x l)).
  Proof.
    induction P as [|[y i] P IH]; intros l proper holds single; simpl.
    - repeat split; trivial; intros; rewrite copies_nil; lia.
    - inversion proper as [|? ? first others]; subst. simpl in first. destruct (decide y x) as [->|differs].
      + destruct (IH (all_apart l i)) as (left & right & good & good'); auto using all_apart_holding.
        { intros t. rewrite depth_all_apart by trivial. specialize (single t). destruct (during t i); lia. }
        destruct (cancel P x (all_apart l i)) as [P' l']. simpl in *.
        repeat split; trivial; intros; unfold apart_from_all in *.
        * rewrite copies_app, copies_cons, left, copies_tagged, depth_fold, depth_all_apart by trivial.
          unfold here. specialize (single t). destruct (decide x e); [|lia].
          rewrite depth_one. destruct (Nat.ltb_spec 0 (depth t l)), (during t i); cbn [one_if]; lia.
        * rewrite right, depth_all_apart, copies_cons by trivial. unfold here. specialize (single t).
          destruct (decide x x); [|easy]. destruct (during t i); cbn [one_if]; lia.
        * apply Forall_app. split; trivial. apply tagged_sound, fold_holding. auto.
      + destruct (IH l) as (left & right & good & good'); trivial. destruct (cancel P x l) as [P' l']. simpl in *.
        repeat split; trivial; intros.
        * rewrite !copies_cons, left. unfold here. destruct (decide y e), (decide x e); subst; try easy; lia.
        * rewrite right, copies_cons. unfold here. destruct (decide y x); [easy|lia].
        * now constructor.
  Qed.
End Cancel.
