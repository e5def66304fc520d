"""The table of every address of the site, and its answer to each kind of user."""

from __future__ import annotations

from tests.site.config.addresses import situations_of
from tests.site.config.world import JUDGED, OUTSIDERS

# A line is: name | GET | POST with an empty body, for everybody but moderators and those about whom they decided.
# A cell has one answer for all; or two: nobody, everybody logged in;
# or three: nobody, outsiders (stranger and staff), players (seat and mate); or four: nobody, outsiders, seat, mate.
# `healthz` answers 503, as no worker runs here.
# Three cells with / between them are for a public match that runs, a private one that runs, a public one that is over.
# Two are for the right key or number, about something of `seat`, and for a wrong one.
DOORS = """
home                                 | 200                                     | 405
manifest                             | 200                                     | 405
healthz                              | 503                                     | 405
metrics                              | 404                                     | 405
face                                 | 200                                     | 405
settings                             | login 200                               | 405
settings_profile                     | login 200                               | login 200
settings_display                     | 405                                     | →home
settings_name                        | login →settings_profile                 | login 200
settings_play                        | login 200                               | login →settings_play
settings_keys                        | 405                                     | login 204
settings_clocks                      | →settings_play                          | 405
settings_security                    | login 200                               | login 405
api_guide                            | 200                                     | 405
settings_tokens                      | login 200                               | login again
settings_token_revoke                | 405 | login 404 →settings_tokens 404 / login 404
settings_data                        | login 200                               | 405
privacy                              | 200                                     | 405
terms                                | 200                                     | 405
imprint                              | 200                                     | 405
data_export                          | 405                                     | login →settings_data
data_file                            | login 404 404 200 / login 404           | 405
settings_delete                      | login again                             | login again
delete_keep                          | 405                                     | login →settings_data
delete_confirm                       | 200 / 404                               | 200 / 404
settings_vacation                    | 405                                     | login 422
settings_devices                     | login 200                               | 405
device_this                          | login 200                               | login 422
device_remove                        | 405 | login 404 →settings_devices 404 / login 404
device_test                          | 405 | login 404 →settings_devices 404 / login 404
webhook_add                          | 405                                     | login 422
webhook_remove                       | 405 | login 404 →settings_devices 404 / login 404
webhook_test                         | 405 | login 404 →settings_devices 404 / login 404
calendar_new                         | 405                                     | login →settings_devices
calendar                             | 200 / 404                               | 405
service_worker                       | 200                                     | 405
well_known_change_password           | →account_change_password                | →account_change_password
guest                                | 405                                     | →lobby
account_signup                       | 200 →home                               | 200 →home
account_confirm_registration         | 200                                     | →home / 200
account_confirm_email                | 200                                     | login / 404
account_reset_password_from_key      | →account_reset_password_from_key / 200  | →account_reset_password_from_key / 200
settings_notices                     | login 200                               | login 422
unsubscribe                          | 200 / 404                               | 200 / 404
mute_by_token                        | 200 / 404                               | 200 / 404
usersessions_list                    | login 200                               | login →usersessions_list
end_session                          | 405 | login 404 →usersessions_list 404 / login 404
applications                         | login 200                               | 405
application_revoke                   | 405                                     | login →applications
own_applications                     | login 200                               | login 422
own_application                      | login 404 200 404 / login 404           | login 404 422 404 / login 404
own_application_secret               | 405 | login 404 200 404 / login 404
own_application_delete               | 405 | login 404 →own_applications 404 / login 404
oauth_server                         | 200                                     | 405
idp:oidc:configuration               | 200                                     | 405
idp:oidc:jwks                        | 200                                     | 405
idp:oidc:authorization               | 400                                     | →authorization
idp:oidc:device_authorization        | login 200                               | login 200
idp:oidc:device_code                 | 405                                     | 401
idp:oidc:token                       | 405                                     | 400
idp:oidc:revoke                      | 405                                     | 400
idp:oidc:userinfo                    | 401                                     | 401
idp:oidc:logout                      | →account_logout                         | →account_logout
account_login                        | 200 →home                               | 200 →home
account_logout                       | →home 200                               | →home
account_inactive                     | 200                                     | 405
account_reauthenticate               | login 200                               | login 200
account_email                        | login 200                               | login →account_email
account_email_verification_sent      | 200                                     | →account_signup
account_change_password              | login 200                               | login 200
account_set_password                 | login →account_change_password          | login →account_change_password
account_reset_password               | 200                                     | 200
account_confirm_login_code           | login →home                             | login →home
account_reset_password_from_key_done | 200                                     | 405
account_reset_password_done          | 200                                     | 405
mfa_index                            | →settings_security                      | 405
mfa_authenticate                     | login →home                             | login →home
mfa_reauthenticate                   | login again                             | login again
mfa_activate_totp                    | login again                             | login again
mfa_deactivate_totp                  | login 404                               | login 404
mfa_view_recovery_codes              | login 404                               | login 405
mfa_generate_recovery_codes          | login again                             | login again
mfa_download_recovery_codes          | login 404                               | login 404
mfa_list_webauthn                    | login 200                               | login 405
mfa_add_webauthn                     | login again                             | login again
mfa_reauthenticate_webauthn          | login again                             | login again
mfa_remove_webauthn                  | login again                             | login again
mfa_edit_webauthn                    | login again                             | login again
mfa_login_webauthn                   | login →home                             | login →home
robots                               | 200                                     | 405
sitemap                              | 200                                     | 405
rules                                | 200                                     | 405
lobby                                | 200                                     | 405
bots                                 | 200                                     | 405
bot                                  | 200                                     | 405
my_matches                           | login 200                               | 405
notices                              | login 200                               | 405
notices_seen                         | 405                                     | login →notices
people                               | login 200                               | 405
people_find                          | 200                                     | 405
people_presence                      | 405                                     | login →people
person_change                        | 405                                     | login →profile
lobby_news                           | 200                                     | 405
my_matches_news                      | login 200                               | 405
news                                 | login 200                               | 405
next_match                           | login →my_matches →match →my_matches    | 405
play_now                             | 200                                     | 422
play_with_bot                        | 405                                     | 422
table_bot_add                        | 405 | login →match / login 404 →match / login →match
table_bot_remove                     | 405 | login →match / login 404 →match / login →match
table_new                            | 200                                     | 422
table_plan                           | login 200                               | login 422
planned_tables                       | 200                                     | 405
table_calendar                       | 404                                     | 405
table_come                           | 405 | login →match / login 404 →match / login →match
table_take_back                      | 405 | login →match / login 404 →match / login →match
leaderboard                          | 200                                     | 405
leaderboard_pool                     | 200                                     | 405
leaderboard_season                   | 200                                     | 405
archive                              | 200                                     | 405
learn                                | 200                                     | 405
learn_game                           | 200                                     | 405
lesson                               | 200                                     | 422
lesson_play                          | 404                                     | 404
deals                                | 200                                     | 405
deal                                 | 200                                     | →match
events                               | 200                                     | 405
event                                | 200 / 404                               | login →event / 404
event_news                           | 200 / 404                               | 405
event_calendar                       | 200 / 404                               | 405
event_picture                        | 200 / 404                               | 405
event_proof                          | 200 / 404                               | 405
event_change                         | login 404 200 404 / login 404           | login 404 422 404 / login 404
event_new                            | login 404 200 404 / login 404           | login 404 422 404 / login 404
clubs                                | 200                                     | 405
club_new                             | login 200                               | login 422
club                                 | 404 404 200 / 404                       | 404 / 404
club_members                         | 404 404 200 / 404                       | 404 / 404
club_change                          | login 404 200 404 / login 404           | login 404 422 404 / login 404
club_close                           | login 404 200 404 / login 404           | login 404 →clubs 404 / login 404
club_link                            | 200 200 →club / 404                     | login →club / 404
club_chat                            | login 404 200 / login 404               | login 404 422 / login 404
club_news                            | login 404 200 / login 404               | 405
club_webhook                         | login 404 200 404 / login 404           | login 404 422 404 / login 404
club_webhook_test                    | 405 | login 404 →club_webhook 404 / login 404
club_webhook_remove                  | 405 | login 404 →club_webhook 404 / login 404
club_names                           | login 404 200 404 / login 404           | login 404 422 404 / login 404
club_invitation                      | login 404 →club / login 404             | login 404 →club / login 404
club_evenings                        | login 404 200 404 / login 404           | 405
club_evening_new | login 404 →club_evenings 404 / login 404 | login 404 →club_evenings 404 / login 404
club_evening                         | 405 | login 404 →club_evenings 404 / login 404
club_evening_change                  | login 404 200 404 / login 404           | login 404 422 404 / login 404
puzzles                              | 200                                     | 405
puzzle_archive                       | 200                                     | 405
puzzle                               | 200                                     | 422
finding_people                       | 200                                     | 405
pairing                              | 200                                     | 422
pairing_now                          | login 200                               | 405
pairing_go                           | 405                                     | login →pairing
pairing_decline                      | 405                                     | login →pairing
pairing_stop                         | 405                                     | login →pairing
messages                             | login 200                               | 405
messages_open                        | 405                                     | login →messages
message_delete                       | 405                                     | login 404 404 →match_chat / login 404
room_mute                            | 405                                     | login 404 →match_chat / login 404
conversation_news                    | login 404                               | 405
conversation                         | login 404                               | login 404
person_mute                          | 405                                     | login →messages
report_person                        | login 200                               | login 422
report_message                       | login 404 200 404 / login 404           | login 404 422 404 / login 404
report_match | login 200 / login 404 200 / login 200 | login 422 / login 404 422 / login 422
report_club                          | login 404 200 / login 404               | login 404 422 / login 404
reported                             | login 404 200 404 / login 404           | 405
reports                              | login 200                               | 405
standing                             | login 200                               | 405
warning                              | login →home                             | login →home
admin                                | →login                                  | →login
moderation                           | login 404                               | 405
moderation_log                       | login 404                               | 405
moderation_find                      | login 404                               | 405
deed_undo                            | login 404                               | login 404
fair_play                            | login 404                               | 405
finding_settle                       | 405                                     | login 404
case                                 | login 404                               | 405
case_change                          | 405                                     | login 404
moderated_person                     | login 404                               | login 404
moderated_match                      | login 404                               | login 404
moderated_club                       | login 404                               | login 404
profile                              | 200                                     | 405
match                                | 200 / 404 404 200 / 200                 | 405
match_log                            | 200 / 404 404 200 / 200                 | 405
match_news                           | 200 / 404 404 200 / 200                 | 405
match_company                        | 200 / 404 404 200 / 200                 | 405
match_preview                        | 404 404 200                             | 405
match_picture                        | 200 / 404 404 200 / 200                 | 405
match_chat | login 200 / login 404 200 / login 200 | login 404
match_past                           | 200 / 404 404 200 / 200                 | 405
replay                               | 200 / 404 404 200 / 200                 | 405
record                               | 403 403 200 / 404 404 200 / 200         | 405
review | →match / 404 404 →match / 200 | login →match / login 404 →match / login →review
review_exercise                      | 404                                     | 404
seals                                | 200 / 404 404 200 / 200                 | 405
draws                                | 404 / 404 / 200                         | 405
embed_match                          | 200 / 404 / 200                         | 405
embed_puzzle                         | 200                                     | 405
embed_puzzle_of_day                  | 200                                     | 405
oembed                               | 404                                     | 405
matches_feed                         | 200                                     | 405
match_act                            | 405 | login 404 422
match_undo                           | 405 | login 404 409 / login 404 409 / login 404 422
match_restart                        | 405 | login 404 409 / login 404 409 / login 404 422
match_back                           | 405 | login 404 409 / login 404 409 / login 404 422
match_abort                          | 405 | login 404 →match / login 404 →match / login 404 422
match_resign                         | login 404 200 / login 404 200 / login 404 →match | login 404 422
match_hint                           | 405 | login 404 →match / login 404 →match / login 404 →match
match_hint_found                     | login 404 200 / login 404 200 / login 404 200 | 405
play_meanwhile                       | 405 | login →match / login 404 →match / login →match
rematch_offer                        | login 404 / login 404 / login 404 200 | 405
match_hint_play                      | 405 | login 404 422 / login 404 422 / login 404 422
match_rematch                        | 405 | login →match / login 404 →match / login →match
series                               | 200 / 404 404 200 / 404                 | 405
series_leave                         | 405 | login →series / login 404 →series / login 404
match_mute                           | 405 | login 404 →match / login 404 →match / login 404 →match
record_lesson                        | login 404 / login 404 / login 200      | login 404 / login 404 / login 422
match_coached                        | 405 | login →match / login 404 →match / login →match
table_join                           | 405 | login →match / login 404 →match / login →match
challenge                            | login 200 →profile 200                 | login 422 →profile 422
table_decline                        | 405 | login →match / login 404 →match / login →match
table_guest                          | 405 | →match / 404 404 →match / →match
invitation                           | 200 / 404                               | 200 / 404
table_nonce                          | 405 | login 409 / login 404 409 / login 409
table_leave                          | 405 | login →match / login 404 →match / login →match
table_start                          | 405 | login →match / login 404 →match / login →match
table_remove                         | 405 | login →match / login 404 →match / login →match
table_open_kept                      | 405 | login →match / login 404 →match / login →match
table_casual                         | 405 | login →match / login 404 →match / login →match
table_invite | login →match / login 404 →match / login →match | login 422 / login 404 422 / login 422
table_close                          | 405 | login →match / login 404 →match / login →match
"""
METHODS = ("GET", "POST")
ROWS = {line.split("|")[0].strip(): line.split("|")[1:] for line in DOORS.strip().splitlines()}

POST_ALONE = {name for name, (get, _post) in ROWS.items() if get.strip() == "405"}
"""Addresses that refuse to be read before they look what they are about."""

# Moderators and administrators are answered as strangers are, except here; silenced people everywhere.
# A line is: name | GET | POST with an empty body; "-" where it is the stranger's.
FOR_MODERATORS = """
moderation       | 200         | -
moderation_log   | 200         | -
moderation_find  | →moderation | -
case             | 200 / 404   | -
deed_undo        | 200 / 404   | 422 / 404
moderated_person | 200         | 422
moderated_match  | 200         | 422
moderated_club   | 200 / 404   | 422 / 404
fair_play        | 200         | -
finding_settle   | -           | →fair_play / 404
"""
OF_MODERATORS = {line.split("|")[0].strip(): line.split("|")[1:] for line in FOR_MODERATORS.strip().splitlines()}

FOR_SUSPENDED = """
application_revoke data_export delete_confirm delete_keep device_remove end_session invitation match_abort match_mute
match_resign message_delete messages_open mute_by_token notices_seen own_application_delete pairing_stop person_mute
room_mute series_leave table_close table_decline table_leave table_take_back unsubscribe usersessions_list
webhook_remove
"""
"""What suspended people can post besides what their account needs. Other forms are refused; they read every page."""

OF_ACCOUNTS = {name for name in ROWS if name.startswith(("account_", "mfa_", "settings_"))} - {"settings_name"}

FOR_WARNED = {"account_logout", "healthz", "manifest", "service_worker", "warning"}
"""What people get who have not confirmed a warning, besides `warning` itself and faces; others send them to it."""


OF_NOBODY = {"embed_match", "embed_puzzle", "embed_puzzle_of_day", "oembed", "matches_feed"}
"""What answers everybody as somebody who was never here."""


def expected(name: str, method: str, situation: str) -> dict[str, str]:
    """Return the answer for each role according to the table."""
    words = _cell(ROWS, name, method, situation).split()
    nobody, outsiders, seat, mate = {1: words * 4, 2: [*words[:1], *words[1:] * 3], 3: [*words, *words[2:]]}.get(
        len(words), words
    )
    judged = {role: _of_judged(role, name, method, situation) or outsiders for role in JUDGED}
    return {"nobody": nobody, **dict.fromkeys(OUTSIDERS, outsiders), "seat": seat, "mate": mate, **judged}


def _cell(rows: dict[str, list[str]], name: str, method: str, situation: str) -> str:
    cells = rows[name][METHODS.index(method)].split("/")
    return cells[situations_of(name).index(situation)] if len(cells) > 1 else cells[0]


def _of_judged(role: str, name: str, method: str, situation: str) -> str:
    """Return the answer for a moderator or for one about whom they have decided; empty if it is the stranger's."""
    if name in OF_NOBODY:
        return ""
    if role in {"moderator", "administrator"} and name in OF_MODERATORS:
        return _cell(OF_MODERATORS, name, method, situation).strip().strip("-")
    if role == "suspended" and method == "POST":
        return "" if name in OF_ACCOUNTS | FOR_WARNED or name in FOR_SUSPENDED.split() else "403"
    if role == "warned" and method == "GET" and name in {"warning", "face"}:
        return "200"
    return "→warning" if role == "warned" and name not in FOR_WARNED else ""
