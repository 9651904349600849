"""What every operator must do, as tests: subclass `OperatorConformance` in a test module and say what it is tried on.

    class TestNotes(OperatorConformance):
        def operator(self, folder: Path) -> Operator: return NoteOperator(folder)
        def resource(self, folder: Path) -> Resource: return note("hello")
        def changes(self, folder: Path) -> Iterable[Resource]: return [note("hello again")]

pytest finds the tests by their names and gives each a folder of its own (`tmp_path`); nothing here needs pytest itself.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from pathlib import Path

from engine.contract.operator import (
    Applied,
    Bid,
    Children,
    Environment,
    HandOff,
    Health,
    Keep,
    Observed,
    Operator,
    Replace,
    Same,
    Undecided,
    Update,
)
from engine.contract.resource import Resource, body
from engine.contract.value import Secret, Unknown, Value, decode, encode, leaves

TOKEN = "conformance#1"
OTHER = "conformance#2"


class TestCall:
    """A call without an engine: secrets have the values it was given."""

    __test__ = False

    def __init__(self, secrets: dict[str, Value] | None = None) -> None:
        self.secrets = secrets or {}
        self.stopped = False

    @property
    def fence(self) -> int:
        """The first lease there was."""
        return 1

    def reveal(self, secret: Secret) -> Value:
        """The value it was given for the secret's name."""
        return self.secrets[secret.name]

    def seal(self, value: Value, name: str) -> Secret:
        """A reference that can be revealed again."""
        self.secrets[name] = value
        return Secret(name, f"digest of {name}")

    def stopping(self) -> bool:
        """Whether the test asked to stop."""
        return self.stopped


class TestView:
    """A view of one environment and some resources."""

    __test__ = False

    def __init__(self, environment: Environment | None = None, *resources: Resource, folder: str = ".") -> None:
        self._environment = environment
        self._resources = resources
        self._folder = folder

    @property
    def environment(self) -> Environment | None:
        """The environment of whoever looks."""
        return self._environment

    def find(self, id: str) -> Resource | None:
        """One of the resources, by its id."""
        return next((r for r in self._resources if str(r.id).lower() == id.lower()), None)

    def resources(self) -> Iterable[Resource]:
        """All of them."""
        return self._resources

    def folder(self, resource: Resource) -> str:
        """The folder it was made with."""
        return self._folder


class OperatorConformance:
    """See the module. `patience` is how many seconds a resource may take to be ready."""

    patience = 60.0

    def operator(self, folder: Path) -> Operator:
        """The operator, with a folder that it may use; called again for a second engine over the same folder."""
        raise NotImplementedError

    def resource(self, folder: Path) -> Resource:
        """A resource that it serves."""
        raise NotImplementedError

    def changes(self, folder: Path) -> Iterable[Resource]:
        """The same resource with other properties, one for each way in which it can change."""
        return ()

    def secrets(self) -> dict[str, Value]:
        """The values of the secrets in these resources."""
        return {}

    # ------------------------------------------------------------ the pure half

    def test_it_bids_for_its_resource_and_not_for_others(self, tmp_path: Path) -> None:
        """A bid is a score for what it serves, and None for the rest."""
        operator, resource = self.operator(tmp_path), self.resource(tmp_path)
        view = TestView(None, resource)
        bid = operator.bid(resource, view)
        assert isinstance(bid, Bid) and 0 <= bid.score <= 200
        assert operator.bid(resource, view) == bid, "a bid is pure"
        assert operator.bid(resource.replace(type="Nobody.Knows/this"), view) is None

    def test_its_name_is_a_word(self, tmp_path: Path) -> None:
        """Names stand in tags and messages."""
        name = self.operator(tmp_path).name
        assert name and name == name.strip() and " " not in name

    def test_rendering_is_pure_and_keeps_children_below_their_parent(self, tmp_path: Path) -> None:
        """Asked twice, it answers the same; children have addresses of their own."""
        operator, resource = self.operator(tmp_path), self.resource(tmp_path)
        view = TestView(None, resource)
        rendering = operator.render(resource, view)
        assert rendering == operator.render(resource, view)
        assert isinstance(rendering, Keep | Children | HandOff | Undecided)
        if isinstance(rendering, Children):
            addresses = [c.address for c in rendering.resources]
            assert len(set(addresses)) == len(addresses)
            assert all(a.startswith(resource.address + "/") for a in addresses)

    def test_it_differs_from_a_change_and_not_from_itself(self, tmp_path: Path) -> None:
        """What was applied and what is wanted are compared, and nothing else."""
        operator, resource = self.operator(tmp_path), self.resource(tmp_path)
        applied = Applied(resource.properties)
        assert operator.diff(resource, applied, None) == Same()
        for changed in self.changes(tmp_path):
            assert isinstance(operator.diff(changed, applied, None), Update | Replace), changed.properties
            assert operator.diff(changed, applied, None) == operator.diff(changed, applied, None), "a diff is pure"
            assert operator.diff(changed, Applied(changed.properties), None) == Same()

    def test_what_is_not_known_yet_differs(self, tmp_path: Path) -> None:
        """A plan shows a change wherever there may be one."""
        operator, resource = self.operator(tmp_path), self.resource(tmp_path)
        first = next(iter(body(resource)), None)
        if first is not None:
            inner = {**body(resource), first: Unknown()}
            nested = "properties" in resource.properties
            unknown = resource.replace(properties={**resource.properties, "properties": inner} if nested else inner)
            assert operator.diff(unknown, Applied(resource.properties), None) != Same()

    # ------------------------------------------------------------ the effects

    def test_creating_twice_under_a_token_gives_one_object(self, tmp_path: Path) -> None:
        """A call whose answer was lost is made again, by another engine even."""
        resource, call = self.resource(tmp_path), TestCall(self.secrets())
        first = self.operator(tmp_path).create(resource, TOKEN, call)
        try:
            again = self.operator(tmp_path).create(resource, TOKEN, call)
            assert (first.id, first.token) == (again.id, TOKEN)
        finally:
            self.operator(tmp_path).delete(resource, TOKEN, call)

    def test_what_was_created_is_seen_and_gets_ready(self, tmp_path: Path) -> None:
        """Another engine sees the same object, with the properties that were asked for."""
        resource, call = self.resource(tmp_path), TestCall(self.secrets())
        made = self.operator(tmp_path).create(resource, TOKEN, call)
        try:
            operator = self.operator(tmp_path)
            seen = self._ready(operator, resource, call)
            assert (seen.id, seen.token) == (made.id, TOKEN)
            assert decode(encode(seen.properties)) == seen.properties, "what is live can be written down"
            assert operator.diff(resource, Applied(resource.properties, seen.outputs), seen) == Same()
            assert not any(isinstance(leaf, Unknown) for leaf in leaves(dict(seen.outputs))), "it is known by now"
            predicted = operator.outputs(resource)
            for key, value in predicted.items():
                if not any(True for _ in leaves(value)):
                    assert seen.outputs.get(key) == value, f"the output '{key}' is not what was predicted"
        finally:
            self.operator(tmp_path).delete(resource, TOKEN, call)

    def test_nothing_is_seen_under_another_token(self, tmp_path: Path) -> None:
        """A token names one object."""
        operator, resource, call = self.operator(tmp_path), self.resource(tmp_path), TestCall(self.secrets())
        if not operator.effects:
            return
        assert operator.observe(resource, TOKEN, call) is None
        operator.create(resource, TOKEN, call)
        try:
            assert operator.observe(resource, OTHER, call) is None
        finally:
            operator.delete(resource, TOKEN, call)

    def test_what_is_deleted_is_gone_and_deleting_again_is_fine(self, tmp_path: Path) -> None:
        """Deleting is the end of an object, and no error where there is none."""
        operator, resource, call = self.operator(tmp_path), self.resource(tmp_path), TestCall(self.secrets())
        operator.delete(resource, TOKEN, call)
        operator.create(resource, TOKEN, call)
        operator.delete(resource, TOKEN, call)
        if operator.effects:
            assert operator.observe(resource, TOKEN, call) is None
        operator.delete(resource, TOKEN, call)

    def test_it_can_be_made_anew_after_it_was_deleted(self, tmp_path: Path) -> None:
        """A replacement deletes first, and creates under the next token."""
        operator, resource, call = self.operator(tmp_path), self.resource(tmp_path), TestCall(self.secrets())
        operator.create(resource, TOKEN, call)
        operator.delete(resource, TOKEN, call)
        made = operator.create(resource, OTHER, call)
        try:
            assert made.token == OTHER
        finally:
            operator.delete(resource, OTHER, call)

    def test_an_update_is_seen(self, tmp_path: Path) -> None:
        """After an update, what was changed is what is there."""
        call = TestCall(self.secrets())
        for number, changed in enumerate(self.changes(tmp_path)):
            operator, resource, token = self.operator(tmp_path), self.resource(tmp_path), f"{TOKEN}{number}"
            if not isinstance(operator.diff(changed, Applied(resource.properties), None), Update):
                continue
            made = operator.create(resource, token, call)
            try:
                updated = operator.update(changed, token, made, call)
                assert updated.token == token
                assert operator.diff(changed, Applied(changed.properties, updated.outputs), updated) == Same()
                assert operator.update(changed, token, made, call).id == updated.id, "twice is once"
            finally:
                operator.delete(changed, token, call)

    def test_no_secret_is_in_what_is_seen(self, tmp_path: Path) -> None:
        """Secrets stay references wherever the engine may write them down."""
        resource, call = self.resource(tmp_path), TestCall(self.secrets())
        made = self.operator(tmp_path).create(resource, TOKEN, call)
        try:
            text = repr((made, self.operator(tmp_path).observe(resource, TOKEN, call)))
            assert not [v for v in self.secrets().values() if isinstance(v, str) and v in text]
        finally:
            self.operator(tmp_path).delete(resource, TOKEN, call)

    def _ready(self, operator: Operator, resource: Resource, call: TestCall) -> Observed:
        """Look until it is ready."""
        deadline = time.monotonic() + self.patience
        while True:
            seen = operator.observe(resource, TOKEN, call)
            assert seen is not None, "what was created must be seen"
            if seen.health is Health.READY:
                return seen
            assert seen.health is not Health.FAILED, seen.message
            assert time.monotonic() < deadline, f"not ready after {self.patience:g} s: {seen.message}"
            time.sleep(seen.look_again or 0.05)
