"""The files of config/deploy agree with each other and name only what exists."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml
from django.core.management import get_commands

from config.ops import probe, stack
from config.ops.stack import DEPLOY, ROOT, free_port

WEB, WORKER, BOTS = "python -m config.serve", "python manage.py worker", "python manage.py bots"
UNITS = sorted((DEPLOY / "systemd").iterdir())
TEMPLATES = sorted(DEPLOY.glob("*.template"))

# The keys of the Compose specification in use; a misspelt one would be refused or, worse, ignored.
TOP_LEVEL = {"name", "services", "volumes", "x-tessera"}
OF_A_SERVICE = {
    "build",
    "command",
    "depends_on",
    "deploy",
    "env_file",
    "environment",
    "healthcheck",
    "image",
    "init",
    "logging",
    "mem_limit",
    "ports",
    "restart",
    "stop_grace_period",
    "sysctls",
    "volumes",
}
OF_A_HEALTHCHECK = {"disable", "interval", "retries", "test", "timeout"}
CONDITIONS = {"service_completed_successfully", "service_healthy"}


@pytest.fixture(scope="module")
def compose() -> dict[str, Any]:
    found = yaml.safe_load((DEPLOY / "compose.yaml").read_text())
    assert isinstance(found, dict)
    return found


def example() -> dict[str, str]:
    """Return the variables of environment.example."""
    words = shlex.split((DEPLOY / "environment.example").read_text(), comments=True)
    return dict(word.split("=", 1) for word in words)


def is_documented(name: str) -> bool:
    return any(f"`{name}`" in (ROOT / "docs" / page).read_text() for page in ("operation.md", "scale-out.md"))


def named(text: str) -> set[str]:
    """Return the variables a file asks for."""
    return set(re.findall(r"\$\{([A-Z_]+)", text))


# --- the environment --------------------------------------------------------------------------------------------------


def test_every_variable_of_the_example_is_explained() -> None:
    assert [name for name in example() if not is_documented(name)] == []


@pytest.mark.parametrize("path", [*TEMPLATES, DEPLOY / "compose.yaml"], ids=lambda path: path.name)
def test_a_file_asks_for_nothing_the_example_does_not_have(path: Path) -> None:
    of_make_stack = {"STACK_DIR", "NGINX_USER"}
    assert named(path.read_text()) - of_make_stack <= set(example())


def test_the_example_has_what_the_units_of_systemd_need() -> None:
    told = {name for path in UNITS for name in re.findall(r"\b[A-Z]+(?:_[A-Z]+)+\b", path.read_text())}
    assert "OPERATOR_EMAIL" in told & set(example())


def test_no_file_holds_a_secret_or_names_a_registry() -> None:
    assert {name for name, value in example().items() if value == ""} >= {"SECRET_KEY", "DATABASE_PASSWORD"}
    images = re.findall(r"(?m)^(?:FROM|\s+image:) (\S+)", (DEPLOY / "compose.yaml").read_text() + _dockerfile())
    assert {image.split(":")[0] for image in images} == {"nginx", "postgres", "python", "redis", "tessera"}


def _dockerfile() -> str:
    return (DEPLOY / "Dockerfile").read_text()


def test_every_variable_of_the_nightly_run_is_listed() -> None:
    tests = (path.read_text() for path in (ROOT / "tests").rglob("*.py"))
    asked = {name for text in tests for name in re.findall(r'"(TESSERA_[A-Z_]+)", "?[0-9]', text)}
    listed = set(re.findall(r"(TESSERA_[A-Z_]+)=", (ROOT / "CONTRIBUTING.md").read_text()))
    assert asked == listed


# --- systemd ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "command"),
    [("tessera-web@.service", WEB), ("tessera-worker@.service", WORKER), ("tessera-bots@.service", BOTS)],
)
def test_make_stack_runs_the_command_of_the_unit(name: str, command: str) -> None:
    found, variables = stack.unit(name, "8001")
    assert found == [sys.executable, *command.split()[1:]]
    assert variables["SINGLE_PROCESS"] == "0"
    assert variables.get("PORT", "8001") == "8001"


@pytest.mark.parametrize("path", [path for path in UNITS if path.suffix == ".service"], ids=lambda path: path.name)
def test_a_service_can_do_little_to_its_machine(path: Path) -> None:
    lines = set(path.read_text().splitlines())
    wanted = {"User=tessera", "NoNewPrivileges=true", "ProtectSystem=strict", "ProtectHome=true", "PrivateTmp=true"}
    assert wanted <= lines


def test_systemd_understands_the_units(tmp_path: Path) -> None:
    """If systemd is installed; programs of a real site are replaced by one that exists."""
    for path in UNITS:
        text = re.sub(r"/opt/tessera/\S+", "/bin/true", path.read_text())
        (tmp_path / path.name.replace("@.", "@1.")).write_text(text)
    verify = shutil.which("systemd-analyze")
    if verify is not None:
        units = sorted(map(str, tmp_path.glob("tessera*")))
        done = subprocess.run([verify, "verify", "--man=no", *units], capture_output=True, text=True, check=False)
        assert [line for line in done.stderr.splitlines() if "tessera" in line] == []
    assert {path.suffix for path in UNITS} == {".service", ".target", ".timer"}


@pytest.mark.parametrize(
    ("name", "command", "writes"),
    [("backup", "backup /var/backups/tessera", "/var/backups/tessera"), ("tidy", "clearsessions", "")],
)
def test_every_night_a_timer_runs_a_command_that_exists(name: str, command: str, writes: str) -> None:
    service, timer = ((DEPLOY / "systemd" / f"tessera-{name}.{kind}").read_text() for kind in ("service", "timer"))
    assert f"ExecStart=/opt/tessera/.venv/bin/python manage.py {command}\n" in service
    assert command.split(maxsplit=1)[0] in get_commands()
    assert writes in service.partition("ReadWritePaths=")[2]
    assert re.search(r"(?m)^OnCalendar=(\*-\*-\* [0-2]\d:\d\d|daily)$", timer)
    assert {"Persistent=true", "WantedBy=timers.target"} <= set(timer.splitlines())
    (enabled,) = re.findall(r"systemctl enable --now tessera\.target .*", (ROOT / "docs" / "scale-out.md").read_text())
    assert f"tessera-{name}.timer" in enabled.split()


# --- compose ----------------------------------------------------------------------------------------------------------


def test_compose_uses_only_keys_of_its_specification(compose: dict[str, Any]) -> None:
    assert set(compose) == TOP_LEVEL
    for service in compose["services"].values():
        assert set(service) <= OF_A_SERVICE
        assert set(service.get("healthcheck", {})) <= OF_A_HEALTHCHECK
        for other, wanted in service.get("depends_on", {}).items():
            assert wanted["condition"] in CONDITIONS
            assert other in compose["services"]
        for volume in service.get("volumes", []):
            source = volume.split(":")[0]
            assert source.startswith(".") or source in compose["volumes"]


def test_compose_runs_what_a_real_site_needs(compose: dict[str, Any]) -> None:
    services = compose["services"]
    assert set(services) == {"bots", "database", "nginx", "redis", "setup", "web", "worker"}
    assert [services[name]["deploy"]["replicas"] for name in ("web", "worker")] == [2, 2]
    assert (services["worker"]["command"], services["bots"]["command"]) == (WORKER, BOTS)
    assert {name for name, service in services.items() if "ports" in service} == {"nginx"}


def test_no_container_takes_all_memory_or_fills_the_disk_with_its_log(compose: dict[str, Any]) -> None:
    for name, service in compose["services"].items():
        assert re.fullmatch(r"\d+[mg]", service["mem_limit"]), name
        assert service["logging"] == {"driver": "local", "options": {"max-size": "20m", "max-file": "5"}}, name


def test_postgresql_is_ready_when_it_listens_to_others_and_not_while_it_is_being_set_up(
    compose: dict[str, Any],
) -> None:
    """Its image runs a server for its own scripts first, which listens to a socket of Unix alone."""
    assert compose["services"]["database"]["healthcheck"]["test"] == "pg_isready -h 127.0.0.1 --username tessera"


def test_the_guide_installs_everything_its_commands_need() -> None:
    guide = (ROOT / "docs" / "scale-out.md").read_text()
    (line,) = re.findall(r"(?m)^    apt-get install (.+?) &&", guide)
    assert {"git", "make", "python3-venv", "postgresql", "redis-server", "nginx", "certbot", "gettext-base"} <= set(
        line.split()
    )


def test_the_image_serves_and_looks_after_its_health() -> None:
    assert f"CMD {str(WEB.split()).replace(chr(39), chr(34))}" in _dockerfile()
    assert f'CMD ["python", "-m", "{probe.__name__}"]' in _dockerfile()
    assert "SINGLE_PROCESS=0" in _dockerfile()


# --- nginx ------------------------------------------------------------------------------------------------------------


def test_nginx_leaves_idle_sockets_open_far_longer_than_its_minute() -> None:
    sockets = (DEPLOY / "site.conf.template").read_text().split("location /ws/ {")[1].split("}")[0]
    assert "proxy_read_timeout 1h;" in sockets


def test_filling_in_leaves_the_variables_of_nginx_alone(tmp_path: Path) -> None:
    stack.fill("site.conf.template", tmp_path / "site.conf", example())
    filled = (tmp_path / "site.conf").read_text()
    assert named(filled) == set()
    assert "listen 80;" in filled
    assert "proxy_set_header Host $http_host;" in filled
    if envsubst := shutil.which("envsubst"):
        names = " ".join(f"${{{name}}}" for name in example())
        template = (DEPLOY / "site.conf.template").read_bytes()
        done = subprocess.run([envsubst, names], input=template, env=example(), capture_output=True, check=True)
        assert done.stdout.decode() == filled


@pytest.mark.parametrize("more", [(), ("tls",), ("tls", "ipv6")], ids=["http", "https", "IPv6"])
def test_nginx_understands_each_step_of_the_guide(tmp_path: Path, more: tuple[str, ...]) -> None:
    """If nginx is installed: before there is a certificate, with it, and with IPv6."""
    nginx, openssl = shutil.which("nginx"), shutil.which("openssl")
    if nginx is None or openssl is None or ("ipv6" in more and not Path("/proc/net/if_inet6").exists()):
        pytest.skip("nginx, openssl or IPv6 is missing")
    key, certificate, included = tmp_path / "key.pem", tmp_path / "certificate.pem", tmp_path / "more"
    request = [openssl, "req", "-x509", "-nodes", "-newkey", "rsa:2048", "-subj", "/CN=tessera.example", "-days", "1"]
    subprocess.run([*request, "-keyout", key, "-out", certificate], check=True, capture_output=True)
    included.mkdir()
    told = {"NGINX_LISTEN": str(free_port()), "NGINX_LISTEN_TLS": str(free_port()), "DATA_DIR": str(tmp_path)}
    told |= {"TLS_KEY": str(key), "TLS_CERTIFICATE": str(certificate), "NGINX_INCLUDE": f"{included}/*.conf"}
    told |= {"STACK_DIR": str(tmp_path), "NGINX_USER": "", "NGINX_LOG": "stderr"}
    for name in more:
        stack.fill(f"{name}.conf.template", included / f"{name}.conf", {**example(), **told})
    for name in ("site", "stack"):
        stack.fill(f"{name}.conf.template", tmp_path / f"{name}.conf", {**example(), **told})
    done = subprocess.run([nginx, "-t", "-c", tmp_path / "stack.conf"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_the_guide_gets_the_certificate_before_nginx_needs_it() -> None:
    guide = (ROOT / "docs" / "scale-out.md").read_text()
    steps = ["site.conf.template >", "certbot certonly", "tls.conf.template >", "ipv6.conf.template >", "nginx -t &&"]
    found = [guide.index(step, guide.index("## First start")) for step in steps[:-1]]
    assert found == sorted(found)
    assert guide.index(steps[-1], found[-1])
