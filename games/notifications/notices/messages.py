"""The words of notices. They use only what everybody may know: names, deadlines, results."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from django.conf import settings
from django.urls import reverse
from django.utils.text import get_text_list
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts import moments
from accounts.mail import in_words_of
from accounts.models import User
from games.matchmaking.limits import GRACE
from games.matchmaking.models import Invitation
from games.notifications.models import Kind, Notice
from games.notifications.notices import standing
from games.play.boards.endings import ending_in_words, leaving_in_words, unrated_in_words
from games.play.models import Match, Seat, Speed
from games.ratings.models import RatingChange, points

Words = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Message:
    """What a person is told, in their language and time zone. Nothing hidden in a match may appear in it.

    Args:
        kind: a `Kind`.
        title: a few words, for instance “Your turn in Small Islands”.
        text: one sentence.
        subject: what an email says in its subject; the title when empty.
        url: absolute, of the page to which it leads.
        topic: equal for messages of which the later replaces the earlier: one per match.
        match: slug of the match; empty for what comes daily.
        deadline: when something must be done by, None when nothing must.
        waiting: how many matches wait for this person.
        urgent: worth waking a phone for.
    """

    kind: str
    title: str
    text: str
    url: str
    topic: str
    match: str = ""
    deadline: datetime | None = None
    waiting: int = 0
    urgent: bool = False
    subject: str = ""


def message_of(notice: Notice) -> Message:
    """Return what a notice says now, in its reader's language and time zone."""
    kind = Kind(notice.kind)
    with in_words_of(notice.user):
        title, text = _WORDS[kind](notice)
        seat = _own_seat(notice)
        subject = _subject(notice, title)
        return Message(
            kind=kind,
            title=title,
            text=text,
            url=absolute(notice.match.get_absolute_url()),
            topic=notice.match.slug,
            match=notice.match.slug,
            deadline=seat.deadline if seat and kind in {Kind.TURN, Kind.DEADLINE, Kind.STARTED, Kind.PAIRED} else None,
            waiting=Match.objects.waiting_for(notice.user).count(),
            urgent=kind == Kind.DEADLINE or (kind == Kind.TURN and notice.match.speed == Speed.LIVE),
            subject=subject,
        )


def turns_for(user: User) -> Message:
    """Return what an email about all of a person's turns says above its list, in their language."""
    seats = list(standing.waiting(user))
    first = seats[0]
    notice = Notice(user=user, match=first.match, kind=Kind.TURN, turn=first.turn)
    message = message_of(notice)
    if len(seats) == 1:
        return message
    with in_words_of(user):
        title, url = _many_wait(len(seats)), absolute(reverse("my_matches"))
        return replace(message, title=title, subject="", text="", url=url, match="", waiting=len(seats))


def digest_for(user: User) -> Message:
    """Return what a person's daily digest says above its lists, in their language."""
    waiting = standing.waiting(user).count()
    with in_words_of(user):
        text, url, title = _("This is your daily digest."), absolute(reverse("my_matches")), _many_wait(waiting)
        subject = _("Your daily digest: %(title)s") % {"title": title}
        return Message(Kind.DIGEST, title, text, url, "digest", waiting=waiting, subject=subject)


def _many_wait(count: int) -> str:
    return ngettext("%(n)d match is waiting for you", "%(n)d matches are waiting for you", count) % {"n": count}


def absolute(path: str) -> str:
    """Return the absolute address of a page, for use outside the site."""
    return f"{settings.SITE_URL}{path}"


def moment_in_words(moment: datetime) -> str:
    """Return a moment on the reader's wall clock, with its zone."""
    return moments.with_zone(moment)


def against(match: Match, user: User) -> str:
    """Return the names of everybody else at a match; empty when there is nobody."""
    names = [seat.name for seat in _seats(match) if seat.user_id != user.pk]
    return str(get_text_list(names, _("and")))


def _subject(notice: Notice, title: str) -> str:
    """Return the subject of an email: for a turn it names the opponents, as lists of emails show only the subject."""
    words = {"game": notice.match.rules.name, "names": against(notice.match, notice.user)}
    if not words["names"]:
        return title
    if notice.kind == Kind.TURN and notice.part:
        return _("Everybody is waiting for you: %(game)s with %(names)s") % words
    if notice.kind == Kind.TURN:
        return _("Your turn: %(game)s with %(names)s") % words
    if notice.kind == Kind.DEADLINE:
        return _("Your time is running out: %(game)s with %(names)s") % words
    return title


def _turn(notice: Notice) -> Words:
    game = {"game": notice.match.rules.name}
    if notice.part:
        title = _("Everybody is waiting for you: %(game)s") % game
        text = _("Everybody else has decided: %(names)s.")
    else:
        title = _("Your turn: %(game)s") % game
        text = _("You are playing with %(names)s.")
    return title, _joined(text % {"names": against(notice.match, notice.user)}, _until(notice))


def _deadline(notice: Notice) -> Words:
    title = _("Your time is running out: %(game)s") % {"game": notice.match.rules.name}
    text = _("Less than %(part)d %% of the time for your turn is left.") % {"part": notice.part}
    return title, _joined(text, _until(notice))


def _invitation(notice: Notice) -> Words:
    match = notice.match
    invitation = Invitation.objects.filter(match=match, user=notice.user).select_related("by").first()
    words = {
        "host": invitation.by.username if invitation and invitation.by else "—",
        "game": match.rules.name,
        "speed": match.get_speed_display(),
        "clock": match.clock_in_words or _("no clock"),
    }
    seats = ngettext("%(n)d player", "%(n)d players", match.seat_count) % {"n": match.seat_count}
    rated = _("Rated match") if match.rated else _("Casual match")
    text = _("%(rated)s for %(seats)s. %(speed)s: %(clock)s.") % {**words, "rated": rated, "seats": seats}
    return _("%(host)s invites you to %(game)s") % words, text


def _planned(notice: Notice) -> Words:
    """Return a reminder of a planned table, or that it does not open."""
    match = notice.match
    words = {"game": match.rules.name, "moment": moment_in_words(match.opens_at or match.created_at)}
    if notice.part:
        text = _("The table opens on %(moment)s. Sit down within %(minutes)d minutes, or your seat is given away.")
        return _("%(game)s: a seat is kept for you") % words, text % {**words, "minutes": GRACE // timedelta(minutes=1)}
    title = _("Called off: %(game)s") % words
    if notice.by is None:
        return title, _("Nobody else wanted to come on %(moment)s.") % words
    return title, _("%(host)s has called off the table planned for %(moment)s.") % {**words, "host": notice.by.username}


def _started(notice: Notice) -> Words:
    title = _("Match started: %(game)s") % {"game": notice.match.rules.name}
    text = _("You are playing with %(names)s.") % {"names": against(notice.match, notice.user)}
    return title, _joined(text, _until(notice))


def _paired(notice: Notice) -> Words:
    title = _("Players found: %(game)s") % {"game": notice.match.rules.name}
    text = _("Your match with %(names)s has begun.") % {"names": against(notice.match, notice.user)}
    return title, _joined(text, _until(notice))


def _over(notice: Notice) -> Words:
    match, seats = notice.match, _seats(notice.match)
    game = {"game": match.rules.name}
    if match.status == Match.Status.ABORTED:
        return _("Aborted: %(game)s") % game, ending_in_words(match, seats)
    title = _("Match over: %(game)s") % game
    return title, _joined(_result(notice, seats), _left(notice, seats), _rating(notice), unrated_in_words(match, seats))


def _left(notice: Notice, seats: Sequence[Seat]) -> str:
    """Return who left the match, and how. Readers know that they resigned, but are told that they ran out of time."""
    others = leaving_in_words([seat for seat in seats if seat.user_id != notice.user_id])
    late = any(seat.timed_out and seat.user_id == notice.user_id for seat in seats)
    return _joined(_("You ran out of time.") if late else "", others)


def _away(notice: Notice) -> Words:
    seat = next((seat for seat in _seats(notice.match) if seat.number == notice.part), None)
    words = {"name": seat.name if seat else "—", "game": notice.match.rules.name}
    title = _("%(name)s is on vacation: %(game)s") % words
    if seat is None or seat.away_until is None or seat.deadline is None:
        return title, ""
    spans = {"until": moment_in_words(seat.away_until), "deadline": moment_in_words(seat.deadline)}
    return title, _("The vacation ends on %(until)s; the time for this turn runs out on %(deadline)s.") % spans


def _result(notice: Notice, seats: Sequence[Seat]) -> str:
    mine = next((seat for seat in seats if seat.user_id == notice.user_id), None)
    words = {
        "names": against(notice.match, notice.user),
        "winners": get_text_list([seat.name for seat in seats if seat.place == 1], _("and")),
        "place": mine.place if mine else None,
        "all": len(seats),
    }
    if mine is not None and mine.place == 1:
        return _("You have won against %(names)s.") % words
    return _("Winner: %(winners)s. You finished in place %(place)s of %(all)d.") % words


def _rating(notice: Notice) -> str:
    change = RatingChange.objects.filter(match=notice.match, user=notice.user).first()
    if change is None:
        return ""
    before, after = points(change.before), points(change.after)
    return _("Your rating: %(after)d (%(gain)s).") % {"after": after, "gain": f"{after - before:+d}"}


def _until(notice: Notice) -> str:
    """Return the deadline of a turn over days; live clocks would have run out before anybody read it."""
    seat = _own_seat(notice)
    if seat is None or seat.deadline is None or notice.match.speed != Speed.DAYS:
        return ""
    return _("You have until %(moment)s.") % {"moment": moment_in_words(seat.deadline)}


def _joined(*sentences: str) -> str:
    return " ".join(sentence for sentence in sentences if sentence)


def _own_seat(notice: Notice) -> Seat | None:
    return Seat.objects.filter(match=notice.match_id, user=notice.user_id, to_move=True, left=None).first()


def _seats(match: Match) -> list[Seat]:
    return list(Seat.objects.filter(match=match).select_related("user").order_by("number"))


_WORDS: dict[Kind, Callable[[Notice], Words]] = {
    Kind.TURN: _turn,
    Kind.DEADLINE: _deadline,
    Kind.INVITATION: _invitation,
    Kind.STARTED: _started,
    Kind.PAIRED: _paired,
    Kind.OVER: _over,
    Kind.AWAY: _away,
    Kind.PLANNED: _planned,
}
