(* Algorithms that are nearly right, each refuted by an input: the theorems do say something. *)
From Coq Require Import List Arith Lia Bool.
From Snapeq Require Import DistinctAlgorithm DifferenceAlgorithm CoalesceAlgorithm AggregationCorrect.
Import ListNotations.

Ltac differs wrong input t e :=
  let proof := fresh in
  assert (proof : ordered input) by (cbn; lia);
  specialize (wrong input proof t e); discriminate wrong.

(* Drops an element only if all of it was there before: the rest may overlap. *)
Definition overlapping_distinct (P : elements nat) : elements nat :=
  fold_left (fun out x => if existsb (fun y => (fst (snd y) <=? fst (snd x)) && (snd (snd x) <=? snd (snd y))
                                              && (fst y =? fst x)) out then out else out ++ [x]) P [].

Theorem overlapping_distinct_is_wrong : ~ forall P, ordered P ->
  logical (overlapping_distinct P) == distinct (logical P).
Proof. intros wrong. differs wrong [(0, (0, 2)); (0, (1, 3))] 1 0. Qed.

(* Remembers the last end of a tuple, and not the latest one. *)
Definition forgetful_distinct (P : elements nat) : elements nat :=
  snd (fold_left (fun state x =>
    let '(ends, out) := state in let '(e, (s, f)) := x in
    ((e, f) :: without e ends, out ++ news ends e s f)) P ([], [])).

Theorem forgetful_distinct_is_wrong : ~ forall P, ordered P -> logical (forgetful_distinct P) == distinct (logical P).
Proof. intros wrong. differs wrong [(0, (0, 3)); (0, (0, 1)); (0, (2, 3))] 2 0. Qed.

(* Takes away a left element where a right one overlaps it, and not just where. *)
Definition coarse_difference (P Q : elements nat) : elements nat :=
  List.filter (fun x => negb (existsb (fun y => (fst y =? fst x) && (fst (snd y) <? snd (snd x))
                                                && (fst (snd x) <? snd (snd y))) Q)) P.

Theorem coarse_difference_is_wrong : ~ forall P, ordered P -> logical (coarse_difference P [(0, (0, 1))])
  == difference (logical P) (logical [(0, (0, 1))]).
Proof. intros wrong. differs wrong [(0, (0, 2))] 1 0. Qed.

(* Merges whatever touches or overlaps: that eliminates duplicates. *)
Definition greedy_coalesce (P : elements nat) : elements nat :=
  fold_left (fun out x => match out with
    | (y, (a, b)) :: rest => if (y =? fst x) && (fst (snd x) <=? b) then (y, (a, Nat.max b (snd (snd x))))
      :: rest else x :: out
    | [] => [x]
    end) P [].

Theorem greedy_coalesce_is_wrong : ~ forall P, ordered P -> logical (greedy_coalesce P) == logical P.
Proof. intros wrong. differs wrong [(0, (0, 2)); (0, (1, 3))] 1 0. Qed.

(* Algorithm 3 without line 25, and so without what lies beyond the last partial aggregate. *)
Fixpoint short_update e s f (area : elements nat) : elements nat :=
  match area with
  | [] => []
  | (v, (a, b)) :: rest =>
      if (a <? f) && (s <? b) then
        (if a <? s then (v, (a, s)) :: if f <? b then [(v + e, (s, f)); (v, (f, b))] else [(v + e, (s, b))]
         else if b <=? f then [(v + e, (a, b))] else [(v + e, (a, f)); (v, (f, b))]) ++ short_update e s f rest
      else (v, (a, b)) :: short_update e s f rest
  end.
Definition short_sum (P : elements nat) : elements nat :=
  fold_left (fun area x => match area with [] => [x] | _ => short_update (fst x) (fst (snd x)) (snd (snd x))
    area end) P [].

Theorem short_sum_is_wrong : ~ forall P, ordered P ->
  logical (short_sum P) == aggregate (aggregate_of (fun x : nat => x) Nat.add (fun v => v) 0) (logical P).
Proof. intros wrong. differs wrong [(1, (0, 1)); (2, (0, 2))] 1 2. Qed.

(* An algorithm for ordered inputs is wrong on others: the hypothesis is needed. *)
Theorem distinct_algorithm_needs_order : ~ forall P : elements nat, logical (distinct_algorithm P)
  == distinct (logical P).
Proof. intros wrong. discriminate (wrong [(0, (2, 4)); (0, (0, 3)); (0, (3, 5))] 1 0). Qed.
