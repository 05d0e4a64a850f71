"""`snapeq equiv --pairs`: many questions, a few at a time, each answered on its own, and a table of the reasons."""

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import ExitStack
from dataclasses import dataclass, field
from hashlib import sha256
from itertools import islice
from multiprocessing import get_context
from pathlib import Path
from typing import Any, Final, TextIO

import typer

from equivalence.command.equiv import Effort, Question, answer_within, question_of_plans, read_question
from equivalence.command.terminal import (
    FALLS_SHORT,
    HOLDS,
    UNSUPPORTED,
    print_columns,
    print_json,
    progress_bar,
    write_file,
)
from equivalence.foreign_plans.pair import PairOfPlans
from equivalence.foreign_plans.qed import is_qed, read_qed
from equivalence.foreign_plans.rel_json import is_rel_json, read_rel_json
from semantics import SnapeqError, StreamError
from semantics.how_many import how_many

UNREADABLE: Final = "unreadable"
PAIRS_PER_PROCESS: Final = 200
"""A process is replaced after this many pairs, so that what solvers keep in memory does not add up."""
WAITING_PER_PROCESS: Final = 4
"""So many pairs are handed out before one is answered: the file may be longer than memory."""
LONGEST_REASON: Final = 90
Answer = dict[str, Any]
"""`line`, `name`, `verdict`, `reason`, `evidence`, `counterexample`, and `key`, which tells the question."""
_PARTICULARS: Final = re.compile(r"'[^']*'|\"[^\"]*\"|\b\d[\d,.]*\b")
_KEYS: Final = {"name", "q1", "q2", "catalog", "dialect"}


@dataclass(frozen=True)
class Pair:
    """One line of the file: two queries, and how they are to be read and compared."""

    line: int
    name: str
    q1: str
    q2: str
    catalog: Path | None
    dialect: str
    effort: Effort
    declared: str = ""
    """The declarations of this pair alone."""
    plans: tuple[Mapping[str, Any], ...] = ()
    """Instead of the texts, what they were read from: one document of QED, or two plans of Calcite."""

    @property
    def key(self) -> str:
        """Tells the question: an answer to it need not be given twice."""
        declared = self.declared + ("" if self.catalog is None else self.catalog.read_text(encoding="utf-8"))
        return sha256(repr((self.q1, self.q2, declared, self.dialect, self.effort)).encode()).hexdigest()[:16]


def read_pairs(source: Path, catalog: Path | None, dialect: str, effort: Effort) -> Iterator[Pair]:
    """The pairs of a file in their order; empty lines do not count. In a folder each file `.json` is a pair of QED."""
    if source.is_dir():
        files = sorted(file for file in source.rglob("*.json") if file.is_file())
        if not files:
            raise StreamError(f"{source}: there is no file .json in this folder")
        for number, file in enumerate(files, 1):
            name = file.relative_to(source).with_suffix("").as_posix()
            yield _pair(str(file), number, file.read_bytes(), catalog, dialect, effort, name)
    elif source.suffix == ".json":
        yield _pair(str(source), 1, source.read_bytes(), catalog, dialect, effort, source.stem)
    else:
        with source.open("rb") as lines:
            for number, line in enumerate(lines, 1):
                if line.strip():
                    yield _pair(f"{source}: line {number}", number, line, catalog, dialect, effort, str(number))


def _pair(
    where: str, number: int, encoded: bytes, catalog: Path | None, dialect: str, effort: Effort, name: str
) -> Pair:
    expected = 'an object with the texts "q1" and "q2", and perhaps "name", "catalog" and "dialect"'
    try:
        given = json.loads(encoded.decode())
    except UnicodeDecodeError:
        raise StreamError(f"{where}: this is no text in UTF-8; expected {expected}") from None
    except ValueError as error:
        raise StreamError(f"{where}: expected {expected}; no JSON: {error}") from None
    except RecursionError:
        raise StreamError(f"{where}: expected {expected}; this is nested too deeply") from None
    if is_qed(given):
        text = json.dumps({key: given[key] for key in ("schemas", "queries")}, sort_keys=True)
        return Pair(number, str(given.get("name", name)), text, "", None, "", effort, plans=(given,))
    if not isinstance(given, dict) or not {"q1", "q2"} <= given.keys() <= _KEYS:
        raise StreamError(f"{where}: expected {expected}, got {encoded.strip()[:80]!r}")
    plans = tuple(given[key] for key in ("q1", "q2") if is_rel_json(given[key]))
    texts = {key: json.dumps(value) if value in plans else value for key, value in given.items()}
    if len(plans) == 1 or not all(isinstance(text, str) for text in texts.values()):
        raise StreamError(f"{where}: expected {expected}, got {encoded.strip()[:80]!r}")
    declared = f"{given['catalog'].rstrip().rstrip(';')};\n" if "catalog" in given else ""
    named, chosen = given.get("name", name), given.get("dialect", dialect)
    if plans:
        return Pair(number, named, texts["q1"], texts["q2"], catalog, chosen, effort, declared, plans)
    q1, q2 = (declared + given[key] for key in ("q1", "q2"))
    return Pair(number, named, q1, q2, catalog, chosen, effort)


def answer(pair: Pair) -> Answer:
    """What is found out about one pair; a pair that cannot be read or takes too long is no reason to stop."""
    found: Answer = {"line": pair.line, "name": pair.name, "key": pair.key}
    try:
        plans = _plans(pair)
        verdict = answer_within(_question(pair, plans), pair.effort)
    except SnapeqError as error:
        return {**found, "verdict": UNREADABLE, "reason": str(error), "evidence": {}, "counterexample": None}
    document: Answer = verdict.to_json()
    evidence = {key: value for key, value in document["evidence"].items() if key not in ("steps", "leaves", "doubts")}
    reason = str(evidence.get("reason") or evidence.get("no_proof") or evidence.get("how") or "")
    if verdict.kind == "refuted" and plans is not None and plans.functions:
        named = ", ".join(function.name for function in plans.functions)
        reason = f"they differ for some functions {named}, of which nothing is known"
        return {**found, "verdict": "unknown", "reason": reason, "evidence": evidence, "counterexample": None}
    return {**found, "verdict": verdict.kind, "reason": reason, **document, "evidence": evidence}


def _plans(pair: Pair) -> PairOfPlans | None:
    """The queries, if they are given as plans in JSON."""
    match pair.plans:
        case (document,):
            return read_qed(document)
        case (left, right):
            declared = "" if pair.catalog is None else pair.catalog.read_text(encoding="utf-8")
            return read_rel_json(left, right, declared + pair.declared)
    return None


def _question(pair: Pair, plans: PairOfPlans | None) -> Question:
    if plans is not None:
        return question_of_plans(plans, pair.effort)
    return read_question(pair.q1, pair.q2, pair.catalog, pair.dialect, pair.effort)


def answers(pairs: Iterable[Pair], jobs: int) -> Iterator[Answer]:
    """The answers as they come; with several processes not in the order of the pairs."""
    if jobs == 1:
        yield from map(answer, pairs)
        return
    waiting: set[Future[Answer]] = set()
    remaining = iter(pairs)
    with ProcessPoolExecutor(jobs, get_context("spawn"), max_tasks_per_child=PAIRS_PER_PROCESS) as pool:
        while True:
            waiting |= {pool.submit(answer, p) for p in islice(remaining, jobs * WAITING_PER_PROCESS - len(waiting))}
            if not waiting:
                return
            done, waiting = wait(waiting, return_when=FIRST_COMPLETED)
            yield from (_outcome(each) for each in done)


def _outcome(done: "Future[Answer]") -> Answer:
    try:
        return done.result()
    except BrokenProcessPool:
        raise SnapeqError("a process ended before its answer; with --results, what is answered is kept") from None


@dataclass
class Summary:
    """How many pairs have which verdict, and for which reason."""

    verdicts: Counter[str] = field(default_factory=Counter)
    reasons: Counter[tuple[str, str]] = field(default_factory=Counter)
    examples: dict[tuple[str, str], tuple[int, str]] = field(default_factory=dict)
    """The first of the pairs, by its line."""

    def add(self, found: Answer) -> None:
        kind = found["verdict"], _kind_of(found["reason"])
        self.verdicts[found["verdict"]] += 1
        self.reasons[kind] += 1
        mine = found["line"], found["name"]
        self.examples[kind] = min(self.examples.get(kind, mine), mine)

    @property
    def exit_code(self) -> int:
        if self.verdicts["refuted"] or self.verdicts["vacuous"]:
            return FALLS_SHORT
        return UNSUPPORTED if self.verdicts["unknown"] or self.verdicts[UNREADABLE] else HOLDS

    def rows(self) -> list[tuple[str, str, str, str]]:
        """Verdict, how many pairs, the reason and one of the pairs; the most frequent first."""
        ordered = sorted(self.reasons.items(), key=lambda item: (-item[1], item[0]))
        return [(verdict, str(n), reason, self.examples[verdict, reason][1]) for (verdict, reason), n in ordered]


def _kind_of(reason: str) -> str:
    """The reason without what is particular to one pair: names in quotes, and numbers."""
    first = reason.partition("\n")[0]
    plain = _PARTICULARS.sub("…", first)
    return plain if len(plain) <= LONGEST_REASON else plain[: LONGEST_REASON - 1] + "…"


def known_answers(results: Path | None) -> dict[str, Answer]:
    """The answers that an earlier run has written; its last line may be cut off."""
    if results is None or not results.exists():
        return {}
    known: dict[str, Answer] = {}
    for line in results.read_text(encoding="utf-8").splitlines():
        try:
            found = json.loads(line)
            known[found["key"]] = found
        except (ValueError, KeyError, TypeError):
            continue
    return known


def equiv_pairs(pairs: Iterable[Pair], jobs: int, results: Path | None, *, as_json: bool) -> int:
    """Answer all pairs, print what became of them, and return the exit code."""
    known = known_answers(results)
    listed, summary = list[Answer](), Summary()
    with ExitStack() as stack:
        file = None if results is None else stack.enter_context(_appended(results, known.values()))
        progress = stack.enter_context(progress_bar())
        task = progress.add_task("comparing", total=None)
        for found in _all_answers(pairs, jobs, known, file):
            summary.add(found)
            progress.advance(task)
            if as_json:
                listed.append(found)
    _show(summary, sorted(listed, key=lambda found: int(found["line"])), as_json=as_json)
    return summary.exit_code


def _all_answers(pairs: Iterable[Pair], jobs: int, known: dict[str, Answer], file: TextIO | None) -> Iterator[Answer]:
    """The new answers, which are written as they come, then those that are known already."""
    already: list[Answer] = []

    def unanswered() -> Iterator[Pair]:
        for pair in pairs:
            if pair.key in known:
                already.append({**known[pair.key], "line": pair.line, "name": pair.name})
            else:
                yield pair

    for found in answers(unanswered(), jobs):
        if file is not None:
            file.write(_line(found))
            file.flush()
        yield found
    yield from already


def _appended(results: Path, known: Iterable[Answer]) -> TextIO:
    """The file of results, with whole lines only, open for more."""
    write_file(results, "".join(map(_line, known)))
    return results.open("a", encoding="utf-8")


def _line(found: Answer) -> str:
    return json.dumps(found, ensure_ascii=False) + "\n"


def _show(summary: Summary, listed: list[Answer], *, as_json: bool) -> None:
    total = summary.verdicts.total()
    if as_json:
        keys = ("verdict", "pairs", "reason", "example")
        reasons = [dict(zip(keys, (v, int(n), r, e), strict=True)) for v, n, r, e in summary.rows()]
        print_json({"pairs": total, "verdicts": dict(summary.verdicts), "reasons": reasons, "results": listed})
        return
    counted = [f"{n} {verdict}" for verdict, n in summary.verdicts.most_common()]
    typer.echo(f"{how_many(total, 'pair')}: {', '.join(counted) or 'none'}")
    if total:
        print_columns([("verdict", "pairs", "reason", "for example"), *summary.rows()])
