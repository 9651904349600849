"""The operator of any `AWS.*` type that a template declares: Cloud Control makes, reads, changes and deletes them all in one way.

A request goes on in AWS's background under a client token that is the resource's own, so the same create again is the same
request. What identifies the resource is known when the request has ended, and kept on the shelf.
"""

from __future__ import annotations

import json
import re
import time
from collections.abc import Mapping
from typing import Any

from engine.contract.difference import compare, same
from engine.contract.errors import OperatorError, Terminal, Transient
from engine.contract.operator import Applied, Bid, Call, Difference, Keep, Observed, Rendering, View
from engine.contract.resource import Resource, body
from engine.contract.value import Properties, Value, has_secret, revealed
from providers.aws.client import Client, Seen
from providers.aws.refusals import Absent, Busy, Taken
from providers.aws.shelf import Shelf

PATIENCE = 30.0
"""Seconds that one call waits for a request; the engine comes again."""

CREDENTIAL = re.compile(r"(Password|Secret|SecretKey|SecretAccessKey|SecretString|AuthToken|ApiKey|PrivateKey)$")
"""How properties are called whose texts nobody may see."""


class CloudControlOperator:
    """See the module."""

    name = "aws-cloudcontrol"
    effects = True

    def __init__(self, client: Client, pause: float = 1.0) -> None:
        self.client = client
        self.shelf = Shelf(client.folder)
        self.pause = pause

    def bid(self, resource: Resource, view: View) -> Bid | None:
        """It suits every type of AWS; Cloud Control knows most of them, and says so of the others."""
        return Bid(100, "through Cloud Control") if resource.type.lower().startswith("aws.") else None

    def render(self, resource: Resource, view: View) -> Rendering:
        """It is native as it is."""
        return Keep()

    def diff(self, resource: Resource, applied: Applied | None, observed: Observed | None) -> Difference:
        """What the type's schema calls create-only replaces it; the schema was kept when the resource was made."""
        schema = self.shelf.schema(type_name(resource.type)) or {}
        forces = (f"properties.{pointer(p)}" for p in schema.get("createOnlyProperties") or ())
        return compare(resource, applied, observed, forces=forces)

    def outputs(self, resource: Resource) -> Properties:
        """Nothing is known before."""
        return {}

    def observe(self, resource: Resource, token: str, call: Call) -> Observed | None:
        """What is there under the identifier of the token; what exists already has its own."""
        if resource.existing:
            self._learn(type_name(resource.type))
            identifier = self._identifier(resource)
        else:
            identifier = str(self.shelf.card(self._name(token)).get("identifier") or "") if self.client.home else ""
        if not identifier:
            return None
        found = self._read(type_name(resource.type), identifier)
        return None if found is None else self._seen(resource, identifier, token, found, call)

    def create(self, resource: Resource, token: str, call: Call) -> Observed:
        """Ask for it, and wait."""
        type = type_name(resource.type)
        self.client.make_home()
        self._learn(type)
        name = self._name(token)
        card = self.shelf.card(name)
        if not card.get("identifier"):
            wish = self._opened(resource, call)
            attempt = int(card.get("attempt", 0))
            card = self.shelf.put(name, type=type, attempt=attempt, keys=sorted(wish))
            event = self.client.call(
                "cloudcontrol", "create_resource", TypeName=type, DesiredState=json.dumps(wish),
                ClientToken=self.client.digest(token, "create", str(attempt))[:64],
            )["ProgressEvent"]  # fmt: skip
            event = self._wait(event, name, call)
            self.shelf.put(name, identifier=event["Identifier"])
        seen = self.observe(resource, token, call)
        if seen is None:
            raise Transient("it was made, and cannot be read yet", after=2)
        return seen

    def update(self, resource: Resource, token: str, observed: Observed | None, call: Call) -> Observed:
        """The difference to what is there, as a JSON patch."""
        type, name = type_name(resource.type), self._name(token)
        identifier = str(self.shelf.card(name).get("identifier") or "")
        found = self._read(type, identifier) if identifier else None
        if found is None:
            self.shelf.put(name, identifier="", attempt=int(self.shelf.card(name).get("attempt", 0)) + 1)
            return self.create(resource, token, call)
        self.client.ready()
        wish = self._opened(resource, call)
        steps = patch(wish, found, self.shelf.card(name).get("keys") or (), self.shelf.schema(type) or {})
        if steps:
            attempt = int(self.shelf.card(name).get("attempt", 0))
            text = json.dumps(steps)
            event = self.client.call(
                "cloudcontrol", "update_resource", TypeName=type, Identifier=identifier, PatchDocument=text,
                ClientToken=self.client.digest(token, "update", str(attempt), text)[:64],
            )["ProgressEvent"]  # fmt: skip
            self._wait(event, name, call)
        self.shelf.put(name, keys=sorted(wish))
        seen = self.observe(resource, token, call)
        if seen is None:
            raise Transient("it was changed, and cannot be read yet", after=2)
        return seen

    def delete(self, resource: Resource, token: str, call: Call) -> None:
        """Ask for it to go, and wait; then forget its identifier."""
        if not self.client.home:
            return
        type, name = type_name(resource.type), self._name(token)
        identifier = str(self.shelf.card(name).get("identifier") or "")
        if identifier:
            self.client.ready()
            attempt = int(self.shelf.card(name).get("attempt", 0))
            try:
                event = self.client.call(
                    "cloudcontrol", "delete_resource", TypeName=type, Identifier=identifier,
                    ClientToken=self.client.digest(token, "delete", str(attempt))[:64],
                )["ProgressEvent"]  # fmt: skip
                self._wait(event, name, call)
            except Absent:
                pass
        self.shelf.drop(name)

    def adopt(self, resource: Resource, id: str, token: str, call: Call) -> Observed:
        """Take over what has this identifier: it is kept under the token, and nothing at AWS is changed."""
        type = type_name(resource.type)
        self.client.make_home()
        self._learn(type)
        found = self._read(type, id)
        if found is None:
            raise Terminal(
                f"there is no {type} '{id}'", "Give its primary identifier; several parts are joined with '|'."
            )
        owner = self.shelf.holder(type, id)
        if owner not in (None, self._name(token)):
            raise Terminal(f"{type} '{id}' belongs to another resource of this state")
        self.shelf.put(
            self._name(token), type=type, identifier=id, keys=sorted(k for k in body(resource) if k in found)
        )
        return self._seen(resource, id, token, found, call)

    def release(self, resource: Resource, token: str, call: Call) -> None:
        """Forget its identifier: it stays."""
        self.shelf.drop(self._name(token))

    def native(self, resource: Resource) -> Mapping[str, Value]:
        """The desired state."""
        return {"kind": type_name(resource.type), **body(resource)}

    # ------------------------------------------------------------ inside

    def _name(self, token: str) -> str:
        return self.client.digest(token)[:32]

    def _opened(self, resource: Resource, call: Call) -> Mapping[str, Any]:
        opened: Mapping[str, Any] = revealed(dict(body(resource)), call.reveal)
        return opened

    def _read(self, type: str, identifier: str) -> Seen | None:
        try:
            answer = self.client.call("cloudcontrol", "get_resource", TypeName=type, Identifier=identifier)
        except Absent:
            return None
        read: Seen = json.loads(answer["ResourceDescription"]["Properties"])
        return read

    def _seen(self, resource: Resource, identifier: str, token: str, found: Seen, call: Call) -> Observed:
        schema = self.shelf.schema(type_name(resource.type)) or {}
        hidden = {pointer(p) for p in schema.get("writeOnlyProperties") or ()}
        shown = without_secrets(body(resource), {k: v for k, v in found.items() if k not in hidden})
        return Observed(identifier, token, {"properties": credentials(resource, shown, call)}, {})

    def _identifier(self, resource: Resource) -> str:
        """The identifier of what exists already: the properties that its type says, or those that are given, or its name."""
        given = body(resource) if resource.properties.get("properties") is not None else {}
        schema = self.shelf.schema(type_name(resource.type)) or {}
        parts = [given.get(pointer(p)) for p in schema.get("primaryIdentifier") or ()]
        if not parts or None in parts:
            parts = [v for v in given.values() if isinstance(v, str)]
        return "|".join(map(str, parts)) or str(resource.name)

    def _learn(self, type: str) -> None:
        """Ask for the schema of a type, once; where it cannot be had, changes are tried in place."""
        if self.shelf.schema(type) is not None:
            return
        try:
            text = self.client.call("cloudformation", "describe_type", Type="RESOURCE", TypeName=type).get("Schema")
            self.shelf.keep_schema(type, json.loads(text) if text else {})
        except (Terminal, ValueError):
            return

    def _wait(self, event: Seen, name: str, call: Call) -> Seen:
        """Until the request has ended; one that failed for now is another one the next time."""
        deadline = time.monotonic() + PATIENCE
        while event.get("OperationStatus") in ("PENDING", "IN_PROGRESS", "CANCEL_IN_PROGRESS"):
            if call.stopping() or time.monotonic() > deadline:
                raise Busy(
                    f"{event.get('Operation', 'it').lower()} is going on: {event.get('StatusMessage') or 'no word yet'}",
                    after=5,
                )
            time.sleep(self.pause)
            token = event["RequestToken"]
            event = self.client.call("cloudcontrol", "get_resource_request_status", RequestToken=token)["ProgressEvent"]
        if event.get("OperationStatus") == "SUCCESS":
            return event
        error = failed(event)
        if not isinstance(error, Absent):
            self.shelf.put(name, attempt=int(self.shelf.card(name).get("attempt", 0)) + 1)
        raise error


def type_name(type: str) -> str:
    """`AWS.S3/Bucket`, with a version or without, as AWS writes it: `AWS::S3::Bucket`."""
    return type.partition("@")[0].replace(".", "::", 1).replace("/", "::")


def pointer(path: str) -> str:
    """`/properties/Endpoint/Port`, as schemas write it, dotted; `*` is any."""
    return path.removeprefix("/properties/").replace("/", ".")


_LATER = frozenset(
    "Throttling ServiceInternalError NetworkFailure ServiceTimeout GeneralServiceException NotStabilized InternalFailure".split()  # noqa: SIM905
)


def failed(event: Seen) -> OperatorError:
    """The failure of a request, as the contract has it."""
    code = str(event.get("ErrorCode") or "Cancelled")
    said = f"{event.get('StatusMessage') or 'the request failed'} ({event.get('TypeName')}: {code})"
    match code:
        case "NotFound":
            return Absent(said)
        case "AlreadyExists":
            return Taken(said, "Give it another name; or take over what is there with 'ulna import'.")
        case "ResourceConflict" | "ConcurrentOperationException":
            return Busy(said, after=5)
        case "NotUpdatable":
            return Terminal(
                said, "This cannot be changed in place: give the resource another symbol, so that it is made anew."
            )
        case "ServiceLimitExceeded":
            return Terminal(
                f"a quota of the account is used up: {said}", "Remove what is not needed, or ask for a higher quota."
            )
        case "AccessDenied" | "InvalidCredentials":
            return Terminal(said, "Let the user or role do this: Cloud Control acts with the same rights.")
        case _ if code in _LATER:
            return Transient(said)
        case _:
            return Terminal(said)


def patch(wish: Properties, there: Seen, before: Any, schema: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Property by property: what differs is put, what was wished before and is no more is removed."""
    steps = [
        {"op": "add", "path": f"/{_escaped(key)}", "value": value}
        for key, value in wish.items()
        if key not in there or not same(there[key], value)
    ]
    fixed = {pointer(p) for p in schema.get("readOnlyProperties") or ()}
    gone = (k for k in before if k not in wish and k in there and k not in fixed)
    return [*steps, *({"op": "remove", "path": f"/{_escaped(key)}"} for key in gone)]


def _escaped(key: str) -> str:
    return key.replace("~", "~0").replace("/", "~1")


def credentials(resource: Resource, shown: Mapping[str, Value], call: Call) -> dict[str, Value]:
    """What is there with the credentials that AWS made up as references, for who only reads it; of what is ours, without them."""
    made = {k for k, v in shown.items() if isinstance(v, str) and CREDENTIAL.search(k) and k not in body(resource)}
    sealed = {k: call.seal(shown[k], f"{resource.name}.{k}") for k in sorted(made)} if resource.existing else {}
    return {**{k: v for k, v in shown.items() if k not in made}, **sealed}


def without_secrets(wish: Value, there: Value) -> Value:
    """What is there without what the wish has as a secret."""
    if isinstance(wish, Mapping) and isinstance(there, Mapping):
        return {k: without_secrets(wish.get(k), v) for k, v in there.items() if not _secret(wish.get(k))}
    return there


def _secret(value: Value) -> bool:
    """Whether it is a secret, or a list with one in it."""
    plain = isinstance(value, Mapping)
    return not plain and has_secret(value)
