"""Every `Microsoft.*` resource: made, changed and removed by its id and API version, as Azure Resource Manager has it for all of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime

from engine.contract.difference import compare, drifted, same, within
from engine.contract.emulator import ANNOTATION, emulate, is_wanted, runner
from engine.contract.errors import OperatorError, Terminal
from engine.contract.operator import (
    Applied,
    Bid,
    Call,
    Difference,
    HandOff,
    Health,
    Keep,
    Observed,
    Rendering,
    Replace,
    Same,
    Update,
    View,
)
from engine.contract.resource import Resource, body
from engine.contract.value import Properties, Value
from providers.azure.alike import alike, body_of, calm
from providers.azure.client import Client, Seen
from providers.azure.health import RUNS, SET, Verdict, judge
from providers.azure.kinds import forces, type_of
from providers.azure.late import Sender
from providers.azure.listing import listed
from providers.azure.marks import ADDRESS, HOME, MARKS, Marks, has_tags
from providers.azure.reading import lines
from providers.azure.sets import judge_set

STATE = "properties.provisioningState"
SECRET = "microsoft.keyvault/vaults/secrets"
"""The type that can be made by way of the resource manager, and not removed."""


class ArmOperator:
    """See the module."""

    name = "azure"
    effects = True

    def __init__(self, client: Client, marks: Marks) -> None:
        self.client = client
        self.marks = marks

    def bid(self, resource: Resource, view: View) -> Bid | None:
        """It suits whatever is Azure's."""
        return Bid(100, "a resource of Azure") if resource.type.lower().startswith("microsoft.") else None

    def render(self, resource: Resource, view: View) -> Rendering:
        """It is native as it is; one that asks for an emulator is handed to whoever runs things in its environment."""
        if not is_wanted(resource) or view.environment is None:
            return Keep()
        to = runner(view.environment.kind)
        if to != self.name.partition("@")[0]:
            return HandOff(to, f"its tag {ANNOTATION} asks for an emulator")
        from providers.azure.platform import AciPlatform

        return emulate(resource, view, AciPlatform())

    def diff(self, resource: Resource, applied: Applied | None, observed: Observed | None) -> Difference:
        """By the properties; what Azure fills in is no difference, and what failed is tried again."""
        if observed is not None and isinstance(resource.id, str) and observed.id.lower() != resource.id.lower():
            return Replace(("id",), "another name or another place is another resource")
        if applied is not None and applied.name and not same(applied.name, resource.name):
            return Replace(("name",), "another name is another resource")
        wish = resource.replace(properties=body_of(resource.properties))
        difference = compare(wish, applied, observed, forces=forces(resource))
        if isinstance(difference, Same) and observed is not None and observed.health is Health.FAILED:
            live = observed.properties.get("properties")
            if isinstance(live, Mapping) and live.get("provisioningState") in ("Failed", "Canceled"):
                return Update((STATE,))
        return difference

    def outputs(self, resource: Resource) -> Properties:
        """What Azure makes of it is known once it has."""
        return {}

    # ------------------------------------------------------------ effects

    def observe(self, resource: Resource, token: str, call: Call) -> Observed | None:
        """What is there by its id, if it is ours; one that exists already is only read."""
        if not resource.existing and not self.marks.home:
            return None  # nothing was ever made
        seen = self.client.get(self.marks.id_of(resource, token), resource.api_version)
        if seen is None or not (resource.existing or self.marks.ours(resource, seen, token)):
            return None
        return self._observed(resource, seen, token, call)

    def create(self, resource: Resource, token: str, call: Call) -> Observed:
        """Make it; what is there under the token already is left as it is, unless it is not as wanted."""
        id = str(resource.id)
        seen = self.client.get(id, resource.api_version)
        if seen is not None:
            if not self.marks.of_this_state(resource, seen):
                raise self._taken(resource, seen)
            if self.marks.ours(resource, seen, token):
                found = self._observed(resource, seen, token, call)
                if found.health is Health.STARTING and _state(seen) not in ("", "Succeeded"):
                    return found  # it is being made already
                if found.health is not Health.FAILED and not self._changed(resource, found):
                    return found
        return self._put(resource, token, call)

    def update(self, resource: Resource, token: str, observed: Observed | None, call: Call) -> Observed:
        """Send all of it again, as it is wanted now."""
        return self._put(resource, token, call)

    def delete(self, resource: Resource, token: str, call: Call) -> None:
        """Remove it, if it is ours; Azure refuses while another uses it, and is asked again."""
        id = self.marks.id_of(resource, token)
        seen = self.client.get(id, resource.api_version)
        if seen is not None:
            if not self.marks.ours(resource, seen, token):
                return
            if resource.type.lower() == SECRET:
                self.client.remove_secret(str(seen["properties"]["secretUri"]), call.stopping)
            else:
                self.client.delete(id, resource.api_version, call.stopping)
        self.marks.forget(resource, token)

    def adopt(self, resource: Resource, id: str, token: str, call: Call) -> Observed:
        """Take over what somebody else made, by its id or by its name where the resource would be: only tags are put on it."""
        id = id if id.startswith("/") else f"{str(resource.id).rpartition('/')[0]}/{id}"
        if type_of(id) != resource.type.lower():
            raise Terminal(f"'{id}' is no {resource.type}", "Name one of the type that the file declares.")
        seen = self.client.get(id, resource.api_version)
        if seen is None:
            raise Terminal(f"'{id}' does not exist", "'az resource list' shows the ids there are.")
        self.marks.claim(resource, seen, id, token)
        self.marks.make_home()
        if tags := self.marks.tags(resource, token):
            self.client.tag(id, tags, call.stopping)
        self.marks.remember(id, token)
        self.marks.announce(resource, id, token)
        found = self._observed(resource, self.client.get(id, resource.api_version) or seen, token, call)
        others = {k: v for k, v in (seen.get("tags") or {}).items() if k not in MARKS}
        kept = within(body_of(resource.properties), found.properties)
        return found.replace(properties={**kept, "tags": others} if others else kept)

    def release(self, resource: Resource, token: str, call: Call) -> None:
        """Take our tags off it: it stays."""
        id = self.marks.id_of(resource, token)
        seen = self.client.get(id, resource.api_version)
        if seen is not None and self.marks.ours(resource, seen, token) and (tags := self.marks.tags(resource, token)):
            self.client.untag(id, tags, call.stopping)
        self.marks.forget(resource, token)

    def runs(self, resource: Resource) -> bool:
        """Whether it is a group of containers, or a set of such groups."""
        return resource.type.lower() in RUNS

    def logs(self, resource: Resource, token: str, follow: bool) -> Iterator[str]:
        """What the containers of a group wrote, or those of a set's groups."""
        if self.runs(resource):
            yield from lines(self.client, resource, self.marks.id_of(resource, token), follow)

    def native(self, resource: Resource) -> Mapping[str, Value]:
        """The body of its PUT, with the id and the version of the request."""
        return {"id": resource.id, "apiVersion": resource.api_version, **body_of(resource.properties)}

    # ------------------------------------------------------------ parts

    def _put(self, resource: Resource, token: str, call: Call) -> Observed:
        tags = self.marks.tags(resource, token)
        sender = Sender(self.client, call.reveal)
        wish = sender.body(body_of(resource.properties))
        self.marks.make_home()
        self.marks.remember(str(resource.id), token)
        self.marks.announce(resource, str(resource.id), token)
        if tags:
            wish["tags"] = {**(wish.get("tags") or {}), **tags}
        try:
            seen = self.client.put(str(resource.id), resource.api_version, wish, call.stopping)
        except OperatorError as error:
            error.reason, error.help = sender.blotted(error.reason), sender.blotted(error.help)
            error.args = (error.reason,)
            if isinstance(error, Terminal) and not has_tags(resource):
                self._forget_if_absent(resource, token)
            raise
        return self._observed(resource, seen, token, call)

    def _forget_if_absent(self, resource: Resource, token: str) -> None:
        """A note of what was refused would make another's resource of that id ours."""
        try:
            there = self.client.get(str(resource.id), resource.api_version) is not None
        except OperatorError:
            there = True
        if not there:
            self.marks.forget(resource, token)

    def _observed(self, resource: Resource, seen: Seen, token: str, call: Call) -> Observed:
        wish = body_of(resource.properties)
        live = {k: v for k, v in calm(alike(wish, seen)).items() if k not in ("id", "name", "type", "systemData")}
        inner = live.get("properties")
        id = str(resource.id) if resource.existing else self.marks.id_of(resource, token)
        verdict = self._judge(resource, seen, id)
        there = resource.existing or verdict.health is Health.READY
        return Observed(
            id,
            token,
            live,
            {
                **(inner if isinstance(inner, Mapping) else {}),
                **(listed(self.client, resource, id, call) if there else {}),
            },
            verdict.health,
            verdict.exit_code,
            verdict.message,
            verdict.look_again,
            mends=resource.type.lower() == SET,  # a new revision of its profile goes through it
        )

    def _judge(self, resource: Resource, seen: Seen, id: str) -> Verdict:
        kind, now = resource.type.lower(), datetime.now(UTC)
        if kind == SET:
            return judge_set(self.client, id, resource.api_version, seen, now)
        return judge(kind, seen, body(resource), now)

    def _changed(self, resource: Resource, found: Observed) -> bool:
        return any(True for _ in drifted(body_of(resource.properties), found.properties))

    def _taken(self, resource: Resource, seen: Seen) -> Terminal:
        tags = seen.get("tags") or {}
        whose = f" of '{tags[ADDRESS]}' of another state" if tags.get(ADDRESS) else ""
        help = "Declare it 'existing' to use it, give this one another name, or remove that."
        if has_tags(resource):
            help += f" To hand it over, set its tag {HOME} to '{self.marks.make_home()}'."
        return Terminal(f"'{resource.id}' is there already: a resource{whose} that this state did not make", help)


def _state(seen: Seen) -> str:
    properties = seen.get("properties")
    return str(properties.get("provisioningState") or "") if isinstance(properties, Mapping) else ""
