"""A wire between browser and site that a test can cut or silence."""

from __future__ import annotations

import contextlib
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager

CHUNK = 65_536
UPGRADE = b"upgrade: websocket"


class Wire:
    """Carries TCP connections to a port of this machine; `url` is where the browser goes."""

    def __init__(self, port: int) -> None:
        self._to = ("127.0.0.1", port)
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._ends: list[socket.socket] = []
        self._whole = True
        self._sockets: list[socket.socket] = []
        self._blocked = self._deaf = False
        self._flowing = threading.Event()
        self._flowing.set()
        self.url = f"http://127.0.0.1:{self._listener.getsockname()[1]}"
        threading.Thread(target=self._accept, daemon=True).start()

    def cut(self) -> None:
        """Close every connection; new ones close at once."""
        self._whole = False
        self._end_all()

    def mend(self) -> None:
        """Carry connections again."""
        self._whole = True
        self._flowing.set()

    def fall_silent(self) -> None:
        """Stop carrying anything, but keep connections open."""
        self._flowing.clear()

    def block_sockets(self) -> None:
        """Close every WebSocket, and each new one before it opens; pages and forms go on."""
        self._blocked = True
        ends, self._sockets = self._sockets, []
        _end(ends)

    def allow_sockets(self) -> None:
        """Carry WebSockets again."""
        self._blocked = self._deaf = False

    def deafen_sockets(self) -> None:
        """Lose what browsers send over WebSockets, and carry what they are sent."""
        self._deaf = True

    def close(self) -> None:
        self._whole = False
        self._flowing.set()
        self._listener.close()
        self._end_all()

    def _end_all(self) -> None:
        ends, self._ends = self._ends, []
        _end(ends)

    def _accept(self) -> None:
        with contextlib.suppress(OSError):  # the listener is closed at the end
            while True:
                near, _ = self._listener.accept()
                if self._whole:
                    self._join(near, socket.create_connection(self._to))
                else:
                    near.close()

    def _join(self, near: socket.socket, far: socket.socket) -> None:
        self._ends += [near, far]
        for source, sink in ((near, far), (far, near)):
            threading.Thread(target=self._carry, args=(source, sink, source is near), daemon=True).start()

    def _carry(self, source: socket.socket, sink: socket.socket, is_asking: bool) -> None:
        is_socket = False
        with contextlib.suppress(OSError):  # cut
            while data := source.recv(CHUNK):
                if is_asking and UPGRADE in data.lower():
                    if self._blocked:
                        break
                    is_socket = True
                    self._sockets += [source, sink]
                elif is_socket and self._deaf:
                    continue
                self._flowing.wait()
                sink.sendall(data)
        _end([source, sink], close=False)


def _end(ends: list[socket.socket], close: bool = True) -> None:
    for end in ends:
        with contextlib.suppress(OSError):
            end.shutdown(socket.SHUT_RDWR)
        if close:
            end.close()


@contextmanager
def wire_to(url: str) -> Iterator[Wire]:
    """Run a wire to a served site."""
    wire = Wire(int(url.rsplit(":", 1)[1]))
    try:
        yield wire
    finally:
        wire.close()
