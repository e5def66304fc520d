"""The games say in Italian what their rulebooks say, lessons included, and so does the site: one word for one thing."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import polib
import pytest
from django.conf import settings

from config.catalogues import catalogues

ALL: Mapping[str, str] = {
    r"match(es)?": "partit|vittoria (è )?condivisa|condivid",
    r"turns?": "turn|tocca|ruot|rotazion|capovol",
    r"hands?": "man[oi]",
    r"discard(s|ed|ing)?": "scart",
    r"face up": "scopert",
    r"face down": "copert",
    r"points?": "punt",
    r"shuffled?": "mescol",
    r"bonus(es)?": "bonus",
    r"draw pile": "mazzo di pesca",
}
"""English words, and how the Italian of every game says them; which form it takes depends on the sentence."""

OWN: Mapping[str, Mapping[str, str]] = {
    "shifting_stones": {
        r"stones?": "pietr",
        r"patterns?": "schem",
        r"side by side": "affiancat",
        r"swap(s|ped|ping)?": "scambi",
        r"flip(s|ped|ping)?": "capovol",
        r"rows?": "rig[ah]",
        r"columns?": "colonn",
        r"corners?": "angol",
        r"strikes?": "a vuoto",
        r"dashed": "tratteggiat",
        r"sun": "sole",
        r"moon": "luna",
        r"seeds?": "sem[ei]",
        r"trees?": "alber",
        r"boats?": "barc",
        r"birds?": "uccell",
        r"horses?": "caval",
    },
    "card_chess": {
        r"cards?": "cart",
        r"pawns?": "pedin",
        r"knights?": "cavall",
        r"bishops?": "alfier",
        r"rooks?": "torr[ei]",
        r"castles?": "castell",
        r"queens?": "regin|ghost queen",
        r"pieces?": "pezz",
        r"gold cards?": "cart[ae] oro",
        r"realms?": "ream",
        r"values?": "valor",
        r"strength": "forza",
        r"challenges?": "sfid",
        r"(?<!draw )piles?": "giocat|mazzo",
        r"captur(e|es|ed|ing)": "cattur|giocat[ae] vint",
        r"reveal(s|ed|ing)?": "scopr|scopert",
        r"sealed": "sigillat",
        r"phases?": "fas[ei]",
    },
    "small_islands": {
        r"tiles?": "tesser",
        r"landscape tiles?": "tesser[ae] Paesaggio",
        r"navigation": "Navigazione",
        r"reserve": "Riserva",
        r"ships?": "nav[ei]",
        r"explor(e|es|ed|ing)": "esplor",
        r"put(s)? back": "rimett",
        r"islands?": "isol",
        r"coasts?": "cost[ea]",
        r"resources?": "risors",
        r"flowers?": "fior",
        r"dragon fruits?": "frutt[oi] del drago",
        r"temples?": "templ|tempi",
        r"ports?": "port[oi]",
        r"houses?": "cas[ae]",
        r"settled|settle it": "insedi",
        r"objectives?": "obiettiv",
        r"missions?": "mission",
        r"rewards?": "ricompens",
        r"bonus tokens?": "getton[ei] bonus",
        r"discovery tokens?": "getton[ei] scoperta",
        r"advanced": "avanzat",
        r"expedition": "spedizion",
    },
}

SITE: Mapping[str, str] = {
    r"(?<!even )match(es)?(?! the fingerprint)": "partit|vittori",
    r"points?": "punt",
    r"lobby": "lobby",
    r"tables?": "tavol|tabell",
    r"hosts?": "host",
    r"seats?": "post[oi]",
    r"rated (match|table)(es|s)?": "classificat",
    r"casual": "amichevol",
    r"resign(s|ed|ing)?": "abbandon",
    r"abort(s|ed|ing)?": "interr",
    r"rematch": "rivincit",
    r"clocks?": "orolog",
    r"your turn|whose turn|turns": "turn|tocca|mossa",
    r"spectators?": "spettator",
    r"leaderboards?": "classific",
    r"ratings?": "rating",
    r"notices?": "notific",
    r"digest": "riepilog",
    r"replays?": "replay|rived",
    r"(the|a|its) records?": "registrazion",
    r"seeds?": "sem[ei]",
    r"seal(s|ed)?": "sigill",
    r"fingerprint": "impronta",
    r"verif(y|ied)": "verific",
    r"undo": "annull",
    r"shuffled?": "mescol",
    r"puzzles?": "rompicap",
    r"lessons?": "lezion",
    r"exercises?": "eserciz",
    r"bots?": "bot",
}
"""The words of the site itself: of its pages, notices, puzzles, lessons and bots."""

ELSEWHERE = {
    "Light, dark or white; what a card stands on.": "cards?",
}
"""Texts whose Italian turns a sentence so that it needs no such word."""

NEVER = r"piastrell|\btegol|atterr|babordo|carta modello|carte modello|\bpatta\b|mischi|orizzontale|\bscorta\b"
"""Words by which machines translate our rulebooks."""

NAMES = re.compile(r"“[^”]*”|%\(\w+\)[sd]|\{\w*\}|<[^>]*>|Shifting Stones|Small Islands|in a row|twice in a row")
"""What is not translated, or is a phrase of its own."""


TITLES = Path(settings.BASE_DIR) / "games/titles"


def texts(title: str) -> Iterator[tuple[str, str]]:
    """Yield the texts of a title, English and Italian, and those of its lessons."""
    yield from texts_in(TITLES / title / "locale/it/LC_MESSAGES/django.po")
    for path in sorted((TITLES / title / "lessons").glob("*.json")):
        yield from texts_of(json.loads(path.read_text()))


def texts_in(catalogue: Path) -> Iterator[tuple[str, str]]:
    for entry in polib.pofile(str(catalogue)):
        for said in entry.msgstr_plural.values() if entry.msgid_plural else [entry.msgstr]:
            yield entry.msgid, said


def texts_of(part: Any) -> Iterator[tuple[str, str]]:
    """Yield the texts of a part of a lesson: whatever is there by language."""
    if isinstance(part, dict) and {"en", "it"} <= part.keys():
        yield part["en"], part["it"]
    elif isinstance(part, dict | list):
        for inner in part.values() if isinstance(part, dict) else part:
            yield from texts_of(inner)


def wrong_in(title: str, english: str, italian: str) -> list[str]:
    """Return the terms of a text that its translation does not have, and words that it must not have."""
    return _wrong({**ALL, **OWN[title]}, english, italian)


def _wrong(terms: Mapping[str, str], english: str, italian: str) -> list[str]:
    plain = NAMES.sub(" ", english)
    terms = {term: wanted for term, wanted in terms.items() if ELSEWHERE.get(english) != term}
    found = [term for term, wanted in terms.items() if _says(rf"\b({term})\b", plain) and not _says(wanted, italian)]
    return found + re.findall(NEVER, italian, re.IGNORECASE)


def _says(pattern: str, text: str) -> bool:
    return re.search(pattern, text, re.IGNORECASE) is not None


@pytest.mark.parametrize("title", OWN)
def test_terms_are_those_of_the_rulebook(title: str) -> None:
    assert [
        (wrong, english, italian) for english, italian in texts(title) if (wrong := wrong_in(title, english, italian))
    ] == []


@pytest.mark.parametrize("title", OWN)
def test_lessons_are_read_too(title: str) -> None:
    catalogue = TITLES / title / "locale/it/LC_MESSAGES/django.po"
    assert len(list(texts(title))) > len(list(texts_in(catalogue))) + 300


OF_THE_SITE = [path for path in catalogues() if path.parts[-3] == "it" and TITLES not in path.parents]


def test_the_site_has_one_word_for_one_thing() -> None:
    said = [pair for path in OF_THE_SITE for pair in texts_in(path)]
    assert [(wrong, *pair) for pair in said if (wrong := _wrong(SITE, *pair))] == []
    whole = " ".join(NAMES.sub(" ", english) for english, _italian in said)
    assert [term for term in SITE if not _says(rf"\b({term})\b", whole)] == []


@pytest.mark.parametrize("title", OWN)
def test_every_term_occurs(title: str) -> None:
    """A term that no text has would prove nothing."""
    said = " ".join(NAMES.sub(" ", english) for english, _italian in texts(title))
    assert [term for term in OWN[title] if not _says(rf"\b({term})\b", said)] == []


@pytest.mark.parametrize(
    ("title", "english", "italian"),
    [
        ("card_chess", "A pawn captures nothing.", "Un pedone non cattura nulla."),
        ("small_islands", "Take a tile.", "Prendi una tegola."),
        ("shifting_stones", "A strike.", "Uno strike."),
    ],
)
def test_another_word_is_noticed(title: str, english: str, italian: str) -> None:
    assert wrong_in(title, english, italian)


def test_another_word_of_the_site_is_noticed() -> None:
    assert _wrong(SITE, "Your rating in casual matches.", "Il tuo punteggio nelle partite libere.") == [
        "casual",
        "ratings?",
    ]
