(* Algorithm 3 of Krämer & Seeger 2009, scalar aggregation with partial aggregates in an ordered list, and its proof. *)
From Coq Require Import List Arith Lia Bool Permutation.
From Snapeq Require Export Order.
Import ListNotations.

Section AggregationAlgorithm.
  Context {E S V : Type}.
  Variables (init : E -> S) (merge : S -> E -> S) (eval : S -> V).

  (* Lines 4 to 25: the new element (e, [s, f)) meets the partial aggregates in the order of their starts;
     `last` is where the last one that it met ended. *)
  Fixpoint update e s f last (area : elements S) : elements S :=
    match area with
    | [] => if last <? f then [(init e, (last, f))] else []
    | (v, (a, b)) :: rest =>
        if (a <? f) && (s <? b) then
          (if a <? s then
             (v, (a, s)) :: if f <? b then [(merge v e, (s, f)); (v, (f, b))] else [(merge v e, (s, b))]
           else if b <=? f then [(merge v e, (a, b))]
           else [(merge v e, (a, f)); (v, (f, b))])
          ++ update e s f b rest
        else (v, (a, b)) :: update e s f last rest
    end.

  (* Lines 26 to 29: what ends at or before the new start is final. *)
  Definition finished (now : nat) (area : elements S) := List.filter (fun x => snd (snd x) <=? now) area.
  Definition open (now : nat) (area : elements S) := List.filter (fun x => now <? snd (snd x)) area.
  Definition evaluated (area : elements S) : elements V := List.map (fun x => (eval (fst x), snd x)) area.

  Fixpoint run (area : elements S) (P : elements E) : elements V :=
    match P with
    | [] => evaluated area
    | (e, (s, f)) :: rest =>
        let area' := update e s f s area in evaluated (finished s area') ++ run (open s area') rest
    end.

  Definition aggregation_algorithm (P : elements E) : elements V := run [] P.

  (* Property 7.5: partial aggregates follow one another without overlap. *)
  Fixpoint chain {X} (low : nat) (area : elements X) : Prop :=
    match area with
    | [] => True
    | (_, (a, b)) :: rest => low <= a < b /\ chain b rest
    end.

  (* From `now` on they leave no gap. *)
  Definition no_gap (now : nat) (area : elements S) :=
    forall t u, now <= t <= u -> alive u area <> [] -> alive t area <> [].

  Lemma chain_lower X low low' (area : elements X) : low' <= low -> chain low area -> chain low' area.
  Proof. destruct area as [|[v [a b]] rest]; simpl; intuition lia. Qed.

  Lemma chain_before X low (area : elements X) t : chain low area -> t < low -> alive t area = [].
  Proof.
    revert low. induction area as [|[v [a b]] rest IH]; simpl; intros low linked early; trivial.
    rewrite alive_cons. replace (during t (a, b)) with false.
    - apply (IH b); [tauto|lia].
    - symmetry. apply during_not. simpl. lia.
  Qed.

  Lemma chain_cons X low v a b (rest : elements X) t : chain low ((v, (a, b)) :: rest) ->
    alive t ((v, (a, b)) :: rest) = if during t (a, b) then [v] else alive t rest.
  Proof.
    intros (bounds & linked). rewrite alive_cons. destruct (during t (a, b)) eqn:valid; trivial.
    apply during_iff in valid. simpl in valid. now rewrite (chain_before _ b) by (trivial; lia).
  Qed.

  (* What one more tuple makes of the partial aggregate of an instant, if there is one. *)
  Definition added (l : list S) e : list S := match l with [] => [init e] | v :: _ => [merge v e] end.

  Lemma no_gap_first now low v a b rest : chain low ((v, (a, b)) :: rest) ->
    no_gap now ((v, (a, b)) :: rest) -> now <= a -> now = a.
  Proof.
    intros linked gapless late. destruct (Nat.eq_dec now a); trivial. exfalso.
    destruct linked as (bounds & linked). apply (gapless now a); [lia| |].
    - rewrite alive_cons. replace (during a (a, b)) with true; [easy|]. symmetry. apply during_iff. simpl. lia.
    - rewrite alive_cons. replace (during now (a, b)) with false.
      + apply (chain_before _ b); trivial. lia.
      + symmetry. apply during_not. simpl. lia.
  Qed.

  Lemma no_gap_rest now low v a b rest : chain low ((v, (a, b)) :: rest) ->
    no_gap now ((v, (a, b)) :: rest) -> no_gap (Nat.max now b) rest.
  Proof.
    intros linked gapless t u order covered. specialize (gapless t u).
    rewrite !(chain_cons _ low) in gapless by trivial.
    replace (during t (a, b)) with false in gapless by (symmetry; apply during_not; simpl; lia).
    apply gapless; [lia|]. destruct (during u (a, b)); easy.
  Qed.

  (* An element that ends before the partial aggregates begin changes none of them. *)
  Lemma update_beyond e s f last area low : f <= last -> f <= low -> chain low area -> update e s f last area = area.
  Proof.
    intros past. revert low. induction area as [|[v [a b]] rest IH]; intros low beyond linked; simpl.
    - destruct (Nat.ltb_spec last f); [lia|trivial].
    - destruct linked as (bounds & linked). replace (a <? f) with false by (symmetry; apply Nat.ltb_ge; lia).
      simpl. f_equal. apply (IH b); trivial. lia.
  Qed.

  (* A partial aggregate that is met was not passed before. *)
  Lemma reached s last low v a b (rest : elements S) : chain low ((v, (a, b)) :: rest) -> s < b ->
    (forall u, s <= u < last -> alive u ((v, (a, b)) :: rest) = []) -> last <= s \/ last <= a.
  Proof.
    intros (bounds & _) meets nothing. destruct (Nat.le_gt_cases last a), (Nat.le_gt_cases last s); auto. exfalso.
    specialize (nothing (Nat.max s a)). rewrite alive_cons in nothing.
    replace (during (Nat.max s a) (a, b)) with true in nothing by (symmetry; apply during_iff; simpl; lia).
    discriminate nothing. lia.
  Qed.

  Lemma update_alive e s f : s < f -> forall area low last t, chain low area -> s <= last -> no_gap last area ->
    (forall u, s <= u < last -> alive u area = []) ->
    alive t (update e s f last area) = if (last <=? t) && (t <? f) then added (alive t area) e else alive t area.
  Proof.
    intros proper area. induction area as [|[v [a b]] rest IH]; intros low last t linked after gapless nothing.
    - simpl. destruct (Nat.ltb_spec last f).
      + rewrite alive_cons. unfold during. now destruct (_ && _).
      + now replace ((last <=? t) && (t <? f)) with false by (instants; trivial; lia).
    - pose proof linked as (bounds & linked').
      assert (rest_gapless := no_gap_rest last low v a b rest linked gapless).
      assert (rest_before : forall u, u < b -> alive u rest = []) by (intros; now apply (chain_before _ b)).
      cbn [update]. destruct ((a <? f) && (s <? b)) eqn:meets.
      + apply andb_true_iff in meets as (meets & meets'). apply Nat.ltb_lt in meets, meets'.
        assert (first : last <= a -> last = a) by (intros; now apply (no_gap_first last low v a b rest)).
        assert (inside := reached s last low v a b rest linked meets' nothing).
        rewrite (chain_cons _ low) by trivial. rewrite alive_app, (IH b b t); trivial; try lia.
        2: now rewrite Nat.max_r in rest_gapless by lia.
        2: intros; apply rest_before; lia.
        specialize (rest_before t). destruct (Nat.ltb_spec t b).
        * rewrite rest_before by trivial.
          replace (b <=? t) with false by (symmetry; apply Nat.leb_gt; lia). cbn [andb].
          clear - proper bounds meets meets' first inside after H. rewrite app_nil_r. unfold during, added.
          cbn [fst snd].
          destruct (Nat.ltb_spec a s), (Nat.ltb_spec f b), (Nat.leb_spec b f); try lia;
            rewrite !alive_cons; instants; trivial; lia.
        * replace (during t (a, b)) with false by (symmetry; apply during_not; simpl; lia).
          replace (last <=? t) with true by (symmetry; apply Nat.leb_le; lia).
          replace (b <=? t) with true by (symmetry; apply Nat.leb_le; lia).
          match goal with |- alive t ?pieces ++ _ = _ => replace (alive t pieces) with (@nil S) end; trivial.
          clear - bounds meets meets' H proper. instants; rewrite !alive_cons; instants; trivial; lia.
      + apply andb_false_iff in meets. rewrite !Nat.ltb_ge in meets.
        destruct meets as [beyond|before].
        * assert (past : f <= last).
          { destruct (Nat.le_gt_cases f last); trivial. exfalso.
            enough (last = a) by lia. apply (no_gap_first last low v a b rest); trivial. lia. }
          rewrite (update_beyond e s f last rest b); trivial; try lia.
          replace ((last <=? t) && (t <? f)) with false; trivial. instants; trivial; lia.
        * rewrite (chain_cons _ low v a b rest), alive_cons, (IH b last t); trivial.
          2: now rewrite Nat.max_l in rest_gapless by lia.
          2: { intros u within. specialize (nothing u within). rewrite alive_cons in nothing.
               now destruct (during u (a, b)). }
          specialize (rest_before t). destruct (during t (a, b)) eqn:valid; trivial.
          apply during_iff in valid. simpl in valid. rewrite rest_before by lia.
          replace (last <=? t) with false by (symmetry; apply Nat.leb_gt; lia). trivial.
  Qed.

  Lemma update_chain e s f : s < f -> forall area low last, chain low area -> s <= last -> no_gap last area ->
    (forall u, s <= u < last -> alive u area = []) -> low <= last \/ f <= last -> chain low (update e s f last area).
  Proof.
    intros proper area. induction area as [|[v [a b]] rest IH]; intros low last linked after gapless nothing place.
    - simpl. destruct (Nat.ltb_spec last f); simpl; auto. lia.
    - pose proof linked as (bounds & linked'). assert (rest_gapless := no_gap_rest last low v a b rest linked gapless).
      cbn [update]. destruct ((a <? f) && (s <? b)) eqn:meets.
      + apply andb_true_iff in meets as (meets & meets'). apply Nat.ltb_lt in meets, meets'.
        assert (inside := reached s last low v a b rest linked meets' nothing).
        assert (tail : chain b (update e s f b rest)).
        { apply IH; trivial; try lia.
          - now rewrite Nat.max_r in rest_gapless by lia.
          - intros. apply (chain_before _ b); trivial. lia. }
        clear - bounds meets meets' tail proper. instants; simpl; repeat split; trivial; lia.
      + apply andb_false_iff in meets. rewrite !Nat.ltb_ge in meets. simpl. split; trivial.
        destruct meets as [beyond|before].
        * assert (past : f <= last).
          { destruct (Nat.le_gt_cases f last); trivial. exfalso.
            enough (last = a) by lia. apply (no_gap_first last low v a b rest); trivial. lia. }
          rewrite (update_beyond e s f last rest b); trivial; lia.
        * apply IH; trivial; try lia.
          -- now rewrite Nat.max_l in rest_gapless by lia.
          -- intros u within. specialize (nothing u within). rewrite alive_cons in nothing.
             now destruct (during u (a, b)).
  Qed.

  (* Final and open partial aggregates are the whole list: it is ordered by end, too. *)
  Lemma open_all now low (area : elements S) : chain low area -> now <= low ->
    open now area = area /\ finished now area = [].
  Proof.
    revert low. induction area as [|[v [a b]] rest IH]; simpl; intros low linked late; auto.
    destruct linked as (bounds & linked). destruct (IH b linked) as (-> & ->); [lia|].
    destruct (Nat.ltb_spec now b), (Nat.leb_spec b now); auto; lia.
  Qed.

  Lemma finished_open now low (area : elements S) : chain low area -> finished now area ++ open now area = area.
  Proof.
    revert low. induction area as [|[v [a b]] rest IH]; simpl; intros low linked; trivial.
    destruct linked as (bounds & linked). destruct (Nat.ltb_spec now b), (Nat.leb_spec b now); try lia; simpl.
    - destruct (open_all now b rest linked) as (-> & ->); [lia|trivial].
    - f_equal. now apply (IH b).
  Qed.

  Lemma open_chain now low (area : elements S) : chain low area -> chain low (open now area).
  Proof.
    revert low. induction area as [|[v [a b]] rest IH]; simpl; intros low linked; trivial.
    destruct linked as (bounds & linked). destruct (now <? b); simpl; auto.
    apply chain_lower with b; [lia|auto].
  Qed.

  Lemma finished_alive now (area : elements S) t : now <= t -> alive t (finished now area) = [].
  Proof.
    intros late. induction area as [|[v [a b]] rest IH]; simpl; trivial. destruct (Nat.leb_spec b now); trivial.
    rewrite alive_cons, IH. replace (during t (a, b)) with false; trivial. symmetry. apply during_not. simpl. lia.
  Qed.

  Lemma alive_evaluated t (area : elements S) : alive t (evaluated area) = List.map eval (alive t area).
  Proof.
    induction area as [|[v i] rest IH]; simpl; trivial.
    change (evaluated ((v, i) :: rest)) with ((eval v, i) :: evaluated rest).
    rewrite !alive_cons, IH. now destruct (during t i).
  Qed.

  Lemma step_alive e s f area low : s < f -> chain low area -> no_gap s area -> forall t,
    alive t (update e s f s area) = if during t (s, f) then added (alive t area) e else alive t area.
  Proof. intros proper linked gapless t. apply (update_alive e s f proper area low); trivial. intros; lia. Qed.

  Lemma step_chain e s f area low : s < f -> chain low area -> no_gap s area ->
    chain (Nat.min low s) (update e s f s area).
  Proof.
    intros proper linked gapless. apply update_chain; trivial; try lia.
    apply chain_lower with low; trivial. lia.
  Qed.

  Lemma open_alive e s f area low : s < f -> chain low area -> no_gap s area -> forall t, s <= t ->
    alive t (open s (update e s f s area)) = alive t (update e s f s area).
  Proof.
    intros proper linked gapless t late.
    rewrite <- (finished_open s _ _ (step_chain e s f area low proper linked gapless)) at 2.
    now rewrite alive_app, finished_alive.
  Qed.

  Lemma step_no_gap e s f area low : s < f -> chain low area -> no_gap s area ->
    no_gap s (open s (update e s f s area)).
  Proof.
    intros proper linked gapless x y xy.
    rewrite !(open_alive e s f area low), !(step_alive e s f area low) by (trivial; lia). intros covered.
    destruct (during x (s, f)) eqn:valid; [now destruct (alive x area)|].
    apply (gapless x y); trivial. destruct (during y (s, f)) eqn:valid'; trivial.
    apply during_iff in valid'. apply during_not in valid. simpl in *. lia.
  Qed.

  (* The partial aggregate of an instant, and all tuples that are yet to come there. *)
  Fixpoint continued (l : list S) (es : list E) : list S :=
    match es with [] => l | e :: rest => continued (added l e) rest end.

  Lemma run_alive P : forall now area low t, ordered_from now P -> chain low area -> no_gap now area ->
    alive t (run area P) = List.map eval (continued (alive t area) (alive t P)).
  Proof.
    induction P as [|[e [s f]] P IH]; intros now area low t in_order linked gapless.
    - simpl. apply alive_evaluated.
    - destruct in_order as ((late & proper) & in_order).
      assert (gapless' : no_gap s area) by (intros x y xy; apply gapless; lia).
      assert (linked' := step_chain e s f area low proper linked gapless').
      cbn [run]. rewrite alive_app, alive_evaluated, alive_cons, (IH s _ (Nat.min low s));
        auto using open_chain, (step_no_gap e s f area low).
      destruct (Nat.le_gt_cases s t).
      + rewrite finished_alive, (open_alive e s f area low), (step_alive e s f area low) by trivial. simpl.
        now destruct (during t (s, f)).
      + rewrite (alive_before _ s P) by trivial.
        assert (outside : during t (s, f) = false) by (apply during_not; simpl; lia). rewrite outside. simpl.
        rewrite <- map_app, <- alive_app, (finished_open s (Nat.min low s)), (step_alive e s f area low) by trivial.
        now rewrite outside.
  Qed.

  (* The aggregate of tuples in the order of their arrival. *)
  Definition aggregated (es : list E) : list V :=
    match es with [] => [] | e :: rest => [eval (fold_left merge rest (init e))] end.

  Lemma continued_one v es : continued [v] es = [fold_left merge es v].
  Proof. revert v. induction es; simpl; auto. Qed.

  (* At every instant the output is the aggregate of what is valid then, and nothing where nothing is. *)
  Theorem aggregation_algorithm_alive P t : ordered P -> alive t (aggregation_algorithm P) = aggregated (alive t P).
  Proof.
    intros in_order. unfold aggregation_algorithm. rewrite (run_alive P 0 [] 0); simpl; trivial.
    - destruct (alive t P); simpl; trivial. now rewrite continued_one.
    - intros x y _ covered. now destruct covered.
  Qed.
End AggregationAlgorithm.
