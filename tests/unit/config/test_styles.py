"""Once they are collected the styles of every page are one file, and styles and scripts are without comments."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

import pytest
from django.conf import settings
from django.contrib.staticfiles import finders
from django.core.files.storage import FileSystemStorage

from config import staticfiles
from config.staticfiles import PARTS, Collected, site_styles

RULES = ("--space-1:", "@layer base {", "@layer components {")
"""One of each file, in the order of the files."""


def collected(folder: Path, sources: Mapping[str, str]) -> Collected:
    """Collect these files alone."""
    source = FileSystemStorage(folder / "static")
    for name, text in sources.items():
        (folder / "static" / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / "static" / name).write_text(text)
    storage = Collected(location=str(folder / "static"), base_url="/static/")
    problems = [it for *_, it in storage.post_process({name: (source, name) for name in sources}) if it is not True]
    assert not [it for it in problems if isinstance(it, Exception)]
    return storage


def parts() -> dict[str, str]:
    return {part: Path(str(finders.find(part))).read_text() for part in PARTS}


def test_while_one_works_on_them_every_file_is_linked() -> None:
    assert re.findall(r'href="/static/([^"]+)"', site_styles()) == list(PARTS)


def test_collected_they_are_one_file_with_everything_in_its_order(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    storage = collected(tmp_path, parts())
    monkeypatch.setattr(staticfiles, "staticfiles_storage", storage)
    (link,) = re.findall(r'href="/static/([^"]+)"', site_styles())
    assert re.fullmatch(r"site/site\.[0-9a-f]{12}\.css", link)
    text = (tmp_path / "static" / link).read_text()
    assert "/*" not in text
    assert [text.count(rule) for rule in RULES] == [1, 1, 1]
    assert sorted(RULES, key=text.index) == list(RULES)
    assert (tmp_path / "static" / f"{link}.gz").exists()


def test_collecting_again_takes_what_has_changed(tmp_path: Path) -> None:
    collected(tmp_path, parts())
    storage = collected(tmp_path, {**parts(), PARTS[0]: "i { /* of another version */ color: red; }"})
    text = (tmp_path / "static" / storage.stored_name("site/site.css")).read_text()
    assert text.startswith("i {  color: red; }")
    assert RULES[0] not in text


def test_collected_scripts_say_no_more_than_they_do(tmp_path: Path) -> None:
    script = "// What it is for.\nconst address = `https://${host}//x`; // kept\n\n  // Why.\n  go(address);\n"
    storage = collected(tmp_path, {**parts(), "play/match.js": script, "vendor/other.js": script})
    served = {
        name: (tmp_path / "static" / storage.stored_name(name)).read_text()
        for name in ("play/match.js", "vendor/other.js")
    }
    assert served["play/match.js"] == "const address = `https://${host}//x`; // kept\n\n  go(address);\n"
    assert served["vendor/other.js"] == script


def test_collected_styles_of_single_pages_are_without_their_comments(tmp_path: Path) -> None:
    sheet = "/* Why,\n   in two lines. */\ni { color: red; } /* kept small */\n"
    storage = collected(tmp_path, {**parts(), "play/match.css": sheet, "admin/other.css": sheet})
    served = {
        name: (tmp_path / "static" / storage.stored_name(name)).read_text()
        for name in ("play/match.css", "admin/other.css")
    }
    assert served["play/match.css"].strip() == "i { color: red; }"
    assert served["admin/other.css"] == sheet


def test_no_script_has_a_line_of_text_that_looks_like_a_comment() -> None:
    """Such a line would be taken for one when scripts are collected."""
    folders = [path for path in Path(settings.BASE_DIR, "games").rglob("static") if path.is_dir()]
    own = [path for folder in (Path(settings.BASE_DIR, "static"), *folders) for path in folder.rglob("*.js")]
    for path in [path for path in own if "vendor" not in path.parts]:
        texts = re.findall(r"`[^`]*`", re.sub(r"^[ \t]*//.*\n", "", path.read_text(), flags=re.MULTILINE))
        assert not [text for text in texts if re.search(r"\n[ \t]*//", text)], path
    assert len(own) > len(folders)


HOVER_GOES_WITH_THE_MOUSE = re.compile(r"@media \(hover: hover\) \{(?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*\}")


def test_what_a_mouse_lights_up_does_not_stay_lit_after_a_touch() -> None:
    """What is disabled looks the same under a mouse, so there the rule holds for both."""
    sheets = [path for folder in ("static", "games", "accounts") for path in Path(folder).rglob("*.css")]
    own = [path for path in sheets if "vendor" not in path.parts]
    lit = [
        (str(path), line.strip())
        for path in own
        for line in HOVER_GOES_WITH_THE_MOUSE.sub("", path.read_text()).splitlines()
        if ":hover" in line and "disabled" not in line
    ]
    assert own
    assert lit == []
