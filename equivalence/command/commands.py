"""The subcommands, each loaded when it is called: `snapeq --help` must not wait for what only one of them needs."""

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

import typer
from typer.core import TyperGroup
from typer.main import get_command

if TYPE_CHECKING:
    from collections.abc import Callable

COMMANDS: Final = {
    "verify": "Verify what snapeq claims of itself.",
    "run": "Evaluate a query over files, and print or write its result in canonical form.",
    "check": "Is FILE, written by some engine in any language, a right answer? If not: what differs, and the "
    "mistake's name.",
    "diff": "Do two files hold the same rows equally often at every instant?",
    "explain": "The logical, the optimised and the physical plan of a query; snapshot-reducible operators are "
    "marked ●.",
    "equiv": "Are two plans equivalent? PROVED, AGREED on the cases tried, or REFUTED with the smallest example.",
    "check-certificate": "Is a file a proof that two plans are equivalent? VALID, or REFUSED with the reason.",
    "translate": "The same query in the words of another dialect, or what cannot be kept.",
    "rules": "The catalogue of rules, true and temptingly false, with the evidence for each.",
    "discover": "Find all equivalences of small plans over σ, μ, δ, ∪, −, × and time windows, and prove them.",
    "conform": "Is an engine right? The conformance suite: a matrix operator × verdict, and the smallest case of "
    "each fault.",
    "engines": "The engines that others wrote: which are here, in which version, and how to get the others.",
    "dialect": "What do an engine's windows, NULLs, ties and numbers mean? Inferred from few, chosen probes.",
    "fuzz": "Is an optimizer right, rule by rule? One finding for every cause, on the smallest query and data.",
    "protocol-check": "Does an engine in any language speak the protocol of docs/protocol.md? For its author, step by "
    "step.",
    "live": "Run queries over streams as they come, until Ctrl-C.",
    "nexmark": "Write NEXMark auctions: Person, Item, Category, OpenAuction, ClosedAuction and Bid.",
    "linear-road": "Write the traffic of Linear Road: Position, BalanceRequest, ExpenditureRequest, Tariff and "
    "History.",
    "replay": "Run a saved counterexample again: two plans by the reference, or the reference and an engine.",
    "bench": "Benchmarks against peers, as ratios: peer time / ours.",
}
"""What each does, in the words of its own help."""


class CommandsOnCall(TyperGroup):
    """A group of names with their help; the one that is called is loaded."""

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        name, found, rest = super().resolve_command(ctx, args)
        return name, found if name is None else _loaded(name), rest

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """The list in the help; click would cut each line after a few words."""
        del ctx
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


def new_app() -> typer.Typer:
    """As all of it is set up."""
    return typer.Typer(
        name="snapeq",
        cls=CommandsOnCall,
        no_args_is_help=True,
        add_completion=False,
        pretty_exceptions_enable=False,
        rich_markup_mode=None,
    )


def command_function(name: str) -> "Callable[..., None]":
    """The function of a subcommand, in the module of that name."""
    plain = name.replace("-", "_")
    found: Callable[..., None] = getattr(import_module(f"equivalence.command.{plain}"), f"{plain}_command")
    return found


def add_commands(app: typer.Typer) -> None:
    """Give the command its subcommands."""
    for name, about in COMMANDS.items():
        app.command(name, help=about)(_not_loaded)


def _loaded(name: str) -> Any:
    alone = new_app()
    alone.command(name)(command_function(name))
    return get_command(alone)


def _not_loaded() -> None:
    raise AssertionError("only a command that is loaded is called")
