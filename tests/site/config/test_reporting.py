"""Errors are told to a service such as Sentry if the operator wants that, and name nobody."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import brotli  # type: ignore[import-untyped]  # it has no types
import pytest
from django.core.checks import run_checks
from pytest_django import Settings

from config.ops import logs
from tests.site.config.processes import collect_names
from tests.unit.config.environment import run

ANY_DSN = "http://key@127.0.0.1:9/1"

SECRETS = {
    "ADDRESS": "ann@example.org",
    "OTHER_ADDRESS": "bob@example.org",
    "VARIABLE": "a-variable-of-ann",
    "KEY": "3-d2a1b09c8e7f66554433",
    "NEXT": "/match/secret-link-2/",
    "PASSWORD": "a long wooden table",
    "COOKIE": "tessera_session=theirs",
}
"""What nobody is to be told. The program is given them, as its own lines are told with where it happened."""

FAILING = """
import logging, os, sys, types
import django; django.setup()
from django.core.handlers.wsgi import WSGIHandler
from django.db import OperationalError
from django.test import RequestFactory
from django.urls import path
from django.conf import settings
from django.views.decorators.csrf import csrf_exempt

@csrf_exempt
def fails(request, key):
    secret = os.environ["VARIABLE"]
    raise RuntimeError(f"no mail to {os.environ['ADDRESS']} for {request.path} {key}")

@csrf_exempt
def away(request):
    raise OperationalError("the database is away")

urls = types.ModuleType("urls_of_the_test")
urls.urlpatterns = [path("account/key/<key>/", fails), path("away/", away), *__import__("config.urls").urls.urlpatterns]
sys.modules["urls_of_the_test"] = urls
settings.ROOT_URLCONF = "urls_of_the_test"
ask = RequestFactory(SERVER_NAME="127.0.0.1")
for address in ("/away/", "/account/key/{KEY}/?next={NEXT}".format(**os.environ)):
    request = ask.post(address, {"password": os.environ["PASSWORD"]}, HTTP_COOKIE=os.environ["COOKIE"])
    WSGIHandler()(request.environ, lambda *_: None)
logging.getLogger("tests").error("The unit %s of %s has failed.", "backup", os.environ["OTHER_ADDRESS"])
import sentry_sdk; sentry_sdk.flush(10)
"""


@contextmanager
def service() -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """Run what speaks Sentry's protocol; yield a DSN for it, and what it is told."""
    told: list[dict[str, Any]] = []

    class Hears(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            plain = {"gzip": gzip.decompress, "br": brotli.decompress}.get(
                self.headers.get("Content-Encoding", ""), bytes
            )
            body = plain(body)
            told.extend(json.loads(line) for line in body.splitlines() if b'"event_id"' in line and b'"level"' in line)
            self.send_response(200)
            self.end_headers()
            self.wfile.write(b"{}")

        def log_message(self, *_: object) -> None: ...

    with ThreadingHTTPServer(("127.0.0.1", 0), Hears) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://key@127.0.0.1:{server.server_address[1]}/1", told
        server.shutdown()


def test_an_error_is_told_with_where_it_happened_and_without_whoever_it_happened_to(tmp_path: Path) -> None:
    collect_names(tmp_path / "static")
    with service() as (dsn, told):
        done = run(tmp_path, "-c", FAILING, SENTRY_DSN=dsn, SITE_URL="http://127.0.0.1:8000", PYTHONPATH=".", **SECRETS)
    assert done.returncode == 0, done.stderr
    failed, logged = sorted((event for event in told if event.get("logger") != "config.ops.outages"), key=str)
    failed, logged = (failed, logged) if "exception" in failed else (logged, failed)
    (error,) = failed["exception"]["values"]
    assert error["type"] == "RuntimeError"
    assert error["value"] == "no mail to […] for […] […]"
    assert any("fails" in frame["function"] for frame in error["stacktrace"]["frames"])
    assert failed["request"] == {"method": "POST", "url": "http://127.0.0.1:8000/account/key/<key>/"}
    assert logged["logentry"]["message"] == "The unit backup of […] has failed."
    text = json.dumps(told, ensure_ascii=False)
    for secret in ("ann@", "bob@", "d2a1b09c", "secret-link", "wooden", "theirs", "a-variable", "127.0.0.1:5"):
        assert secret not in text, secret
    outages = [event for event in told if event.get("logger") == "config.ops.outages"]
    assert len(outages) == len(told) - 2 == 1  # one for the outage, none for what failed because of it


def test_a_dsn_without_the_sdk_is_refused_in_words(tmp_path: Path, settings: Settings) -> None:
    check = "import manage; sys.argv = ['manage.py', 'check']; manage.main()"
    code = f"import sys; sys.modules['sentry_sdk'] = None; {check}"
    done = run(tmp_path, "-c", code, SENTRY_DSN=ANY_DSN, PYTHONPATH=".")
    assert done.returncode == 1
    assert "SENTRY_DSN is set, but Sentry's SDK is not installed." in done.stderr
    assert "pip install 'sentry-sdk" in done.stderr
    settings.SENTRY_DSN = ANY_DSN
    assert "tessera.E007" not in {found.id for found in run_checks()}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("duplicate key\nDETAIL:  Key (username)=(ann) already exists.", "duplicate key"),
        ("to ann@example.org, cc <b.o+b@mail.example>", "to […], cc <[…]>"),
        ("GET https://tessera.example/join/a-table?key=1 failed", "GET […] failed"),
        ("token 8f14e45fceea167a5a36dedd4bea2543 is old", "token […] is old"),
        ("list index out of range in 3/4 of 12 matches", "list index out of range in 3/4 of 12 matches"),
    ],
)
def test_texts_lose_what_could_name_somebody(text: str, said: str) -> None:
    assert logs.scrub(text) == said
