"""Why a socket is closed."""


class Close:
    """Codes sent to the browser; 4000 and above are the application's own."""

    BAD_ORIGIN = 4403
    NO_ACCESS = 4404
    SESSION_ENDED = 4401
    TOO_MANY = 4429
