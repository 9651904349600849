"""What goes wrong on the way to Azure, made to go wrong by the stand-in."""

from __future__ import annotations

import socket
import sys
import time
from collections.abc import Callable
from typing import Any

import pytest

from engine.contract.conformance import OTHER, TOKEN
from engine.contract.errors import OperatorError, Terminal, Transient, Unreachable
from engine.contract.operator import Applied, Environment, Health, Replace, Same, Update
from engine.contract.resource import Resource
from engine.contract.value import Secret
from providers.azure.arm import ArmOperator
from providers.azure.client import Client
from providers.azure.marks import Marks, fit, has_tags
from providers.azure.refusals import Absent, refused
from providers.azure.target import CLOUDS, ENDPOINT, Target, connect, target_of

WEB = "containerGroups/web$"


@pytest.fixture
def web(make) -> Resource:
    container = {
        "name": "web",
        "properties": {
            "image": "web:1",
            "resources": {"requests": {"cpu": 1, "memoryInGB": 1}},
            "environmentVariables": [{"name": "KEY", "secureValue": Secret("key", "digest")}],
        },
    }
    wish = {"osType": "Linux", "restartPolicy": "Always", "containers": [container]}
    return make("Microsoft.ContainerInstance/containerGroups", "web", "2025-09-01", wish, location="westeurope")


def error_of(act: Callable[[], Any]) -> OperatorError:
    with pytest.raises(OperatorError) as caught:
        act()
    return caught.value


# ---------------------------------------------------------------- nobody answers


def test_an_endpoint_that_never_answered_may_be_none(lab, web):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{free.getsockname()[1]}"
    operator = ArmOperator(Client(Target("test", url)), Marks(lab.folder / "azure", "test"))
    error = error_of(lambda: operator.create(web, TOKEN, lab.call))
    assert isinstance(error, Unreachable)
    assert "cannot be reached" in error.reason and "HTTPS_PROXY" in error.help
    assert not (lab.folder / "azure" / "home").exists(), "nothing was made, so there is no identity"


@pytest.mark.parametrize("moment", ["before", "after"])
def test_a_connection_that_ends_is_tried_again_and_one_object_is_there(lab, web, moment):
    operator = lab.operator
    operator.observe(web, TOKEN, lab.call)
    lab.arm.world.faults.add(WEB, method="PUT", drop=moment)
    assert isinstance(error_of(lambda: operator.create(web, TOKEN, lab.call)), Transient)
    seen = lab.operator.observe(web, TOKEN, lab.call)
    assert (seen is None) == (moment == "before"), "what was sent is found by its token, by another Ulna even"
    puts = len([r for r in lab.arm.requests if r[0] == "PUT" and r[1].endswith("/web")])
    assert lab.operator.create(web, TOKEN, lab.call).token == TOKEN
    again = len([r for r in lab.arm.requests if r[0] == "PUT" and r[1].endswith("/web")]) - puts
    assert again == (1 if moment == "before" else 0), "what is there is not sent again"
    lab.operator.delete(web, TOKEN, lab.call)
    assert lab.arm.world.all() == []


def test_an_answer_that_is_lost_while_it_waits_is_looked_for_again(lab, web):
    lab.arm.world.looks = 3
    operator = lab.operator
    lab.arm.world.faults.add("operationResults", drop="before")
    assert isinstance(error_of(lambda: operator.create(web, TOKEN, lab.call)), Transient)
    assert lab.operator.create(web, TOKEN, lab.call).token == TOKEN


def test_who_is_killed_while_azure_works_finds_it_again(lab, web):
    lab.arm.world.looks = 5
    lab.call.stopped = True
    error = error_of(lambda: lab.operator.create(web, TOKEN, lab.call))
    assert isinstance(error, Transient) and "still at work" in error.reason
    lab.call.stopped = False
    seen = lab.operator.create(web, TOKEN, lab.call)
    assert seen.health is Health.STARTING and seen.look_again
    for _ in range(9):
        seen = lab.operator.observe(web, TOKEN, lab.call)
    assert seen is not None and seen.health is Health.READY
    assert lab.operator.observe(web, OTHER, lab.call) is None


# ---------------------------------------------------------------- Azure refuses

ANSWERS: list[tuple[dict[str, Any], type[OperatorError], str]] = [
    ({"status": 429, "code": "TooManyRequests", "headers": {"Retry-After": "7"}}, Transient, ""),
    ({"status": 500}, Transient, ""),
    ({"status": 503, "code": "ServiceUnavailable"}, Transient, ""),
    ({"status": 409, "code": "ContainerGroupTransitioning"}, Transient, ""),
    ({"status": 409, "code": "Conflict"}, Transient, ""),
    ({"status": 409, "code": "RegistryErrorResponse"}, Transient, ""),
    ({"status": 409, "code": "InvalidResourceLocation"}, Terminal, ""),
    ({"status": 409, "code": "ContainerGroupQuotaReached"}, Terminal, "higher limit"),
    ({"status": 409, "code": "ScopeLocked"}, Terminal, "Remove the lock"),
    ({"status": 400, "code": "InvalidParameter"}, Terminal, "documentation"),
    ({"status": 403, "code": "AuthorizationFailed"}, Terminal, "Contributor"),
    ({"status": 401, "code": "ExpiredAuthenticationToken"}, Terminal, "az login"),
    ({"status": 404, "code": "SubscriptionNotFound"}, Terminal, "providers.azure.scope"),
]


@pytest.mark.parametrize(
    ("answer", "kind", "help"), ANSWERS, ids=lambda a: str(a.get("code", a["status"])) if isinstance(a, dict) else ""
)
def test_what_azure_says_is_said_and_sorted(lab, web, answer, kind, help):
    lab.arm.world.faults.add(WEB, method="PUT", **answer)
    error = error_of(lambda: lab.operator.create(web, TOKEN, lab.call))
    assert type(error) is kind, error
    assert "it was asked to fail" in error.reason and help in error.help
    if isinstance(error, Transient):
        assert error.after == (7 if answer["status"] == 429 else None)
        assert lab.operator.create(web, TOKEN, lab.call).token == TOKEN, "the next try goes through"


def test_an_expired_token_says_how_to_sign_in(lab, web):
    lab.arm.world.faults.expired = True
    error = error_of(lambda: lab.operator.create(web, TOKEN, lab.call))
    assert isinstance(error, Terminal) and "az login" in error.help


def test_a_group_that_is_not_there(lab, web):
    lost = web.replace(id=web.id.replace("/shop/", "/lost/"))
    assert lab.operator.observe(lost, TOKEN, lab.call) is None
    error = error_of(lambda: lab.operator.create(lost, TOKEN, lab.call))
    assert (
        isinstance(error, Terminal) and "'lost' could not be found" in error.reason and "az group create" in error.help
    )


def test_an_image_that_cannot_be_pulled(lab, web):
    lab.arm.world.pods.missing.add("web:1")
    error = error_of(lambda: lab.operator.create(web, TOKEN, lab.call))
    assert isinstance(error, Terminal) and "web:1" in error.reason and "imagePullSecret" in error.help


def test_a_limit_that_is_reached(lab, web):
    lab.arm.world.cores = 0.5
    error = error_of(lambda: lab.operator.create(web, TOKEN, lab.call))
    assert isinstance(error, Terminal) and "StandardCores" in error.reason and "higher limit" in error.help


def test_an_operation_that_fails_says_why_and_is_tried_again_when_asked(lab, web):
    lab.arm.world.faults.fail(WEB, "SubnetIsFull", "The subnet has no address left.")
    error = error_of(lambda: lab.operator.create(web, TOKEN, lab.call))
    assert "The subnet has no address left" in error.reason
    seen = lab.operator.observe(web, TOKEN, lab.call)
    assert seen is not None and seen.health is Health.FAILED
    assert lab.operator.diff(web, Applied(web.properties), seen) == Update(("properties.provisioningState",))
    assert lab.operator.update(web, TOKEN, seen, lab.call).health is Health.READY


def test_a_failure_by_azure_async_operation(lab, make):
    net = make(
        "Microsoft.Network/virtualNetworks",
        "net",
        "2024-10-01",
        {"addressSpace": {"addressPrefixes": ["10.0.0.0/8"]}},
        location="x",
    )
    lab.arm.world.faults.fail("net$", "NetcfgInvalidSubnet", "Too small.")
    error = error_of(lambda: lab.operator.create(net, TOKEN, lab.call))
    assert isinstance(error, Terminal) and "Too small" in error.reason


def test_secrets_are_blotted_out_of_what_azure_says(lab, web):
    lab.arm.world.faults.add(WEB, method="PUT", status=400, code="Bad", message="the value 'do-not-tell-anyone' is bad")
    error = error_of(lambda: lab.operator.create(web, TOKEN, lab.call))
    assert "***" in error.reason and "do-not-tell" not in f"{error.reason}{error.help}{error}"


def test_a_retry_after_is_waited_for(lab, web):
    lab.arm.retry_after, lab.arm.world.looks = 1, 3
    start = time.monotonic()
    lab.operator.create(web, TOKEN, lab.call)
    assert time.monotonic() - start >= 1.9


def test_what_is_in_use_is_removed_later(lab, make):
    def network(**more: Any) -> Resource:
        subnets = [{"name": "a", "properties": {"addressPrefix": "10.0.0.0/24", **more}}]
        wish = {"addressSpace": {"addressPrefixes": ["10.0.0.0/16"]}, "subnets": subnets}
        return make("Microsoft.Network/virtualNetworks", "net", "2024-10-01", wish, location="westeurope")

    firewall = make("Microsoft.Network/networkSecurityGroups", "wall", "2024-10-01", {}, location="westeurope")
    net = network(networkSecurityGroup={"id": firewall.id})
    error = error_of(lambda: lab.operator.create(net, "n#1", lab.call))
    assert isinstance(error, Terminal), "it does not exist, and waiting would not bring it"
    lab.operator.create(firewall, "f#1", lab.call)
    lab.operator.create(net, "n#1", lab.call)
    assert isinstance(error_of(lambda: lab.operator.delete(firewall, "f#1", lab.call)), Transient)
    lab.operator.delete(net, "n#1", lab.call)
    lab.operator.delete(firewall, "f#1", lab.call)
    assert lab.arm.world.all() == []


# ---------------------------------------------------------------- what somebody else did


def test_a_change_by_hand_is_seen_and_what_azure_filled_in_is_none(lab, web):
    lab.operator.create(web, TOKEN, lab.call)
    stored = lab.arm.world.stored[web.id.lower()]
    seen = lab.operator.observe(web, TOKEN, lab.call)
    assert lab.operator.diff(web, Applied(web.properties), seen) == Same()
    stored.body["properties"]["containers"][0]["properties"]["image"] = "web:9"
    seen = lab.operator.observe(web, TOKEN, lab.call)
    assert lab.operator.diff(web, Applied(web.properties), seen) == Update(
        ("properties.containers[0].properties.image",)
    )
    stored.body["properties"]["restartPolicy"] = "Never"
    seen = lab.operator.observe(web, TOKEN, lab.call)
    assert isinstance(lab.operator.diff(web, Applied(web.properties), seen), Replace)


def test_a_create_whose_wish_changed_meanwhile_sends_the_new_one(lab, web):
    lab.operator.create(web, TOKEN, lab.call)
    other = dict(web.properties["properties"]["containers"][0]["properties"], image="web:2")
    wish = {**web.properties["properties"], "containers": [{"name": "web", "properties": other}]}
    newer = web.replace(properties={**web.properties, "properties": wish})
    lab.operator.create(newer, TOKEN, lab.call)
    body = lab.arm.world.stored[web.id.lower()].body
    assert body["properties"]["containers"][0]["properties"]["image"] == "web:2"


def test_another_state_is_not_touched(lab, web):
    lab.operator.create(web, TOKEN, lab.call)
    stranger = ArmOperator(lab.operator.client, Marks(lab.folder / "other", "test"))
    assert stranger.observe(web, TOKEN, lab.call) is None
    stranger.delete(web, TOKEN, lab.call)
    assert lab.operator.observe(web, TOKEN, lab.call) is not None
    assert "of another state" in error_of(lambda: stranger.create(web, TOKEN, lab.call)).reason
    existing = stranger.observe(web.replace(existing=True), TOKEN, lab.call)
    assert existing is not None and existing.properties["location"] == "westeurope"


def test_a_refused_resource_without_tags_leaves_no_claim(lab, make):
    wish = {"principalId": "p", "roleDefinitionId": {"$role": {"scope": lab.group, "name": "Nobody"}}}
    role = make("Microsoft.Authorization/roleAssignments", "x", "2022-04-01", wish)
    error = error_of(lambda: lab.operator.create(role, TOKEN, lab.call))
    assert (
        isinstance(error, Terminal) and "no role 'Nobody'" in error.reason and "az role definition list" in error.help
    )
    assert not list((lab.folder / "azure").glob("untagged/*"))


def test_another_name_is_another_resource_and_the_old_one_goes(lab, web):
    seen = lab.operator.create(web, TOKEN, lab.call)
    renamed = web.replace(name="shop", id=web.id.replace("/web", "/shop"))
    assert lab.operator.observe(renamed, TOKEN, lab.call) == seen, "what is there is found under the name it has"
    assert isinstance(lab.operator.diff(renamed, Applied(web.properties, {}, "web"), seen), Replace)
    assert isinstance(lab.operator.diff(renamed, Applied(web.properties, {}, "web"), None), Replace)
    moved = web.replace(id=web.id.replace("/shop/", "/more/"))
    assert isinstance(lab.operator.diff(moved, Applied(web.properties, {}, "web"), seen), Replace)
    lab.operator.delete(renamed, TOKEN, lab.call)
    assert lab.arm.world.all() == []


def test_what_somebody_else_made_can_be_taken_over(lab, make, web):
    """Only tags are put on it; what another state owns, or what is of another kind, is not taken."""
    body = {
        "location": "westeurope",
        "tags": {"team": "a"},
        "properties": {"addressSpace": {"addressPrefixes": ["10.0.0.0/8"]}},
    }
    net = make("Microsoft.Network/virtualNetworks", "net", "2024-10-01", body["properties"], location="westeurope")
    lab.arm.world.put(net.id, "2024-10-01", body, False)
    before = lab.arm.world.get(net.id)["properties"]
    for id in ("net", net.id):
        seen = lab.operator.adopt(net, id, TOKEN, lab.call)
        looked = lab.operator.observe(net, TOKEN, lab.call)
        assert seen.token == TOKEN and looked is not None and looked.replace(properties=seen.properties) == seen
        assert seen.properties == {**net.properties, "tags": {"team": "a"}}, "what Azure filled in differs in nothing"
    there = lab.arm.world.get(net.id)
    assert there["properties"] == before and there["tags"]["team"] == "a"
    assert lab.operator.diff(net, Applied(net.properties), seen) == Same()
    stranger = ArmOperator(lab.operator.client, Marks(lab.folder / "other", "test"))
    assert "another state owns it" in error_of(lambda: stranger.adopt(net, net.id, TOKEN, lab.call)).reason
    assert "belongs to" in error_of(lambda: lab.operator.adopt(net, net.id, "app/another#1", lab.call)).reason
    lab.operator.release(net, TOKEN, lab.call)
    assert lab.arm.world.get(net.id)["tags"] == {"team": "a"}, "nothing of ours is left on it"
    assert lab.operator.observe(net, TOKEN, lab.call) is None
    stranger.adopt(net, net.id, "shop/net#1", lab.call)
    assert "az tag update" in error_of(lambda: lab.operator.adopt(net, net.id, TOKEN, lab.call)).help
    stranger.release(net, "shop/net#1", lab.call)
    lab.operator.adopt(net, net.id, TOKEN, lab.call)
    assert (
        "is no Microsoft.ContainerInstance" in error_of(lambda: lab.operator.adopt(web, net.id, OTHER, lab.call)).reason
    )
    assert "does not exist" in error_of(lambda: lab.operator.adopt(web, "none", OTHER, lab.call)).reason
    subnet = make("Microsoft.Network/virtualNetworks/subnets", "net/a", "2024-10-01", {"addressPrefix": "10.0.0.0/24"})
    lab.arm.world.put(subnet.id, "2024-10-01", dict(subnet.properties), False)
    lab.operator.adopt(subnet, subnet.id, OTHER, lab.call)
    assert lab.operator.observe(subnet, OTHER, lab.call) is not None
    assert "belongs to" in error_of(lambda: lab.operator.adopt(subnet, subnet.id, "app/b#1", lab.call)).reason
    lab.operator.release(subnet, OTHER, lab.call)
    lab.operator.adopt(subnet, subnet.id, "app/b#1", lab.call)
    lab.operator.delete(subnet, "app/b#1", lab.call)
    lab.operator.delete(net, TOKEN, lab.call)
    assert lab.arm.world.all() == []


def test_what_is_taken_over_differs_by_what_the_file_says_alone(lab, make, web):
    container = {**web.properties["properties"]["containers"][0]["properties"], "environmentVariables": []}
    there = {"osType": "Linux", "restartPolicy": "Always", "containers": [{"name": "web", "properties": container}]}
    lab.arm.world.put(web.id, "2025-09-01", {"location": "westeurope", "properties": there}, False)
    assert lab.arm.world.get(web.id)["properties"]["sku"] == "Standard", "Azure filled it in"
    wish = {
        "osType": "Linux",
        "restartPolicy": "Always",
        "containers": [{"name": "web", "properties": {**container, "image": "web:2"}}],
    }
    wanted = make("Microsoft.ContainerInstance/containerGroups", "web", "2025-09-01", wish, location="westeurope")
    seen = lab.operator.adopt(wanted, "web", TOKEN, lab.call)
    difference = lab.operator.diff(wanted, Applied(seen.properties), seen)
    assert difference == Update(("properties.containers[0].properties.image",))


def test_long_addresses_fit_into_tags():
    long = "app/" + "module/" * 60 + "web#1"
    assert len(fit(long)) <= 256 and fit(long) != fit(long + "2") and fit("a#1") == "a#1"


# ---------------------------------------------------------------- where, and who


def test_targets(monkeypatch):
    monkeypatch.delenv(ENDPOINT, raising=False)
    assert target_of(None) == Target()

    def at(cloud: Any, kind: str = "aci") -> Target:
        return target_of(Environment("dev", kind, "", {"compute": {"kind": kind, "cloud": cloud}}))

    assert at(None).endpoint == CLOUDS["public"][0]
    assert at("china") == Target("dev", *CLOUDS["china"])
    assert at({"resourceManager": "https://stack.example/", "authority": "login.example"}) == Target(
        "dev", "https://stack.example", "login.example"
    )
    assert at("china", "docker").endpoint == CLOUDS["public"][0], "the block of another kind is not ours to read"
    monkeypatch.setenv(ENDPOINT, "http://127.0.0.1:9/")
    assert at(None, "docker").endpoint == "http://127.0.0.1:9"
    assert at("usGovernment").endpoint == CLOUDS["usGovernment"][0]


@pytest.mark.parametrize("url", ["http://management.example", "ftp://127.0.0.1", "http://127.0.0.1.example.com"])
def test_no_token_goes_over_the_network_in_the_open(url):
    with pytest.raises(Terminal, match="neither https nor on this machine"):
        connect(Target("dev", url))


def test_the_stand_in_gets_no_credential(lab, web):
    lab.operator.create(web, TOKEN, lab.call)
    assert lab.arm.tokens == {"Bearer loopback"}


def test_real_clouds_use_the_chain_of_credentials(monkeypatch):
    """The chain is made and not asked: nobody is signed in here."""
    from azure.mgmt.core.policies import ARMChallengeAuthenticationPolicy

    from providers.azure.target import _login

    policy = _login(Target())
    assert isinstance(policy, ARMChallengeAuthenticationPolicy)


def test_nobody_signed_in_is_said(monkeypatch, web, lab):
    for name in ("AZURE_CLIENT_ID", "AZURE_TENANT_ID", "AZURE_CLIENT_SECRET", "IDENTITY_ENDPOINT", "MSI_ENDPOINT"):
        monkeypatch.delenv(name, raising=False)
    from azure.core.exceptions import ClientAuthenticationError

    from providers.azure.refusals import speaking

    with (
        pytest.raises(Terminal, match=r"no credentials for Azure at management\.azure\.com") as caught,
        speaking(Target()),
    ):
        raise ClientAuthenticationError("DefaultAzureCredential failed to retrieve a token")
    assert "az login" in caught.value.help


CHAIN = """DefaultAzureCredential failed to retrieve a token from the included credentials.
Attempted credentials:
\tEnvironmentCredential: ENVIRONMENT
Visit https://aka.ms/azsdk/python/identity/environmentcredential/troubleshoot to troubleshoot this issue.
\tAzureCliCredential: CLI
\tAzurePowerShellCredential: PowerShell is not installed
To mitigate this issue, please refer to the troubleshooting guidelines here at https://aka.ms/azsdk."""
GONE = "EnvironmentCredential authentication unavailable. Environment variables are not fully configured."
EXPIRED = "Authentication failed: AADSTS7000222: The provided client secret keys are expired."


@pytest.mark.parametrize(
    ("environment", "cli", "said"),
    [
        (GONE, "Azure CLI not found on path", "nobody is signed in"),
        (EXPIRED, "Azure CLI not found on path", f"EnvironmentCredential: {EXPIRED}"),
        (GONE, "ERROR: AADSTS700082: The refresh token has expired", "AzureCliCredential: ERROR: AADSTS700082: The refresh token has expired"),
    ],
)  # fmt: skip
def test_of_all_that_was_tried_only_what_was_refused_is_said(environment, cli, said):
    from azure.core.exceptions import ClientAuthenticationError

    from providers.azure.refusals import speaking

    message = CHAIN.replace("ENVIRONMENT", environment).replace("CLI\n", f"{cli}\n")
    with pytest.raises(Terminal) as caught, speaking(Target()):
        raise ClientAuthenticationError(message)
    reason = caught.value.reason.removeprefix("no credentials for Azure at management.azure.com: ")
    assert reason.startswith(said) and "aka.ms/azsdk." not in reason and "PowerShell" not in reason


def test_without_the_sdk_it_says_what_to_install(monkeypatch, lab, web):
    monkeypatch.setitem(sys.modules, "azure.core.exceptions", None)
    error = error_of(lambda: lab.operator.create(web, TOKEN, lab.call))
    assert isinstance(error, Terminal) and "ulna[azure]" in error.help


@pytest.mark.parametrize(
    "body", [None, "x", {"error": "x"}, {"error": {"code": "X", "details": [{"code": "Y", "message": "deep"}]}}]
)
def test_answers_of_any_shape_are_sorted(body):
    error = refused(400, body)
    assert isinstance(error, Terminal) and error.reason
    assert isinstance(refused(404, {"error": {"code": "ResourceNotFound"}}), Absent)


def test_which_types_have_tags(make):
    def wish(type: str, **more: Any) -> Resource:
        return make(type, "x", "2024-01-01", {}, **more)

    assert has_tags(wish("Microsoft.Network/virtualNetworks", location="x"))
    assert has_tags(wish("Microsoft.KeyVault/thing", tags={}))
    assert not has_tags(wish("Microsoft.Network/other"))
    assert not has_tags(wish("Microsoft.Authorization/policyAssignments", location="x"))
