"""The command `snapeq`: one module for each subcommand, which imports what it needs when it runs.

A subcommand's module has the name of the subcommand, even where a module that does the work elsewhere is called the
same: `command/rules.py` prints what the room `rules` states.
"""
