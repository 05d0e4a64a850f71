(* Predicates with three truth values: a filter keeps what is TRUE, and drops FALSE and NULL alike. *)
From Coq Require Import Bool.

Definition truth := option bool.

Definition holds (v : truth) : bool := match v with Some true => true | _ => false end.
Definition both (v w : truth) : truth :=
  match v, w with
  | Some false, _ | _, Some false => Some false
  | Some true, Some true => Some true
  | _, _ => None
  end.
Definition either (v w : truth) : truth :=
  match v, w with
  | Some true, _ | _, Some true => Some true
  | Some false, Some false => Some false
  | _, _ => None
  end.
Definition opposite (v : truth) : truth := option_map negb v.
Definition unknown (v : truth) : truth := match v with None => Some true | _ => Some false end.
Definition not_true (v : truth) : truth := Some (negb (holds v)).

Lemma holds_both v w : holds (both v w) = holds v && holds w.
Proof. now destruct v as [[]|], w as [[]|]. Qed.

Lemma holds_either v w : holds (either v w) = holds v || holds w.
Proof. now destruct v as [[]|], w as [[]|]. Qed.

Lemma holds_not_true v : holds (not_true v) = negb (holds v).
Proof. now destruct v as [[]|]. Qed.

(* A value is TRUE, FALSE or NULL. *)
Lemma one_of_three v n : n = (if holds v then n else 0) + (if holds (opposite v)
  then n else 0) + (if holds (unknown v) then n else 0).
Proof. destruct v as [[]|]; simpl; auto. now rewrite <- !plus_n_O. Qed.
