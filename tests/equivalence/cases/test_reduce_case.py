"""Cases of failures become as small as they can without their generator, and what is known of their streams holds."""

from equivalence.cases.random_cases import Case
from equivalence.cases.reduce_case import reduced, smaller_cases
from semantics import FOREVER, Interval, IntervalStream, RawStream, Schema, Stream
from semantics.constraint import Key, NotNull, References, broken, elements_of

INTS = Schema.of(x=int)
TWO = Schema.of(x=int, s=str)


def raw(*elements: tuple[int | None, int]) -> RawStream:
    return RawStream(INTS, [((x,), t) for x, t in elements])


def size(stream: Stream) -> int:
    return len(elements_of(stream))


def test_elements_go_as_long_as_it_fails() -> None:
    case: Case = {"S": raw((5, 1), (6, 2), (7, 3), (8, 4), (9, 9)), "T": raw((1, 0))}
    small = reduced(lambda c: c if size(c["S"]) >= 2 else None, case, case)
    assert small == {"S": raw((0, 0), (0, 0)), "T": raw()}


def test_a_thousand_copies_go_in_few_trials() -> None:
    tried = []
    case: Case = {"S": raw(*[(3, 2)] * 1000)}

    def fails(candidate: Case) -> Case | None:
        tried.append(candidate)
        return candidate if size(candidate["S"]) else None

    assert reduced(fails, case, case) == {"S": raw((0, 0))}
    assert len(tried) < 60


def test_elements_become_early_and_short_and_their_values_simple() -> None:
    case: Case = {"S": IntervalStream(TWO, [((7, "abc"), Interval(5, FOREVER))])}
    small = reduced(lambda c: c if size(c["S"]) else None, case, case)
    assert small == {"S": IntervalStream(TWO, [((0, ""), Interval(0, 1))])}


def test_elements_become_as_early_and_short_as_they_can_in_few_trials() -> None:
    tried = []
    case: Case = {"S": IntervalStream(INTS, [((0,), Interval(5000, 7000))])}

    def fails(candidate: Case) -> Case | None:
        tried.append(candidate)
        lasts = [valid for _, valid in elements_of(candidate["S"])]
        return candidate if lasts and lasts[0].start >= 4321 and lasts[0].end - lasts[0].start >= 1357 else None

    assert reduced(fails, case, case) == {"S": IntervalStream(INTS, [((0,), Interval(4321, 5678))])}
    assert len(tried) < 260


def test_what_has_to_be_equal_becomes_simple_together() -> None:
    case: Case = {"S": raw((7, 4), (7, 4)), "T": raw((7, 5))}

    def fails(c: Case) -> bool:
        alike = len({row for name in c for row, _ in elements_of(c[name])}) == 1
        at_once = len({valid.start for _, valid in elements_of(c["S"])}) == 1
        return alike and at_once and [size(c["S"]), size(c["T"])] == [2, 1]

    small = reduced(lambda c: c if fails(c) else None, case, case)
    assert small == {"S": raw((0, 0), (0, 0)), "T": raw((0, 0))}


def test_null_stays_null_and_nothing_becomes_null() -> None:
    case: Case = {"S": raw((None, 4), (1, 4))}
    small = reduced(lambda c: c if size(c["S"]) == 2 else None, case, case)
    assert small == {"S": raw((None, 0), (0, 0))}


def test_what_is_known_of_the_streams_holds_for_every_case_that_is_tried() -> None:
    """A referred element cannot go before what refers to it, two keys cannot become the same.

    Both elements of S end up referring to one of T: first its value became simple everywhere, then the other of S.
    """
    known = (Key("T", ("x",)), References("S", ("x",), "T", ("x",)), NotNull("S", ("x",)))
    lasting = Interval(0, 9)
    case: Case = {
        "S": IntervalStream(INTS, [((2,), lasting), ((3,), lasting)]),
        "T": IntervalStream(INTS, [((2,), lasting), ((3,), lasting), ((4,), lasting)]),
    }
    assert [broken(constraint, case) for constraint in known] == [None, None, None]

    def fails(candidate: Case) -> Case | None:
        assert all(broken(constraint, candidate) is None for constraint in known)
        return candidate if size(candidate["S"]) == 2 else None

    small = reduced(fails, case, case, known)
    assert [size(small[name]) for name in ("S", "T")] == [2, 1]


def test_no_case_is_tried_after_the_last_trial() -> None:
    tried: list[Case] = []
    case: Case = {"S": raw(*[(3, 2)] * 8)}
    assert reduced(tried.append, case, case, trials=3) is case
    assert len(tried) == 3


def test_every_smaller_case_is_another_case() -> None:
    case: Case = {"S": raw((0, 0), (1, 2)), "T": IntervalStream(INTS, [((0,), Interval(0, 1))])}
    assert case not in list(smaller_cases(case))
