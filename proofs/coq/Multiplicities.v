(* Sums of natural numbers: multiplication, order, and being more than nothing. *)
From Coq Require Import List Arith Lia Bool.
From Snapeq Require Export Sums.
Import ListNotations.
Export NatSums.

Definition one_if (b : bool) : nat := if b then 1 else 0.

Lemma sum_scaled A c (f : A -> nat) l : sum (fun x => c * f x) l = c * sum f l.
Proof. induction l; simpl; lia. Qed.

Lemma sum_product A B (f : A -> nat) (g : B -> nat) l m :
  sum (fun x => sum (fun y => f x * g y) m) l = sum f l * sum g m.
Proof. induction l; simpl; trivial. rewrite IHl, sum_scaled. lia. Qed.

Lemma sum_positive A (f : A -> nat) l : 0 < sum f l <-> exists x, In x l /\ 0 < f x.
Proof.
  induction l as [|a l IH]; simpl.
  - split; [lia|]. now intros (x & [] & _).
  - split.
    + intros H. destruct (f a) eqn:E.
      * destruct (proj1 IH H) as (x & ? & ?). eauto.
      * exists a. split; [auto|lia].
    + intros (x & [->|there] & H); [lia|]. enough (0 < sum f l) by lia. apply IH. eauto.
Qed.

Lemma sum_monotone A (f g : A -> nat) l : (forall x, In x l -> f x <= g x) -> sum f l <= sum g l.
Proof.
  induction l as [|a l IH]; simpl; intros H; [lia|].
  specialize (IH (fun x there => H x (or_intror there))). specialize (H a (or_introl eq_refl)). lia.
Qed.

Lemma sum_at_least A (f : A -> nat) l x : In x l -> f x <= sum f l.
Proof. induction l; simpl; intros []; [subst; lia|]. specialize (IHl H). lia. Qed.

Lemma sum_inside A (f : A -> nat) l m : NoDup l -> incl l m -> sum f l <= sum f m.
Proof.
  intros once. revert m. induction once as [|x l fresh _ IH]; intros m inside; simpl; [lia|].
  destruct (in_split x m (inside x (or_introl eq_refl))) as (before & after & ->).
  assert (incl l (before ++ after)) as rest.
  { intros y there. specialize (inside y (or_intror there)). apply in_app_or in inside.
    apply in_or_app. destruct inside as [|[<-|]]; auto. contradiction. }
  specialize (IH _ rest). rewrite sum_app in *. simpl. lia.
Qed.

Lemma count_as_sum A (decide : forall x y : A, {x = y} + {x <> y}) l x :
  count_occ decide l x = sum (fun y => if decide y x then 1 else 0) l.
Proof. induction l; simpl; trivial. destruct (decide a x); simpl; lia. Qed.
