"""Findings as they stand in the documentation: blocks of `key: value` lines that tests run."""

from dataclasses import dataclass

from semantics import ArithmeticOverflow, Plan, Stream, evaluate, parse, parse_plan, show
from tests.paths import ROOT

FOLDER = ROOT / "docs" / "findings"
HORIZON = 6
ERROR = "error"


@dataclass(frozen=True)
class Block:
    """A plan, its streams, what is right and what Spark says; everything as text."""

    title: str
    lines: dict[str, str]

    @property
    def plan(self) -> Plan:
        return parse_plan(self.lines["plan"])

    @property
    def streams(self) -> dict[str, Stream]:
        """What `let A` and so on say."""
        pairs = [(key.removeprefix("let "), text) for key, text in self.lines.items() if key.startswith("let ")]
        return {name: _stream(text) for name, text in pairs}

    def option(self, name: str, otherwise: int) -> int:
        return int(self.lines.get(name, otherwise))

    def reference(self) -> str:
        """What is right, as text."""
        try:
            return show(evaluate(self.plan, self.streams, HORIZON))
        except ArithmeticOverflow:
            return ERROR

    def says(self, key: str) -> str:
        """The answer that stands in the block; an answer at one instant is one of a stream."""
        text = self.lines[key]
        return text if text == ERROR else show(parse(f"logical{show(self.plan.schema)} to {HORIZON}: {text}"))


def _stream(text: str) -> Stream:
    found = parse(text)
    assert isinstance(found, Stream)
    return found


def blocks(file: str, kind: str = "finding") -> list[Block]:
    """All blocks of this kind on a page, each called by the heading above it."""
    found, title = [], ""
    parts = (FOLDER / file).read_text(encoding="utf-8").split("```")
    for number, part in enumerate(parts):
        if number % 2 == 0:
            title = next((line.lstrip("# ") for line in reversed(part.splitlines()) if line.startswith("#")), title)
        elif part.startswith(f"{kind}\n"):
            lines = [line.partition(": ")[::2] for line in part.strip().splitlines()[1:]]
            found.append(Block(title, dict(lines)))
    return found
