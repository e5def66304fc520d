"""`python -m config.health [SECONDS]`: whether the web process on HOST and PORT is well; waits for it so long.

Ends with 0 or 1. Asked by systemd before it starts the next process, by the health check of the image, by `make stack`.
"""

from __future__ import annotations

import http.client
import os
import sys
import time
from urllib.parse import urlsplit


def is_healthy(host: str, port: int) -> bool:
    """Ask a process for its own health, under the name of the site, as it refuses others."""
    headers = {"Host": urlsplit(os.environ.get("SITE_URL", "")).netloc or "127.0.0.1"}
    visit = http.client.HTTPConnection(host, port, timeout=5)
    try:
        visit.request("GET", "/healthz", headers=headers)
        return visit.getresponse().status == http.HTTPStatus.OK
    except (OSError, http.client.HTTPException):
        return False
    finally:
        visit.close()


def becomes_healthy(host: str, port: int, seconds: float) -> bool:
    """Ask until the answer is yes, for some seconds at most."""
    deadline = time.monotonic() + seconds
    while not (healthy := is_healthy(host, port)) and time.monotonic() < deadline:
        time.sleep(0.1)
    return healthy


if __name__ == "__main__":
    address = os.environ.get("HOST", "127.0.0.1"), int(os.environ.get("PORT", "8000"))
    sys.exit(0 if becomes_healthy(*address, float(sys.argv[1] if len(sys.argv) > 1 else 0)) else 1)
