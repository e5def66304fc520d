"""Version 1 of the API: its addresses, and the document that describes them."""

from __future__ import annotations

from functools import cache
from http.client import responses
from typing import Any, Final

import msgspec
from django.http import HttpRequest
from ninja import NinjaAPI
from ninja.openapi.schema import OpenAPISchema
from ninja.operation import Operation
from ninja.renderers import BaseRenderer

from games.api import problems
from games.api.answers import OF_ANY
from games.api.streams import door
from games.api.v1 import ROOT, bots, chat, games, leaving, matches, me, people, puzzles, tables


class Renderer(BaseRenderer):
    """Writes answers; moments as RFC 3339."""

    media_type = "application/json"

    def render(self, request: HttpRequest, data: Any, *, response_status: int) -> bytes:
        return msgspec.json.encode(data)


class Api(NinjaAPI):
    """An API whose document says in which form it refuses, and what is leaving."""

    def get_openapi_schema(self, *, path_prefix: str | None = None, path_params: Any = None) -> OpenAPISchema:
        """Return the document: each problem is described once, as `application/problem+json`."""
        document = super().get_openapi_schema(path_prefix=path_prefix or f"{ROOT}/", path_params=path_params)
        described: set[int] = set()
        for operations in document["paths"].values():
            for operation in operations.values():
                refusals = OF_ANY | {status for status in operation["responses"] if status in range(400, 600)}
                for status in refusals:
                    operation["responses"][status] = {"$ref": f"#/components/responses/Problem{status}"}
                described |= refusals
        schema = {"$ref": f"#/components/schemas/{problems.Described.__name__}"}
        document["components"]["responses"] = {
            f"Problem{status}": {"description": responses[status], "content": {problems.MEDIA_TYPE: {"schema": schema}}}
            for status in described
        }
        leaving.mark(document, leaving.LEAVING)
        return document

    def get_openapi_operation_id(self, operation: Operation) -> str:
        """Return the name of an operation: those of its module and its function."""
        function = operation.view_func
        return f"{function.__module__.rpartition('.')[2]}_{function.__name__}"


def _built() -> Api:
    built = Api(
        title="Tessera",
        version="1",
        description="Whatever a person may do on a page, a program may do with a token. The guide is at /api/.",
        docs_url=None,
        urls_namespace="api-1",
        renderer=Renderer(),
    )
    problems.register(built)
    for part in (games, people, matches, puzzles, me, tables, chat, bots, door):
        built.add_router("", part.router)
    return built


api: Final = _built()


@cache
def document() -> bytes:
    """Return the document of version 1 as it is committed (`docs/api/v1.json`)."""
    told = msgspec.to_builtins(dict(api.get_openapi_schema()), str_keys=True)
    return msgspec.json.format(msgspec.json.encode(told, order="sorted"), indent=1) + b"\n"
