(* The operators on intervals that need no state: what they do to lists of elements, instant by instant. *)
From Coq Require Import List Arith Lia Bool Permutation.
From Snapeq Require Export Order.
Import ListNotations.

Section OneInput.
  Context {E F : Type} `{Decidable E} `{Decidable F}.

  Definition filter_elements (p : E -> truth) (P : elements E) : elements E :=
    List.filter (fun x => holds (p (fst x))) P.
  Definition map_elements (f : E -> F) (P : elements E) : elements F := List.map (fun x => (f (fst x), snd x)) P.

  (* These keep the order of what is valid at an instant, and so more than the multiset. *)
  Theorem filter_alive p P t : alive t (filter_elements p P) = List.filter (fun e => holds (p e)) (alive t P).
  Proof.
    induction P as [|[x i] P IH]; simpl; trivial. rewrite alive_cons.
    destruct (holds (p x)) eqn:kept, (during t i) eqn:valid; rewrite ?alive_cons, ?valid, IH; simpl; rewrite ?kept;
      trivial.
  Qed.

  Theorem map_alive f P t : alive t (map_elements f P) = List.map f (alive t P).
  Proof.
    induction P as [|[x i] P IH]; simpl; trivial. cbn [map_elements List.map]. fold (map_elements f P).
    rewrite !alive_cons, IH. cbn [fst snd]. now destruct (during t i).
  Qed.

  Theorem filter_correct p P : logical (filter_elements p P) == filter p (logical P).
  Proof.
    intros t e. unfold snapshot. simpl. rewrite filter_alive. induction (alive t P) as [|x l IH]; simpl.
    - now destruct (holds (p e)).
    - destruct (holds (p x)) eqn:kept; simpl; destruct (decide x e) as [->|]; rewrite ?IH, ?kept; trivial.
  Qed.

  Lemma count_map f (l : list E) y :
    count_occ decide (List.map f l) y = sum (fun x => if decide (f x) y then 1 else 0) l.
  Proof. rewrite count_as_sum. apply sum_map. Qed.

  Theorem map_correct f P : logical (map_elements f P) == map f (logical P).
  Proof.
    intros t y. unfold snapshot. simpl. rewrite map_alive, count_map. unfold total.
    rewrite <- (sum_permutation _ _ _ _ (bag_logical P t)). unfold bag. rewrite sum_flat_map. apply sum_ext. intros x _.
    rewrite Nat.mul_comm. generalize (logical P x t). induction n as [|n IHn]; simpl; lia.
  Qed.
End OneInput.

Section Union.
  Context {E : Type} `{Decidable E}.

  (* Both inputs in the order of their starts. *)
  Definition union_elements (P Q : elements E) := sort_by_start (P ++ Q).

  Theorem union_correct P Q : logical (union_elements P Q) == union (logical P) (logical Q).
  Proof.
    intros t e. unfold snapshot. simpl. change (copies (union_elements P Q) e t = copies P e t + copies Q e t).
    unfold union_elements. now rewrite (copies_permutation _ _ e t (sort_permutation _ _)), copies_app.
  Qed.
End Union.

Section Join.
  Context {E F : Type} `{Decidable E} `{Decidable F} (on : E -> F -> truth).

  (* Two elements meet where both are valid. *)
  Definition common (i j : interval) : interval := (Nat.max (fst i) (fst j), Nat.min (snd i) (snd j)).
  Definition met (x : E * interval) (y : F * interval) : elements (E * F) :=
    let i := common (snd x) (snd y) in
    if holds (on (fst x) (fst y)) && (fst i <? snd i) then [((fst x, fst y), i)] else [].
  Definition join_elements (P : elements E) (Q : elements F) : elements (E * F) :=
    sort_by_start (flat_map (fun x => flat_map (met x) Q) P).

  Lemma during_common t i j : during t (common i j) = during t i && during t j.
  Proof. apply eq_true_iff_eq. rewrite andb_true_iff, !during_iff. simpl. lia. Qed.

  Lemma met_copies x i y j e f t : copies (met (x, i) (y, j)) (e, f) t
    = if holds (on e f) then here x e t i * here y f t j else 0.
  Proof.
    unfold met, here. cbn [fst snd]. pose proof (during_common t i j) as both_.
    destruct (holds (on x y) && _) eqn:meets.
    - apply andb_true_iff in meets as (meets & _). rewrite copies_cons, copies_nil. unfold here.
      destruct (decide (x, y) (e, f)) as [equal|], (decide x e), (decide y f); try congruence; subst;
        rewrite ?Nat.mul_0_r; try (destruct (holds (on e f)); reflexivity).
      rewrite both_, meets. destruct (during t i), (during t j); simpl; lia.
    - rewrite copies_nil. destruct (decide x e) as [->|], (decide y f) as [->|]; rewrite ?Nat.mul_0_r;
        try (destruct (holds (on e f)); reflexivity).
      destruct (holds (on e f)); trivial. simpl in meets. apply Nat.ltb_ge in meets.
      destruct (during t i), (during t j); simpl in both_; try (simpl; lia).
      apply during_iff in both_. simpl in both_. lia.
  Qed.

  Lemma copies_sum X `{Decidable X} (P : elements X) e t : copies P e t = sum (fun x => here (fst x) e t (snd x)) P.
  Proof. induction P as [|[x i] P IH]; trivial. now rewrite copies_cons, IH. Qed.

  Lemma copies_flat_map X Y `{Decidable Y} (g : X -> elements Y) l e t :
    copies (flat_map g l) e t = sum (fun x => copies (g x) e t) l.
  Proof. induction l as [|x l IH]; trivial. cbn [flat_map sum]. now rewrite copies_app, IH. Qed.

  Theorem join_correct P Q : logical (join_elements P Q) == join on (logical P) (logical Q).
  Proof.
    intros t [e f]. unfold snapshot. simpl.
    change (copies (join_elements P Q) (e, f) t = if holds (on e f) then copies P e t * copies Q f t else 0).
    unfold join_elements. rewrite (copies_permutation _ _ _ t (sort_permutation _ _)), copies_flat_map.
    rewrite (sum_ext _ _ (fun x => sum (fun y => if holds (on e f)
      then here (fst x) e t (snd x) * here (fst y) f t (snd y) else 0) Q)).
    - rewrite !copies_sum. destruct (holds (on e f)); [apply sum_product|]. apply sum_none. intros. now apply sum_none.
    - intros [x i] _. rewrite copies_flat_map. apply sum_ext. intros [y j] _. apply met_copies.
  Qed.
End Join.

Section Instants.
  Context {E : Type} `{Decidable E}.

  (* Every instant of validity as an element of its own; Algorithm 4 makes each of them longer. *)
  Definition chronons (P : elements E) : elements E :=
    flat_map (fun x => List.map (fun t => (fst x, (t, t + 1))) (seq (fst (snd x)) (snd (snd x) - fst (snd x)))) P.
  Definition window_elements (w : nat) (P : elements E) : elements E :=
    List.map (fun x => (fst x, (fst (snd x), fst (snd x) + w))) P.

  Lemma copies_window w x P e t : copies (List.map (fun s => (x, (s, s + w))) P) e t
    = if decide x e then sum (fun s => one_if (during t (s, s + w))) P else 0.
  Proof.
    induction P as [|s P IH]; simpl.
    - now destruct (decide x e).
    - rewrite copies_cons, IH. unfold here. destruct (decide x e); lia.
  Qed.

  Lemma instants_within t a b w : sum (fun s => one_if (during t (s, s + w))) (seq a (b - a))
    = sum (fun u => one_if (during u (a, b))) (span (t + 1 - w) t).
  Proof.
    set (f := fun s => one_if ((a <=? s) && (s <? b) && (s <=? t) && (t <? s + w))).
    transitivity (sum f (seq 0 (Nat.max b (t + 1)))).
    - transitivity (sum f (seq a (b - a))).
      + apply sum_ext. intros s within. apply in_seq in within. unfold f. instants; trivial; lia.
      + apply (sum_support Nat.eq_dec); try apply seq_NoDup; intros s; rewrite in_seq; unfold f; instants; auto;
          right; lia.
    - symmetry. transitivity (sum f (span (t + 1 - w) t)).
      + apply sum_ext. intros s within. apply in_span in within. unfold f. instants; trivial; lia.
      + apply (sum_support Nat.eq_dec); try apply seq_NoDup; intros s; rewrite ?in_span, ?in_seq; unfold f; instants;
          auto; right; lia.
  Qed.

  Theorem window_correct w P : logical (window_elements w (chronons P)) == time_window w (logical P).
  Proof.
    intros t e. unfold snapshot. cbn [times time_window window].
    change (copies (window_elements w (chronons P)) e t = sum (copies P e) (span (t + 1 - w) t)).
    induction P as [|[x [a b]] P IH].
    - cbn. now rewrite sum_none.
    - unfold chronons. cbn [flat_map fst snd]. fold (chronons P). unfold window_elements in *.
      rewrite map_app, copies_app, IH.
      rewrite map_map. cbn [fst snd]. rewrite copies_window, instants_within.
      rewrite (sum_ext _ (copies ((x, (a, b)) :: P) e) (fun u => here x e u (a, b) + copies P e u)) by (intros;
        apply copies_cons).
      rewrite sum_add. f_equal. unfold here. destruct (decide x e); trivial. now rewrite sum_none.
  Qed.

  (* Cutting into instants changes nothing: the window of size 1. *)
  Theorem chronons_correct P : logical (chronons P) == logical P.
  Proof.
    intros t e. unfold snapshot. simpl. change (copies (chronons P) e t = copies P e t).
    induction P as [|[x [a b]] P IH]; trivial. unfold chronons. cbn [flat_map fst snd]. fold (chronons P).
    rewrite copies_app, copies_cons, IH, copies_window, instants_within. unfold here. destruct (decide x e); [|lia].
    unfold span. replace (t + 1 - 1) with t by lia. replace (t + 1 - t) with 1 by lia. simpl. lia.
  Qed.
End Instants.
