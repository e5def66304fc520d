"""Files are checked by `manage.py verify_record` and, without a site, `tessera-verify`.

Records of matches are replayed and compared, and events are drawn again.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec

from games.engine.codec import decoder
from games.engine.record import LARGEST, UNPROVABLE, RecordError, checks_of, read, verify
from games.events.formats import proof
from games.titles.registry import games, rules_of

HELP = (
    "Check matches (tessera-record-1) and events (tessera-event-1); say what was checked, and what no file can prove."
)


@dataclass(frozen=True, slots=True)
class Verdict:
    """What came of some files.

    Args:
        told: in lines what was checked in those that are as recorded, and what no file can prove.
        problems: for each other file its name and the first difference, or why it cannot be checked.
    """

    told: Sequence[str]
    problems: Sequence[str]


def verdict_on(paths: Iterable[Path]) -> Verdict:
    """Replay the matches in these files."""
    told, problems, unprovable = list[str](), list[str](), list[str]()
    for path in paths:
        try:
            checks, beyond = _checked(path)
        except RecordError as error:
            problems.append(f"{path}: {error}")
            continue
        told += _listed(f"{path}: everything is as recorded", checks)
        unprovable += (line for line in beyond if line not in unprovable)
    if told:
        told += _listed("No file can prove", unprovable)
    return Verdict(told, problems)


def _listed(heading: str, lines: Iterable[str]) -> list[str]:
    return [heading, *(f"  - {line}" for line in lines)]


class _Kind(msgspec.Struct):
    format: str = ""


def _checked(path: Path) -> tuple[Sequence[str], Sequence[str]]:
    """Return what was checked in a file in which all is as recorded, and what no file like it can prove.

    Raises:
        RecordError: it did not, or the file cannot be read or checked.
    """
    try:
        with path.open("rb") as file:
            text = file.read(LARGEST + 1)
    except OSError as error:
        raise RecordError(f"cannot be read: {error.strerror}") from error
    if _is_event(text):
        return _checked_event(text), proof.UNPROVABLE
    record = read(text)
    if record.game not in games():
        raise RecordError(f"the game “{record.game}” is not known here")
    difference = verify(record, rules_of(record.game, record.rules_version))
    if difference is not None:
        raise RecordError(str(difference))
    return checks_of(record), UNPROVABLE


def _is_event(text: bytes) -> bool:
    try:
        return len(text) <= LARGEST and decoder(_Kind).decode(text).format == proof.FORMAT
    except (msgspec.MsgspecError, ValueError, RecursionError):
        return False


def _checked_event(text: bytes) -> Sequence[str]:
    try:
        return proof.check(proof.read(text))
    except ModuleNotFoundError as error:
        raise RecordError(f"to draw pairs again it takes {error.name}: pip install tessera-games[events]") from error


def add_arguments(parser: ArgumentParser) -> None:
    """Add what both commands take."""
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run `tessera-verify`.

    Args:
        arguments: of the command line; None for those of this process.

    Returns:
        0 if all files are as recorded, else 1.
    """
    parser = ArgumentParser("tessera-verify", description=HELP)
    add_arguments(parser)
    verdict = verdict_on(parser.parse_args(arguments).files)
    sys.stdout.writelines(f"{line}\n" for line in verdict.told)
    sys.stderr.writelines(f"{line}\n" for line in verdict.problems)
    return int(bool(verdict.problems))
