"""The archives of backups: how they are written, and read without trusting their content.

An archive is a tar compressed with gzip. Its first member describes it (`About`); then come the secret key, a copy of
the database, and the operator's texts for the legal pages. Nothing else is accepted.
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
"""Archives of the first format do not name the migrations of their database."""

MOST_MEMBERS: Final = 100
LARGEST: Final[Mapping[str, int]] = {ABOUT: 1_000_000, SECRET: 10_000, LEGAL: 1_000_000}
"""The largest sizes in bytes; for `LEGAL`, of each text."""

MOST_COMPRESSED: Final = 200
"""A database may have `SMALL` bytes plus this many times the size of its archive; real ones have ten times its size."""

SMALL: Final = 32_000_000
MOST_AT_ONCE: Final = 64 * 1024
"""How many bytes are read into memory at once. The headers of tar, such as a long name, are far smaller."""

UNREADABLE: Final = (OSError, EOFError, tarfile.TarError, zlib.error, ValueError, RecursionError, msgspec.MsgspecError)


class Refused(Exception):
    """Nothing was written or replaced; the message tells the operator why."""


class About(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The description of an archive, its first member.

    Args:
        format: one of `UNDERSTOOD`.
        made_at: in ISO format.
        database: "sqlite" or "postgresql".
        migrations: by app, the migrations applied to the database; empty in archives of the first format.
        members: the sizes in bytes of all other members, by name; empty in archives of the first format.
    """

    format: str
    made_at: str
    database: str
    migrations: dict[str, list[str]] = {}
    members: dict[str, int] = {}


def pack(archive: Path, about: About, folder: Path, texts: Sequence[Path]) -> None:
    """Write an archive from the files `SECRET` and `DATABASE` in a folder, and texts; only its owner can read it.

    Raises:
        Refused: `unpack` would not accept these texts.
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
    """An archive was not written by `pack`."""


def unpack(source: Path, folder: Path) -> About:
    """Copy the members of an archive into an empty folder, texts into `LEGAL` there; return its description.

    Whatever the archive contains, this writes only inside the folder, no more than the limits above allow and the disk
    has room for, and needs little memory.

    Raises:
        Refused: it is damaged, incomplete, or was not written by `pack`.
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
    """A file that refuses large reads: tar would read headers of any length into memory."""

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
    """Copy each member to its place and check that all are there, as the first one describes them."""
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
    """Refuse a member that is not a plain file with one of our names and a permitted size."""
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
    """Return the description of an archive.

    Raises:
        Refused: it has a format that is not understood.
    """
    content = path.read_bytes()
    read = msgspec.json.decode(content, type=dict[str, Any])  # other formats may have other fields
    if (named := read.get("format")) not in UNDERSTOOD:
        raise Refused(
            f"The archive has the format {str(named)[:100]}, and only {' and '.join(UNDERSTOOD)} are understood."
        )
    return msgspec.json.decode(content, type=About)


def _read_to_the_end(unzipped: gzip.GzipFile) -> None:
    """Read the rest of an archive, because gzip checks its checksum only at the end."""
    rest = unzipped.read(2 * tarfile.RECORDSIZE)
    if len(rest) >= 2 * tarfile.RECORDSIZE or rest.strip(b"\0"):
        raise Unsound("something follows its end")
