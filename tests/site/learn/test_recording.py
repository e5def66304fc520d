"""Recording a lesson from a match that has ended."""

from __future__ import annotations

import json

import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse

from accounts.limits import LIMITS
from games.engine.contract.lessons import check_lesson
from games.engine.lessons import read_lesson
from games.learn import recording
from games.play import commands
from games.play.models import Match
from games.titles import titles
from tests.people import act, client_of, person, running_match

pytestmark = pytest.mark.django_db


@pytest.fixture
def match() -> Match:
    """A match in which the first player ends a turn, then resigns."""
    found = running_match([person(), person()], seed=bytes(32))
    act(found, "end", 0)
    act(found, "skip", 1)
    commands.resign(found.pk, 0, "resignation")
    return Match.objects.get(pk=found.pk)


@pytest.fixture
def writer() -> Client:
    return client_of(person())


LANGUAGES = [code for code, _ in settings.LANGUAGES]


def told(**words: str) -> dict[str, str]:
    """Return fields of the form, each in every language of the site."""
    return {f"{name}-{code}": text for name, text in words.items() for code in LANGUAGES}


def address(match: Match, at: int) -> str:
    return f"{reverse('record_lesson', args=[match.slug])}?at={at}&seat=0"


def test_a_recorded_lesson_can_be_read_and_played(match: Match, writer: Client) -> None:
    words = {**told(text="End your turn.", hint="The button.", why="You draw."), "title-en": "Ending"}
    noted = writer.post(address(match, 2), {**words, "steps": "[]", "action": "end"})
    assert noted.context["draft"].accept == ("end",)
    again = {**words, "steps": "[]", "accept": "end\r\n", "replies": "1 end", "do": "step"}  # as browsers send lines
    second = writer.post(address(match, 2), again)
    draft = second.context["draft"]
    assert (draft.number, draft.accept, draft.step_texts) == (2, (), ["End your turn."])
    whole = {**told(title="How a turn ends", summary="One action.", text="Well done."), "rules": ["shift", "no-rule"]}
    file = writer.post(address(match, 2), {**whole, "steps": draft.written, "grade": "2", "do": "file"})
    assert 'filename="how-a-turn-ends.json"' in file.headers["Content-Disposition"]
    lesson = read_lesson(file.content)
    course = match.title.course(lesson)
    assert (lesson.rules, lesson.grade) == (("shift",), 2)
    assert [step.text["en"] for step in lesson.steps] == ["End your turn.", "Well done."]
    assert [play.text for play in course.tried(0, ("end",)).plays] == ["end", "end"]
    check_lesson(course, LANGUAGES, list(titles()[match.game].rules_taught))


def test_the_last_step_has_its_replies_too(match: Match, writer: Client) -> None:
    fields = {"text-en": "End.", "steps": "[]", "accept": "end\n", "replies": "1 end", "do": "unfinished"}
    assert read_lesson(writer.post(address(match, 2), fields).content).steps[0].replies == ((1, "end"),)


def test_a_file_that_the_contract_would_refuse_is_only_handed_out_as_it_is(match: Match, writer: Client) -> None:
    fields = {
        "text-en": "End.",
        "text-de": "Ende.",
        "text-it": "Fine.",
        "title-en": "Ending",
        "kind": "exercise",
        "accept": "end\n",
    }
    refused = writer.post(address(match, 2), {**fields, "steps": "[]", "do": "file"})
    assert refused.status_code == 422
    missing = refused.context["draft"].missing
    assert "Choose at least one rule that it covers." in missing
    assert any(sentence.startswith("“Title” is missing in German") for sentence in missing)
    assert {sentence[:16] for sentence in missing if sentence.startswith("Step")} == {
        "Step 1: “Hint” i",
        "Step 1: “Why it ",
    }
    assert refused.context["draft"].accept == ("end",)  # nothing that was written is lost
    unfinished = writer.post(address(match, 2), {**fields, "steps": "[]", "do": "unfinished"})
    assert read_lesson(unfinished.content).title == {"en": "Ending"}
    idle = writer.post(address(match, 2), {**told(text="Look."), "steps": "[]", "do": "file"})
    assert "No step asks for a move." in idle.context["draft"].missing


def test_what_is_not_legal_is_not_accepted(match: Match, writer: Client) -> None:
    for fields in ({"action": "score 99"}, {"verb": "flip"}, {"do": "step"}, {"steps": "nonsense"}, {"steps": "[1]"}):
        response = writer.post(address(match, 2), fields)
        assert response.status_code == 422
        assert 'id="refusal"' in response.content.decode()
    noted = {"text-en": "Go.", "accept": "end\n", "steps": "[]"}
    wrong = writer.post(address(match, 2), {**noted, "replies": "1 sing", "do": "step"})
    assert wrong.context["draft"].number == 1
    for do in ("file", "unfinished"):
        illegal = writer.post(address(match, 2), {**noted, "replies": "1 sing", "do": do})
        assert (illegal.status_code, bool(illegal.context["draft"].refusal)) == (422, True)
    odd: list[dict[str, object]] = [
        {"start": {"state": {"hands": []}}},
        {"goal": "no-goal"},
        {"choices": [{"text": {}, "right": True}]},
        {"solution": ["end"]},
        {"replies": [[0, "end"], [1, "end"]] * 20},
    ]
    for step in odd:
        refused = writer.post(address(match, 2), {"steps": json.dumps([{"text": {"en": "On and on."}, **step}])})
        assert (refused.status_code, refused.context["draft"].refusal != "") == (422, True), step
    dropped = writer.post(address(match, 2), {**noted, "do": "drop:end"})
    assert dropped.context["draft"].accept == ()


def test_a_step_or_a_lesson_with_too_many_actions_is_refused_and_what_was_written_stays(
    match: Match, writer: Client
) -> None:
    step = {"text-en": "Go on.", "replies": "0 end\n1 end\n" * 11, "do": "step", "steps": "[]"}
    draft = writer.post(address(match, 2), step).context["draft"]
    assert (draft.refusal, draft.words["text-en"]) == ("A step has at most 20 moves.", "Go on.")
    noted = [{"text": {"en": "On."}, "replies": [[0, "end"], [1, "end"]] * 10}] * 4
    last = {"text-en": "Go on.", "replies": "0 end", "do": "step", "steps": json.dumps(noted)}
    draft = writer.post(address(match, 2), last).context["draft"]
    assert (draft.refusal, draft.number) == ("A lesson has at most 80 replies.", 5)


def test_only_a_match_that_has_ended_is_a_source(match: Match, writer: Client) -> None:
    running = running_match([person(), person()])
    assert writer.get(address(running, 0)).status_code == 404
    assert writer.get(address(match, 999)).status_code == 404
    assert writer.get(address(match, 1)).status_code == 200


def test_a_match_of_older_rules_is_no_source_and_its_replay_offers_none(match: Match, writer: Client) -> None:
    replay = reverse("replay", args=[match.slug])
    assert 'id="record-lesson"' in writer.get(replay).content.decode()
    Match.objects.filter(pk=match.pk).update(rules_version=0)
    assert writer.get(address(match, 1)).status_code == 404
    assert 'id="record-lesson"' not in writer.get(replay).content.decode()


TOO_MUCH = {
    "many accepted actions": {"accept": "1 end\n" * 60_000},
    "a long accepted action": {"accept": "e" * 200},
    "a long action in a step": {"steps": json.dumps([{"text": {"en": "x"}, "accept": ["e" * 200]}])},
    "many actions in a step": {"steps": json.dumps([{"text": {"en": "x"}, "accept": ["end"] * 40}])},
    "many steps": {"steps": json.dumps([{"text": {"en": "x"}}] * 41)},
    "a deep step": {"steps": "[" * 50_000},
}


@pytest.mark.parametrize("form", TOO_MUCH.values(), ids=TOO_MUCH)
def test_what_no_page_of_ours_carries_is_not_echoed(match: Match, writer: Client, form: dict[str, str]) -> None:
    """Whatever the door lets in: the page is hardly larger than for an empty form, and says so."""
    empty = len(writer.post(address(match, 2), {"steps": "[]", "action": "nothing"}).content)
    answer = writer.post(address(match, 2), {"steps": "[]", **form, "action": "end"})
    assert answer.status_code in {413, 422}
    assert len(answer.content) < empty + 1_000


def test_a_long_text_is_cut_and_its_writer_is_told(match: Match, writer: Client) -> None:
    answer = writer.post(address(match, 2), {"steps": "[]", "text-en": "x" * 9_000, "action": "end"})
    draft = answer.context["draft"]
    assert (answer.status_code, len(draft.words["text-en"])) == (422, recording.LONGEST_TEXT)
    assert "the rest was cut off" in draft.refusal


def test_no_more_actions_are_accepted_than_a_step_takes(match: Match, writer: Client) -> None:
    full = {"steps": "[]", "accept": "end\n" * 20, "action": "end"}
    draft = writer.post(address(match, 2), full).context["draft"]
    assert (len(draft.accept), draft.refusal) == (20, "A step has at most 20 moves.")


def test_a_lesson_that_has_become_too_long_is_kept_as_it_is(match: Match, writer: Client) -> None:
    """Its writer can still download what there is."""
    steps = json.dumps([{"text": {"en": "x" * 1_900}} for _ in range(39)])
    draft = writer.post(
        address(match, 2), {"steps": steps, **told(text="x" * 2_000, hint="x" * 2_000, why="x" * 2_000), "do": "step"}
    ).context["draft"]
    assert draft.number == 41  # all of that fits
    assert draft.refusal == ""


def test_nobody_records_without_end(match: Match, writer: Client) -> None:
    most = LIMITS["lesson"].person[0].most
    form = {"steps": "[]", "action": "end"}
    answers = {writer.post(address(match, 2), form).status_code for _ in range(most)}
    last = writer.post(address(match, 2), form)
    assert (answers, last.status_code) == ({200}, 429)
    assert "Please try again in" in last.content.decode()
