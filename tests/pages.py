"""A page as a browser holds it, as far as pushes change it: elements, what they contain, and htmx's partial swaps."""

from __future__ import annotations

from collections.abc import Iterator
from html.parser import HTMLParser
from typing import Any, TypeAlias

VOID = {"br", "hr", "img", "input", "link", "meta", "wbr"}

Normal: TypeAlias = "str | tuple[object, ...]"


class Element:
    """An element with its attributes; its children are elements and texts."""

    def __init__(self, tag: str, attributes: dict[str, str | None], parent: Element | None) -> None:
        self.tag, self.attributes, self.parent = tag, attributes, parent
        self.children: list[Element | str] = []

    @property
    def elements(self) -> list[Element]:
        return [child for child in self.children if isinstance(child, Element)]

    def all(self) -> Iterator[Element]:
        waiting = [self]
        while waiting:
            element = waiting.pop()
            yield element
            waiting += element.elements

    def with_ids(self, names: list[str]) -> list[Element]:
        """Return the one element of each of these ids."""
        found: dict[str, list[Element]] = {name: [] for name in names}
        for element in self.all():
            if (name := element.attributes.get("id")) in found:
                found[name].append(element)
        assert all(len(elements) == 1 for elements in found.values()), "an id is missing, or not the only one"
        return [found[name][0] for name in names]

    def put(self, added: list[Element], before: int = 0, after: int = 0) -> None:
        """Put elements in the place of this one, or beside it."""
        assert self.parent is not None
        place = self.parent.children.index(self)
        self.parent.children[place + after : place + 1 - before] = added
        for element in added:
            element.parent = self.parent

    @property
    def normal(self) -> Normal:
        """Return what is compared: without white space between elements, attributes in order."""
        inside: list[Normal] = []
        for child in self.children:
            if isinstance(child, Element):
                inside.append(child.normal)
            elif words := " ".join(child.split()):
                inside.append(words)
        return self.tag, tuple(sorted(self.attributes.items(), key=str)), tuple(inside)


class Board:
    """The board of an open page, which takes the messages of its socket as match.js does.

    Attributes:
        version: the one that is shown, 0 before the first.
        elements: what is shown.
        lost: how many messages could not be used, after each of which the page says hello.
    """

    def __init__(self) -> None:
        self.version, self.lost = 0, 0
        self.elements = page_of("")

    def take(self, message: dict[str, Any]) -> bool:
        """Show what a message brings; return whether the page has to say hello."""
        if message["version"] <= self.version:
            return False
        if message.get("base", self.version) != self.version:
            self.lost += 1
            return True
        if "base" in message:
            swap(self.elements, message["content"])
        else:
            self.elements = page_of(message["content"])
        self.version = message["version"]
        return False

    def shows(self, html: str) -> bool:
        """Say whether a page loaded with this would look the same."""
        return self.elements.normal == page_of(html).normal


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.root = self.open = Element("", {}, None)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        element = Element(tag, dict(attrs), self.open)
        self.open.children.append(element)
        if tag not in VOID:
            self.open = element

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.open.children.append(Element(tag, dict(attrs), self.open))

    def handle_endtag(self, tag: str) -> None:
        if tag in VOID:
            return
        assert self.open.tag == tag
        assert self.open.parent is not None
        self.open = self.open.parent

    def handle_data(self, data: str) -> None:
        self.open.children.append(data)


def page_of(html: str) -> Element:
    """Return the page a browser makes of some markup."""
    reader = _Reader()
    reader.feed(html)
    reader.close()
    assert reader.open is reader.root, "an element is not closed"
    return reader.root


def swap(page: Element, content: str) -> None:
    """Change a page by the partials of a push, whose targets are found before anything is changed, as in htmx."""
    partials = page_of(content).elements
    targets = page.with_ids([partial.attributes["id"] or "" for partial in partials])
    for partial, target in zip(partials, targets, strict=True):
        assert partial.tag == "hx-partial"
        _swap(target, partial)


def _swap(target: Element, partial: Element) -> None:
    style, *more = (partial.attributes["hx-swap"] or "").split()
    new = partial.elements[0].elements if more == ["strip:true"] else partial.elements
    match style:
        case "outerMorph":
            _morph(target, new)
        case "delete":
            target.put([])
        case "afterend":
            target.put(new, after=1)
        case "beforebegin":
            target.put(new, before=1)
        case _:
            raise AssertionError(f"{style} is no swap we use")


def _morph(target: Element, new: list[Element]) -> None:
    (element,) = new
    alone = "hx-morph-skip-children" in element.attributes
    if element.tag != target.tag:
        target.put([element])
        return
    target.attributes = {name: value for name, value in element.attributes.items() if name != "hx-morph-skip-children"}
    if not alone:
        target.children = element.children
        for child in target.elements:
            child.parent = target
