(* Rules about products, joins, semijoins and antijoins. Pairs stand for concatenated tuples. *)
From Coq Require Import Arith Lia Bool List.
From Snapeq Require Import Rules.

Ltac by_partner :=
  intros; intros t e; unfold snapshot; cbn;
  repeat match goal with |- context [partner ?on ?B ?e ?t] => destruct (partner on B e t) eqn:? end; cbn; try lia.

Section Products.
  Context {E F G : Type}.
  Implicit Types (A D : stream E) (B K : stream F) (C : stream G).

  Theorem product_commutes A B e f t : product A B (e, f) t = product B A (f, e) t.
  Proof. simpl. lia. Qed.
  Theorem join_as_filtered_product on A B : join on A B == filter (fun ef => on (fst ef) (snd ef)) (product A B).
  Proof. now intros t e. Qed.
  Theorem join_commutes on A B e f t : join on A B (e, f) t = join (turned on) B A (f, e) t.
  Proof. simpl. unfold turned. destruct (holds (on e f)); lia. Qed.
  Theorem join_associates (on : E -> F -> truth) (next : F -> G -> truth) A B C e f g t :
    join (fun ef g => next (snd ef) g) (join on A B) C ((e, f), g) t
    = join (fun e fg => on e (fst fg)) A (join next B C) (e, (f, g)) t.
  Proof. simpl. destruct (holds (on e f)), (holds (next f g)); lia. Qed.
  Theorem join_associates_with_any_condition (on : E -> F -> truth) (next : E -> F -> G -> truth) A B C e f g t :
    join (fun ef g => next (fst ef) (snd ef) g) (join on A B) C ((e, f), g) t
    = join (fun e fg => both (on e (fst fg)) (next e (fst fg) (snd fg))) A (product B C) (e, (f, g)) t.
  Proof. simpl. rewrite holds_both. destruct (holds (on e f)), (holds (next e f g)); simpl; lia. Qed.
  Theorem joins_of_one_stream_commute (on : E -> F -> truth) (next : E -> G -> truth) A B C e f g t :
    join (fun ef g => next (fst ef) g) (join on A B) C ((e, f), g) t
    = join (fun eg f => on (fst eg) f) (join next A C) B ((e, g), f) t.
  Proof. simpl. destruct (holds (on e f)), (holds (next e g)); lia. Qed.
  Theorem product_over_union A D B : product (union A D) B == union (product A B) (product D B).
  Proof. pointwise. Qed.
  Theorem product_over_difference A D B : product (difference A D) B == difference (product A B) (product D B).
  Proof. pointwise. apply Nat.mul_sub_distr_r. Qed.
  Theorem product_over_intersection A D B :
    product (intersection A D) B == intersection (product A B) (product D B).
  Proof. pointwise. symmetry. apply Nat.mul_min_distr_r. Qed.
  Theorem join_over_union on A D B : join on (union A D) B == union (join on A B) (join on D B).
  Proof. pointwise. Qed.
  Theorem join_over_union_on_the_right on A B K : join on A (union B K) == union (join on A B) (join on A K).
  Proof. pointwise. Qed.
  Theorem join_over_difference on A D B : join on (difference A D) B == difference (join on A B) (join on D B).
  Proof. pointwise. apply Nat.mul_sub_distr_r. Qed.
  Theorem join_on_either_condition (on other : E -> F -> truth) A B :
    join (fun e f => either (on e f) (other e f)) A B
      == union (join on A B) (difference (join other A B) (join on A B)).
  Proof. pointwise. Qed.
  Theorem distinct_through_join on A B : distinct (join on A B) == join on (distinct A) (distinct B).
  Proof. pointwise. Qed.

  Theorem filter_into_join on (p : E * F -> truth) A B :
    filter p (join on A B) == join (fun e f => both (on e f) (p (e, f))) A B.
  Proof.
    intros t [e f]. unfold snapshot. cbn. rewrite holds_both. destruct (holds (on e f)), (holds (p (e, f))); trivial.
  Qed.
  Theorem filter_through_join_to_the_left on (p : E -> truth) A B :
    filter (fun ef => p (fst ef)) (join on A B) == join on (filter p A) B.
  Proof. pointwise. Qed.
  Theorem filter_through_join_to_the_right on (q : F -> truth) A B :
    filter (fun ef => q (snd ef)) (join on A B) == join on A (filter q B).
  Proof. pointwise. Qed.
  Theorem condition_out_of_join on (p : E -> truth) A B :
    join (fun e f => both (on e f) (p e)) A B == join on (filter p A) B.
  Proof. pointwise. Qed.
  Theorem join_after_reduction on A B : join on A B == join on (semijoin on A B) B.
  Proof.
    intros t [e f]. unfold snapshot. cbn. destruct (holds (on e f)) eqn:meets; trivial.
    destruct (partner on B e t) eqn:found; trivial. destruct (Nat.eq_dec (B f t) 0) as [->|]; [lia|].
    enough (partner on B e t = true) by congruence. apply partner_iff. exists f. split; trivial. lia.
  Qed.
  Theorem semijoin_through_join on (next : E -> G -> truth) A B C :
    semijoin (fun ef g => next (fst ef) g) (join on A B) C == join on (semijoin next A C) B.
  Proof.
    intros t [e f]. unfold snapshot. cbn.
    change (partner (fun ef g => next (fst ef) g) C (e, f) t) with (partner next C e t).
    destruct (partner next C e t), (holds (on e f)); lia.
  Qed.
  Theorem antijoin_through_join on (next : E -> G -> truth) A B C :
    antijoin (fun ef g => next (fst ef) g) (join on A B) C == join on (antijoin next A C) B.
  Proof.
    intros t [e f]. unfold snapshot. cbn.
    change (partner (fun ef g => next (fst ef) g) C (e, f) t) with (partner next C e t).
    destruct (partner next C e t), (holds (on e f)); lia.
  Qed.
End Products.

Section Semijoins.
  Context {E F G : Type}.
  Implicit Types (A D : stream E) (B K : stream F) (C : stream G) (on : E -> F -> truth).

  Theorem with_or_without_a_partner on A B : A == union (semijoin on A B) (antijoin on A B).
  Proof. by_partner. Qed.
  Theorem antijoin_as_difference on A B : antijoin on A B == difference A (semijoin on A B).
  Proof. by_partner. Qed.
  Theorem semijoin_as_difference on A B : semijoin on A B == difference A (antijoin on A B).
  Proof. by_partner. Qed.
  Theorem semijoin_twice on A B : semijoin on (semijoin on A B) B == semijoin on A B.
  Proof. by_partner. Qed.
  Theorem antijoin_twice on A B : antijoin on (antijoin on A B) B == antijoin on A B.
  Proof. by_partner. Qed.
  Theorem semijoins_commute on (next : E -> G -> truth) A B C :
    semijoin next (semijoin on A B) C == semijoin on (semijoin next A C) B.
  Proof. by_partner. Qed.
  Theorem semijoin_and_antijoin_commute on (next : E -> G -> truth) A B C :
    antijoin next (semijoin on A B) C == semijoin on (antijoin next A C) B.
  Proof. by_partner. Qed.
  Theorem semijoin_over_union on A D B : semijoin on (union A D) B == union (semijoin on A B) (semijoin on D B).
  Proof. by_partner. Qed.
  Theorem semijoin_over_difference on A D B : semijoin on (difference A D) B == difference (semijoin on A B) D.
  Proof. by_partner. Qed.
  Theorem antijoin_over_intersection on A D B : antijoin on (intersection A D) B == intersection (antijoin on A B) D.
  Proof. by_partner. Qed.
  Theorem distinct_through_semijoin on A B : distinct (semijoin on A B) == semijoin on (distinct A) B.
  Proof. by_partner. Qed.
  Theorem distinct_through_antijoin on A B : distinct (antijoin on A B) == antijoin on (distinct A) B.
  Proof. by_partner. Qed.
  Theorem filter_through_semijoin p on A B : filter p (semijoin on A B) == semijoin on (filter p A) B.
  Proof. by_partner; destruct (holds (p e)); trivial. Qed.
  Theorem filter_through_antijoin p on A B : filter p (antijoin on A B) == antijoin on (filter p A) B.
  Proof. by_partner; destruct (holds (p e)); trivial. Qed.

  Lemma partner_distinct on B e t : partner on (distinct B) e t = partner on B e t.
  Proof. apply by_partners. cbn. split; intros (f & ? & ?); exists f; split; trivial; lia. Qed.
  Theorem semijoin_with_distinct on A B : semijoin on A B == semijoin on A (distinct B).
  Proof. intros t e. unfold snapshot. cbn [times semijoin antijoin union]. now rewrite partner_distinct. Qed.
  Theorem antijoin_with_distinct on A B : antijoin on A B == antijoin on A (distinct B).
  Proof. intros t e. unfold snapshot. cbn [times semijoin antijoin union]. now rewrite partner_distinct. Qed.

  Lemma partner_union on B K e t : partner on (union B K) e t = partner on B e t || partner on K e t.
  Proof.
    apply eq_true_iff_eq. rewrite orb_true_iff, !partner_iff. cbn. split.
    - intros (f & meets & there). destruct (Nat.eq_dec (B f t) 0); [right|left]; exists f; split; trivial; lia.
    - intros [(f & meets & there)|(f & meets & there)]; exists f; split; trivial; lia.
  Qed.
  Theorem semijoin_with_union on A B K :
    semijoin on A (union B K) == union (semijoin on A B) (semijoin on (antijoin on A B) K).
  Proof.
    intros t e. unfold snapshot. cbn [times semijoin antijoin union]. rewrite partner_union.
    destruct (partner on B e t), (partner on K e t); cbn; lia.
  Qed.
  Theorem antijoin_with_union on A B K : antijoin on A (union B K) == antijoin on (antijoin on A B) K.
  Proof.
    intros t e. unfold snapshot. cbn [times semijoin antijoin union]. rewrite partner_union.
    destruct (partner on B e t), (partner on K e t); trivial.
  Qed.

  Lemma partner_either on other B e t :
    partner (fun e f => either (on e f) (other e f)) B e t = partner on B e t || partner other B e t.
  Proof.
    apply eq_true_iff_eq. rewrite orb_true_iff, !partner_iff. setoid_rewrite holds_either. setoid_rewrite orb_true_iff.
    firstorder.
  Qed.
  Theorem semijoin_on_either_condition on other A B :
    semijoin (fun e f => either (on e f) (other e f)) A B
      == union (semijoin on A B) (semijoin other (antijoin on A B) B).
  Proof.
    intros t e. unfold snapshot. cbn [times semijoin antijoin union]. rewrite partner_either.
    destruct (partner on B e t), (partner other B e t); cbn; lia.
  Qed.
  Theorem antijoin_on_either_condition on other A B :
    antijoin (fun e f => either (on e f) (other e f)) A B == antijoin other (antijoin on A B) B.
  Proof.
    intros t e. unfold snapshot. cbn [times semijoin antijoin union]. rewrite partner_either.
    destruct (partner on B e t), (partner other B e t); trivial.
  Qed.

  Lemma partner_filtered on (q : F -> truth) B e t :
    partner (fun e f => both (on e f) (q f)) B e t = partner on (filter q B) e t.
  Proof.
    apply by_partners. cbn. setoid_rewrite holds_both. setoid_rewrite andb_true_iff.
    split; intros (f & meets & there); exists f.
    - destruct meets as (? & ->). auto.
    - destruct (holds (q f)); [auto|lia].
  Qed.
  Theorem condition_out_of_semijoin_to_the_right on (q : F -> truth) A B :
    semijoin (fun e f => both (on e f) (q f)) A B == semijoin on A (filter q B).
  Proof. intros t e. unfold snapshot. cbn [times semijoin antijoin union]. now rewrite partner_filtered. Qed.
  Theorem condition_out_of_antijoin_to_the_right on (q : F -> truth) A B :
    antijoin (fun e f => both (on e f) (q f)) A B == antijoin on A (filter q B).
  Proof. intros t e. unfold snapshot. cbn [times semijoin antijoin union]. now rewrite partner_filtered. Qed.

  Lemma partner_guarded on (p : E -> truth) B e t :
    partner (fun e f => both (on e f) (p e)) B e t = holds (p e) && partner on B e t.
  Proof.
    apply eq_true_iff_eq. rewrite andb_true_iff, !partner_iff. setoid_rewrite holds_both.
    setoid_rewrite andb_true_iff. firstorder.
  Qed.
  Theorem condition_out_of_semijoin_to_the_left on (p : E -> truth) A B :
    semijoin (fun e f => both (on e f) (p e)) A B == semijoin on (filter p A) B.
  Proof.
    intros t e. unfold snapshot. cbn [times semijoin filter]. rewrite partner_guarded.
    now destruct (holds (p e)), (partner on B e t).
  Qed.
  Theorem condition_out_of_antijoin_to_the_left on (p : E -> truth) A B :
    antijoin (fun e f => both (on e f) (p e)) A B
    == union (antijoin on (filter p A) B) (filter (fun e => not_true (p e)) A).
  Proof.
    intros t e. unfold snapshot. cbn [times antijoin filter union]. rewrite partner_guarded, holds_not_true.
    destruct (holds (p e)), (partner on B e t); simpl; lia.
  Qed.

  Theorem nested_semijoin_flattened on (next : F -> G -> truth) A B C :
    semijoin on A (semijoin next B C)
    == semijoin (fun e fg => both (on e (fst fg)) (next (fst fg) (snd fg))) A (product B C).
  Proof.
    intros t e. unfold snapshot. cbn [times semijoin].
    enough (partner on (semijoin next B C) e t
      = partner (fun e fg => both (on e (fst fg)) (next (fst fg) (snd fg))) (product B C) e t) as -> by trivial.
    apply by_partners. cbn [times semijoin product]. setoid_rewrite holds_both. setoid_rewrite andb_true_iff. split.
    - intros (f & meets & there). destruct (partner next C f t) eqn:found; [|lia].
      apply partner_iff in found as (g & meets' & there'). exists (f, g). cbn. repeat split; trivial. nia.
    - intros ([f g] & (meets & meets') & there). cbn in *. exists f. split; trivial.
      replace (partner next C f t) with true; [nia|]. symmetry. apply partner_iff. exists g. split; trivial. nia.
  Qed.
End Semijoins.

Section OwnPartner.
  Context {E : Type} `{Decidable E}.
  Implicit Types A B : stream E.

  (* Equality in which NULL equals NULL is never unknown. *)
  Definition identical (x y : E) : truth := Some (if decide x y then true else false).

  Lemma partner_identical B e t : partner identical B e t = true <-> 0 < B e t.
  Proof.
    rewrite partner_iff. unfold identical. split.
    - intros (f & meets & there). now destruct (decide e f) as [->|].
    - intros there. exists e. now destruct (decide e e).
  Qed.


  Theorem every_row_is_its_own_partner A : semijoin identical A A == A.
  Proof.
    intros t e. unfold snapshot. cbn. pose proof (partner_identical A e t). destruct (partner identical A e t); trivial.
    destruct (A e t); trivial. enough (false = true) by easy. apply H0. lia.
  Qed.
  Theorem distinct_intersection_as_semijoin A B : intersection (distinct A) (distinct B)
    == semijoin identical (distinct A) B.
  Proof.
    intros t e. unfold snapshot. cbn. pose proof (partner_identical B e t) as (found & missed).
    destruct (partner identical B e t); [specialize (found eq_refl); lia|].
    destruct (B e t); [lia|]. enough (false = true) by easy. apply missed. lia.
  Qed.
  Theorem distinct_difference_as_antijoin A B : difference (distinct A) (distinct B)
    == antijoin identical (distinct A) B.
  Proof.
    intros t e. unfold snapshot. cbn. pose proof (partner_identical B e t) as (found & missed).
    destruct (partner identical B e t); [specialize (found eq_refl); lia|].
    destruct (B e t); [lia|]. enough (false = true) by easy. apply missed. lia.
  Qed.
  Theorem intersection_as_semijoin A B : (forall e t, A e t <= 1) -> intersection A B == semijoin identical A B.
  Proof.
    intros once t e. specialize (once e t). unfold snapshot. cbn [times intersection semijoin].
    pose proof (partner_identical B e t) as (found & missed).
    destruct (partner identical B e t); [specialize (found eq_refl); lia|].
    destruct (B e t); [lia|]. enough (false = true) by easy. apply missed. lia.
  Qed.
  Theorem difference_as_antijoin A B : (forall e t, A e t <= 1) -> difference A B == antijoin identical A B.
  Proof.
    intros once t e. specialize (once e t). unfold snapshot. cbn [times difference antijoin].
    pose proof (partner_identical B e t) as (found & missed).
    destruct (partner identical B e t); [specialize (found eq_refl); lia|].
    destruct (B e t); [lia|]. enough (false = true) by easy. apply missed. lia.
  Qed.
  Theorem not_among_those_without_a_partner F (on : E -> F -> truth) A (B : stream F) :
    semijoin on A B == antijoin identical A (antijoin on A B).
  Proof.
    intros t e. unfold snapshot. cbn [times semijoin antijoin].
    pose proof (partner_identical (antijoin on A B) e t) as (found & missed). cbn [times antijoin] in found, missed.
    destruct (partner identical (antijoin on A B) e t), (partner on B e t); trivial.
    - specialize (found eq_refl). lia.
    - destruct (A e t); trivial. enough (false = true) by easy. apply missed. lia.
  Qed.
End OwnPartner.
