"""What Lighthouse says of the pages people see first, on a slow phone: aims 95 for performance and 100 for the rest.

Every page is loaded three times; the median counts. It needs node and npm, which install Lighthouse into
`build/lighthouse/`. `python -m tests.benchmarks.bench_lighthouse match` opens that page alone.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import median
from typing import Any

from tests.benchmarks import node
from tests.benchmarks.site import player, prepare, served
from tests.benchmarks.trees import ROOT
from tests.serving import CHROMIUM_FLAGS, chromium

HERE, BUILT = Path(__file__).parent / "lighthouse", ROOT / "build" / "lighthouse"
RUNS, ATTEMPTS = 3, 3
"""Now and then Chromium gives Lighthouse no trace of a page; then it is loaded again."""
MATCHES = 9
"""How many of each game the person with the full profile has finished."""
AIMS = {"performance": 95, "accessibility": 100, "best-practices": 100, "seo": 100}


def report(address: str, cookie: str, folder: Path) -> dict[str, Any]:
    """Return Lighthouse's report of a page, opened by whoever has this cookie."""
    out, headers = folder / "report.json", folder / "headers.json"
    headers.write_text(json.dumps({"Cookie": cookie} if cookie else {}))
    command = ["node", "node_modules/lighthouse/cli/index.js", address, "--quiet", "--output=json"]
    options = [
        f"--output-path={out}",
        f"--extra-headers={headers}",
        f"--only-categories={','.join(AIMS)}",
        f"--chrome-flags={' '.join(('--headless=new', *CHROMIUM_FLAGS))}",
    ]
    out.unlink(missing_ok=True)
    for _ in range(ATTEMPTS):
        subprocess.run(
            [*command, *options], check=False, cwd=BUILT, env=os.environ | {"CHROME_PATH": chromium(whole=True)}
        )
        found: dict[str, Any] = json.loads(out.read_text()) if out.exists() else {}
        if found and "runtimeError" not in found:
            break
    return found


def score(found: dict[str, Any], category: str) -> float:
    return 100 * float(found["categories"][category]["score"] or 0)


def faults(found: dict[str, Any]) -> Iterator[str]:
    """Yield what cost points, but for performance, whose parts are always weighed against each other."""
    for category in found["categories"].values():
        for part in category["auditRefs"]:
            told = found["audits"][part["id"]]
            if part["weight"] and told["score"] not in {None, 1} and category["id"] != "performance":
                yield f"{category['id']}: {told['title']}"


TIMED = {
    "first-contentful-paint": "first paint",
    "largest-contentful-paint": "largest paint",
    "speed-index": "speed index",
    "total-blocking-time": "blocked",
    "cumulative-layout-shift": "shift",
}
"""What the score of performance is made of."""


def times(reports: Sequence[dict[str, Any]]) -> str:
    """Return the medians of what performance is made of: milliseconds, and the shift of the layout."""
    medians = ((told, median(it["audits"][key]["numericValue"] for it in reports)) for key, told in TIMED.items())
    return ", ".join(f"{told} {value:.0f} ms" if value > 1 else f"{told} {value:.3g}" for told, value in medians)


def line(name: str, reports: Sequence[dict[str, Any]]) -> str:
    values = {category: median(score(found, category) for found in reports) for category in AIMS}
    told = "  ".join(f"{category} {value:.0f} (aim {AIMS[category]})" for category, value in values.items())
    wrong = sorted({fault for found in reports for fault in faults(found)})
    return "\n".join([f"{name:8} {told}", f"         {times(reports)}", *(f"         {fault}" for fault in wrong)])


def main(*wanted: str) -> None:
    try:
        node.install(HERE, BUILT)
    except node.Absent as reason:
        print(f"skipped: {reason}")
        return
    port = prepare()
    from games.titles import games
    from tests.browser.matches import begun
    from tests.people import person, play_out, running_match

    people = [person("Ann"), person("Bob")]
    person("Cleo")
    match = begun(people, 9).get_absolute_url()
    for game in games():
        for _ in range(MATCHES):
            play_out(running_match(people, game=game, rated=True))
    pages = {
        "start": "/",
        "lobby": "/lobby/",
        "match": match,
        "rules": "/rules/small-islands/",
        "profile": "/@Ann/",
        "newcomer": "/@Cleo/",
    }
    cookie = player("Ann").cookie
    with served(port), tempfile.TemporaryDirectory() as folder:
        for name, address in pages.items():
            if wanted and name not in wanted:
                continue
            who = cookie if name == "match" else ""
            url = f"http://127.0.0.1:{port}{address}"
            print(line(name, [report(url, who, Path(folder)) for _ in range(RUNS)]), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
