"""The board of a simple game: what a title's module `board` can leave out, as far as it depends on the game.

The rules already know who is to move, the score and the legal actions. None of these depends on anything hidden
(`games.engine.contract.testing` checks this), so they are read from a state imagined from the viewer's own view.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from django.template.loader import render_to_string
from django.utils.translation import gettext, gettext_lazy

from games.engine.fair import FairChance
from games.engine.protocol import AnyGame, RuleViolation
from games.titles import thumbnails
from games.titles.board import Board, Fact, Mark, Number, Scene, SoloResult
from games.titles.regions import Region, region, verbatim

_SEED: Final = bytes(32)


def one_region(template: str, context: Mapping[str, Any]) -> Mapping[str, Region]:
    """Return a board of one template, which is drawn now and changes as a whole."""
    html = render_to_string(template, dict(context), using="boards")
    return {"whole-board": region(verbatim, html=f'<div id="whole-board">{html}</div>')}


class DefaultBoard(Board):
    """What is shown of a game unless its module `board` defines something else; see `games.titles.board.Board`.

    Args:
        game: the rules.
        folder: of the title, for the names of its template and its rules.
        files: paths of the templates the title has, relative to its folder `templates`.
    """

    def __init__(self, game: AnyGame, folder: str, files: frozenset[str]) -> None:
        self._game = game
        self.TEMPLATE = f"{folder}/board.jinja"
        rules = f"{folder}/rules.html"
        if rules in files:
            self.RULES = ((rules, gettext_lazy("The rules")),)  # type: ignore[assignment]  # translated when it is shown

    def context(self, scene: Scene) -> Mapping[str, Any]:
        """Return the scene, its view, and the texts of the legal actions.

        A button submits one: `<button form="act" name="action" value="...">`.
        """
        legal: list[str] = []
        if scene.active and scene.viewer is not None:
            actions = self._game.legal_actions(self._state(scene), scene.viewer)
            legal = [self._game.notate(action) for action in actions]
        return {"scene": scene, "view": scene.view, "legal": legal}

    def thumbnail(self, view: Any) -> str:
        """Return who has how many points, as bars in the colours of the seats."""
        return thumbnails.score_bars(self._game.standing(self._game.imagine(view, FairChance(_SEED, 1))))

    def status(self, scene: Scene) -> str:
        state = self._state(scene)
        outcome = self._game.outcome(state)
        if outcome is not None:
            first = [name for name, place in zip(scene.names, outcome.places, strict=True) if place == 1]
            return gettext("The match is over. First: %(names)s.") % {"names": ", ".join(first) or "—"}
        if scene.active:
            return gettext("It is your turn.")
        names = ", ".join(scene.names[seat] for seat in sorted(self._game.to_move(state)))
        return gettext("To move: %(names)s.") % {"names": names}

    def facts(self, scene: Scene) -> Sequence[Sequence[Fact]]:
        return [(Fact("score", gettext("Points"), str(score)),) for score in self._game.standing(self._state(scene))]

    def decisive(self, scene: Scene) -> Sequence[Number]:
        """Return the points."""
        return (Number(gettext("Points"), tuple(map(str, self._game.standing(self._state(scene))))),)

    def compose(self, fields: Mapping[str, Sequence[str]]) -> str:
        """Refuse: a form without a button named `action` needs a `compose` of its own.

        Raises:
            RuleViolation: "choice", always.
        """
        raise RuleViolation("choice", gettext("Choose what to do."))

    def marks(self, text: str) -> Sequence[Mark]:
        """Return the button of the action."""
        return (Mark("action", (text,)),)

    def solo_result(self, scene: Scene) -> SoloResult | None:
        """Return the score of a match played alone, which is also its rank."""
        outcome = self._game.outcome(self._state(scene))
        if outcome is None or len(outcome.places) != 1:
            return None
        score = outcome.scores[0]
        text = gettext("won with %(score)s") if outcome.places[0] == 1 else gettext("lost with %(score)s")
        return SoloResult(score, text % {"score": score})

    def _state(self, scene: Scene) -> Any:
        return self._game.imagine(scene.view, FairChance(_SEED, 1))
