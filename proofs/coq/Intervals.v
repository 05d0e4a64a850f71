(* Physical streams: lists of tuples with validity intervals, and the logical stream that such a list means. *)
From Coq Require Import List Arith Lia Bool Permutation.
From Snapeq Require Export Windows.
Import ListNotations.

(* [start, end): the first instant of validity and the first one after it. *)
Definition interval := (nat * nat)%type.
Definition during (t : nat) (i : interval) : bool := (fst i <=? t) && (t <? snd i).
Definition elements (E : Type) := list (E * interval).

(* The tuples that are valid at an instant, in the order of the list. *)
Definition alive {E} (t : nat) (P : elements E) : list E :=
  List.map fst (List.filter (fun x => during t (snd x)) P).

Ltac instants :=
  unfold during in *; cbn [fst snd] in *;
  repeat match goal with
  | |- context [?a <=? ?b] => destruct (Nat.leb_spec a b); cbn [andb negb one_if] in *
  | |- context [?a <? ?b] => destruct (Nat.ltb_spec a b); cbn [andb negb one_if] in *
  | |- context [?a =? ?b] => destruct (Nat.eqb_spec a b); cbn [andb negb one_if] in *
  end.

Lemma during_iff t i : during t i = true <-> fst i <= t < snd i.
Proof. unfold during. rewrite andb_true_iff, Nat.leb_le, Nat.ltb_lt. lia. Qed.

Lemma during_not t i : during t i = false <-> t < fst i \/ snd i <= t.
Proof. rewrite <- not_true_iff_false, during_iff. lia. Qed.

Lemma alive_cons E t x i (P : elements E) : alive t ((x, i) :: P) = if during t i then x :: alive t P else alive t P.
Proof. unfold alive. simpl. now destruct (during t i). Qed.

Lemma alive_app E t (P Q : elements E) : alive t (P ++ Q) = alive t P ++ alive t Q.
Proof. unfold alive. now rewrite filter_app, map_app. Qed.

Lemma in_alive E t x (P : elements E) : In x (alive t P) <-> exists i, In (x, i) P /\ during t i = true.
Proof.
  unfold alive. rewrite in_map_iff. split.
  - intros ([y i] & <- & there). apply filter_In in there. eauto.
  - intros (i & ? & ?). exists (x, i). split; trivial. now apply filter_In.
Qed.

Lemma alive_permutation E t (P Q : elements E) : Permutation P Q -> Permutation (alive t P) (alive t Q).
Proof.
  induction 1 as [|[x i]|[x i] [y j]|]; rewrite ?alive_cons; auto.
  - destruct (during t i); auto.
  - destruct (during t i), (during t j); auto. apply perm_swap.
  - eauto using Permutation_trans.
Qed.

(* (2): how often a tuple is valid at an instant. *)
Section Meaning.
  Context {E : Type} `{Decidable E}.

  Definition logical (P : elements E) : stream E.
  Proof.
    refine (Stream (fun e t => count_occ decide (alive t P) e) (fun t => alive t P) _).
    abstract (intros e t there; now apply count_occ_In in there).
  Defined.

  Definition copies (P : elements E) e t := count_occ decide (alive t P) e.
  Definition here (x e : E) (t : nat) (i : interval) := if decide x e then one_if (during t i) else 0.

  Lemma copies_nil e t : copies [] e t = 0.
  Proof. reflexivity. Qed.

  Lemma copies_cons x i P e t : copies ((x, i) :: P) e t = here x e t i + copies P e t.
  Proof.
    unfold copies, here. rewrite alive_cons. destruct (during t i); simpl; destruct (decide x e); trivial.
  Qed.

  Lemma copies_app P Q e t : copies (P ++ Q) e t = copies P e t + copies Q e t.
  Proof. unfold copies. now rewrite alive_app, count_occ_app. Qed.

  Lemma copies_permutation P Q e t : Permutation P Q -> copies P e t = copies Q e t.
  Proof.
    intros moved. unfold copies. pose proof (alive_permutation E t P Q moved) as snapshots.
    now apply (Permutation_count_occ decide).
  Qed.

  Lemma bag_logical P t : Permutation (bag (logical P) t) (alive t P).
  Proof. apply (Permutation_count_occ decide). intros e. now rewrite count_bag. Qed.
End Meaning.
