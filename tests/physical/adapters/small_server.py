"""A server on this machine for tests of programs that ask one over HTTP."""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Lock, Thread
from typing import Any


@contextmanager
def serving(answer: Callable[[str, str, str], str]) -> Iterator[str]:
    """Its address; it answers one request at a time, of a method, an address and a body, and 400 if that fails."""
    lock = Lock()

    class Handler(BaseHTTPRequestHandler):
        def do_any(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length") or 0)).decode()
            try:
                with lock:
                    text, code = answer(self.command, self.path, body), 200
            except (AssertionError, LookupError, ValueError, sqlite3.Error) as error:
                text, code = repr(error), 400
            self.send_response(code)
            self.end_headers()
            self.wfile.write(text.encode())

        do_GET = do_PUT = do_POST = do_DELETE = do_any  # noqa: N815  # names of the base class

        def log_message(self, *_: Any) -> None:
            """Nothing is printed."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
