"""A bot for Tessera that accepts every invitation and plays at random; nothing but httpx is needed.

TESSERA_TOKEN=tes_… python examples/bot.py https://the.site    (a token for: read, play, tables, bot)
"""

import json
import os
import random
import sys
import time
import uuid

import httpx

HEADERS = {"Authorization": f"Bearer {os.environ['TESSERA_TOKEN']}"}
API = httpx.Client(base_url=f"{sys.argv[1]}/api/v1/", headers=HEADERS, timeout=20)  # streams beat every 7 s


def ask(method: str, path: str, body: object = None) -> httpx.Response:
    """Ask until there is an answer: as late as a 429 says, and through a restart of the server."""
    pause = wait = 1.0
    while True:
        try:
            answer = API.request(method, path, json=body)
            if answer.status_code != 429 and answer.status_code < 500:
                return answer
            wait = float(answer.headers.get("Retry-After", pause))
        except httpx.TransportError:
            wait = pause
        time.sleep(wait)
        pause = min(2 * pause, 60)


def play(slug: str) -> None:
    """Take legal actions until the turn is over; one that comes too late (409) is chosen anew."""
    while (legal := ask("GET", f"matches/{slug}/legal")).is_success:
        lines = [json.loads(line) for line in legal.text.splitlines()]
        actions = [line["action"] for line in lines if "action" in line]
        if not actions:
            return
        body = {"action": random.choice(actions), "version": lines[0]["version"], "client_id": uuid.uuid4().hex}
        if ask("POST", f"matches/{slug}/actions", body).status_code not in (200, 409):
            return


def listen() -> float:
    """Do what the stream tells until it ends; return after how many seconds to connect again."""
    with API.stream("GET", "stream/me") as stream:
        if stream.status_code == 401:
            sys.exit("This token is not valid.")
        if not stream.is_success:
            return float(stream.headers.get("Retry-After", 5))
        for event in (json.loads(line) for line in stream.iter_lines() if line):  # empty lines are its heartbeat
            if event["type"] == "bye":
                return float(event["retry"])
            if event["type"] == "invitation":
                ask("POST", f"tables/{event['match']}/accept", {})
            elif "match" in event and event["type"] != "match_over":
                play(event["match"])  # which does nothing while others are to move
    return 1


if __name__ == "__main__":
    if (made := ask("POST", "me/bot", {})).is_error and made.json()["code"] != "already-bot":
        sys.exit(made.json()["detail"])
    while True:
        try:
            pause = listen()
        except (httpx.TransportError, json.JSONDecodeError):  # gone, perhaps in the middle of a line
            pause = random.uniform(1, 5)
        time.sleep(pause)
