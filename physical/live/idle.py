"""Streams that fall silent: after a while their promise follows the others, so that queries over both go on."""

from collections.abc import Callable
from dataclasses import dataclass
from time import monotonic

from physical.live.system import LiveSystem


@dataclass
class _Seen:
    """How much had come of a stream, how far it was complete, and since when nothing changed."""

    elements: int
    promised: int
    since: float


class IdleStreams:
    """Lets streams that said nothing for some seconds promise what all others have promised.

    Elements that come later all the same, and are older, are late: dropped and counted. If all streams are silent, time
    stands still. What is promised is logged as any promise is, so a system that goes on from its log gives the same.
    """

    def __init__(self, system: LiveSystem, seconds: float, clock: Callable[[], float] = monotonic) -> None:
        self.system, self.seconds, self.clock = system, seconds, clock
        self._seen: dict[str, _Seen] = {}

    def look(self) -> None:
        """Notice what has come since the last look, and promise what is due."""
        with self.system.lock:
            silent = [name for name in self._promised() if self._is_silent(name)]
            active = [t for name, t in self._promised().items() if name not in silent]
            for name in silent if active else []:
                self._follow(name, min(active))

    def _promised(self) -> dict[str, int]:
        """How far each stream that has not ended is complete."""
        core = self.system.core
        return {n: core.session.entrances[n].promised for n, stream in core.streams.items() if not stream.ended}

    def _is_silent(self, name: str) -> bool:
        elements, promised = self.system.core.streams[name].elements, self._promised()[name]
        seen = self._seen.get(name)
        if seen is None or (seen.elements, seen.promised) != (elements, promised):
            seen = self._seen[name] = _Seen(elements, promised, self.clock())
        return self.clock() - seen.since >= self.seconds

    def _follow(self, name: str, t: int) -> None:
        if t > self._promised()[name]:
            self.system.heartbeat(t, name)
            self._seen[name].promised = t
