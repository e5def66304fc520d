"""The only settings file; environment variables configure it, and docs/operation.md explains each.

If `SITE_URL` begins with https://, cookies are secure, HSTS is on and plain requests are redirected. Every variable has
a default that suits one machine, so `make run` needs no configuration.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import sys
import tempfile
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import dj_database_url
import django
from csp.constants import NONE, SELF
from django.utils.translation import gettext_lazy as _

from accounts import limits
from accounts.requests import NETWORK
from games.titles import apps as title_apps

BASE_DIR = Path(__file__).resolve().parent.parent
DATA_DIR = Path(os.environ.get("DATA_DIR", BASE_DIR / "data"))


def _flag(name: str, default: bool = False) -> bool:
    return os.environ.get(name, str(default)).lower() in {"1", "true", "yes", "on"}


def _words(name: str) -> list[str]:
    return [word.strip() for word in os.environ.get(name, "").split(",") if word.strip()]


def _secret_key() -> str:
    """Return SECRET_KEY, or the key in the data folder, which is created on first use."""
    if key := os.environ.get("SECRET_KEY"):
        return key
    path = DATA_DIR / "secret-key"
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile("w", dir=path.parent) as file:  # readable by its owner only
            file.write(secrets.token_urlsafe(64))
            file.flush()
            os.fsync(file.fileno())  # after a crash the site would find an empty key, and not start
            with contextlib.suppress(FileExistsError):  # another process has just written one
                os.link(file.name, path)
    return path.read_text()


def _close(database: Path) -> None:
    """Let nobody but its owner read an SQLite database, what SQLite writes beside it, and the data folder.

    nginx cannot read the static files in the data folder then; such a site serves them itself.
    """
    with contextlib.suppress(OSError):  # a folder that is not there may be a disk that is not mounted yet
        if database.parent == DATA_DIR:
            DATA_DIR.mkdir(mode=0o700, parents=True, exist_ok=True)
        database.touch(mode=0o600, exist_ok=True)
    ours = [database, *(database.with_name(f"{database.name}-{more}") for more in ("wal", "shm", "journal"))]
    if database.parent == DATA_DIR:
        ours.append(DATA_DIR)
    for path in ours:
        with contextlib.suppress(OSError):
            mode = path.stat().st_mode
            if mode & 0o077 and not mode & 0o1000 and path.stat().st_uid == os.getuid():  # never a shared folder
                path.chmod(mode & 0o700)


DEBUG = _flag("DEBUG")
SECRET_KEY = _secret_key()
SITE_URL = os.environ.get("SITE_URL", f"http://127.0.0.1:{os.environ.get('PORT', '8000')}").rstrip("/")
_site = urlsplit(SITE_URL)
# Where to find the source of this site (AGPL, section 13); shown in the footer of every page.
SOURCE_URL = os.environ.get("SOURCE_URL", "")
SECURE = _site.scheme == "https"
_LOOPBACK = ["127.0.0.1", "localhost", "[::1]"]
ALLOWED_HOSTS = [_site.hostname or "127.0.0.1", *_words("ALLOWED_HOSTS"), *([] if SECURE else _LOOPBACK)]
CSRF_TRUSTED_ORIGINS = [SITE_URL]

# The operator's texts for the legal pages (docs/privacy.md).
LEGAL_DIR = Path(os.environ.get("LEGAL_DIR", DATA_DIR / "legal"))

# The journal of ended accounts, outside the database because of backups (games/privacy/deletions.py).
DELETIONS_DIR = Path(os.environ.get("DELETIONS_DIR", DATA_DIR / "deletions"))

_RUNSERVER = "runserver" in sys.argv
# Whether one process serves everything (set by config.serve); otherwise the in-memory channel layer is refused.
SINGLE_PROCESS = _flag("SINGLE_PROCESS") or _RUNSERVER

# Ours come before those of others: of two translations or templates with the same name the first is used.
INSTALLED_APPS = [
    *(["daphne"] if _RUNSERVER else []),  # not in other processes, whose start it would slow down by a quarter
    "whitenoise.runserver_nostatic",
    "config",
    "accounts",
    *title_apps(),
    "games.play",
    "games.bots",
    "games.ratings",
    "games.matchmaking",
    "games.history",
    "games.notifications",
    "games.puzzles",
    "games.deals",
    "games.events",
    "games.clubs",
    "games.pairing",
    "games.learn",
    "games.review",
    "games.chat",
    "games.fairplay",
    "games.api",
    "games.privacy",
    "games.moderation",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.sitemaps",
    "django.contrib.staticfiles",
    "channels",
    "django_htmx",
    "csp",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "allauth.usersessions",
    "allauth.idp.oidc",
    "django.contrib.admin.apps.SimpleAdminConfig",
]

MIDDLEWARE = [
    "config.middleware.Numbered",
    "config.ops.metrics.Measured",
    "config.middleware.AskedDirectly",
    "config.middleware.DatabaseWrites",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "config.middleware.CompressedPages",
    "config.middleware.PrivateByDefault",
    "config.middleware.ContentPolicy",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "games.api.middleware.ApiMiddleware",  # answers what is below /api/ itself: what follows is for pages
    "accounts.faces.FaceMiddleware",
    "config.middleware.BoundedForms",
    "config.middleware.WithoutCookies",
    "config.middleware.OnlyText",
    "accounts.middleware.NetworkMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "accounts.middleware.PreferencesMiddleware",
    "accounts.middleware.VisitMiddleware",
    "accounts.middleware.GuestMiddleware",
    "accounts.logins.DeviceMiddleware",
    "accounts.middleware.SanctionsMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "config.middleware.RefusalsInWords",
]

ROOT_URLCONF = "config.urls"
WSGI_APPLICATION = "config.wsgi.application"
ASGI_APPLICATION = "config.asgi.application"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.template.context_processors.i18n",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "config.templating.site",
            ],
            "builtins": [
                "django.templatetags.i18n",
                "django.templatetags.static",
                "accounts.moments",
                "games.titles.art",
                "config.staticfiles",
            ],
            "libraries": {  # what pages load from modules that do more than that
                "chat": "games.chat.conversations",
                "embedding": "games.play.embedding",
                "faces": "accounts.faces",
                "moderation": "games.moderation.access",
                "notices": "games.notifications.views",
                "pairing": "games.pairing.views",
                "thumbnails": "games.play.boards.pictures",
            },
        },
    },
    {
        # Templates of what is pushed at every move (*.jinja), rendered with `using="boards"`.
        "NAME": "boards",
        "BACKEND": "config.templating.Boards",
        "APP_DIRS": True,
        "OPTIONS": {"environment": "config.templating.environment"},
    },
]

FORM_RENDERER = "config.templating.Fields"

# --- data -------------------------------------------------------------------------------------------------------
DATABASES = {
    "default": dj_database_url.parse(
        os.environ.get("DATABASE_URL", f"sqlite:///{DATA_DIR / 'tessera.sqlite3'}"),
        conn_max_age=None,
        conn_health_checks=True,
    )
}
_SQLITE = DATABASES["default"]["ENGINE"] == "django.db.backends.sqlite3"
_GIVEN: dict[str, Any] = DATABASES["default"].get("OPTIONS", {})


def _role() -> str:
    """Return the kind of this process: "worker", "bots", another "command" of manage.py, or "web"."""
    if Path(sys.argv[0]).name != "manage.py" or _RUNSERVER:
        return "web"
    return sys.argv[1] if sys.argv[1:2] in (["worker"], ["bots"]) else "command"


# Seconds after which the database cancels a statement, and a wait for a lock: for pages few, because somebody waits for
# them and their threads serve nobody else meanwhile. 0 is no limit, for commands that somebody watches.
_LIMITS = {"web": (10, 4), "worker": (60, 20), "bots": (60, 20), "command": (0, 0)}


def _options(role: str) -> dict[str, Any]:
    """Return the options of a database connection for a process or a thread with this role."""
    statement, lock = (
        float(os.environ.get(name, limit)) if role == "web" else limit
        for name, limit in zip(("DATABASE_STATEMENT_SECONDS", "DATABASE_LOCK_SECONDS"), _LIMITS[role], strict=True)
    )
    if _SQLITE:
        init = "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA mmap_size=268435456;"
        return {**_GIVEN, "transaction_mode": "IMMEDIATE", "timeout": lock or 20, "init_command": init}
    limits = {"statement_timeout": statement, "lock_timeout": lock}
    if role != "command":
        limits["idle_in_transaction_session_timeout"] = 60
    words = " ".join(f"-c {name}={int(1000 * seconds)}" for name, seconds in limits.items())
    return {"connect_timeout": 3, "application_name": f"tessera-{role}", "options": words, **_GIVEN}


WORKER_OPTIONS = _options("worker")  # for the worker thread of a single process
DATABASES["default"]["OPTIONS"] = _options(_role())
if _SQLITE:
    if (_file := str(DATABASES["default"]["NAME"])) and not _file.startswith((":", "file:")):
        _close(Path(_file))
    # The test database is a file, because several threads must see it; each process has its own.
    DATABASES["default"]["TEST"] = {"NAME": Path(tempfile.gettempdir()) / f"tessera-test-{os.getpid()}.sqlite3"}
elif _flag("DATABASE_POOLED"):  # with pgbouncer each transaction may have another connection
    DATABASES["default"]["DISABLE_SERVER_SIDE_CURSORS"] = True
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

REDIS_URL = os.environ.get("REDIS_URL", "")
# Without Redis there is one process, which is its own worker; with Redis, workers are separate (`manage.py worker`).
EMBEDDED_WORKER = _flag("EMBEDDED_WORKER", not REDIS_URL)
# How many child processes of a single process think for bots, and how many seconds of a processor a bot may think
# about an action: a last resort, as bots count what they imagine.
BOT_PROCESSES = int(os.environ.get("BOT_PROCESSES", max(1, (os.cpu_count() or 1) - 1)))
BOT_SECONDS = float(os.environ.get("BOT_SECONDS", "10"))
# The site's own events. Of each game one for each row with `weeks`, season after season: a league plays all its heats
# in its weeks, two at a time; a ladder has no end. A row with `weekday` (0 is Monday) is one live evening a week,
# of the games in turn. `clock` is what each player has for a match, as of a table, `minutes` how long a round lasts.
EVENTS = (
    {"format": "league", "seats": 2, "least": 2, "clock": "86400+14400/259200", "weeks": 9},
    {"format": "ladder", "seats": 2, "least": 2, "clock": "259200+86400/259200", "weeks": None},
    {
        "format": "swiss",
        "seats": 2,
        "least": 2,
        "clock": "600+10/1200",
        "rounds": 3,
        "minutes": 40,
        "weekday": 3,
        "hour": 19,
        "zone": "Europe/Berlin",
    },
)
CHANNEL_LAYERS = {
    "default": {
        "BACKEND": "config.redis_layer.RedisLayer",
        "CONFIG": {"url": REDIS_URL},
    }
    if REDIS_URL
    else {"BACKEND": "channels.layers.InMemoryChannelLayer"}
}
CACHES = {
    "default": {
        "BACKEND": "django.core.cache.backends.redis.RedisCache",
        "LOCATION": REDIS_URL,
        "OPTIONS": {"socket_connect_timeout": 2, "socket_timeout": 2},
    }
    if REDIS_URL
    # Rate limits are counted here. With the default of 300 entries anyone could evict their own count.
    else {"BACKEND": "django.core.cache.backends.locmem.LocMemCache", "OPTIONS": {"MAX_ENTRIES": 100_000}},
}

# --- people -----------------------------------------------------------------------------------------------------
AUTH_USER_MODEL = "accounts.User"
AUTHENTICATION_BACKENDS = ["accounts.adapter.AuthenticationBackend"]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator", "OPTIONS": {"min_length": 10}},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
    {"NAME": "django.contrib.auth.password_validation.NumericPasswordValidator"},
]
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "home"
LOGOUT_REDIRECT_URL = "home"
ACCOUNT_ADAPTER = "accounts.adapter.AccountAdapter"
ACCOUNT_LOGIN_METHODS = {"username", "email"}
ACCOUNT_SIGNUP_FIELDS = ["username*", "email*", "password1*"]
ACCOUNT_EMAIL_VERIFICATION = "mandatory"
ACCOUNT_UNIQUE_EMAIL = True
ACCOUNT_PREVENT_ENUMERATION = True
ACCOUNT_CONFIRM_EMAIL_ON_GET = False
ACCOUNT_LOGIN_ON_EMAIL_CONFIRMATION = False
ACCOUNT_LOGOUT_ON_PASSWORD_CHANGE = False
ACCOUNT_REAUTHENTICATION_REQUIRED = True
ACCOUNT_CHANGE_EMAIL = True
ACCOUNT_EMAIL_SUBJECT_PREFIX = "Tessera: "
ACCOUNT_EMAIL_NOTIFICATIONS = True
ACCOUNT_FORMS = {
    "login": "accounts.forms.LoginForm",
    "signup": "accounts.forms.SignupForm",
    "add_email": "accounts.forms.AddEmailForm",
    "change_password": "accounts.forms.ChangePasswordForm",
    "set_password": "accounts.forms.SetPasswordForm",
    "reset_password": "accounts.forms.ResetPasswordForm",
    "reset_password_from_key": "accounts.forms.ResetPasswordKeyForm",
    "reauthenticate": "accounts.forms.ReauthenticateForm",
}
ACCOUNT_RATE_LIMITS = dict(limits.ALLAUTH)
ALLAUTH_RATE_LIMIT_IPV6_PREFIX = NETWORK
ACCOUNT_SESSION_REMEMBER = True
GUEST_AGE = 30 * 24 * 3600  # seconds without a visit after which a guest is deleted
MFA_SUPPORTED_TYPES = ["totp", "webauthn", "recovery_codes"]
MFA_PASSKEY_LOGIN_ENABLED = True
MFA_TOTP_ISSUER = "Tessera"
MFA_TOTP_TOLERANCE = 1  # one step of 30 s: clocks of phones differ
MFA_ADAPTER = "accounts.adapter.MFAAdapter"
MFA_FORMS = {
    "authenticate": "accounts.forms.AuthenticateForm",
    "reauthenticate": "accounts.forms.ReauthenticateByCodeForm",
    "activate_totp": "accounts.forms.ActivateTOTPForm",
    "login_webauthn": "accounts.forms.LoginByPasskeyForm",
    "authenticate_webauthn": "accounts.forms.AuthenticateByPasskeyForm",
    "reauthenticate_webauthn": "accounts.forms.ReauthenticateByPasskeyForm",
    "add_webauthn": "accounts.forms.AddPasskeyForm",
    "edit_webauthn": "accounts.forms.RenamePasskeyForm",
}
# Without https, browsers allow passkeys on localhost only.
MFA_WEBAUTHN_ALLOW_INSECURE_ORIGIN = not SECURE
# Programs that act for people (accounts/applications); times in seconds. Addresses of the site are never guessed from
# the request, and no program registers itself.
IDP_OIDC_ADAPTER = "accounts.applications.adapter.ApplicationsAdapter"
IDP_OIDC_ACCESS_TOKEN_EXPIRES_IN = 3600
IDP_OIDC_REFRESH_TOKEN_EXPIRES_IN = 90 * 24 * 3600  # each use gives another one, so a program that is used stays in
IDP_OIDC_AUTHORIZATION_CODE_EXPIRES_IN = 60
IDP_OIDC_DEVICE_CODE_EXPIRES_IN = 600
IDP_OIDC_RATE_LIMITS = dict(limits.ALLAUTH_IDP)
# Who may read /metrics: clients with this token, and direct connections from these addresses or networks.
METRICS_TOKEN = os.environ.get("METRICS_TOKEN", "")
METRICS_ADDRESSES = _words("METRICS_ADDRESSES")
TRUSTED_PROXIES = int(os.environ.get("TRUSTED_PROXIES", "0"))

# Leaderboards list people who have played rated matches against at least so many opponents.
LEADERBOARD_OPPONENTS = int(os.environ.get("LEADERBOARD_OPPONENTS", "3"))

_smtp = "EMAIL_HOST" in os.environ
_mail_backend = os.environ.get(
    "EMAIL_BACKEND", f"{'config.ops.outages' if _smtp else 'django.core.mail.backends.console'}.EmailBackend"
)
_mail_port = int(os.environ.get("EMAIL_PORT", "587"))
_mail: dict[str, Any] = {
    "host": os.environ.get("EMAIL_HOST", ""),
    "port": _mail_port,
    "username": os.environ.get("EMAIL_HOST_USER", ""),
    "password": os.environ.get("EMAIL_HOST_PASSWORD", ""),
    "use_tls": _flag("EMAIL_USE_TLS", _mail_port == 587),  # noqa: PLR2004  # the port of mail submission with STARTTLS
    "timeout": 10,
}
if django.VERSION >= (6, 1):  # the new setting, which excludes the old one
    MAILERS = {"default": {"BACKEND": _mail_backend, "OPTIONS": _mail if _smtp else {}}}
else:
    EMAIL_BACKEND = _mail_backend
    EMAIL_HOST, EMAIL_PORT, EMAIL_USE_TLS = _mail["host"], _mail["port"], _mail["use_tls"]
    EMAIL_HOST_USER, EMAIL_HOST_PASSWORD = _mail["username"], _mail["password"]
    EMAIL_TIMEOUT = _mail["timeout"]
DEFAULT_FROM_EMAIL = os.environ.get("DEFAULT_FROM_EMAIL", f"Tessera <noreply@{_site.hostname}>")

# --- notices outside the page -----------------------------------------------------------------------------------
# The key that identifies this site to push services, 32 bytes in base64url; by default derived from SECRET_KEY.
VAPID_PRIVATE_KEY = os.environ.get("VAPID_PRIVATE_KEY", "")
# Whether push messages and webhooks may be sent to this machine, and without https; only tests do.
SEND_TO_LOOPBACK = False

# --- words, times, files ----------------------------------------------------------------------------------------
LANGUAGE_CODE = "en"
LANGUAGE_COOKIE_NAME = "tessera_language"
LANGUAGES = [("en", _("English")), ("de", _("German")), ("it", _("Italian"))]
LOCALE_PATHS = [BASE_DIR / "templates" / "locale"]
USE_TZ = True
TIME_ZONE = "UTC"
FORMAT_MODULE_PATH = "accounts.formats"

STATIC_URL = "static/"
STATIC_ROOT = DATA_DIR / "static"
STATICFILES_DIRS = [BASE_DIR / "static"]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage" if DEBUG else "config.staticfiles.Collected"
    },
}

# --- security ---------------------------------------------------------------------------------------------------
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF, "data:"],
        "connect-src": [SELF],
        "manifest-src": [SELF],
        "worker-src": [SELF],
        "form-action": [SELF],
        "base-uri": [NONE],
        "frame-ancestors": [NONE],
    }
}
SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_REFERRER_POLICY = "same-origin"
SECURE_SSL_REDIRECT = SECURE
SECURE_REDIRECT_EXEMPT = [r"^healthz$", r"^metrics$"]  # requested directly, not through nginx
SECURE_HSTS_SECONDS = 31_536_000 if SECURE else 0
SECURE_HSTS_INCLUDE_SUBDOMAINS = SECURE
SECURE_HSTS_PRELOAD = SECURE
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if TRUSTED_PROXIES else None
SESSION_COOKIE_SECURE = SECURE
CSRF_COOKIE_SECURE = SECURE
SESSION_COOKIE_NAME = "tessera_session"
SESSION_COOKIE_SAMESITE = "Lax"
CSRF_COOKIE_HTTPONLY = True
CSRF_FAILURE_VIEW = "config.views.csrf_failure"
X_FRAME_OPTIONS = "DENY"
DATA_UPLOAD_MAX_MEMORY_SIZE = 256 * 1024
DATA_UPLOAD_MAX_NUMBER_FIELDS = 200

# --- logs and error reports -------------------------------------------------------------------------------------
# Queries that take this many seconds or longer are logged; 0 for none.
SLOW_QUERY_SECONDS = float(os.environ.get("SLOW_QUERY_SECONDS", "0"))
# Where errors are reported (config/ops/logs.py); empty for nowhere.
SENTRY_DSN = os.environ.get("SENTRY_DSN", "")
# Who gets an email when a systemd unit fails, for instance the backup.
OPERATOR_EMAIL = _words("OPERATOR_EMAIL")

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "filters": {
        "outages": {"()": "config.ops.logs.OneLinePerOutage"},
        "mistakes": {"()": "config.ops.logs.OneLinePerMistake"},
        "addresses": {"()": "config.ops.logs.NoAddresses"},
        "asked": {"()": "config.ops.logs.WhoAsked"},
    },
    "formatters": {
        "plain": {"format": "{asctime} {levelname} {name} {message}", "style": "{"},
        "json": {
            "()": "pythonjsonlogger.json.JsonFormatter",
            "format": "{asctime}{levelname}{name}{message}",
            "style": "{",
            "rename_fields": {"asctime": "at", "levelname": "level", "name": "logger"},
        },
    },
    "handlers": {
        "console": {
            "class": "logging.StreamHandler",
            "formatter": "json" if os.environ.get("LOG_FORMAT") == "json" else "plain",
            "filters": ["outages", "mistakes", "addresses", "asked"],
        }
    },
    "root": {"handlers": ["console"], "level": os.environ.get("LOG_LEVEL", "INFO")},
}
