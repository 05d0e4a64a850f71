"""The table of all deviations: their names, and what each of them means."""

from snapeq import DEVIATIONS


def deviation_table() -> str:
    rows = [f"| {found.name} | {found.sentence.replace('{}', 'N').replace('|', '∣')} |" for found in DEVIATIONS]
    return "\n".join(["| name | what the engine does |", "|---|---|", *rows])
