"""A match as single decisions: seats say their actions word by word, as `tensors` of a title tells them.

Words that are no choice say themselves, unless a turn is sealed: there all seats say as many words, so that they may
speak at the same time.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import copy
from functools import cache, lru_cache
from typing import Any, Final

from games.engine import runner
from games.engine.bots import utilities
from games.engine.protocol import AnyGame, Options, Seat
from games.titles.registry import games, title_of
from games.titles.tensors import Tensors

Said = tuple[int, ...]
"""Words by their numbers."""

_POSITIONS: Final = 256
"""For how many positions what can be said is remembered."""


class Language:
    """What can be said in a game.

    Args:
        slug: of the game.

    Raises:
        LookupError: there is no such game, or its title has no module `tensors`.
    """

    def __init__(self, slug: str) -> None:
        tensors = title_of(slug).tensors if slug in games() else None
        if tensors is None:
            raise LookupError(f"There is no game “{slug}” that is told in numbers.")
        self.game: AnyGame = games()[slug]
        self.tensors: Tensors = tensors
        self.words: Sequence[str] = tensors.WORDS
        self._numbers = {word: number for number, word in enumerate(self.words)}
        self.actions = lru_cache(_POSITIONS)(self._actions)
        self.following = lru_cache(_POSITIONS)(self._following)

    def said(self, action: Any) -> Said:
        """Return an action in the numbers of its words."""
        return tuple(self._numbers[word] for word in self.tensors.words(action))

    def _actions(self, state: Any, seat: Seat) -> Mapping[Said, Any]:
        """Return what a seat may do, by how it is said."""
        return {self.said(action): action for action in self.game.legal_actions(state, seat)}

    def _following(self, state: Any, seat: Seat, said: Said) -> Sequence[int]:
        """Return the words that may follow others, ascending; none after a whole action."""
        length = len(said)
        found = {each[length] for each in self.actions(state, seat) if len(each) > length and each[:length] == said}
        return tuple(sorted(found))


language_of = cache(Language)
"""Return what can be said in a game, by its slug; see `Language`."""


class Match:
    """A match that is played in decisions.

    Args:
        slug: of the game.
        seats: how many play.
        options: what was chosen; defaults are filled in.
        seed: of all chance, 32 bytes.

    Raises:
        LookupError: as for `Language`.
        OptionError: the game does not offer these options or this number of seats.
    """

    def __init__(self, slug: str, seats: int, options: Options, seed: bytes) -> None:
        self.language = language_of(slug)
        self.seats = seats
        self._seed = seed
        self._said: Mapping[Seat, Said] = {}
        self.play: runner.Play[Any] = runner.begin(self.language.game, seats, options, seed)

    def __deepcopy__(self, memo: dict[int, Any]) -> Match:
        """Return the same match, to go on in another way: what changes of it is replaced as a whole."""
        return copy(self)

    def __getstate__(self) -> dict[str, Any]:
        """Return what a pickle of the match holds: of its language the name of the game."""
        return {**vars(self), "language": self.language.game.slug}

    def __setstate__(self, kept: dict[str, Any]) -> None:
        vars(self).update(kept, language=language_of(kept["language"]))

    @property
    def is_sealed(self) -> bool:
        """Whether all who decide now do so in secret."""
        return self.language.game.is_sealed(self.play.state)

    @property
    def deciding(self) -> Sequence[Seat]:
        """Who says the next word: all who still act in a sealed turn, otherwise one seat; nobody when it is over."""
        to_move = sorted(self.play.to_move)
        return to_move if self.is_sealed else to_move[:1]

    def choices(self, seat: Seat) -> Sequence[int]:
        """Return the words a seat may say now by their numbers, ascending; none when it does not decide."""
        if seat not in self.deciding:
            return ()
        return self.language.following(self.play.state, seat, self.said(seat))

    def said(self, seat: Seat) -> Said:
        """Return what a seat has said of its action so far."""
        return self._said.get(seat, ())

    def decide(self, seat: Seat, word: int) -> None:
        """Say a word for a seat, and carry its action out when that is said.

        Raises:
            ValueError: the seat may not say this now.
        """
        if word not in self.choices(seat):
            raise ValueError(f"Seat {seat} may not say {word} now.")
        said = (*self.said(seat), word)
        while not self.is_sealed and len(only := self.language.following(self.play.state, seat, said)) == 1:
            said = (*said, *only)
        action = self.language.actions(self.play.state, seat).get(said)
        if action is None:
            self._said = {**self._said, seat: said}
            return
        self.play = runner.act(self.language.game, self.play.position, seat, action, self._seed)
        self._said = {other: words for other, words in self._said.items() if other != seat}

    def observed(self, seat: Seat) -> Sequence[float]:
        """Return what a seat knows, and for each word whether it has said it: numbers from 0 to 1."""
        view = self.language.game.view_for(self.play.state, seat)
        said = frozenset(self.said(seat))
        return [
            *self.language.tensors.observed(view),
            *(float(number in said) for number in range(len(self.language.words))),
        ]

    @property
    def returns(self) -> Sequence[float]:
        """What each seat has from the match: -1 for the last to 1 for the first, ties between; 0 while it runs.

        They add up to 0, but alone, where it is 1 or -1.
        """
        outcome = self.play.outcome
        return [0.0] * self.seats if outcome is None else [2 * each - 1 for each in utilities(outcome.places)]
