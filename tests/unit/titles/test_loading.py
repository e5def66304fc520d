"""A title is checked when it is loaded, and what a board leaves out is filled in."""

from __future__ import annotations

import importlib
import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from django.template import engines

from games.engine.contract.playouts import Chooser, random_match
from games.engine.contract.testing import MATCH_CHECKS
from games.engine.protocol import RuleViolation, Seat
from games.titles import Scene, Title, TitleError
from games.titles.registry import load as load_title
from tests.unit.config.environment import ROOT
from tests.unit.engine.toys import Heap

RULES = "from tests.unit.engine.toys import Nim\nGAME = Nim()\n"
Load = Callable[..., Title]


@pytest.fixture
def load(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Load]:
    """Load a title that consists of these files, and always of a template."""
    monkeypatch.syspath_prepend(str(tmp_path))

    def write_and_load(
        rules: str = RULES, template: str = "board.jinja", rules_template: str = "", **files: str
    ) -> Title:
        templates = tmp_path / "toytitle" / "templates" / "toytitle"
        templates.mkdir(parents=True)
        for name in filter(None, (template, rules_template)):
            (templates / name).touch()
        (tmp_path / "toytitle" / "__init__.py").write_text(rules)
        for name, text in files.items():
            (tmp_path / "toytitle" / f"{name}.py").write_text(text)
        importlib.invalidate_caches()
        title = load_title("toytitle")
        title.check()
        return title

    yield write_and_load
    for name in [name for name in sys.modules if name.split(".")[0] == "toytitle"]:
        del sys.modules[name]


def scene(left: int = 5, turn: int = 0, seats: int = 2, viewer: int | None = 0, active: bool = False) -> Scene:
    seat = None if viewer is None else Seat(viewer)
    return Scene(Heap(left, turn, seats), seat, ("ann", "bob")[:seats], active=active)


# --- defaults -------------------------------------------------------------------------------------------------------


def test_rules_and_one_template_make_a_title(load: Load) -> None:
    board = load().board
    assert (board.TEMPLATE, board.RULES, board.SPRITE) == ("toytitle/board.jinja", (), "")
    assert (board.STYLES, board.SCRIPTS, board.SHORTCUTS, board.COUNTED, board.OPEN) == ((), (), (), (), False)
    assert board.context(scene(left=2, active=True))["legal"] == ["take 1", "take 2"]
    assert board.context(scene(left=2))["legal"] == []
    assert [[fact.value for fact in facts] for facts in board.facts(scene(left=0))] == [["1"], ["0"]]
    assert board.counts(scene(left=0)) == ()
    assert board.rules_section(scene()) == ""


def test_one_template_of_rules_is_their_only_section(load: Load) -> None:
    assert load(rules_template="rules.html").board.RULES == (("toytitle/rules.html", "The rules"),)


def test_a_title_without_pictures_has_no_folder_of_them(load: Load) -> None:
    assert load().art == ""


def test_the_usual_status_says_whose_turn_it_is_and_how_it_ended(load: Load) -> None:
    board = load().board
    assert board.status(scene(active=True)) == "It is your turn."
    assert board.status(scene(turn=1)) == "To move: bob."
    assert board.status(scene(left=0, turn=1)) == "The match is over. First: bob."


def test_the_usual_result_alone_is_the_score(load: Load) -> None:
    board = load().board
    result = board.solo_result(scene(left=0, seats=1))
    assert result is not None
    assert (result.rank, result.text) == (1, "won with 1")
    assert board.solo_result(scene(seats=1)) is None
    assert board.solo_result(scene(left=0)) is None


def test_a_form_without_a_named_action_needs_a_compose(load: Load) -> None:
    with pytest.raises(RuleViolation) as caught:
        load().board.compose({})
    assert caught.value.code == "choice"


def test_a_board_says_only_what_is_special(load: Load) -> None:
    board = load(board="def status(scene):\n    return 'ours'\nSHORTCUTS = (('1', 'one'),)\n").board
    assert board.status(scene()) == "ours"
    assert board.SHORTCUTS == (("1", "one"),)
    assert board.line(None, (), None) == ""  # type: ignore[arg-type]  # the default looks at nothing


# --- the guide ------------------------------------------------------------------------------------------------------


def test_the_whole_game_of_the_guide_takes_50_lines_and_keeps_the_contract(load: Load) -> None:
    guide = (ROOT / "docs" / "add-a-game.md").read_text()
    rules, board = (re.findall(rf"```{kind}\n(.*?)```", guide, re.DOTALL)[0] for kind in ("python", "jinja"))
    assert len((rules + board).splitlines()) <= 50
    title = load(rules=rules)
    for number in range(20):
        chooser = Chooser(bytes([number]) * 32)
        match = random_match(title.game, 2, {}, bytes(32), chooser)
        for check in MATCH_CHECKS:
            check(title.game, match)
        for play in match.plays:
            shown = Scene(
                title.game.view_for(play.state, Seat(0)), Seat(0), ("ann", "bob"), active=play.outcome is None
            )
            html = engines["boards"].env.from_string(board).render(title.board.context(shown))  # type: ignore[attr-defined]
            buttons = re.findall(r'value="(\d)">\s*(\w)', html)
            assert [text for text, _ in buttons] == list(title.game.legal_actions(play.state, Seat(0)))
            assert html.count("<button") == 9


# --- mistakes -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("files", "said"),
    [
        ({"rules": ""}, r"^toytitle has no GAME"),
        ({"rules": "GAME = object()"}, r"^toytitle: the game lacks slug, name, .*, start, .*, notate "),
        ({"board": "compose = 'text'"}, r"^toytitle.board: compose must be a function, not 'text'"),
        ({"board": "def counts(): ..."}, r"^toytitle.board: counts is called with \(scene\): too many"),
        ({"board": "def line(event, names): ..."}, r"line is called with \(event, names, reader\)"),
        ({"board": "STYLES = 'toytitle/board.css'"}, r"STYLES must be a tuple, not 'toytitle/board.css'"),
        ({"board": "STYLES = ('toytitle/board.css',)"}, r"there is no static/toytitle/board.css"),
        ({"board": "SPRITE = 'toytitle/sprite.svg'"}, r"there is no templates/toytitle/sprite.svg"),
        ({"board": "RULES = (('toytitle/rules/end.html', 'End'),)"}, r"there is no templates/toytitle/rules/end.html"),
        ({"board": "RULES_STYLES = ('toytitle/rules.css',)"}, r"there is no static/toytitle/rules.css"),
        ({"template": "bord.jinja"}, r"there is no templates/toytitle/board.jinja"),
    ],
)
def test_a_mistake_in_a_title_is_told_when_it_is_loaded(load: Load, files: dict[str, str], said: str) -> None:
    with pytest.raises(TitleError, match=said):
        load(**files)


def test_a_title_may_bring_no_pictures_but_not_only_some(load: Load, tmp_path: Path) -> None:
    folder = tmp_path / "toytitle" / "static" / "toytitle" / "art"
    folder.mkdir(parents=True)
    (folder / "icon-light.svg").touch()
    with pytest.raises(TitleError, match=r"^toytitle: static/toytitle/art lacks banner-dark.svg, .*, social.jpg"):
        load()


def test_an_error_inside_a_board_is_shown_as_it_is(load: Load) -> None:
    with pytest.raises(ModuleNotFoundError, match="no_such_module"):
        load(board="import no_such_module")


# --- coach marks ----------------------------------------------------------------------------------------------------

COACH = "from games.titles.board import CoachMark\nCOACH = ({marks},)\n"
AIM = 'CoachMark("aim", "#heap", "Take the last one.")'


def test_coach_marks_are_what_the_module_lists(load: Load) -> None:
    assert [mark.key for mark in load(teaching=COACH.format(marks=AIM)).coach] == ["aim"]


@pytest.mark.parametrize(
    "marks", [f"{AIM}, {AIM}", 'CoachMark("The aim", "#heap", "Take one.")', 'CoachMark("aim", "", "Take one.")']
)
def test_a_coach_mark_has_a_key_of_its_own_and_a_target(load: Load, marks: str) -> None:
    with pytest.raises(TitleError, match=r"toytitle\.teaching: 'The aim' must|toytitle\.teaching: 'aim' (must|lacks)"):
        load(teaching=COACH.format(marks=marks))
