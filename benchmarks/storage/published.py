"""What the paper measured, and whether our figures have the same shape."""

from typing import Final

PAPER_6: Final = {
    "Baseline": (3.17, 57.0, 13.4),
    "+ update pattern": (0.715, 29.0, 3.3),
    "+ read pattern": (0.52, 28.0, 2.2),
}
"""Average and longest response in seconds, late alerts in percent (Table 6)."""
PAPER_7: Final = {"throughput": 23_474 / 15_600, "memory": 900 / 835}
"""How much better shared is than not shared (Table 7)."""


def judged(ours: float, papers: float) -> str:
    """A ratio beside the published one: does it point the same way, and is it as large?"""
    if (ours - 1) * (papers - 1) <= 0:
        return f"disagrees: {ours:.2f} × against {papers:.2f} ×"
    size = "about as much" if 0.67 <= ours / papers <= 1.5 else "less" if ours < papers else "more"
    return f"agrees, {size}: {ours:.2f} × against {papers:.2f} ×"
