"""Every game as a game of OpenSpiel (`tessera-games[openspiel]`): importing this module registers them.

Their names are `python_tessera_card_chess` and so on; parameters are `players`, `worlds` and the options of the game.
Chance is one node at the beginning, which chooses one of so many worlds: all that is shuffled or drawn follows from
that and from the number of the action, as it follows from a seed on the site. So a game is a tree, and its history
tells a state. An action is the number of a word (`Match.decide`). In sealed turns all players choose their words at the
same time, in simultaneous nodes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import Any, ClassVar, Final, NamedTuple

import numpy as np
import pyspiel

from games.engine import codec, runner
from games.engine.protocol import AnyGame, Options, Seat
from games.research.decisions import Match, language_of
from games.titles.registry import games

WORLDS: Final = 4096
"""Among how many worlds chance chooses, if nothing else is asked for."""
_LONGEST: Final = 100_000
"""More decisions than any match has."""


def name_of(slug: str) -> str:
    """Return the name of a game in OpenSpiel.

    >>> name_of("card-chess")
    'python_tessera_card_chess'
    """
    return f"python_tessera_{slug.replace('-', '_')}"


def _type_of(game: AnyGame) -> Any:
    begun = runner.begin(game, game.seats[-1], {}, bytes(32))
    sealed, dynamics = game.is_sealed(begun.state), pyspiel.GameType.Dynamics
    return pyspiel.GameType(
        short_name=name_of(game.slug),
        long_name=game.name,
        dynamics=dynamics.SIMULTANEOUS if sealed else dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.GENERAL_SUM if 1 in game.seats else pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=game.seats[-1],
        min_num_players=game.seats[0],
        provides_information_state_string=False,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        provides_factored_observation_string=False,
        parameter_specification={
            "players": 2,
            "worlds": WORLDS,
            **{option.name: option.default for option in game.options},
        },
    )


class Setting(NamedTuple):
    """What is played: a game, by how many, with which options, and in how many worlds."""

    slug: str
    seats: int
    options: Options
    worlds: int

    def begin(self, world: int) -> Match:
        """Return a match as it begins in one of the worlds."""
        return Match(self.slug, self.seats, self.options, sha256(b"world %d" % world).digest())


class TesseraGame(pyspiel.Game):  # type: ignore[misc]  # pyspiel ships no types
    """A game with its parameters.

    Each game is a class below this one, with its slug and what it is registered as.

    Args:
        params: as OpenSpiel gives them.
    """

    slug: ClassVar[str]
    game_type: ClassVar[Any]

    def __init__(self, params: Mapping[str, Any] | None = None) -> None:
        slug, game_type = self.slug, self.game_type
        chosen = {**game_type.parameter_specification, **(params or {})}
        seats, worlds = int(chosen["players"]), int(chosen["worlds"])
        options = {option.name: chosen[option.name] for option in games()[slug].options if option.exists_for(seats)}
        self.setting = Setting(slug, seats, options, worlds)
        info = pyspiel.GameInfo(
            num_distinct_actions=len(language_of(slug).words),
            max_chance_outcomes=worlds,
            num_players=seats,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=None if 1 in games()[slug].seats else 0.0,
            max_game_length=_LONGEST,
        )
        super().__init__(game_type, info, dict(params or {}))

    def new_initial_state(self) -> TesseraState:
        return TesseraState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Observer | None:
        """Return what tells a seat what it knows; None for perfect recall, and for parts of it."""
        whole = iig_obs_type is None or (
            iig_obs_type.public_info
            and not iig_obs_type.perfect_recall
            and iig_obs_type.private_info == pyspiel.PrivateInfoType.SINGLE_PLAYER
        )
        return Observer(self) if whole else None


class TesseraState(pyspiel.State):  # type: ignore[misc]  # pyspiel ships no types
    """A position of a match, or before it has begun; the game makes the first one."""

    def __init__(self, game: TesseraGame) -> None:
        super().__init__(game)
        self.match: Match | None = None
        self._setting = game.setting

    def current_player(self) -> int:
        if self.match is None:
            return int(pyspiel.PlayerId.CHANCE)
        if self.match.play.outcome is not None:
            return int(pyspiel.PlayerId.TERMINAL)
        return int(pyspiel.PlayerId.SIMULTANEOUS if self.match.is_sealed else self.match.deciding[0])

    def is_terminal(self) -> bool:
        return self.match is not None and self.match.play.outcome is not None

    def returns(self) -> list[float]:
        return [0.0] * self._setting.seats if self.match is None else [*self.match.returns]

    def chance_outcomes(self) -> list[tuple[int, float]]:
        return [(world, 1 / self._setting.worlds) for world in range(self._setting.worlds)]

    def _legal_actions(self, player: int) -> list[int]:
        return [] if self.match is None else [*self.match.choices(Seat(player))]

    def _apply_action(self, action: int) -> None:
        if self.match is None:
            self.match = self._setting.begin(action)
        else:
            self.match.decide(self.match.deciding[0], action)

    def _apply_actions(self, actions: Sequence[int]) -> None:
        if self.match is not None:
            for seat in self.match.deciding:
                self.match.decide(seat, actions[seat])

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            return f"world {action}"
        return language_of(self._setting.slug).words[action]

    def __str__(self) -> str:
        if self.match is None:
            return "not begun"
        said = {int(seat): self.match.said(seat) for seat in self.match.deciding}
        return f"{codec.encode(self.match.play.state)} {said}"


class Observer:
    """What a seat knows: as numbers (`Match.observed`), and as a text."""

    def __init__(self, game: TesseraGame) -> None:
        self.tensor = np.zeros(len(game.setting.begin(0).observed(Seat(0))), np.float32)
        self.dict = {"observation": self.tensor}

    def set_from(self, state: TesseraState, player: int) -> None:
        self.tensor.fill(0.0)
        if state.match is not None:
            self.tensor[:] = state.match.observed(Seat(player))

    def string_from(self, state: TesseraState, player: int) -> str:
        """Return the view in JSON, and the words that this seat has said of its action."""
        match, seat = state.match, Seat(player)
        if match is None:
            return "not begun"
        words = (match.language.words[number] for number in match.said(seat))
        return f"{codec.encode(match.language.game.view_for(match.play.state, seat))} {', '.join(words)}".rstrip()


def _register() -> None:
    for slug, game in games().items():
        game_type = _type_of(game)
        own = type(name_of(slug), (TesseraGame,), {"slug": slug, "game_type": game_type})
        pyspiel.register_game(game_type, own)


_register()
