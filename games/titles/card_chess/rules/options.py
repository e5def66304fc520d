"""What can be chosen before a match."""

from __future__ import annotations

from dataclasses import dataclass

from games.engine.protocol import Option, Options

_NO_YES = ((False, "no"), (True, "yes"))

OPTIONS: tuple[Option, ...] = (
    Option(
        "length",
        "Length of the match",
        (
            ("official", "official"),
            ("decided", "first to three gold cards"),
            ("one_challenge", "one challenge"),
            ("two_gold", "first to two gold cards"),
        ),
        "Officially two players play for all four gold cards, and three or four until someone has three.",
        idle=(("decided", frozenset({3, 4})),),
        quick="decided",
    ),
    Option(
        "shared",
        "Share the match at 2:2",
        _NO_YES,
        "At two gold cards each the match ends and both are first, instead of a deciding challenge.",
        seats=frozenset({2}),
    ),
    Option(
        "blocking",
        "Strong cards block",
        _NO_YES,
        "If any of the strongest cards played cannot capture, nobody takes the pile.",
    ),
    Option(
        "next_strongest",
        "Equal cards step aside",
        _NO_YES,
        "If the strongest capturing cards are equal, the next strongest takes the pile instead of nobody.",
        seats=frozenset({3, 4}),
    ),
    Option(
        "symmetric_rooks",
        "Equal rooks",
        _NO_YES,
        "Green rooks are as strong as blue ones: 6 instead of the printed 5.",
    ),
)


@dataclass(frozen=True, slots=True)
class Rulings:
    """The options of a match, every one present; see the README for what they mean."""

    length: str = "official"
    shared: bool = False
    blocking: bool = False
    next_strongest: bool = False
    symmetric_rooks: bool = False


def rulings(options: Options) -> Rulings:
    """Return the chosen options of a match; one that does not exist for its number of seats is at its default."""
    return Rulings(
        length=str(options["length"]),
        shared=bool(options.get("shared", False)),
        blocking=bool(options["blocking"]),
        next_strongest=bool(options.get("next_strongest", False)),
        symmetric_rooks=bool(options["symmetric_rooks"]),
    )
