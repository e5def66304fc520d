"""A moment of a review, to be played again: the reader decides on the board, and a program answers for the others."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import Any, Final

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from games.engine import runner
from games.engine.bots import Level, Search, SoFar, choose
from games.engine.dice import Dice
from games.engine.insight import Plan
from games.engine.protocol import AnyGame, RuleViolation
from games.play.access import ViewedMatch
from games.play.boards.standalone import SEPARATOR, StandaloneBoard
from games.play.reducer.positions import AnyPlay, seed_of
from games.review.found import Moment, in_points, pictures_of
from games.review.jobs import judge_of
from games.titles import Scene
from games.titles.phrases import plan_text

_ANSWERING: Final = Level("answering", effort=0, slips=0, horizon=0)
"""The best that is known of a game, without a search: somebody is waiting."""
_MOST_ANSWERS: Final = 60
_MOST_ACTIONS, _LONGEST_ACTION = 12, 120


@dataclass(frozen=True)
class Exercise:
    """A moment as far as its reader has played it.

    Args:
        viewed: the match.
        moment: the moment.
        reached: the positions of the match.
        tried: what the reader did.
        refusal: why something was not done; otherwise empty.
    """

    viewed: ViewedMatch
    moment: Moment
    reached: Sequence[AnyPlay]
    tried: Sequence[AnyPlay]
    refusal: str = ""

    @property
    def start(self) -> AnyPlay:
        return self.reached[self.moment.begun]

    @property
    def is_over(self) -> bool:
        """Whether the decision has been made."""
        last = self.tried[-1] if self.tried else None
        return last is not None and (last.sealed or last.reveals or self.moment.seat not in last.to_move)

    @property
    def line(self) -> str:
        """What was done so far, as the form and addresses carry it."""
        return SEPARATOR.join(play.text for play in self.tried)

    @property
    def back(self) -> str:
        """The same without the last action."""
        return SEPARATOR.join(play.text for play in self.tried[:-1])

    @property
    def words(self) -> str:
        """What was done so far, in sentences; empty for nothing."""
        return self._in_words(self._plan) if self.tried else ""

    @cached_property
    def answers(self) -> Sequence[AnyPlay]:
        """What the others do until the reader is to move again."""
        found, insight, last = list[AnyPlay](), self.viewed.match.title.insight, self.tried[-1]
        while last.to_move and self.moment.seat not in last.to_move and len(found) < _MOST_ANSWERS:
            seat = min(last.to_move)
            view = self._game.view_for(last.state, seat)
            search = Search(self._game, insight, view, seat, Dice(last.number))
            action = choose(_ANSWERING, search, SoFar(view, (), b""), 0)
            last = runner.act(self._game, last.position, seat, action, self._seed)
            found.append(last)
        return found

    @property
    def answered(self) -> Sequence[str]:
        """The same in sentences."""
        return self._apart.lines(chain.from_iterable(play.events for play in self.answers))

    @cached_property
    def compared(self) -> Sequence[tuple[str, int, Sequence[SafeString], str]]:
        """For the try, what was played and what was better: its name, the chance in per cent, pictures, words."""
        moment, title, view = self.moment, self.viewed.match.title, self._view
        named = ((_("Your try"), self._plan), (_("Played"), moment.played.plan), (_("Better"), moment.better.plan))
        judge = judge_of(self.viewed.match, self.viewed.seats, self.reached)
        worths = judge.worths(self.start, moment.seat, [plan for _name, plan in named])
        return [
            (name, in_points(worth), pictures_of(title, view, plan), self._in_words(plan))
            for (name, plan), worth in zip(named, worths, strict=True)
        ]

    @property
    def _plan(self) -> Plan:
        return tuple(self._game.parse(play.text) for play in self.tried)

    def _in_words(self, plan: Plan) -> str:
        seat = self.moment.seat
        return plan_text(self.viewed.match.title, self._view, seat, plan, self.viewed.names, seat)

    @property
    def _view(self) -> Any:
        return self._game.view_for(self.start.state, self.moment.seat)

    # --- board ----------------------------------------------------------------------------------------------------

    @cached_property
    def scene(self) -> Scene:
        if self.is_over:
            last = [*self.tried, *self.answers][-1]
            since = tuple(chain.from_iterable(play.events for play in self.answers))
            return self._apart.scene(last.state, (), since, active=False, ended=last.outcome is not None)
        last = self.tried[-1] if self.tried else self.start
        return self._apart.scene(last.state, last.events, active=True, ended=False)

    @property
    def board(self) -> str:
        return self._apart.html(self.scene)

    @property
    def task(self) -> str:
        """What the board asks its player to do."""
        return self.viewed.match.title.board.status(self.scene)

    @property
    def _apart(self) -> StandaloneBoard:
        return StandaloneBoard(self.viewed.match.title, self.moment.seat, self.viewed.names)

    @property
    def _game(self) -> AnyGame:
        return self.viewed.match.rules

    @property
    def _seed(self) -> bytes:
        return seed_of(self.viewed.match, self.viewed.seats)


def exercise_of(viewed: ViewedMatch, moment: Moment, reached: Sequence[AnyPlay], texts: Sequence[str]) -> Exercise:
    """Return an exercise in which these actions have been tried; those after the decision are left out.

    Raises:
        RuleViolation: one is not legal, or there are too many.
    """
    if len(texts) > _MOST_ACTIONS or any(len(text) > _LONGEST_ACTION for text in texts):
        raise RuleViolation("notation", _("That is more than one turn."))
    found = Exercise(viewed, moment, reached, ())
    game, seed, at = viewed.match.rules, seed_of(viewed.match, viewed.seats), found.start
    for text in texts:
        if found.is_over:
            break
        at = runner.play(game, at.position, moment.seat, text, seed)
        found = Exercise(viewed, moment, reached, (*found.tried, at))
    return found
