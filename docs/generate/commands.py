"""The reference of commands: what `snapeq COMMAND --help` prints, a section each."""

from typer.testing import CliRunner

from equivalence.command.main import app


def command_reference() -> str:
    """All commands in the order of `snapeq --help`, as Markdown."""
    names = [command.name for command in app.registered_commands if command.name and not command.hidden]
    return "\n\n".join(f"## {name}\n\n```text\n{_help(name)}\n```" for name in names)


def _help(name: str) -> str:
    return CliRunner().invoke(app, [name, "--help"], prog_name="snapeq").output.strip()
