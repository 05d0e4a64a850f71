"""A certificate without what it does not need: no lemma, no use of a lemma and no term is in it for nothing."""

from collections.abc import Callable, Iterator
from typing import Any, Final

from equivalence.certificates.checker.check import check_lemma, starting
from equivalence.certificates.checker.terms import Refused

LEMMAS: Final = ("uses", "leaf", "splits", "by", "normal")
"""Fields that refer to lemmas."""
SYMBOLS: Final = ("symbol",)
NEITHER: Final = ("rule", "kind", "relation", "trivial", "opaque_remainders", "holds")
"""Fields that refer to nothing; all others refer to terms."""
Reference = Callable[[int], int]


def minimal(certificate: dict[str, Any]) -> dict[str, Any]:
    """The same proof, with fewer lemmas and terms."""
    return _without_terms(_without_lemmas(_without_uses(certificate)))


def _without_uses(certificate: dict[str, Any]) -> dict[str, Any]:
    lemmas, symbols = starting(certificate)
    kept: list[dict[str, Any]] = []
    for data in certificate["lemmas"]:
        for use in reversed(data["uses"]):
            less = {**data, "uses": [u for u in data["uses"] if u != use]}
            try:
                check_lemma(lemmas, less, symbols)
            except Refused:
                continue
            data = less
        lemmas.proved.append(check_lemma(lemmas, data, symbols)[0])
        kept.append(data)
    return {**certificate, "lemmas": kept}


def _without_lemmas(certificate: dict[str, Any]) -> dict[str, Any]:
    """Only lemmas on which the theorem rests."""
    needed, waiting = set[int](), list(_references(certificate["theorem"], LEMMAS))
    while waiting:
        number = waiting.pop()
        if number not in needed:
            needed.add(number)
            waiting += _references(certificate["lemmas"][number], LEMMAS)
    places = {old: new for new, old in enumerate(sorted(needed))}
    changed = [_changed(certificate["lemmas"][old], lemma=places.__getitem__) for old in sorted(needed)]
    return {**certificate, "lemmas": changed, "theorem": _changed(certificate["theorem"], lemma=places.__getitem__)}


def _without_terms(certificate: dict[str, Any]) -> dict[str, Any]:
    """Only terms that a lemma or the theorem mentions, and only symbols in them."""
    stated = [*certificate["lemmas"], certificate["theorem"]]
    needed, waiting = set[int](), [n for data in stated for n in _references(data, None)]
    while waiting:
        number = waiting.pop()
        if number not in needed:
            needed.add(number)
            waiting += _parts(certificate["terms"][number])
    places = {old: new for new, old in enumerate(sorted(needed))}
    entries = [certificate["terms"][old] for old in sorted(needed)]
    used = {e[1] for e in entries if e[0] == "call"} | {s for d in stated for s in _references(d, SYMBOLS)}
    symbols = {old: new for new, old in enumerate(sorted(used))}
    put = [_changed(d, term=places.__getitem__, symbol=symbols.__getitem__) for d in stated]
    return {
        **certificate,
        "symbols": [certificate["symbols"][old] for old in sorted(used)],
        "terms": [_entry(e, places.__getitem__, symbols.__getitem__) for e in entries],
        "lemmas": put[:-1],
        "theorem": put[-1],
    }


def _parts(entry: list[Any]) -> list[int]:
    match entry:
        case ["op", _, _, parts] | ["call", _, parts]:
            return list(parts)
        case ["sum" | "exists", variables, body]:
            return [*variables, body]
        case ["fold", _, _, variable, body]:
            return [variable, body]
    return []


def _entry(entry: list[Any], term: Reference, symbol: Reference) -> list[Any]:
    match entry:
        case ["op", name, sort, parts]:
            return ["op", name, sort, [term(p) for p in parts]]
        case ["call", place, parts]:
            return ["call", symbol(place), [term(p) for p in parts]]
        case ["sum" | "exists" as kind, variables, body]:
            return [kind, [term(v) for v in variables], term(body)]
        case ["fold", name, sort, variable, body]:
            return ["fold", name, sort, term(variable), term(body)]
    return entry


def _references(data: Any, fields: tuple[str, ...] | None, mine: bool = False) -> Iterator[int]:
    """The numbers in the fields of one kind; without a kind in those that refer to terms."""
    if isinstance(data, dict):
        for name, value in data.items():
            here = name in fields if fields is not None else name not in (*LEMMAS, *SYMBOLS, *NEITHER)
            yield from _references(value, fields, here)
    elif isinstance(data, list):
        for each in data:
            yield from _references(each, fields, mine)
    elif mine and type(data) is int:
        yield data


def _same(number: int) -> int:
    return number


def _changed(data: Any, lemma: Reference = _same, term: Reference = _same, symbol: Reference = _same) -> Any:
    """The same with other numbers."""

    def put(value: Any, change: Reference) -> Any:
        if isinstance(value, dict):
            return {name: put(each, kind(name)) for name, each in value.items()}
        if isinstance(value, list):
            return [put(each, change) for each in value]
        return change(value) if type(value) is int else value

    def kind(name: str) -> Reference:
        if name in NEITHER:
            return _same
        return lemma if name in LEMMAS else symbol if name in SYMBOLS else term

    return put(data, _same)
