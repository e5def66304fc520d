"""Servers of the tests' own, to which push messages and webhooks are really sent."""

from __future__ import annotations

import ssl
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

SOON = 0.02
"""Seconds after which a server notices that it has to end."""


@dataclass(frozen=True)
class Heard:
    """A request as it arrived."""

    path: str
    headers: dict[str, str]
    body: bytes


@dataclass
class Listener:
    """A server on loopback: what it received, and what it answers.

    Args:
        port: where it listens.
        status: of every answer.
        headers: of every answer.
        forever: the body of an answer never ends.
    """

    port: int
    status: int = 201
    headers: dict[str, str] = field(default_factory=dict)
    forever: bool = False
    heard: list[Heard] = field(default_factory=list)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"


@contextmanager
def listening(certificate: Path | None = None) -> Iterator[Listener]:
    """Listen on a free port of this machine; with a certificate (and its key in the same file) by TLS."""

    class Answer(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length", "0")))
            listener.heard.append(Heard(self.path, dict(self.headers.items()), body))
            self.send_response(listener.status)
            for name, value in listener.headers.items():
                self.send_header(name, value)
            self.end_headers()
            while listener.forever:
                self.wfile.write(b"x" * 65536)

        do_GET = do_POST  # noqa: N815  # the name which the library calls

        def log_message(self, *_: Any) -> None:
            pass

    class Quiet(ThreadingHTTPServer):
        def handle_error(self, *_: Any) -> None:
            """Ignore clients that hang up: they mean to."""

    server = Quiet(("127.0.0.1", 0), Answer)
    if certificate is not None:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate)
        server.socket = context.wrap_socket(server.socket, server_side=True)
    listener = Listener(server.server_address[1])
    thread = threading.Thread(target=server.serve_forever, args=[SOON], daemon=True)
    thread.start()
    try:
        yield listener
    finally:
        listener.forever = False
        server.shutdown()
        with suppress(OSError):
            server.server_close()
        thread.join(60)


def certificate_for(name: str, folder: Path) -> Path:
    """Return a file with a certificate for a host, signed by itself, and its key."""
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    now = datetime.now(UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(subject)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(name)]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    path = folder / f"{name}.pem"
    private = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    path.write_bytes(certificate.public_bytes(serialization.Encoding.PEM) + private)
    return path
