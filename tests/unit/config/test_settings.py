"""What the environment decides, and that missing variables make nothing unsafe."""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest
from django.core.checks import run_checks
from django.core.exceptions import ImproperlyConfigured
from django.db.utils import ConnectionHandler
from pytest_django import DjangoDbBlocker, Settings

from tests.unit.config.environment import run, settings_of

Patch = pytest.MonkeyPatch


def test_without_any_variable_the_site_is_made_for_this_machine(monkeypatch: Patch, tmp_path: Path) -> None:
    found = settings_of(monkeypatch, tmp_path)
    assert found["DEBUG"] is False
    assert found["SITE_URL"] == "http://127.0.0.1:8000"
    assert set(found["ALLOWED_HOSTS"]) == {"127.0.0.1", "localhost", "[::1]"}
    assert found["DATABASES"]["default"]["NAME"] == str(tmp_path / "tessera.sqlite3")
    assert found["CHANNEL_LAYERS"]["default"]["BACKEND"] == "channels.layers.InMemoryChannelLayer"
    assert not found["SECURE_SSL_REDIRECT"]


def test_the_secret_key_is_made_once_and_only_its_owner_reads_it(monkeypatch: Patch, tmp_path: Path) -> None:
    folder = tmp_path / "new" / "data"
    first, second = (settings_of(monkeypatch, folder)["SECRET_KEY"] for _ in range(2))
    assert first == second == (folder / "secret-key").read_text()
    assert len(first) > 64
    assert stat.S_IMODE((folder / "secret-key").stat().st_mode) == 0o600
    assert sorted(path.name for path in folder.iterdir()) == ["secret-key", "tessera.sqlite3"]


def test_processes_that_start_together_share_one_secret_key(tmp_path: Path) -> None:
    show = "from config.settings import SECRET_KEY; print(SECRET_KEY)"
    with ThreadPoolExecutor(4) as pool:
        done = list(pool.map(lambda _: run(tmp_path, "-c", show), range(4)))
    assert {process.stdout.strip() for process in done} == {(tmp_path / "secret-key").read_text()}


def test_two_data_folders_have_two_secret_keys(monkeypatch: Patch, tmp_path: Path) -> None:
    keys = {settings_of(monkeypatch, tmp_path / name)["SECRET_KEY"] for name in "ab"}
    assert len(keys) == 2


def test_a_given_secret_key_is_not_written_down(monkeypatch: Patch, tmp_path: Path) -> None:
    assert settings_of(monkeypatch, tmp_path, SECRET_KEY="given")["SECRET_KEY"] == "given"
    assert not (tmp_path / "secret-key").exists()


def modes(*paths: Path) -> list[int]:
    return [stat.S_IMODE(path.stat().st_mode) for path in paths]


@pytest.fixture
def careless() -> Iterator[None]:
    """Let this process make files that everybody can read and write."""
    before = os.umask(0)
    yield
    os.umask(before)


@pytest.mark.usefixtures("careless")
def test_only_its_owner_can_read_a_database_of_sqlite_and_what_lies_beside_it(
    monkeypatch: Patch, tmp_path: Path, django_db_blocker: DjangoDbBlocker
) -> None:
    """That of a site from before, whose files everybody could read, too."""
    old, new = tmp_path / "old", tmp_path / "some" / "new"
    old.mkdir(mode=0o755)
    for name in ("tessera.sqlite3", "tessera.sqlite3-wal", "tessera.sqlite3-shm"):
        (old / name).touch(mode=0o644)
    for folder in (old, new):
        databases = ConnectionHandler(settings_of(monkeypatch, folder, SECRET_KEY="given")["DATABASES"])
        with django_db_blocker.unblock(), closing(databases["default"]) as opened:
            opened.cursor().execute("CREATE TABLE t (i int)")
            assert len(found := list(folder.iterdir())) >= 3
            assert set(modes(*found)) == {0o600}
        assert modes(folder, folder / "tessera.sqlite3") == [0o700, 0o600]


def test_a_folder_that_others_share_is_left_as_it_is(monkeypatch: Patch, tmp_path: Path) -> None:
    elsewhere, shared = tmp_path / "elsewhere", tmp_path / "shared"
    for folder, mode in ((elsewhere, 0o755), (shared, 0o1777)):
        folder.mkdir()
        folder.chmod(mode)
    settings_of(monkeypatch, tmp_path / "data", DATABASE_URL=f"sqlite:///{elsewhere}/club.sqlite3")
    settings_of(monkeypatch, shared)
    settings_of(monkeypatch, tmp_path / "more", DATABASE_URL="postgres://me@db.example/tessera", SECRET_KEY="given")
    assert modes(elsewhere, elsewhere / "club.sqlite3") == [0o755, 0o600]
    assert modes(shared, shared / "tessera.sqlite3") == [0o1777, 0o600]
    assert not (tmp_path / "more").exists()


def test_database_url_names_a_postgresql(monkeypatch: Patch, tmp_path: Path) -> None:
    found = settings_of(monkeypatch, tmp_path, DATABASE_URL="postgres://me:word@db.example:5433/tessera")
    database = found["DATABASES"]["default"]
    assert database["ENGINE"] == "django.db.backends.postgresql"
    assert [database[key] for key in ("NAME", "USER", "PASSWORD", "HOST", "PORT")] == [
        "tessera",
        "me",
        "word",
        "db.example",
        5433,
    ]
    assert (database["CONN_MAX_AGE"], database["CONN_HEALTH_CHECKS"]) == (None, True)


def test_database_url_names_a_file(monkeypatch: Patch, tmp_path: Path) -> None:
    found = settings_of(monkeypatch, tmp_path, DATABASE_URL="sqlite:////var/lib/tessera/db.sqlite3")
    database = found["DATABASES"]["default"]
    assert database["NAME"] == "/var/lib/tessera/db.sqlite3"
    assert database["OPTIONS"]["transaction_mode"] == "IMMEDIATE"


def test_redis_url_brings_the_layer_and_the_cache_of_several_processes(monkeypatch: Patch, tmp_path: Path) -> None:
    found = settings_of(monkeypatch, tmp_path, REDIS_URL="redis://cache.example:6379/1")
    assert found["CHANNEL_LAYERS"]["default"] == {
        "BACKEND": "config.redis_layer.RedisLayer",
        "CONFIG": {"url": "redis://cache.example:6379/1"},
    }
    assert found["CACHES"]["default"]["LOCATION"] == "redis://cache.example:6379/1"


def test_an_address_with_https_makes_everything_careful(monkeypatch: Patch, tmp_path: Path) -> None:
    found = settings_of(monkeypatch, tmp_path, SITE_URL="https://tessera.example/", ALLOWED_HOSTS="www.tessera.example")
    assert found["SITE_URL"] == "https://tessera.example"
    assert found["ALLOWED_HOSTS"] == ["tessera.example", "www.tessera.example"]
    assert found["CSRF_TRUSTED_ORIGINS"] == ["https://tessera.example"]
    careful = ("SECURE_SSL_REDIRECT", "SESSION_COOKIE_SECURE", "CSRF_COOKIE_SECURE", "SECURE_HSTS_INCLUDE_SUBDOMAINS")
    assert all(found[name] is True for name in careful)
    assert found["SECURE_HSTS_SECONDS"] == 31_536_000
    assert found["MFA_WEBAUTHN_ALLOW_INSECURE_ORIGIN"] is False


def test_a_header_of_a_proxy_counts_only_behind_one(monkeypatch: Patch, tmp_path: Path) -> None:
    assert settings_of(monkeypatch, tmp_path)["SECURE_PROXY_SSL_HEADER"] is None
    behind = settings_of(monkeypatch, tmp_path, TRUSTED_PROXIES="1")
    assert behind["SECURE_PROXY_SSL_HEADER"] == ("HTTP_X_FORWARDED_PROTO", "https")


def test_production_settings_pass_djangos_own_check(tmp_path: Path) -> None:
    check = ("manage.py", "check", "--deploy", "--fail-level", "WARNING")
    site = {"SITE_URL": "https://tessera.example", "EMAIL_HOST": "mail.tessera.example", "LEGAL_DIR": str(tmp_path)}
    for page in ("imprint", "privacy", "terms"):
        Path(tmp_path, f"{page}.txt").write_text("Ann Example, 1 Example Street, Exampleton")
    done = run(tmp_path, *check, **site, SINGLE_PROCESS="1")
    assert (done.returncode, done.stdout.splitlines()[-1:]) == (
        0,
        ["System check identified no issues (0 silenced)."],
    ), done.stderr


def test_a_key_that_is_too_short_does_not_pass_it(settings: Settings) -> None:
    settings.SECRET_KEY = "short"
    found = run_checks(tags=["security"], include_deployment_checks=True)
    assert "security.W009" in {warning.id for warning in found}


def test_a_missing_layer_is_refused_before_anything_is_served(tmp_path: Path) -> None:
    """Any other ASGI server can have several processes, which the in-memory layer does not reach."""
    done = run(tmp_path, "-c", "import config.asgi")
    assert done.returncode != 0
    assert ImproperlyConfigured.__name__ in done.stderr
    assert "tessera.E004" in done.stderr


def test_a_safe_layer_is_served_and_logs_can_be_json_and_what_is_not_asked_for_is_not_imported(
    tmp_path: Path,
) -> None:
    (tmp_path / "static").mkdir()
    say = """
import config.asgi, config.serve, config.urls, logging, sys
logging.getLogger("games").warning("said %s", 1)
print(*{"redis", "sentry_sdk"} & sys.modules.keys())
"""
    for variables in ({"SINGLE_PROCESS": "1"}, {"REDIS_URL": "redis://127.0.0.1:1/0"}):
        done = run(tmp_path, "-W", "error", "-c", say, LOG_FORMAT="json", **variables)
        assert done.returncode == 0, done.stderr
        assert "sentry_sdk" not in done.stdout
        assert "REDIS_URL" in variables or "redis" not in done.stdout
        (line,) = done.stderr.splitlines()
        told = json.loads(line)
        assert (told["level"], told["logger"], told["message"]) == ("WARNING", "games", "said 1")
        assert told["at"]


def test_only_runserver_loads_a_second_server(monkeypatch: Patch, tmp_path: Path) -> None:
    for command, loaded in (("runserver", True), ("worker", False)):
        monkeypatch.setattr("sys.argv", ["manage.py", command])
        assert ("daphne" in settings_of(monkeypatch, tmp_path)["INSTALLED_APPS"]) == loaded
