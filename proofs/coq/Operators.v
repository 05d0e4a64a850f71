(* The standard operators on logical streams: each by the multiplicity of its output. *)
From Coq Require Import List Arith Lia Bool.
From Snapeq Require Export Streams Truth.
Import ListNotations.

Ltac cases :=
  repeat match goal with
  | |- context [if ?c then _ else _] => destruct c eqn:?
  | H : context [if ?c then _ else _] |- _ => destruct c eqn:?
  end.

Section OneKindOfTuple.
  Context {E : Type}.
  Implicit Types A B : stream E.

  Definition nothing : stream E.
  Proof. refine (Stream (fun _ _ => 0) (fun _ => []) _). abstract (intros; lia). Defined.

  Definition filter (p : E -> truth) A : stream E.
  Proof.
    refine (Stream (fun e t => if holds (p e) then A e t else 0) (rows A) _).
    abstract (intros e t; destruct (holds (p e)); [apply listed|lia]).
  Defined.

  Definition distinct A : stream E.
  Proof. refine (Stream (fun e t => Nat.min (A e t) 1) (rows A) _). abstract (intros; apply listed; lia). Defined.

  Definition union A B : stream E.
  Proof.
    refine (Stream (fun e t => A e t + B e t) (fun t => rows A t ++ rows B t) _).
    abstract (intros e t there; apply in_or_app;
      destruct (Nat.eq_dec (A e t) 0); [right|left]; apply listed; lia).
  Defined.

  Definition difference A B : stream E.
  Proof. refine (Stream (fun e t => A e t - B e t) (rows A) _). abstract (intros; apply listed; lia). Defined.

  Definition intersection A B : stream E.
  Proof. refine (Stream (fun e t => Nat.min (A e t) (B e t)) (rows A) _). abstract (intros; apply listed; lia). Defined.

  (* The rules' A ⊔ B, a larger union: A ∪ (B − A). *)
  Definition larger_union A B : stream E := union A (difference B A).
End OneKindOfTuple.

Section TwoKindsOfTuples.
  Context {E F : Type}.

  Definition map `{Decidable E} `{Decidable F} (f : E -> F) (A : stream E) : stream F.
  Proof.
    refine (Stream (fun y t => total A t (fun x => if decide (f x) y
      then 1 else 0)) (fun t => List.map f (rows A t)) _).
    abstract (intros y t there; apply total_positive in there as (x & hits & there);
      apply in_map_iff; exists x; destruct (decide (f x) y); [split; auto; now apply listed|lia]).
  Defined.

  Definition product (A : stream E) (B : stream F) : stream (E * F).
  Proof.
    refine (Stream (fun ef t => A (fst ef) t * B (snd ef) t) (fun t => list_prod (rows A t) (rows B t)) _).
    abstract (intros [e f] t there; simpl in there; apply in_prod; apply listed; nia).
  Defined.

  Definition join (on : E -> F -> truth) (A : stream E) (B : stream F) : stream (E * F) :=
    filter (fun ef => on (fst ef) (snd ef)) (product A B).

  Definition partner (on : E -> F -> truth) (B : stream F) e t : bool :=
    existsb (fun f => holds (on e f) && (0 <? B f t)) (rows B t).

  Definition semijoin (on : E -> F -> truth) (A : stream E) (B : stream F) : stream E.
  Proof.
    refine (Stream (fun e t => if partner on B e t then A e t else 0) (rows A) _).
    abstract (intros e t; destruct (partner on B e t); [apply listed|lia]).
  Defined.

  Definition antijoin (on : E -> F -> truth) (A : stream E) (B : stream F) : stream E.
  Proof.
    refine (Stream (fun e t => if partner on B e t then 0 else A e t) (rows A) _).
    abstract (intros e t; destruct (partner on B e t); [lia|apply listed]).
  Defined.

  Lemma partner_iff on (B : stream F) (e : E) t : partner on B e t = true
    <-> exists f, holds (on e f) = true /\ 0 < B f t.
  Proof.
    unfold partner. rewrite existsb_exists. split.
    - intros (f & _ & there). apply andb_true_iff in there as (? & there). apply Nat.ltb_lt in there. eauto.
    - intros (f & ? & there). exists f. split; [now apply listed|].
      apply andb_true_iff. split; auto. now apply Nat.ltb_lt.
  Qed.

  (* A tuple without a partner gets None, which stands for NULLs, on the other side. *)
  Definition left_join (on : E -> F -> truth) (A : stream E) (B : stream F) : stream (E * option F).
  Proof.
    refine (Stream
      (fun ef t => match snd ef with Some f => join on A B (fst ef, f) t | None => antijoin on A B (fst ef) t end)
      (fun t => List.map (fun ef => (fst ef, Some (snd ef))) (rows (join on A B) t)
             ++ List.map (fun e => (e, None)) (rows A t)) _).
    abstract (intros [e [f|]] t there; simpl fst in there; simpl snd in there; cbv iota in there;
      apply listed in there; apply in_or_app; [left|right]; apply in_map_iff; [exists (e, f)|exists e]; auto).
  Defined.
End TwoKindsOfTuples.

Section OtherOuterJoins.
  Context {E F : Type}.
  Definition turned (on : E -> F -> truth) f e := on e f.

  Definition right_join (on : E -> F -> truth) (A : stream E) (B : stream F) : stream (option E * F).
  Proof.
    refine (Stream (fun ef t => left_join (turned on) B A (snd ef, fst ef) t)
                   (fun t => List.map (fun fe => (snd fe, fst fe)) (rows (left_join (turned on) B A) t)) _).
    abstract (intros [e f] t there; apply in_map_iff; exists (f, e); split; [easy|now apply listed]).
  Defined.

  Definition full_join (on : E -> F -> truth) (A : stream E) (B : stream F) : stream (option E * option F).
  Proof.
    refine (Stream
      (fun ef t => match ef with
                   | (Some e, f) => left_join on A B (e, f) t
                   | (None, Some f) => antijoin (turned on) B A f t
                   | (None, None) => 0
                   end)
      (fun t => List.map (fun ef => (Some (fst ef), snd ef)) (rows (left_join on A B) t)
             ++ List.map (fun f => (None, Some f)) (rows B t)) _).
    abstract (intros [[e|] f] t there; apply in_or_app;
      [left; apply in_map_iff; exists (e, f); split; [easy|now apply listed]
      |right; apply in_map_iff; destruct f as [f|]; [exists f; split; [easy|now apply listed in there]|lia]]).
  Defined.
End OtherOuterJoins.

Definition unless_empty {E} (l : list E) (n : nat) := match l with [] => 0 | _ => n end.

(* Aggregates are functions of the tuples that are there, each as often as it is there. *)
Section Aggregates.
  Context {E V : Type} `{Decidable E} `{Decidable V}.

  (* (4): nothing where there is nothing. *)
  Definition aggregate (f : list E -> V) (A : stream E) : stream V.
  Proof.
    refine (Stream (fun v t => unless_empty (bag A t) (if decide (f (bag A t)) v then 1 else 0))
                   (fun t => [f (bag A t)]) _).
    abstract (unfold unless_empty; intros v t; destruct (bag A t) as [|e l]; [lia|];
      destruct (decide (f (e :: l)) v); [now left|easy]).
  Defined.

  Definition total_aggregate (f : list E -> V) (A : stream E) : stream V.
  Proof.
    refine (Stream (fun v t => if decide (f (bag A t)) v then 1 else 0) (fun t => [f (bag A t)]) _).
    abstract (intros v t; destruct (decide (f (bag A t)) v); [now left|easy]).
  Defined.

  Context {K : Type} `{Decidable K}.

  Definition group_of (k : E -> K) (g : K) (l : list E) : list E :=
    List.filter (fun e => if decide (k e) g then true else false) l.

  Definition grouping (k : E -> K) (f : list E -> V) (A : stream E) : stream (K * V).
  Proof.
    refine (Stream
      (fun gv t => let group := group_of k (fst gv) (bag A t) in
                   unless_empty group (if decide (f group) (snd gv) then 1 else 0))
      (fun t => List.map (fun e => (k e, f (group_of k (k e) (bag A t)))) (bag A t)) _).
    abstract (unfold unless_empty; intros [g v] t; simpl; destruct (group_of k g (bag A t)) as [|e l] eqn:group; [lia|];
      destruct (decide (f (e :: l)) v) as [<-|]; [intros _|easy];
      assert (there : In e (group_of k g (bag A t))) by (rewrite group; simpl; auto);
      apply filter_In in there as (there & key); apply in_map_iff; exists e;
      destruct (decide (k e) g) as [<-|]; [rewrite group; auto|easy]).
  Defined.
End Aggregates.
