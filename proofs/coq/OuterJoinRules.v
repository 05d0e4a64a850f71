(* Rules about outer joins, with None for the NULLs of the other side; and about joins and maps. *)
From Coq Require Import Arith Lia Bool List.
From Snapeq Require Import Rules JoinRules.

Ltac by_side :=
  cbn [times union difference left_join right_join full_join semijoin antijoin join filter product distinct fst snd];
  repeat match goal with
  | |- context [holds ?v] => destruct (holds v) eqn:?
  | |- context [partner ?on ?B ?e ?t] => destruct (partner on B e t) eqn:?
  end; try lia.

Section Padding.
  Context {E F : Type}.

  (* A tuple with its partner, and a tuple without any. *)
  Definition paired (A : stream (E * F)) : stream (E * option F).
  Proof.
    refine (Stream (fun ef t => match snd ef with Some f => A (fst ef, f) t | None => 0 end)
                   (fun t => List.map (fun ef => (fst ef, Some (snd ef))) (rows A t)) _).
    abstract (intros [e [f|]] t there; simpl in there; [|lia];
      apply in_map_iff; exists (e, f); split; [easy|now apply listed]).
  Defined.
  Definition alone (A : stream E) : stream (E * option F).
  Proof.
    refine (Stream (fun ef t => match snd ef with Some _ => 0 | None => A (fst ef) t end)
                   (fun t => List.map (fun e => (e, None)) (rows A t)) _).
    abstract (intros [e [f|]] t there; simpl in there; [lia|];
      apply in_map_iff; exists e; split; [easy|now apply listed]).
  Defined.
End Padding.

Section OuterJoinRules.
  Context {E F : Type}.
  Implicit Types (A D : stream E) (B : stream F) (on : E -> F -> truth).

  Theorem left_join_as_union on A B : left_join on A B == union (paired (join on A B)) (alone (antijoin on A B)).
  Proof. intros t [e [f|]]; unfold snapshot; cbn [times union left_join paired alone fst snd]; lia. Qed.
  Theorem right_join_as_left_join on A B e f t : right_join on A B (e, f) t = left_join (turned on) B A (f, e) t.
  Proof. reflexivity. Qed.
  Theorem full_join_commutes on A B e f t : full_join on A B (e, f) t = full_join (turned on) B A (f, e) t.
  Proof.
    destruct e as [e|], f as [f|]; trivial. simpl. unfold turned. destruct (holds (on e f)); lia.
  Qed.
  Theorem left_join_with_reduction on A B :
    left_join on A B == union (left_join on (semijoin on A B) B) (alone (antijoin on A B)).
  Proof.
    intros t [e [f|]]; unfold snapshot; cbn [times union alone left_join fst snd].
    - pose proof (partner_iff on B e t) as (_ & found). by_side.
      destruct (Nat.eq_dec (B f t) 0) as [->|]; [lia|]. enough (false = true) by easy. apply found. exists f.
      split; trivial. lia.
    - by_side.
  Qed.
  Theorem left_join_over_union on A D B : left_join on (union A D) B == union (left_join on A B) (left_join on D B).
  Proof. intros t [e [f|]]; unfold snapshot; by_side. Qed.
  Theorem left_join_over_difference on A D B :
    left_join on (difference A D) B == difference (left_join on A B) (left_join on D B).
  Proof. intros t [e [f|]]; unfold snapshot; by_side. apply Nat.mul_sub_distr_r. Qed.
  Theorem distinct_through_left_join on A B : distinct (left_join on A B) == left_join on (distinct A) (distinct B).
  Proof.
    intros t [e [f|]]; unfold snapshot; cbn [times distinct left_join fst snd].
    - cbn [times join filter product distinct fst snd]. destruct (holds (on e f)); trivial.
      destruct (A e t) as [|[]], (B f t) as [|[]]; simpl; lia.
    - cbn [times antijoin]. replace (partner on (distinct B) e t) with (partner on B e t).
      + by_side.
      + apply by_partners. cbn. split; intros (g & ? & ?); exists g; split; trivial; lia.
  Qed.
  Theorem filter_through_left_join (p : E -> truth) on A B :
    filter (fun ef => p (fst ef)) (left_join on A B) == left_join on (filter p A) B.
  Proof. intros t [e [f|]]; unfold snapshot; by_side. Qed.
  Theorem filter_through_right_join (q : F -> truth) on A B :
    filter (fun ef => q (snd ef)) (right_join on A B) == right_join on A (filter q B).
  Proof. intros t [[e|] f]; unfold snapshot; by_side. Qed.
  Theorem semijoin_through_left_join G on (next : E -> G -> truth) A B (C : stream G) :
    semijoin (fun ef g => next (fst ef) g) (left_join on A B) C == left_join on (semijoin next A C) B.
  Proof.
    intros t [e o]. unfold snapshot. cbn [times semijoin].
    change (partner (fun ef g => next (fst ef) g) C (e, o) t) with (partner next C e t). destruct o as [f|]; by_side.
  Qed.

  (* A predicate that is true of no NULL. *)
  Theorem filter_makes_left_join_a_join (q : option F -> truth) on A B : holds (q None) = false ->
    filter (fun ef => q (snd ef)) (left_join on A B) == filter (fun ef => q (snd ef)) (paired (join on A B)).
  Proof.
    intros strict t [e [f|]]; unfold snapshot; cbn [times filter fst snd]; [reflexivity|].
    now rewrite strict.
  Qed.
  Theorem filter_through_full_join (p : option E -> truth) on A B : holds (p None) = false ->
    forall e f t, filter (fun ef => p (fst ef)) (full_join on A B) (e, f) t
      = match e with Some e => left_join on (filter (fun e => p (Some e)) A) B (e, f) t | None => 0 end.
  Proof.
    intros strict [e|] f t.
    - destruct f as [f|]; cbn [times filter full_join fst snd]; by_side.
    - cbn [times filter fst snd]. now rewrite strict.
  Qed.
  Theorem condition_out_of_left_join on (q : F -> truth) A B :
    left_join (fun e f => both (on e f) (q f)) A B == left_join on A (filter q B).
  Proof.
    intros t [e [f|]]; unfold snapshot.
    - cbn [times left_join join filter product fst snd]. rewrite holds_both.
      destruct (holds (on e f)), (holds (q f)); simpl; lia.
    - cbn [times left_join antijoin fst snd]. now rewrite partner_filtered.
  Qed.
End OuterJoinRules.

Lemma sum_list_prod X Y (h : X * Y -> nat) l m : sum h (list_prod l m) = sum (fun x => sum (fun y => h (x, y)) m) l.
Proof. induction l as [|x l IH]; simpl; trivial. now rewrite sum_app, sum_map, IH. Qed.

Lemma once_app X (l m : list X) : NoDup l -> NoDup m -> (forall x, In x l -> ~ In x m) -> NoDup (l ++ m).
Proof.
  intros once_l once_m apart_. induction once_l as [|x l fresh _ IH]; simpl; trivial. constructor.
  - intros there. apply in_app_or in there as [there|there]; [easy|]. apply (apart_ x); simpl; auto.
  - apply IH. intros y there. apply apart_. simpl. auto.
Qed.

Lemma list_prod_once X Y (l : list X) (m : list Y) : NoDup l -> NoDup m -> NoDup (list_prod l m).
Proof.
  intros once_l once_m. induction once_l as [|x l fresh _ IH]; simpl; [constructor|]. apply once_app; trivial.
  - apply FinFun.Injective_map_NoDup; trivial. congruence.
  - intros [y z] there there'. apply in_map_iff in there as (u & equal & _). injection equal as. subst.
    apply in_prod_iff in there'. tauto.
Qed.

Section MapRules.
  Context {E F X Y : Type} `{Decidable E} `{Decidable F} `{Decidable X} `{Decidable Y}.

  Theorem map_through_product (f : E -> X) (g : F -> Y) (A : stream E) (B : stream F) :
    map (fun ef => (f (fst ef), g (snd ef))) (product A B) == product (map f A) (map g B).
  Proof.
    intros t [x y]. unfold snapshot. cbn [times map product fst snd].
    set (l := present A t). set (m := present B t).
    rewrite (total_over (product A B) t _ (list_prod l m)).
    - unfold total. fold l m. rewrite <- sum_product, sum_list_prod. apply sum_ext. intros a _. apply sum_ext.
      intros b _. simpl.
      destruct (decide (f a, g b) (x, y)), (decide (f a) x), (decide (g b) y); congruence || lia.
    - apply list_prod_once; apply present_once.
    - intros [a b] _ there. cbn in there. apply in_prod; apply present_listed; nia.
  Qed.
End MapRules.
