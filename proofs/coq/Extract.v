(* The oracle: the proved algorithms and the logical operators at integers, as an OCaml program. *)
From Coq Require Import List Arith ZArith Bool.
From Coq Require Import Extraction ExtrOcamlBasic ExtrOcamlNatInt ExtrOcamlZInt.
From Snapeq Require Import Windows DistinctAlgorithm DifferenceAlgorithm CoalesceAlgorithm AggregationCorrect.
Import ListNotations.
Open Scope Z_scope.

(* The snapshot at an instant: each tuple that is there, with how often. *)
Definition shown {E} `{Decidable E} (A : stream E) (t : nat) : list (E * nat) :=
  List.filter (fun x => Nat.ltb 0 (snd x)) (List.map (fun e => (e, A e t)) (present A t)).

Definition input : elements Z -> stream Z := logical.
Definition positive (x : Z) : truth := Some (0 <? x).
Definition halved (x : Z) : Z := Z.rem x 2.
Definition ordered_pair (x y : Z) : truth := Some (x <=? y).

Definition count_init (_ : Z) := 1.
Definition count_merge (n : Z) (_ : Z) := n + 1.
Definition sum_init (x : Z) := x.
Definition sum_merge (n x : Z) := n + x.
Definition max_merge (n x : Z) := Z.max n x.
Definition itself (n : Z) := n.

Definition counted := aggregate_of count_init count_merge itself 0.
Definition summed := aggregate_of sum_init sum_merge itself 0.
Definition largest := aggregate_of sum_init max_merge itself 0.

Definition on_one (op : stream Z -> stream Z) A t := shown (op (input A)) t.
Definition on_two (op : stream Z -> stream Z -> stream Z) A B t := shown (op (input A) (input B)) t.

Definition show_filter := on_one (filter positive).
Definition show_map := on_one (map halved).
Definition show_distinct := on_one distinct.
Definition show_union := on_two union.
Definition show_difference := on_two difference.
Definition show_intersection := on_two intersection.
Definition show_semijoin := on_two (semijoin ordered_pair).
Definition show_antijoin := on_two (antijoin ordered_pair).
Definition show_product A B t := shown (product (input A) (input B)) t.
Definition show_join A B t := shown (join ordered_pair (input A) (input B)) t.
Definition show_left_join A B t := shown (left_join ordered_pair (input A) (input B)) t.
Definition show_right_join A B t := shown (right_join ordered_pair (input A) (input B)) t.
Definition show_full_join A B t := shown (full_join ordered_pair (input A) (input B)) t.
Definition show_count := on_one (aggregate counted).
Definition show_sum := on_one (aggregate summed).
Definition show_max := on_one (aggregate largest).
Definition show_total_count := on_one (total_aggregate counted).
Definition show_grouping A t := shown (grouping itself counted (input A)) t.
Definition show_window w := on_one (time_window w).
Definition show_slide w s := on_one (slide_window w s).
Definition show_unbounded := on_one unbounded_window.
Definition show_landmark a := on_one (landmark_window a).
Definition show_resetting a r := on_one (resetting_window a r).
Definition show_istream := on_one istream.
Definition show_dstream := on_one dstream.
Definition show_rows n := on_one (rows_with_ties n).
Definition show_itself := on_one (fun A => A).

Definition run_distinct (P : elements Z) := distinct_algorithm P.
Definition run_difference (P Q : elements Z) := difference_algorithm P Q.
Definition run_coalesce l (P : elements Z) := coalesce_algorithm l P.
Definition run_count := aggregation_algorithm count_init count_merge itself.
Definition run_sum := aggregation_algorithm sum_init sum_merge itself.
Definition run_max := aggregation_algorithm sum_init max_merge itself.

(* The three aggregates meet what the proof asks of them. *)
Lemma count_exchanges v a b : count_merge (count_merge v a) b = count_merge (count_merge v b) a.
Proof. reflexivity. Qed.
Lemma sum_exchanges v a b : sum_merge (sum_merge v a) b = sum_merge (sum_merge v b) a.
Proof. unfold sum_merge. ring. Qed.
Lemma max_exchanges v a b : max_merge (max_merge v a) b = max_merge (max_merge v b) a.
Proof. unfold max_merge. now rewrite <- !Z.max_assoc, (Z.max_comm a b). Qed.

Theorem run_count_correct P : ordered P -> logical (run_count P) == aggregate counted (logical P).
Proof. apply aggregation_algorithm_correct; [apply count_exchanges|reflexivity]. Qed.
Theorem run_sum_correct P : ordered P -> logical (run_sum P) == aggregate summed (logical P).
Proof. apply aggregation_algorithm_correct; [apply sum_exchanges|apply Z.add_comm]. Qed.
Theorem run_max_correct P : ordered P -> logical (run_max P) == aggregate largest (logical P).
Proof. apply aggregation_algorithm_correct; [apply max_exchanges|apply Z.max_comm]. Qed.

Extraction Language OCaml.
Extraction "oracle.ml" show_filter show_map show_distinct show_union show_difference show_intersection show_semijoin
  show_antijoin show_product show_join show_left_join show_right_join show_full_join show_count show_sum show_max
  show_total_count show_grouping show_window show_slide show_unbounded show_landmark show_resetting show_istream
  show_dstream show_rows show_itself run_distinct run_difference run_coalesce run_count run_sum run_max.
