"""Cassettes: HTTP recordings that people can read, with no secret in them, matched on what was asked.

vcr's own matchers would give most passes somebody else's answer, as only the body tells them apart.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import vcr
from ruamel.yaml import YAML
from ruamel.yaml.scalarstring import LiteralScalarString

FOLDER = Path(__file__).resolve().parent.parent / "cassettes"
SERVER = "http://model-server"
_REQUEST_HEADERS = {"content-type", "accept", "anthropic-version"}
_RESPONSE_HEADERS = {"content-type", "retry-after"}


def cassette(name: str, *, record: bool = False) -> Any:
    """A context manager that plays `name`, or records it anew."""
    recorder = vcr.VCR(
        cassette_library_dir=str(FOLDER),
        record_mode="all" if record else "none",
        match_on=["method", "path", "json_body"],
        before_record_request=_plain_request,
        before_record_response=_plain_response,
        decode_compressed_response=True,
    )
    recorder.register_matcher("json_body", _same_body)
    recorder.register_serializer("readable", _Readable())
    return recorder.use_cassette(f"{name}.yaml", serializer="readable")


def _same_body(first: Any, second: Any) -> None:
    assert json.loads(first.body or b"null") == json.loads(second.body or b"null")


def _plain_request(request: Any) -> Any:
    path = request.uri.split("://", 1)[1].split("/", 1)[1]
    request.uri = f"{SERVER}/{path}"
    request.headers = {k: v for k, v in request.headers.items() if k.lower() in _REQUEST_HEADERS}
    return request


def _plain_response(response: Any) -> Any:
    kept = {k: v for k, v in response["headers"].items() if k.lower() in _RESPONSE_HEADERS}
    return {**response, "headers": kept}


class _Readable:
    """JSON bodies as nested YAML, long texts as blocks."""

    def serialize(self, cassette_dict: dict[str, Any]) -> str:
        import io

        yaml = YAML()
        yaml.width = 120
        plain = {
            "interactions": [_open(interaction) for interaction in cassette_dict["interactions"]],
            "version": cassette_dict["version"],
        }
        stream = io.StringIO()
        yaml.dump(plain, stream)
        return stream.getvalue()

    def deserialize(self, cassette_string: str) -> dict[str, Any]:
        loaded = YAML(typ="safe", pure=True).load(cassette_string)
        return {**loaded, "interactions": [_close(interaction) for interaction in loaded["interactions"]]}


def _open(interaction: dict[str, Any]) -> dict[str, Any]:
    request, response = interaction["request"], interaction["response"]
    headers = {name: list(values) for name, values in response["headers"].items()}
    return {
        "request": {
            "method": request["method"],
            "uri": request["uri"],
            "headers": {name: list(values) for name, values in request["headers"].items()},
            "json": _blocks(json.loads(request["body"])),
        },
        "response": {
            "status": dict(response["status"]),
            "headers": headers,
            "json": _blocks(json.loads(response["body"]["string"])),
        },
    }


def _close(interaction: dict[str, Any]) -> dict[str, Any]:
    request, response = dict(interaction["request"]), dict(interaction["response"])
    request["body"] = json.dumps(request.pop("json"))
    response["body"] = {"string": json.dumps(response.pop("json")).encode()}
    return {"request": request, "response": response}


def _blocks(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _blocks(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_blocks(item) for item in value]
    readable = isinstance(value, str) and "\n" in value and not any(ord(c) < 32 and c != "\n" for c in value)
    return LiteralScalarString(value) if readable and not value.startswith((" ", "\n")) else value
