"""`python -m config.wheel`: the games as a package for researchers, `tessera-games`, without Django.

It is made of `games/research/`, which becomes `tessera_games`, with the engine, the titles and the formats of events in
it, but for how titles are shown and taught. pip builds it in an environment of its own.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from config import VERSION

ROOT: Final = Path(__file__).parents[1]
BUILT: Final = ROOT / "build" / "wheel"
PACKAGE: Final = "tessera_games"

_CODE_AND_DATA: Final = {".py", ".json", ".jsonl"}
_SHOWN: Final = {"advice", "board", "lessons", "picture", "rules_page", "tasks", "teaching", "templatetags"}
"""What a title's folder holds for people alone; `static`, `templates` and `locale` hold no code or data."""
_SHOWN_BY_ALL: Final = {"art", "defaults", "phrases", "regions", "thumbnails"}
"""The same of `games/titles/` itself."""
_LEFT_OUT: Final = {"static", "templates", "locale"}
_NAMED: Final = re.compile(r"\bgames\.(?:(research)\b|(?=(?:engine|events|titles)\b))")
_ANY_DAY: Final = "1767225600"
"""When the files in a wheel were changed, whenever it is built: the same sources make the same wheel."""


def main() -> None:
    sources = BUILT / "sources"
    write_sources(sources)
    for wheel in BUILT.glob("*.whl"):
        wheel.unlink()
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", str(BUILT), str(sources)]
    subprocess.run(command, check=True, env=os.environ | {"SOURCE_DATE_EPOCH": _ANY_DAY})  # noqa: S603  # ours
    for wheel in BUILT.glob("*.whl"):
        sys.stdout.write(f"{wheel.relative_to(ROOT)}: {wheel.stat().st_size / 1e6:.2f} MB\n")


def write_sources(folder: Path) -> None:
    """Write everything that the package is built from into a folder, which is emptied before."""
    shutil.rmtree(folder, ignore_errors=True)
    for path in _files():
        within = path.relative_to(ROOT / "games")
        target = folder / PACKAGE / (within.relative_to("research") if within.parts[0] == "research" else within)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(renamed(path.read_text(encoding="utf-8")), encoding="utf-8")
    (folder / PACKAGE / "py.typed").touch()
    project = (ROOT / "games/research/pyproject.toml").read_text(encoding="utf-8")
    (folder / "pyproject.toml").write_text(project.replace('version = "0"', f'version = "{VERSION}"'), encoding="utf-8")
    for path in (ROOT / "LICENSE", ROOT / "games/research/README.md"):
        shutil.copyfile(path, folder / path.name)


def renamed(source: str) -> str:
    """Return a text in which modules are named as in the package.

    >>> renamed("from games.engine import runner; import games.research.pettingzoo; games.get(slug)")
    'from tessera_games.engine import runner; import tessera_games.pettingzoo; games.get(slug)'
    """
    return _NAMED.sub(lambda found: PACKAGE if found[1] else f"{PACKAGE}.", source)


def _files() -> Iterator[Path]:
    for part in ("engine", "events/formats", "research", "titles"):
        for path in sorted((ROOT / "games" / part).rglob("*")):
            if path.suffix in _CODE_AND_DATA and not _is_left_out(path.relative_to(ROOT / "games")):
                yield path


def _is_left_out(path: Path) -> bool:
    """Return whether a file below `games/` is only there to show a game."""
    if _LEFT_OUT & set(path.parts):
        return True
    part, *within = path.with_suffix("").parts
    if part != "titles":
        return False
    return within[0] in _SHOWN_BY_ALL if len(within) == 1 else within[1] in _SHOWN


if __name__ == "__main__":
    main()
