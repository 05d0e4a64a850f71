"""What only shows where several streams meet in two keys at once is told apart by crowded cases."""

from equivalence import check_plans
from equivalence.cases.choices import SeededChoices
from equivalence.cases.crowded_cases import choose_crowded_case
from semantics import parse_plan
from semantics.constraint import Key, References, broken

KEYS = (Key("B", ("b1",)), Key("C", ("c1",)))
JOINED = "join(join(A(a1 int, a2 int) | window(range 600){grouped}, B(b1 int); a1 = b1), C(c1 int, c2 int); a1 = c1)"


def test_the_key_of_a_grouping_above_two_joins_is_noticed() -> None:
    """Two items of one seller, both open, with bids for both: the closing price of the paper's Figure 9."""
    late = parse_plan(JOINED.format(grouped="") + " | group(a1, c2; max(a2) as m)")
    early = parse_plan(JOINED.format(grouped=" | group(a1; max(a2) as m)") + " | map(a1 as a1, c2 as c2, m as m)")
    verdict = check_plans(late, early, constraints=KEYS)
    neighbours = verdict.evidence["neighbours"]
    assert isinstance(neighbours, dict)
    assert (verdict.kind, neighbours["open"]) == ("agreed", [])


def test_crowded_cases_keep_what_is_known_of_the_streams() -> None:
    plan = parse_plan(JOINED.format(grouped=""))
    known = (*KEYS, References("B", ("b1",), "C", ("c1",)))
    for number in range(50):
        case = choose_crowded_case(SeededChoices(number), plan.sources(), known)
        assert [broken(constraint, case) for constraint in known] == [None, None, None]
