"""Records of equivalent mutants name mutations that exist, with a reason; stale ones count for nothing."""

from equivalence.mutants.machine.equivalents import REASONS, Equivalent, against_records, recorded
from equivalence.mutants.machine.outcome import outcome_of
from equivalence.mutants.machine.summary import Summary
from equivalence.mutants.machine.syntax_mutations import mutations_of
from equivalence.mutants.machine.targets import target_mutations

OLD, NEW = ("def f(x):\n    return x < 3", "def f(x):\n    x = g(x)\n    return x < 3")


def test_every_record_that_is_not_stale_names_a_mutation_that_exists() -> None:
    existing = {mutation.identity: mutation.source for mutation in target_mutations()}
    hashes = {(mutation.module, mutation.function, mutation.source) for mutation in target_mutations()}
    for record in recorded().values():
        if (record.module, record.function, record.source) in hashes:
            assert existing.get(record.identity) == record.source, record


def test_every_record_has_a_reason_and_a_sentence() -> None:
    for record in recorded().values():
        assert record.reason in REASONS
        assert record.why.endswith(".")


def test_a_survivor_with_a_record_is_equivalent_until_its_function_changes() -> None:
    old, new = (outcome_of(next(mutations_of("m", source)), "survived") for source in (OLD, NEW))
    record = Equivalent.of(old, "same value", "g gives small numbers only.")
    records = {record.identity: record}
    assert old.identity == new.identity
    assert against_records(old, records).status == "equivalent"
    assert against_records(new, records).status == "survived"
    assert against_records(old, {}).status == "survived"


def test_a_record_of_a_mutant_that_is_killed_is_wrong() -> None:
    killed = outcome_of(next(mutations_of("m", OLD)), "killed")
    record = Equivalent.of(killed, "same value", "It is not.")
    assert Summary((killed,), {record.identity: record}).wrong_records == (killed,)
    assert Summary((killed,), {}).wrong_records == ()
