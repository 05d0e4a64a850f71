(* Finite sums over lists, for any commutative monoid; at the end, for the naturals and the integers. *)
From Coq Require Import List Arith ZArith Permutation.
Import ListNotations.

Module Type COMMUTATIVE_MONOID.
  Parameter Inline t : Type.
  Parameter Inline zero : t.
  Parameter Inline add : t -> t -> t.
  Parameter add_comm : forall a b, add a b = add b a.
  Parameter add_assoc : forall a b c, add a (add b c) = add (add a b) c.
  Parameter add_zero : forall a, add zero a = a.
End COMMUTATIVE_MONOID.

Module Sums (M : COMMUTATIVE_MONOID).
  Fixpoint sum {A} (f : A -> M.t) (l : list A) : M.t :=
    match l with [] => M.zero | x :: r => M.add (f x) (sum f r) end.

  Lemma zero_right a : M.add a M.zero = a.
  Proof. now rewrite M.add_comm, M.add_zero. Qed.

  Lemma exchange a b c d : M.add (M.add a b) (M.add c d) = M.add (M.add a c) (M.add b d).
  Proof. rewrite <- !M.add_assoc. f_equal. rewrite !M.add_assoc. f_equal. apply M.add_comm. Qed.

  (* Equal summands, equal sums. *)
  Lemma sum_ext A (f g : A -> M.t) l : (forall x, In x l -> f x = g x) -> sum f l = sum g l.
  Proof. induction l; simpl; intros H; trivial. rewrite H, IHl; auto. Qed.

  Lemma sum_none A (f : A -> M.t) l : (forall x, In x l -> f x = M.zero) -> sum f l = M.zero.
  Proof. induction l; simpl; intros H; trivial. rewrite H, IHl, M.add_zero; auto. Qed.

  Lemma sum_app A (f : A -> M.t) l m : sum f (l ++ m) = M.add (sum f l) (sum f m).
  Proof. induction l; simpl. now rewrite M.add_zero. now rewrite IHl, M.add_assoc. Qed.

  Lemma sum_add A (f g : A -> M.t) l : sum (fun x => M.add (f x) (g x)) l = M.add (sum f l) (sum g l).
  Proof. induction l; simpl. now rewrite M.add_zero. now rewrite IHl, exchange. Qed.

  (* The order of two finite sums does not matter. *)
  Lemma sum_swap A B (f : A -> B -> M.t) l m :
    sum (fun x => sum (f x) m) l = sum (fun y => sum (fun x => f x y) l) m.
  Proof.
    induction l; simpl.
    - now rewrite sum_none.
    - now rewrite IHl, <- sum_add.
  Qed.

  Lemma sum_map A B (h : A -> B) (f : B -> M.t) l : sum f (map h l) = sum (fun x => f (h x)) l.
  Proof. induction l; simpl; trivial. now rewrite IHl. Qed.

  Lemma sum_flat_map A B (h : A -> list B) (f : B -> M.t) l :
    sum f (flat_map h l) = sum (fun x => sum f (h x)) l.
  Proof. induction l; simpl; trivial. now rewrite sum_app, IHl. Qed.

  Lemma sum_if A (b : bool) (f : A -> M.t) l :
    sum (fun x => if b then f x else M.zero) l = if b then sum f l else M.zero.
  Proof. destruct b; trivial. now apply sum_none. Qed.

  Lemma sum_filter A (p : A -> bool) (f : A -> M.t) l :
    sum f (filter p l) = sum (fun x => if p x then f x else M.zero) l.
  Proof. induction l; simpl; trivial. destruct (p a); simpl; rewrite IHl; trivial. now rewrite M.add_zero. Qed.

  Lemma sum_permutation A (f : A -> M.t) l m : Permutation l m -> sum f l = sum f m.
  Proof.
    induction 1; simpl; trivial.
    - now rewrite IHPermutation.
    - rewrite !M.add_assoc. f_equal. apply M.add_comm.
    - congruence.
  Qed.

  Section DecidableIndex.
    Context {A : Type} (decide : forall x y : A, {x = y} + {x <> y}).

    (* A sum in which all but one summand vanish. *)
    Lemma sum_one (f : A -> M.t) a l :
      NoDup l -> In a l -> sum (fun x => if decide x a then f x else M.zero) l = f a.
    Proof.
      induction 1 as [|x l fresh _ IH]; simpl; [easy|]. intros [->|there].
      - destruct (decide a a); [|easy]. rewrite sum_none, zero_right; trivial.
        intros y seen. destruct (decide y a); congruence.
      - destruct (decide x a); [congruence|]. rewrite M.add_zero; auto.
    Qed.

    Lemma sum_without (f : A -> M.t) l m : NoDup l -> NoDup m -> incl m l ->
      (forall x, In x l -> ~ In x m -> f x = M.zero) -> sum f l = sum f m.
    Proof.
      intros once_l once_m inside outside.
      rewrite <- (sum_permutation A f (filter (fun x => if in_dec decide x m then true else false) l) m).
      - rewrite sum_filter. apply sum_ext. intros x there. destruct (in_dec decide x m); auto.
      - apply NoDup_Permutation; auto using NoDup_filter.
        intros x. rewrite filter_In. destruct (in_dec decide x m); intuition auto. easy.
    Qed.

    (* Why a sum over all values has a meaning: every list of distinct values that has all summands gives the same. *)
    Lemma sum_support (f : A -> M.t) l m : NoDup l -> NoDup m ->
      (forall x, f x = M.zero \/ In x l) -> (forall x, f x = M.zero \/ In x m) -> sum f l = sum f m.
    Proof.
      intros once_l once_m in_l in_m.
      set (both := nodup decide (l ++ m)).
      assert (once : NoDup both) by apply NoDup_nodup.
      transitivity (sum f both); [symmetry|]; apply sum_without; auto; unfold both.
      1, 3: intros x there; apply nodup_In, in_or_app; auto.
      all: intros x _ missing.
      - destruct (in_l x); tauto.
      - destruct (in_m x); tauto.
    Qed.
  End DecidableIndex.
End Sums.

Module NatMonoid <: COMMUTATIVE_MONOID.
  Definition t := nat.
  Definition zero := 0.
  Definition add := Nat.add.
  Definition add_comm := Nat.add_comm.
  Definition add_assoc := Nat.add_assoc.
  Definition add_zero := Nat.add_0_l.
End NatMonoid.

Module IntMonoid <: COMMUTATIVE_MONOID.
  Definition t := Z.
  Definition zero := 0%Z.
  Definition add := Z.add.
  Definition add_comm := Z.add_comm.
  Definition add_assoc := Z.add_assoc.
  Definition add_zero := Z.add_0_l.
End IntMonoid.

Module NatSums := Sums NatMonoid.
Module IntSums := Sums IntMonoid.
