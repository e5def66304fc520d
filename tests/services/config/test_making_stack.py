"""`make stack` begins from nothing, serves a whole site, says what is missing, and ends as a whole."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
from pathlib import Path

import psycopg
import pytest

from config.ops import stack
from config.ops.probe import is_healthy
from config.ops.stack import Service, child, free_port, postgres
from tests.services.config.stacked import Front, name_who_answers, wait_until
from tests.unit.config.environment import ROOT, bare
from tests.with_services import data_folder

pytestmark = pytest.mark.services

STARTED = 900
"""Seconds for a whole site to start or to end: it took more than 180 on a busy machine."""


def test_make_stack_begins_from_nothing_ends_by_ctrl_c_and_keeps_the_data(tmp_path: Path) -> None:
    port = free_port()
    with data_folder() as folder:
        name_who_answers(folder)
        command = [sys.executable, "-m", "config.ops.stack", "--port", str(port), "--data", str(folder)]
        log, variables = tmp_path / "log", {**bare(folder), "BOT_PROCESSES": "1"}
        with log.open("wb") as output:
            begun = subprocess.Popen(command, cwd=ROOT, env=variables, stdout=output, stderr=output)
        try:
            assert wait_until(lambda: f"Tessera is on http://127.0.0.1:{port}" in log.read_text(), STARTED)
            assert is_healthy("127.0.0.1", port)
            static_files_come_from_nginx_compressed_and_for_ever(Front(port, variables, []))
        finally:
            begun.send_signal(signal.SIGINT)
            assert begun.wait(STARTED) == 0
        assert "Traceback" not in log.read_text()
        begun_with = (
            "PostgreSQL",
            "Redis",
            "the database",
            "static files",
            "2 web processes",
            "2 workers, 1 for bots, and nginx",
        )
        verbs = ("Starting", "Bringing", "Collecting")
        told = [line for line in log.read_text().splitlines() if line.startswith(verbs)]
        assert [part in line for part, line in zip(begun_with, told, strict=True)] == [True] * len(begun_with)
        with postgres(folder / "postgres") as service, psycopg.connect(service.url) as connected:
            assert connected.execute("SELECT count(*) > 0 FROM accounts_user_groups").fetchone() == (False,)


def static_files_come_from_nginx_compressed_and_for_ever(front: Front) -> None:
    page = front.ask("GET", "/").body
    names = re.findall(r'"(/static/[^"]+)"', page)
    assert names
    for name in names:
        answer = front.ask("GET", name, headers={"Accept-Encoding": "gzip"})
        assert (answer.status, answer.headers["X-Served-By"]) == (200, None)
        assert answer.headers["X-Content-Type-Options"] == "nosniff"
        assert answer.headers["Cache-Control"] == "public, max-age=31536000, immutable"
        if name.endswith((".css", ".js")):
            assert answer.headers["Content-Encoding"] == "gzip"
            assert answer.headers["Content-Type"].endswith("charset=utf-8")
    assert front.ask("GET", "/static/site/base.css").headers["Cache-Control"] == "public, max-age=60"
    assert front.ask("GET", "/static/../secret-key").status in {400, 404}
    assert front.ask("GET", "/").headers["X-Served-By"]


def test_the_stack_ends_when_a_part_does_and_names_it() -> None:
    with child(["sleep", "60"]) as lives, child(["false"]) as dies:
        parts = [Service("nginx", lives), Service("worker 2", dies)]
        with pytest.raises(SystemExit, match=r"worker 2 has ended \(status 1\)"):
            stack.watch(parts)


def test_what_is_not_installed_is_named_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stack, "is_installed", lambda name: name == "setpriv")
    with pytest.raises(SystemExit, match="apt-get install postgresql redis-server nginx"):
        stack.require()
