"""The archives of backups: written once, and read without trusting their contents.

An archive is a tar compressed by gzip. It begins with what it says of itself, then come the secret key, a copy of the
database, and what the operator says on the pages about privacy, terms and themselves. Nothing else belongs there.
"""

from __future__ import annotations

import gzip
import shutil
import tarfile
import zlib
from collections.abc import Mapping, Sequence
from io import BytesIO
from pathlib import Path, PurePosixPath
from typing import IO, Any, Final, cast

import msgspec

ABOUT, DATABASE, SECRET, LEGAL = "about.json", "database", "secret-key", "legal"  # names of files, and of a folder
FORMAT: Final = "tessera-backup-2"
UNDERSTOOD: Final = ("tessera-backup-1", FORMAT)
"""Archives of the first format do not say which migrations their database has had."""

MOST_MEMBERS: Final = 100
LARGEST: Final[Mapping[str, int]] = {ABOUT: 1_000_000, SECRET: 10_000, LEGAL: 1_000_000}
"""In bytes; each of the texts in `LEGAL`."""

MOST_COMPRESSED: Final = 200
"""How many times larger than its archive a database can be, beside the first `SMALL` bytes. A real one is ten times."""

SMALL: Final = 32_000_000
MOST_AT_ONCE: Final = 64 * 1024
"""Bytes that are held in memory. What tar says of a member besides, such as a long name, is far smaller."""

UNREADABLE: Final = (OSError, EOFError, tarfile.TarError, zlib.error, ValueError, RecursionError, msgspec.MsgspecError)


class Refused(Exception):
    """Nothing was written or replaced; the text is for the operator."""


class About(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What an archive says of itself.

    Args:
        format: one of `UNDERSTOOD`.
        made_at: when, in ISO format.
        database: "sqlite" or "postgresql".
        migrations: by app, the migrations that its database has had; empty in archives of the first format.
        members: the names and sizes in bytes of all other members; empty in archives of the first format.
    """

    format: str
    made_at: str
    database: str
    migrations: dict[str, list[str]] = {}
    members: dict[str, int] = {}


def pack(archive: Path, about: About, folder: Path, texts: Sequence[Path]) -> None:
    """Write an archive, which only its owner can read, from the files `SECRET` and `DATABASE` in a folder, and texts.

    Raises:
        Refused: `unpack` would not take these texts.
    """
    members = {SECRET: folder / SECRET, DATABASE: folder / DATABASE}
    members |= {f"{LEGAL}/{path.name}": path.resolve() for path in texts}
    if len(members) >= MOST_MEMBERS:
        raise Refused(f"There are more than {MOST_MEMBERS - 3} texts in LEGAL_DIR.")
    for path in texts:
        if path.stat().st_size > LARGEST[LEGAL]:
            raise Refused(f"{path} is larger than {LARGEST[LEGAL]:,} bytes.")
    about = msgspec.structs.replace(about, members={name: path.stat().st_size for name, path in members.items()})
    (folder / ABOUT).write_bytes(msgspec.json.encode(about))
    archive.touch(mode=0o600)
    with tarfile.open(archive, mode="w:gz", compresslevel=6) as tar:
        for name, path in {ABOUT: folder / ABOUT, **members}.items():
            tar.add(path, name, recursive=False)


class Unsound(ValueError):
    """What an archive holds is not what we write."""


def unpack(source: Path, folder: Path) -> About:
    """Copy the members of an archive into an empty folder, texts into `LEGAL` there; return what it says of itself.

    However an archive was made, this writes nothing outside the folder, no more than such an archive can hold and the
    disk has room for, and holds little in memory.

    Raises:
        Refused: it is damaged, cut short, or no archive of ours.
    """
    (folder / LEGAL).mkdir()
    try:
        with gzip.open(source) as unzipped:
            with tarfile.open(fileobj=_Little(unzipped), mode="r:") as tar:
                about = _take_all(tar, folder, source.stat().st_size)
            _read_to_the_end(unzipped)
    except UNREADABLE as error:
        raise Refused(f"{source} is not a whole backup: {str(error).partition(chr(10))[0]}.") from error
    return about


class _Little(BytesIO):
    """A file that refuses large reads: tar reads whatever length an archive names into memory."""

    def __init__(self, file: gzip.GzipFile) -> None:
        super().__init__()
        self._file = file

    def read(self, size: int | None = -1) -> bytes:
        if size is None or not 0 <= size <= MOST_AT_ONCE:
            raise Unsound("what it says of a member is too long")
        return self._file.read(size)

    def seek(self, offset: int, whence: int = 0) -> int:
        return self._file.seek(offset, whence)

    def tell(self) -> int:
        return self._file.tell()


def _take_all(tar: tarfile.TarFile, folder: Path, archive_size: int) -> About:
    """Copy each member to its place. The first says what the others must be."""
    sizes: dict[str, int] = {}
    about: About | None = None
    for number, member in enumerate(tar, start=1):
        if number > MOST_MEMBERS:
            raise Unsound(f"it has more than {MOST_MEMBERS} members")
        if about is None and member.name != ABOUT:
            raise Unsound(f"it does not begin with {ABOUT}")
        _check_member(member, sizes, MOST_COMPRESSED * archive_size + SMALL)
        if member.size > shutil.disk_usage(folder).free:
            raise Refused(f"There is no room in {folder.parent} for the {member.size / 1e6:,.0f} MB of {member.name}.")
        with cast("IO[bytes]", tar.extractfile(member)) as inside, (folder / member.name).open("xb") as file:
            shutil.copyfileobj(inside, file, MOST_AT_ONCE)
        if about is None:
            about = _about(folder / ABOUT)
        else:
            sizes[member.name] = member.size
    if about is None or not {SECRET, DATABASE} <= sizes.keys() or sizes != (about.members or sizes):
        wanted = {ABOUT, SECRET, DATABASE} if about is None else {SECRET, DATABASE, *about.members}
        raise Unsound(f"{', '.join(sorted(wanted - sizes.keys())) or 'a member'} is missing or of another size")
    return about


def _check_member(member: tarfile.TarInfo, known: Mapping[str, int], most_database: int) -> None:
    """Refuse what is no plain file of ours, of a size it can have."""
    path = PurePosixPath(member.name)
    kind = LEGAL if path.suffix == ".txt" and path.parts == (LEGAL, path.name) else member.name
    most = {**LARGEST, DATABASE: most_database}.get(kind)
    if most is None or str(path) != member.name or member.name in known:
        raise Unsound(f"{ascii(member.name)[:100]} does not belong there")
    if member.type not in {tarfile.REGTYPE, tarfile.AREGTYPE} or member.issparse():
        raise Unsound(f"{member.name} is not a plain file")
    if not 0 <= member.size <= most:
        raise Unsound(f"{member.name} is too large, with {member.size:,} bytes")


def _about(path: Path) -> About:
    """Return what an archive says of itself.

    Raises:
        Refused: it is of another format.
    """
    content = path.read_bytes()
    read = msgspec.json.decode(content, type=dict[str, Any])  # another format may say other things
    if (named := read.get("format")) not in UNDERSTOOD:
        raise Refused(
            f"The archive has the format {str(named)[:100]}, and only {' and '.join(UNDERSTOOD)} are understood."
        )
    return msgspec.json.decode(content, type=About)


def _read_to_the_end(unzipped: gzip.GzipFile) -> None:
    """Read the rest of an archive, as its checksum is at the end and compared only there."""
    rest = unzipped.read(2 * tarfile.RECORDSIZE)
    if len(rest) >= 2 * tarfile.RECORDSIZE or rest.strip(b"\0"):
        raise Unsound("something follows its end")
