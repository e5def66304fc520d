"""What people are told: each kind of notice in words, and one or several notices as a message in their language."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextvars import ContextVar
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import TypeAlias

from django.conf import settings
from django.db.models import Prefetch, QuerySet, prefetch_related_objects
from django.urls import reverse
from django.utils.text import get_text_list
from django.utils.translation import gettext as _, ngettext

from accounts.mail import in_words_of
from accounts.models import User
from accounts.moments import shown, with_zone
from accounts.relations import Relation, relation_between, requests_to
from games.matchmaking.invitations import terms_in_words
from games.matchmaking.limits import GRACE
from games.matchmaking.models import Invitation
from games.matchmaking.series import loaded_score_of, with_scores
from games.notifications import validity
from games.notifications.models import Kind, Notice
from games.play.boards.endings import (
    ending_in_words,
    leaving_in_words,
    own_place_in_words,
    reason_in_words,
    unrated_in_words,
)
from games.play.models import Match, Seat, Speed
from games.ratings.models import RatingChange, points
from games.titles import titles


@dataclass(frozen=True, slots=True)
class Message:
    """What a person is told, in their language and time zone. Nothing hidden in a match may appear in it.

    Args:
        kind: a `Kind`.
        title: a few words, for instance “Your turn in Small Islands”.
        text: one sentence.
        subject: what an email says in its subject; the title when empty.
        url: absolute, of the page to which it leads.
        topic: a word; a later message with the same topic replaces this one. The match, where there is one.
        match: slug of the match; empty for what comes daily.
        deadline: by when something must be done; None for never.
        waiting: how many matches wait for this person.
        urgent: whether it is worth waking a phone for.
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
    kind, match = Kind(notice.kind), notice.match
    with in_words_of(notice.user):
        title, text = words_of(notice)
        seat = own_seat(notice)
        return Message(
            kind=kind,
            title=title,
            text=text,
            url=absolute(notice.get_absolute_url()),
            topic=_topic(notice),
            match=match.slug if match else "",
            deadline=seat.deadline if seat and kind in {Kind.TURN, Kind.DEADLINE, Kind.STARTED, Kind.PAIRED} else None,
            waiting=Match.objects.waiting_for(notice.user).count(),
            urgent=kind == Kind.DEADLINE or (kind == Kind.TURN and notice.about.speed == Speed.LIVE),
            subject=_subject(notice, title),
        )


def _topic(notice: Notice) -> str:
    """Return a topic without spaces, as it becomes part of ids of emails."""
    if notice.match is not None and notice.kind != Kind.CHAT:
        return notice.match.slug
    named = (notice.details.get(name) for name in ("case", "event", "club"))
    about = notice.match.slug if notice.match else next(filter(None, named), notice.by_id)
    return f"{notice.kind}-{about}" if about else notice.kind


def turns_for(user: User) -> Message:
    """Return what an email about all of a person's turns says above its list, in their language."""
    seats = list(validity.waiting(user))
    first = seats[0]
    message = message_of(Notice(user=user, match=first.match, kind=Kind.TURN, turn=first.turn))
    if len(seats) == 1:
        return message
    with in_words_of(user):
        title, url = _many_wait(len(seats)), absolute(reverse("my_matches"))
        return replace(message, title=title, subject="", text="", url=url, match="", waiting=len(seats))


def digest_for(user: User) -> Message:
    """Return what a person's daily digest says above its lists, in their language."""
    waiting, requests = validity.waiting(user).count(), requests_to(user).count()
    with in_words_of(user):
        asked = ngettext(
            "%(n)d friend request is waiting for you.", "%(n)d friend requests are waiting for you.", requests
        )
        more = digest_lines(user)
        text = joined(_("This is your daily digest."), asked % {"n": requests} if requests else "", *more)
        title = _many_wait(waiting) if waiting or not more else more[0].rstrip(".")
        subject = _("Your daily digest: %(title)s") % {"title": title}
        url = absolute(reverse("my_matches"))
        return Message(Kind.DIGEST, title, text, url, "digest", waiting=waiting, subject=subject)


def _many_wait(count: int) -> str:
    return ngettext("%(n)d match is waiting for you", "%(n)d matches are waiting for you", count) % {"n": count}


DigestLine: TypeAlias = Callable[[User], str]
"""Returns a sentence in the active language; empty if there is nothing to say."""

_digest_lines: list[DigestLine] = []


def register_digest_line(line: DigestLine) -> None:
    """Let another app add a line to the digest."""
    _digest_lines.append(line)


def digest_lines(user: User) -> list[str]:
    """Return what other apps say in somebody's digest, in the active language."""
    return [said for line in _digest_lines if (said := line(user))]


def absolute(path: str) -> str:
    """Return the absolute address of a page, for use outside the site."""
    return f"{settings.SITE_URL}{path}"


def _subject(notice: Notice, title: str) -> str:
    """Return the subject of an email; for a turn it names the opponents, as lists of emails show nothing else."""
    if notice.kind not in {Kind.TURN, Kind.DEADLINE}:
        return title
    words = {"game": notice.about.rules.name, "names": against(notice.about, notice.user)}
    if not words["names"]:
        return title
    if notice.kind == Kind.TURN and notice.part:
        return _("Everyone is waiting for you: %(game)s with %(names)s") % words
    if notice.kind == Kind.TURN:
        return _("Your turn: %(game)s with %(names)s") % words
    return _("Your time is running out: %(game)s with %(names)s") % words


SEATS = Prefetch("seats", Seat.objects.select_related("user"))


def with_matches(notices: QuerySet[Notice]) -> QuerySet[Notice]:
    """Load notices with all that their words need."""
    matches = Match.objects.prefetch_related(SEATS, "rating_changes", "invitations__by")
    return notices.select_related("user", "by").prefetch_related(Prefetch("match", with_scores(matches)))


Words = tuple[str, str]
"""A title of a few words, and a sentence or two."""


_on_a_page: ContextVar[bool] = ContextVar("on_a_page", default=False)


def words_on_a_page(notice: Notice) -> Words:
    """Return what a notice says to whoever reads it now: moments within a week are named by their day alone."""
    token = _on_a_page.set(True)
    try:
        return words_of(notice)
    finally:
        _on_a_page.reset(token)


def _moment(at: datetime) -> str:
    return shown(at, "deadline") if _on_a_page.get() else with_zone(at)


def words_of(notice: Notice) -> Words:
    """Return what a notice says, in the active language."""
    return _WORDS[Kind(notice.kind)](notice)


def against(match: Match, user: User) -> str:
    """Return the names of everybody else at a match; empty when there is nobody."""
    names = [seat.name for seat in seats_of(match) if seat.user_id != user.pk]
    return listed(names)


def _turn(notice: Notice) -> Words:
    game = {"game": notice.about.rules.name}
    if notice.part:
        title = _("Everyone is waiting for you: %(game)s") % game
        text = _("Everyone else has decided: %(names)s.")
    else:
        title = _("Your turn: %(game)s") % game
        text = _("You are playing with %(names)s.")
    return title, joined(text % {"names": against(notice.about, notice.user)}, _until(notice))


def _deadline(notice: Notice) -> Words:
    title = _("Your time is running out: %(game)s") % {"game": notice.about.rules.name}
    text = _("Less than %(part)d %% of the time for your turn is left.") % {"part": notice.part}
    return title, joined(text, _until(notice))


def _invitation(notice: Notice) -> Words:
    match = notice.about
    invitations: Iterable[Invitation] = match.invitations.all()
    invitation = next((it for it in invitations if it.user_id == notice.user_id), None)
    words = {
        "host": invitation.by.shown_name if invitation and invitation.by else "—",
        "game": match.rules.name,
    }
    if match.opens_at is not None and match.is_planned:
        words["moment"] = _moment(match.opens_at)
        return _("%(host)s invites you to %(game)s: %(moment)s") % words, terms_in_words(match)
    until = _("Valid until %(moment)s.") % {"moment": _moment(invitation.expires_at)} if invitation else ""
    return _("%(host)s invites you to %(game)s") % words, joined(_of_series(match), terms_in_words(match), until)


def _friend_asked(notice: Notice) -> Words:
    relation = relation_between(notice.user, notice.by) if notice.by else Relation.STRANGER
    now = {Relation.ASKS_ME: _("You can accept or decline."), Relation.FRIEND: _("You are now friends.")}
    return _("%(name)s wants to be your friend") % {"name": _name(notice)}, now.get(relation, "")


def _befriended(notice: Notice) -> Words:
    title = _("%(name)s has accepted your friend request") % {"name": _name(notice)}
    return title, _("You are now friends.")


def table_in_words(notice: Notice) -> Words:
    """Return what a notice of a new table says, in the active language."""
    match = notice.about
    words = {"host": _name(notice), "game": match.rules.name}
    if not match.is_planned or match.opens_at is None:
        return _("%(host)s opens a table: %(game)s") % words, terms_in_words(match)
    words["moment"] = _moment(match.opens_at)
    return _("%(host)s plans a table for %(game)s: %(moment)s") % words, terms_in_words(match)


def _name(notice: Notice) -> str:
    return notice.by.shown_name if notice.by else "—"


def _planned(notice: Notice) -> Words:
    match = notice.about
    words = {"game": match.rules.name, "moment": _moment(match.opens_at or match.created_at)}
    if notice.part:
        text = _("The table opens on %(moment)s. Sit down within %(minutes)d minutes, or your seat is free again.")
        return _("%(game)s: a seat is kept for you") % words, text % {**words, "minutes": GRACE // timedelta(minutes=1)}
    title = _("Called off: %(game)s") % words
    if notice.by is None:
        return title, _("Nobody else wanted to come on %(moment)s.") % words
    words["host"] = notice.by.shown_name
    return title, _("%(host)s has called off the table planned for %(moment)s.") % words


def _begun(notice: Notice) -> Words:
    if notice.kind == Kind.PAIRED:
        title, text = _("Players found: %(game)s"), _("Your match with %(names)s has begun.")
    else:
        title, text = _("Match started: %(game)s"), _("You are playing with %(names)s.")
    words = {"game": notice.about.rules.name, "names": against(notice.about, notice.user)}
    return title % words, joined(_of_series(notice.about), text % words, _until(notice))


def _of_series(match: Match) -> str:
    """Return which match of a series it is, and the score; empty for one of no series."""
    score = loaded_score_of(match)
    if score is None:
        return ""
    words = {"number": score.place.number, "score": score.in_words}
    if not words["score"]:
        return _("Match %(number)d of a series.") % words
    return _("Match %(number)d of a series: %(score)s.") % words


def _over(notice: Notice) -> Words:
    match, seats = notice.about, seats_of(notice.about)
    game = {"game": match.rules.name}
    if match.status == Match.Status.ABORTED:
        return _("Aborted: %(game)s") % game, ending_in_words(match, seats)
    sentences = [_result(notice, seats), _left(notice, seats), _rating(notice), unrated_in_words(match, seats)]
    if score := loaded_score_of(match):
        sentences += [_of_series(match), score.terms]
    return _("Match over: %(game)s") % game, joined(*sentences)


def _declined(notice: Notice) -> Words:
    title = _("%(name)s plays on: %(game)s") % {"name": _name(notice), "game": notice.about.rules.name}
    return title, _("Your offer to abort the match was declined.")


def _series_left(notice: Notice) -> Words:
    title = _("%(name)s has left the series: %(game)s") % {"name": _name(notice), "game": notice.about.rules.name}
    score = loaded_score_of(notice.about)
    text = _("The final score is %(score)s. A match in progress goes on as usual.")
    return title, text % {"score": score.in_words} if score else ""


def _left(notice: Notice, seats: Sequence[Seat]) -> str:
    """Return who else left the match, and how; and whether the reader ran out of time."""
    others = leaving_in_words([seat for seat in seats if seat.user_id != notice.user_id])
    late = any(seat.timed_out and seat.user_id == notice.user_id for seat in seats)
    return joined(_("You ran out of time.") if late else "", others)


def _away(notice: Notice) -> Words:
    seat = next((seat for seat in seats_of(notice.about) if seat.number == notice.part), None)
    words = {"name": seat.name if seat else "—", "game": notice.about.rules.name}
    title = _("%(name)s is on vacation: %(game)s") % words
    if seat is None or seat.away_until is None or seat.deadline is None:
        return title, ""
    spans = {"until": _moment(seat.away_until), "deadline": _moment(seat.deadline)}
    return title, _("The vacation ends on %(until)s; the time for this turn runs out on %(deadline)s.") % spans


def _moderation(notice: Notice) -> Words:
    if notice.match is None:
        return _("A message from the moderators"), _("Please read what they have decided, and why.")
    match, game, why = notice.match, {"game": notice.match.rules.name}, reason_in_words(notice.match)
    if match.status == Match.Status.CLOSED:
        return _("Moderators have closed a table: %(game)s") % game, why
    decided = ending_in_words(match, seats_of(match)) or _("Its result stands as it was played.")
    return _("Moderators have decided a match: %(game)s") % game, joined(decided, why)


def _confirm(notice: Notice) -> Words:
    words = {**_event(notice), "moment": _moment(datetime.fromisoformat(notice.details["starts_at"]))}
    title = _("Confirm that you will play: %(game)s") % words
    return title, _("The event starts on %(moment)s. If you do not confirm, you will not be paired.") % words


def _paused(notice: Notice) -> Words:
    why, words = notice.details["why"], _event(notice)
    if why == "barred":
        text = _("You did not come to a match for the second time. Events are closed to you for a while.")
        return _("You are out of the event: %(game)s") % words, text
    text = _("You did not come to a match.") if why == "absent" else _("You did not confirm before the start.")
    title = _("You are paused in the event: %(game)s") % words
    return title, joined(text, _("You will not be paired until you come back, with one tap."))


def _season(notice: Notice) -> Words:
    told, words = notice.details, _event(notice)
    if told["called_off"]:
        too_few, by_them = _("Too few people had entered the event."), _("Its organizers have called it off.")
        return _("The event is called off: %(game)s") % words, by_them if told.get("by_organisers") else too_few
    text = ""
    if "division" in told:
        text = _("Your final rank: %(place)d of %(of)d in division %(division)d.")
    elif "place" in told:
        text = _("Your final rank: %(place)d of %(of)d.")
    return _("The event is over: %(game)s") % words, text % told if text else ""


def _event(notice: Notice) -> dict[str, str]:
    title = titles().get(notice.details["game"])
    return {"game": title.game.name if title else notice.details["game"]}


def _result(notice: Notice, seats: Sequence[Seat]) -> str:
    mine = next((seat for seat in seats if seat.user_id == notice.user_id), None)
    winners = [seat.name for seat in seats if seat.place == 1]
    if mine is None or mine.place != 1:
        won = ngettext("%(winners)s has won.", "%(winners)s have won.", len(winners)) % {"winners": listed(winners)}
        if mine is None or mine.place is None or len(seats) == len(winners) + 1:
            return won
        return joined(won, f"{own_place_in_words(mine.place, len(seats))}.")
    if len(winners) > 1:
        others = [seat.name for seat in seats if seat.place == 1 and seat is not mine]
        return _("You share first place with %(names)s.") % {"names": listed(others)}
    return _("You beat %(names)s.") % {"names": against(notice.about, notice.user)}


def listed(names: Sequence[str]) -> str:
    """Return names as a sentence names them, in the active language."""
    return str(get_text_list(list(names), _("and")))


def _rating(notice: Notice) -> str:
    changes: Iterable[RatingChange] = notice.about.rating_changes.all()
    change = next((change for change in changes if change.user_id == notice.user_id), None)
    if change is None:
        return ""
    before, after = points(change.before), points(change.after)
    return _("Your rating: %(after)d (%(gain)s).") % {"after": after, "gain": f"{after - before:+d}".replace("-", "−")}


def _until(notice: Notice) -> str:
    """Return the deadline of a turn; empty in live matches, in which it passes before anybody reads this."""
    seat = own_seat(notice)
    if seat is None or seat.deadline is None or notice.about.speed != Speed.DAYS:
        return ""
    return _("You have until %(moment)s.") % {"moment": _moment(seat.deadline)}


def joined(*sentences: str) -> str:
    return " ".join(sentence for sentence in sentences if sentence)


def own_seat(notice: Notice) -> Seat | None:
    seats = seats_of(notice.match) if notice.match else []
    mine = (seat for seat in seats if seat.user_id == notice.user_id)
    return next((seat for seat in mine if seat.to_move and seat.left is None), None)


def seats_of(match: Match) -> list[Seat]:
    prefetch_related_objects([match], SEATS)  # unless they are loaded
    return list(match.seats.all())


_WORDS: dict[Kind, Callable[[Notice], Words]] = {
    Kind.TURN: _turn,
    Kind.DEADLINE: _deadline,
    Kind.INVITATION: _invitation,
    Kind.STARTED: _begun,
    Kind.PAIRED: _begun,
    Kind.OVER: _over,
    Kind.AWAY: _away,
    Kind.DECLINED: _declined,
    Kind.SERIES: _series_left,
    Kind.PLANNED: _planned,
    Kind.FRIEND_ASKED: _friend_asked,
    Kind.BEFRIENDED: _befriended,
    Kind.TABLE: table_in_words,
    Kind.CONFIRM: _confirm,
    Kind.PAUSED: _paused,
    Kind.SEASON: _season,
    Kind.MODERATION: _moderation,
}


def register_words(kind: Kind, words: Callable[[Notice], Words]) -> None:
    """Let another app say what a notice of its kind says."""
    _WORDS[kind] = words
