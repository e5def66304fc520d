"""What an app keeps about people, as its module `personal_data` says: for their export, and for the end of an account.

Every relation of a model to `User`, written "app.Model.field", must be in one of these modules; a test finds those that
are not. `games.privacy` reads from each module what it has of:

- `PARTS`: the parts of somebody's data.
- `NOT_EXPORTED`: relations that lead to nobody's own data, each with the reason.
- `KEPT`: relations whose rows outlive the account without its name, each with the reason. All others end with it.
- `leave(user)`: let somebody out of what goes on, as if they had asked for it. Each step commits by itself, and all of
  it may be done again.
- `forget(user)`: remove what does not end with the account by itself, inside the transaction that ends it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from accounts.models import User

Row: TypeAlias = Mapping[str, Any]
"""What one line of a part says, by name; names and codes are the same in every language."""


@dataclass(frozen=True, slots=True)
class Part:
    """A part of somebody's data: a JSON file, and a table on the readable page.

    Args:
        name: of the file.
        title: above the table.
        rows: the lines for one person: only what they may know themselves, and no secrets.
        of: the relations that it covers.
    """

    name: str
    title: Any
    rows: Callable[[User], Iterable[Row]]
    of: tuple[str, ...]
