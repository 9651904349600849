"""Any AWS type through Cloud Control: on ministack, which keeps what it is given, and on a stand-in that takes its time and fails."""

from __future__ import annotations

import functools
import json
import threading
from collections.abc import Callable, Iterable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from engine.contract.conformance import OperatorConformance, TestCall
from engine.contract.errors import Terminal, Transient
from engine.contract.operator import Operator, Replace, Update
from engine.contract.resource import Resource
from engine.contract.value import Secret, Value
from providers.aws.client import Client
from providers.aws.cloudcontrol import CloudControlOperator, patch, type_name
from providers.aws.refusals import Absent, Busy, Taken
from providers.aws.target import Target


def bucket(**wish: Any) -> Resource:
    given = {"BucketName": "conformance-bucket", **wish}
    return Resource(
        "app/bucket", "AWS.S3/Bucket@default", "", "bucket", "/aws/bucket", {"alias": "b", "properties": given}
    )


@pytest.mark.e2e
class TestOnMinistack(OperatorConformance):
    @pytest.fixture(autouse=True)
    def _with(self, lab: Any) -> None:
        self.lab = lab

    def operator(self, folder: Path) -> Operator:
        return CloudControlOperator(self.lab.again().client, 0.05)

    def resource(self, folder: Path) -> Resource:
        return bucket(Password=Secret("password", "one"), Tags=[{"Key": "a", "Value": "b"}])

    def changes(self, folder: Path) -> Iterable[Resource]:
        yield bucket(Password=Secret("password", "one"), Tags=[{"Key": "a", "Value": "c"}])
        yield bucket(Tags=[{"Key": "a", "Value": "b"}])

    def secrets(self) -> dict[str, Value]:
        return {"password": "do-not-tell-anyone"}


# ---------------------------------------------------------------- the stand-in


@functools.cache
def _model() -> Any:
    from botocore.session import Session

    return Session().get_service_model("cloudcontrol")


class Control:
    """A Cloud Control that works in the background: each request is asked about `slow` times before it ends."""

    def __init__(self) -> None:
        self.slow = 1
        self.failures: list[tuple[str, str]] = []
        self.there: dict[str, dict[str, Any]] = {}
        self.requests: dict[str, dict[str, Any]] = {}
        self.clients: dict[str, str] = {}
        self.asked: list[str] = []
        self.schema: dict[str, Any] = {
            "createOnlyProperties": ["/properties/BucketName"],
            "primaryIdentifier": ["/properties/BucketName"],
            "readOnlyProperties": ["/properties/Arn"],
        }
        self.model = _model()

    def answer(self, operation: str, asked: dict[str, Any]) -> tuple[int, dict[str, Any]]:
        self._check(operation, asked)
        self.asked.append(operation)
        match operation:
            case "GetResource":
                found = self.there.get(asked["Identifier"])
                if found is None:
                    return 400, {"__type": "ResourceNotFoundException", "message": "no such resource"}
                described = {"Identifier": asked["Identifier"], "Properties": json.dumps(found)}
                return 200, {"TypeName": asked["TypeName"], "ResourceDescription": described}
            case "GetResourceRequestStatus":
                return 200, {"ProgressEvent": self._step(asked["RequestToken"])}
            case _:
                return 200, {"ProgressEvent": self._begin(operation, asked)}

    def _check(self, operation: str, asked: dict[str, Any]) -> None:
        """The request is one that the service would take."""
        from botocore.validate import ParamValidator

        report = ParamValidator().validate(asked, self.model.operation_model(operation).input_shape)
        assert not report.has_errors(), report.generate_report()

    def _begin(self, operation: str, asked: dict[str, Any]) -> dict[str, Any]:
        known = self.clients.get(asked["ClientToken"])
        if known is not None:
            return self._event(known)
        token = f"request-{len(self.requests)}"
        self.clients[asked["ClientToken"]] = token
        self.requests[token] = {"operation": operation, "asked": asked, "left": self.slow}
        return self._step(token) if self.slow == 0 else self._event(token)

    def _step(self, token: str) -> dict[str, Any]:
        request = self.requests[token]
        if request.get("status"):
            return self._event(token)
        request["left"] -= 1
        if request["left"] > 0:
            return self._event(token)
        if self.failures:
            request["status"], request["error"] = "FAILED", self.failures.pop(0)
            return self._event(token)
        asked = request["asked"]
        match request["operation"]:
            case "CreateResource":
                wish = json.loads(asked["DesiredState"])
                request["id"] = wish["BucketName"]
                if wish["BucketName"] in self.there:
                    request["status"], request["error"] = "FAILED", ("AlreadyExists", "it is there")
                    return self._event(token)
                self.there[wish["BucketName"]] = {**wish, "Arn": f"arn:aws:s3:::{wish['BucketName']}"}
            case "UpdateResource":
                found = self.there[asked["Identifier"]]
                for step in json.loads(asked["PatchDocument"]):
                    key = step["path"].removeprefix("/")
                    found.pop(key, None) if step["op"] == "remove" else found.__setitem__(key, step["value"])
            case "DeleteResource":
                self.there.pop(asked["Identifier"], None)
        request["status"] = "SUCCESS"
        return self._event(token)

    def _event(self, token: str) -> dict[str, Any]:
        request = self.requests[token]
        asked = request["asked"]
        event = {
            "TypeName": asked["TypeName"],
            "RequestToken": token,
            "Operation": request["operation"].removesuffix("Resource").upper(),
            "OperationStatus": request.get("status", "IN_PROGRESS"),
        }
        if identifier := asked.get("Identifier") or request.get("id"):
            event["Identifier"] = identifier
        if error := request.get("error"):
            event |= {"ErrorCode": error[0], "StatusMessage": error[1]}
        return event


class Stand:
    """A socket for as many of them as there are tests, one after the other."""

    def __init__(self) -> None:
        self.control = Control()
        stand = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                text = self.rfile.read(int(self.headers["Content-Length"]))
                status, kind, out = stand.answer(self.headers.get("X-Amz-Target", ""), text)
                self.send_response(status)
                self.send_header("Content-Type", kind)
                self.end_headers()
                self.wfile.write(out.encode())

            def log_message(self, *words: Any) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, args=(0.05,), daemon=True).start()

    def answer(self, target: str, text: bytes) -> tuple[int, str, str]:
        if target:
            status, answer = self.control.answer(target.partition(".")[2], json.loads(text))
            return status, "application/x-amz-json-1.0", json.dumps(answer)
        name, inner = "DescribeType", f"<Schema>{json.dumps(self.control.schema).replace(chr(34), '&quot;')}</Schema>"
        if b"GetCallerIdentity" in text:
            name, inner = "GetCallerIdentity", "<Account>111122223333</Account>"
        return 200, "text/xml", f"<{name}Response><{name}Result>{inner}</{name}Result></{name}Response>"


@pytest.fixture(scope="module")
def stand() -> Iterator[Stand]:
    made = Stand()
    yield made
    made.server.shutdown()
    made.server.server_close()


@pytest.fixture
def control(stand: Stand, monkeypatch: pytest.MonkeyPatch, keys: None) -> Control:
    stand.control = Control()
    monkeypatch.setenv("AWS_ENDPOINT_URL", f"http://127.0.0.1:{stand.server.server_port}")
    return stand.control


@pytest.fixture
def operator(tmp_path: Path, control: Control) -> Callable[[], CloudControlOperator]:
    return lambda: CloudControlOperator(Client(tmp_path / "aws", Target("test", "111122223333", "us-east-1")), 0.01)


CALL = TestCall()


def test_a_request_is_waited_for(control: Control, operator: Any) -> None:
    control.slow = 3
    made = operator().create(bucket(), "app/bucket#1", CALL)
    assert made.id == "conformance-bucket"
    assert made.properties["properties"]["Arn"].endswith("conformance-bucket")
    assert control.asked.count("GetResourceRequestStatus") == 3


def test_the_same_create_again_is_the_same_request(control: Control, operator: Any, tmp_path: Path) -> None:
    """Killed between the request and its end: nothing is kept but the client token, which is enough."""
    operator().client.make_home()
    control.slow = 10**6
    call = TestCall()
    call.stopped = True
    with pytest.raises(Busy):
        operator().create(bucket(), "app/bucket#1", call)
    control.slow = 1
    for request in control.requests.values():
        request["left"] = 1
    assert operator().create(bucket(), "app/bucket#1", CALL).id == "conformance-bucket"
    assert len(control.requests) == 1


def test_what_failed_for_now_is_asked_for_anew(control: Control, operator: Any) -> None:
    control.failures = [("Throttling", "slow down")]
    with pytest.raises(Transient, match="slow down"):
        operator().create(bucket(), "app/bucket#1", CALL)
    assert operator().create(bucket(), "app/bucket#1", CALL).id == "conformance-bucket"
    assert len(control.requests) == 2


@pytest.mark.parametrize(
    ("code", "kind", "word"),
    [
        ("AlreadyExists", Taken, "ulna import"),
        ("NotUpdatable", Terminal, "another symbol"),
        ("ServiceLimitExceeded", Terminal, "quota"),
        ("AccessDenied", Terminal, "rights"),
        ("InvalidRequest", Terminal, ""),
        ("ResourceConflict", Busy, ""),
        ("ServiceInternalError", Transient, ""),
    ],
)
def test_each_failure_has_its_kind(control: Control, operator: Any, code: str, kind: type, word: str) -> None:
    control.failures = [(code, "because")]
    with pytest.raises(kind) as caught:
        operator().create(bucket(), "app/bucket#1", CALL)
    assert "because" in caught.value.reason and word in caught.value.reason + caught.value.help


def test_what_cannot_be_changed_replaces(control: Control, operator: Any) -> None:
    made = operator().create(bucket(), "app/bucket#1", CALL)
    from engine.contract.operator import Applied

    applied = Applied(bucket().properties)
    assert isinstance(operator().diff(bucket(BucketName="other"), applied, made), Replace)
    assert isinstance(operator().diff(bucket(Tags=[]), applied, made), Update)


def test_an_update_is_a_patch_of_what_differs(control: Control, operator: Any) -> None:
    made = operator().create(bucket(Tags=[1], Old=1), "app/bucket#1", CALL)
    operator().update(bucket(Tags=[2]), "app/bucket#1", made, CALL)
    asked = next(r["asked"] for r in control.requests.values() if r["operation"] == "UpdateResource")
    assert json.loads(asked["PatchDocument"]) == [
        {"op": "add", "path": "/Tags", "value": [2]},
        {"op": "remove", "path": "/Old"},
    ]


def test_what_exists_is_read_by_what_identifies_it(control: Control, operator: Any) -> None:
    control.there["old"] = {"BucketName": "old", "Arn": "arn:old"}
    seen = operator().observe(bucket(BucketName="old").replace(existing=True), "x#existing", CALL)
    assert seen.properties["properties"]["Arn"] == "arn:old"
    assert operator().observe(bucket(BucketName="none").replace(existing=True), "x#existing", CALL) is None


def test_credentials_that_aws_made_up_are_shown_to_nobody(control: Control, operator: Any) -> None:
    made = {"BucketName": "old", "ClientSecret": "sesame", "SecretArn": "arn:old"}
    control.there["old"] = dict(made)
    seen = (
        operator().observe(bucket(BucketName="old").replace(existing=True), "x#existing", CALL).properties["properties"]
    )
    assert CALL.reveal(seen["ClientSecret"]) == "sesame" and seen["SecretArn"] == "arn:old"
    operator().create(bucket(BucketName="new"), "app/bucket#1", CALL)
    control.there["new"] |= made
    ours = operator().observe(bucket(BucketName="new"), "app/bucket#1", CALL)
    assert "sesame" not in repr(ours) and ours.properties["properties"]["SecretArn"] == "arn:old"


def test_deleting_what_somebody_deleted_is_fine(control: Control, operator: Any) -> None:
    operator().create(bucket(), "app/bucket#1", CALL)
    control.failures = [("NotFound", "gone already")]
    operator().delete(bucket(), "app/bucket#1", CALL)
    assert operator().observe(bucket(), "app/bucket#1", CALL) is None


def test_another_account_is_refused(control: Control, tmp_path: Path) -> None:
    client = Client(tmp_path / "aws", Target("prod", "999900001111", "us-east-1"))
    with pytest.raises(
        Terminal,
        match="the environment 'prod' is in the account 999900001111, and the credentials are for 111122223333",
    ):
        CloudControlOperator(client).create(bucket(), "app/bucket#1", CALL)
    assert not control.there and not client.home


def test_what_is_there_can_be_taken_over(control: Control, operator: Any) -> None:
    control.there["old"] = {"BucketName": "old", "Arn": "arn:old", "Tags": [1]}
    wish = bucket(BucketName="old", Tags=[2])
    seen = operator().adopt(wish, "old", "app/bucket#1", CALL)
    assert seen.id == "old" and seen.properties["properties"]["Tags"] == [1]
    assert operator().adopt(wish, "old", "app/bucket#1", CALL) == seen
    assert operator().observe(wish, "app/bucket#1", CALL) == seen
    with pytest.raises(Terminal, match="belongs to another"):
        operator().adopt(wish, "old", "app/other#1", CALL)
    operator().release(wish, "app/bucket#1", CALL)
    assert operator().observe(wish, "app/bucket#1", CALL) is None and "old" in control.there
    assert operator().adopt(wish, "old", "app/other#1", CALL).id == "old"
    with pytest.raises(Terminal, match="there is no AWS::S3::Bucket 'none'"):
        operator().adopt(wish, "none", "app/other#1", CALL)


def test_names_of_types() -> None:
    assert type_name("AWS.S3/Bucket@default") == type_name("AWS.S3/Bucket") == "AWS::S3::Bucket"
    assert patch({"a/b": 1}, {}, (), {}) == [{"op": "add", "path": "/a~1b", "value": 1}]
    assert issubclass(Absent, Terminal)
