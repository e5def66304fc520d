"""Games and their lessons say in each language what the rulebooks say, and so does the site: one word for one thing."""

from __future__ import annotations

import pytest

from tests.unit.config.test_translations import TRANSLATED
from tests.unit.titles.german import GERMAN
from tests.unit.titles.italian import ITALIAN
from tests.unit.titles.terms import Terms, occurs, texts_in

HELD = [pytest.param(terms, id=terms.language) for terms in (GERMAN, ITALIAN)]
TITLES = [
    pytest.param(terms, title, id=f"{terms.language}-{title}") for terms in (GERMAN, ITALIAN) for title in terms.own
]


def test_every_language_is_held_to_its_words() -> None:
    assert {GERMAN.language, ITALIAN.language} == set(TRANSLATED)


@pytest.mark.parametrize(("terms", "title"), TITLES)
def test_terms_are_those_of_the_rulebook(terms: Terms, title: str) -> None:
    said = terms.texts(title)
    assert [(wrong, *pair) for pair in said if (wrong := terms.wrong_in(title, *pair))] == []


@pytest.mark.parametrize(("terms", "title"), TITLES)
def test_lessons_are_read_too(terms: Terms, title: str) -> None:
    assert len(list(terms.texts(title))) > len(list(texts_in(terms.catalogue(title)))) + 300


@pytest.mark.parametrize("terms", HELD)
def test_the_site_has_one_word_for_one_thing(terms: Terms) -> None:
    said = list(terms.texts_of_the_site())
    assert [(wrong, *pair) for pair in said if (wrong := terms.wrong_on_the_site(*pair))] == []
    assert [term for term in terms.site if not any(occurs(term, english) for english, _said in said)] == []


@pytest.mark.parametrize(("terms", "title"), TITLES)
def test_every_term_occurs(terms: Terms, title: str) -> None:
    """A term that no text has would prove nothing."""
    said = " ".join(english for english, _said in terms.texts(title))
    assert [term for term in terms.own[title] if not occurs(term, said)] == []


@pytest.mark.parametrize("terms", HELD)
def test_every_text_that_turns_a_sentence_is_still_said(terms: Terms) -> None:
    said = [pair for title in terms.own for pair in terms.texts(title)] + list(terms.texts_of_the_site())
    assert terms.elsewhere.keys() - {english for english, _said in said} == set()


@pytest.mark.parametrize(
    ("terms", "title", "english", "said"),
    [
        (ITALIAN, "card_chess", "A pawn captures nothing.", "Un pedone non cattura nulla."),
        (ITALIAN, "small_islands", "Take a tile.", "Prendi una tegola."),
        (ITALIAN, "shifting_stones", "A strike.", "Uno strike."),
        (GERMAN, "card_chess", "A castle captures nothing.", "Ein Turm schlägt nichts."),
        (GERMAN, "small_islands", "Take a tile.", "Nimm eine Kachel."),
        (GERMAN, "small_islands", "You may land now.", "Du darfst jetzt landen."),
        (GERMAN, "shifting_stones", "The draw pile", "Der Stapel"),
    ],
)
def test_another_word_is_noticed(terms: Terms, title: str, english: str, said: str) -> None:
    assert terms.wrong_in(title, english, said)


@pytest.mark.parametrize(
    ("terms", "english", "said", "wrong"),
    [
        (
            ITALIAN,
            "Your rating in casual matches.",
            "Il tuo punteggio nelle partite libere.",
            ["casual", "ratings?"],
        ),
        (GERMAN, "Friends of the host", "Freunde des Gastgebers", ["hosts?", "Gastgeb"]),
    ],
)
def test_another_word_of_the_site_is_noticed(terms: Terms, english: str, said: str, wrong: list[str]) -> None:
    assert terms.wrong_on_the_site(english, said) == wrong
