"""English is spelled as Americans spell it, and where a word exists that all spell alike, that one is used."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from config.catalogues import ROOT
from tests.unit.config import sources

_BRITISH = re.compile(
    r"""(?ix) \b(?:
    (?:colou|favou|honou|neighbou|behaviou|rumou|harbou|labou|flavou|humou|endeavou)r\w*
    | (?:organi|recogni|apologi|minimi|maximi|reali|emphasi|customi|summari|authori|anonymi)s(?:e[drs]?|ers|ing|ation)
    | analys(?:e|ed|es|ing) | (?:cancel|travel|label|model|signal|level)l(?:ed|ing|er|ers)
    | (?:un)?fulfils? | skilful | enrols? | grey | centred? | metres? | catalogue | dialogue | programmes? | cheque
    | licences? | defence | offence | practis(?:e|ed|es|ing) | judgement | ageing | learnt | spelt | whilst | per\ cent
    )\b"""
)
_PLACEHOLDER = re.compile(r"%\(\w+\)[sd]")


def test_no_text_of_the_sources_is_spelled_as_the_british_do() -> None:
    said = ((file, _PLACEHOLDER.sub("", f"{one} {many}")) for (one, many), file in sources.texts().items())
    assert [text for file, text in said if _BRITISH.search(text)] == []


def test_no_lesson_is_spelled_as_the_british_do() -> None:
    found = [
        text
        for path in ROOT.glob("games/titles/*/lessons/*.json")
        for text in _english(json.loads(path.read_text(encoding="utf-8")))
        if _BRITISH.search(text)
    ]
    assert found == []


def _english(value: object) -> Iterator[str]:
    if isinstance(value, dict):
        if isinstance(value.get("en"), str):
            yield value["en"]
        value = list(value.values())
    if isinstance(value, list):
        for each in value:
            yield from _english(each)


def test_british_words_are_noticed_and_others_not() -> None:
    assert all(map(_BRITISH.search, ("Colours", "it fulfils", "was cancelled", "recognise", "in per cent")))
    assert not any(map(_BRITISH.search, ("colors", "fulfills", "fulfilled", "canceled", "promise", "four", "center")))
