"""Firefox, driven through WebDriver BiDi: the protocol it speaks itself, without a driver beside it.

Playwright drives only a Firefox of its own making, and geckodriver is not among Debian's packages, so this speaks the
few commands that the tests need (https://w3c.github.io/webdriver-bidi/).
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any

from websockets.sync.client import ClientConnection, connect

from tests.serving import SEEN

PATIENCE = 60.0
"""Seconds that a page may take for what is waited for."""

KEYS = {"Enter": "\ue007", "Space": " ", "Tab": "\ue004", "Shift": "\ue008"}
KEYS |= {"ArrowLeft": "\ue012", "ArrowUp": "\ue013", "ArrowRight": "\ue014", "ArrowDown": "\ue015"}

QUIET = {
    "app.update.disabledForTesting": True,
    "browser.shell.checkDefaultBrowser": False,
    "browser.startup.page": 0,
    "datareporting.policy.dataSubmissionEnabled": False,
    "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
    "security.sandbox.warn_unprivileged_namespaces": False,
    "toolkit.telemetry.enabled": False,
    "ui.prefersReducedMotion": 1,
}
"""So that it visits nothing but our pages, and nothing moves from under the mouse."""


@dataclass
class Firefox:
    """A running Firefox, with the one page that can have the focus, and the errors it has had."""

    socket: ClientConnection
    complaints: list[str] = field(default_factory=list)
    numbers: Iterator[int] = field(default_factory=lambda: count(1))

    def ask(self, method: str, **params: Any) -> dict[str, Any]:
        """Send a command and return its result; note errors of pages that are told meanwhile."""
        number = next(self.numbers)
        self.socket.send(json.dumps({"id": number, "method": method, "params": params}))
        while True:
            told = json.loads(self.socket.recv(timeout=PATIENCE))
            if told.get("type") == "event" and told["params"].get("level") == "error":
                self.complaints.append(told["params"]["text"])
            elif told.get("id") == number:
                assert told["type"] == "success", told
                result: dict[str, Any] = told["result"]
                return result

    def window(self) -> Window:
        """Open its only page. The one with which it began never has the focus, nor has a window behind another."""
        return Window(self, self.ask("browsingContext.create", type="tab")["context"])


@dataclass
class Window:
    """A window with a page."""

    firefox: Firefox
    context: str

    def go(self, address: str) -> None:
        self.firefox.ask("browsingContext.navigate", context=self.context, url=address, wait="complete")

    def reload(self) -> None:
        self.firefox.ask("browsingContext.reload", context=self.context, wait="complete")

    def back(self) -> None:
        self.firefox.ask("browsingContext.traverseHistory", context=self.context, delta=-1)

    def read(self, script: str, *given: str) -> Any:
        """Return what a function of JavaScript returns, as JSON has it."""
        arguments = [{"type": "string", "value": each} for each in given]
        found = self.firefox.ask(
            "script.callFunction",
            functionDeclaration=f"(...given) => JSON.stringify(({script})(...given) ?? null)",
            target={"context": self.context},
            arguments=arguments,
            awaitPromise=False,
        )
        assert found["type"] == "success", found
        return json.loads(found["result"]["value"])

    def wait(self, script: str, *given: str) -> Any:
        """Return what a function returns as soon as that is true of the page; pages may come and go meanwhile."""
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            try:
                if found := self.read(script, *given):
                    return found
            except AssertionError:  # the page was left while it was asked
                pass
            time.sleep(0.1)
        raise AssertionError(f"{script} {given} did not become true of: {self.read('() => document.body.innerText')}")

    def find(self, selector: str, text: str = "") -> dict[str, Any]:
        """Return the first element that can be seen, with a text in it, once it is there, at rest, and not covered."""
        mark = f"found-{next(self.firefox.numbers)}"
        look = """(selector, text, mark) => {
            const found = [...document.querySelectorAll(selector)].find(
                (each) => each.getClientRects().length && each.textContent.includes(text));
            if (!found) return "";
            found.scrollIntoView({block: "center", behavior: "instant"});
            found.setAttribute("data-found", mark);
            const {x, y, width, height} = found.getBoundingClientRect();
            const top = document.elementFromPoint(x + width / 2, y + height / 2);
            return found.contains(top) ? [x, y, width, height].join() : "";
        }"""
        place = self.wait(look, selector, text, mark)
        while (now := self.wait(look, selector, text, mark)) != place:
            place = now
        css = {"type": "css", "value": f'[data-found="{mark}"]'}
        (node,) = self.firefox.ask("browsingContext.locateNodes", context=self.context, locator=css)["nodes"]
        return {"type": "element", "element": {"sharedId": node["sharedId"]}}

    def click(self, selector: str, text: str = "") -> None:
        move = {"type": "pointerMove", "origin": self.find(selector, text), "x": 0, "y": 0}
        pressed = [{"type": kind, "button": 0} for kind in ("pointerDown", "pointerUp")]
        mouse = {"type": "pointer", "id": "mouse", "parameters": {"pointerType": "mouse"}, "actions": [move, *pressed]}
        self.firefox.ask("input.performActions", context=self.context, actions=[mouse])

    def press(self, *keys: str, held: str = "") -> None:
        """Press keys one after the other while another is held: those of `KEYS`, or characters."""
        values = [KEYS.get(key, key) for key in keys]
        actions = [{"type": kind, "value": value} for value in values for kind in ("keyDown", "keyUp")]
        if held:
            down, up = ({"type": kind, "value": KEYS[held]} for kind in ("keyDown", "keyUp"))
            actions = [down, *actions, up]
        self.wait("() => document.hasFocus()")
        keyboard = {"type": "key", "id": "keyboard", "actions": actions}
        self.firefox.ask("input.performActions", context=self.context, actions=[keyboard])

    def write(self, selector: str, text: str) -> None:
        self.click(selector)
        self.press(*text)

    def focus(self, selector: str) -> None:
        """Go to an element with the Tab key, forwards or backwards, from wherever the focus is."""
        where = """(selector) => {
            const here = document.activeElement, wanted = document.querySelector(selector);
            if (here.matches(selector)) return "here";
            return here.compareDocumentPosition(wanted) & Node.DOCUMENT_POSITION_PRECEDING ? "before" : "after";
        }"""
        for _ in range(100):
            if (found := self.read(where, selector)) == "here":
                return
            self.press("Tab", held="Shift" if found == "before" else "")
        raise AssertionError(f"the Tab key does not lead to {selector}")


@contextmanager
def running(profile: Path) -> Iterator[Firefox]:
    """Run the system's Firefox (or FIREFOX) with an empty profile in a folder, without a screen.

    Its pages believe that their reader has seen everything, as those of the other browser tests do.
    """
    profile.mkdir(parents=True)
    lines = [f"user_pref({json.dumps(name)}, {json.dumps(value)});" for name, value in QUIET.items()]
    (profile / "user.js").write_text("\n".join(lines))
    program = os.environ.get("FIREFOX", "firefox-esr")
    command = [program, "--headless", "--no-remote", "--profile", str(profile), "--remote-debugging-port", "0"]
    with (profile / "output").open("wb") as output:
        process = subprocess.Popen(command, stdout=output, stderr=output, env={**os.environ, "HOME": str(profile)})
        try:
            with connect(f"{_address(profile / 'output', process)}/session", max_size=None) as socket:
                firefox = Firefox(socket)
                firefox.ask("session.new", capabilities={})
                firefox.ask("session.subscribe", events=["log.entryAdded"])
                firefox.ask("script.addPreloadScript", functionDeclaration=f"() => {{ {SEEN} }}")
                yield firefox
        finally:
            process.terminate()
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def _address(output: Path, process: subprocess.Popen[bytes]) -> str:
    """Return where Firefox listens, once it says so."""
    deadline = time.monotonic() + 2 * PATIENCE
    while time.monotonic() < deadline and process.poll() is None:
        if found := re.search(r"WebDriver BiDi listening on (ws://\S+)", output.read_text(errors="replace")):
            return found[1]
        time.sleep(0.1)
    raise AssertionError(f"Firefox does not listen: {output.read_text(errors='replace')}")
