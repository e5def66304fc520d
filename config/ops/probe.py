"""`python -m config.ops.probe [SECONDS]`: exit with 0 once the web process on HOST and PORT is healthy, else with 1.

A process is healthy if it reaches the database and the channel layer, whether or not a worker is running. systemd runs
this before it starts the next process; the image's health check and `make stack` use it too.
"""

from __future__ import annotations

import http.client
import json
import os
import sys
import time


def is_healthy(host: str, port: int) -> bool:
    """Return whether a process reports that it is healthy."""
    visit = http.client.HTTPConnection(host, port, timeout=5)
    try:
        visit.request("GET", "/healthz")
        answer = json.loads(visit.getresponse().read())
        return bool(answer["database"] and answer["channel_layer"])
    except (OSError, http.client.HTTPException, ValueError, LookupError):
        return False
    finally:
        visit.close()


def becomes_healthy(host: str, port: int, seconds: float) -> bool:
    """Return whether a process becomes healthy within some seconds."""
    deadline = time.monotonic() + seconds
    while not (healthy := is_healthy(host, port)) and time.monotonic() < deadline:
        time.sleep(0.1)
    return healthy


if __name__ == "__main__":
    address = os.environ.get("HOST", "127.0.0.1"), int(os.environ.get("PORT", "8000"))
    sys.exit(0 if becomes_healthy(*address, float(sys.argv[1] if len(sys.argv) > 1 else 0)) else 1)
