"""Lines that fit into no stream, set aside with the reason."""

import json
from collections import deque
from pathlib import Path

from physical.live.lines import BadLine
from physical.live.results import GrowingFile


class BadLines:
    """Appends bad lines to a file, which is made with the first of them, and remembers the last few."""

    def __init__(self, path: Path | None, remembered: int = 20) -> None:
        self.path = path
        self.last: deque[dict[str, str]] = deque(maxlen=remembered)
        self._file: GrowingFile | None = None

    def add(self, stream: str, origin: str, lines: list[BadLine]) -> None:
        for line in lines:
            about = {"stream": stream, "from": origin, "line": line.text, "reason": line.reason}
            self.last.append(about)
            if self.path is not None:
                self._opened(self.path).write(json.dumps(about, ensure_ascii=False).encode("utf-8", "replace") + b"\n")

    def end_here(self) -> None:
        """After everything was replayed, the file ends where we are."""
        if self._file is not None:
            self._file.end_here()

    def close(self) -> None:
        if self._file is not None:
            self._file.close()

    def _opened(self, path: Path) -> GrowingFile:
        if self._file is None:
            self._file = GrowingFile(path)
        return self._file
