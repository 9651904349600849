"""What only Azure knows: its clouds, zones, built-in roles, and the list functions of its resources."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from engine.contract.value import Deferred, Value, leaves
from engine.expand.functions.signature import INT, STRING, EvaluationError, Library
from engine.expand.host import Argument
from engine.expand.placeholders import told_by

if TYPE_CHECKING:
    from engine.expand.evaluate import Evaluator

LIBRARY = Library()
_Arguments = tuple[Argument, ...]
_SUFFIXES = {
    "acrLoginServer": ".azurecr.io",
    "azureDatalakeAnalyticsCatalogAndJob": "azuredatalakeanalytics.net",
    "azureDatalakeStoreFileSystem": "azuredatalakestore.net",
    "azureFrontDoorEndpointSuffix": "azurefd.net",
    "keyvaultDns": ".vault.azure.net",
    "sqlServerHostname": ".database.windows.net",
    "storage": "core.windows.net",
}
_ROLES = {
    "owner": "8e3af657-a8ff-443c-a75c-2fe8c4bcb635",
    "contributor": "b24988ac-6180-42a0-ab88-20f7382dd24c",
    "reader": "acdd72a7-3385-48ef-bd42-f606fba81ae7",
    "user access administrator": "18d7d88d-d35e-4fb5-a5c3-7773c20a72d9",
    "acrpull": "7f951dda-4ed3-4680-a7ca-43fe172d538d",
    "acrpush": "8311e382-0749-4cb8-b61a-304f252e45ec",
    "key vault administrator": "00482a5a-887f-4fb3-b363-3b7fe8e74483",
    "key vault secrets user": "4633458b-17de-408a-b874-0445c86b69e6",
    "storage blob data contributor": "ba92f5b4-2d11-453d-a403-e96b0029c9fe",
    "storage blob data owner": "b7e6dc6d-f1e8-4753-8033-0f276bb0955b",
    "storage blob data reader": "2a2b9908-6ea1-4ae2-8e65-a410df84e7d1",
}


@LIBRARY.special("environment", 0)
def environment(arguments: _Arguments, evaluator: Evaluator) -> Value:
    """The Azure cloud: its endpoints."""
    if evaluator.frame.world.scope.placeholders is not None:
        return told_by("environment()")
    return {
        "name": "AzureCloud",
        "gallery": "https://gallery.azure.com/",
        "graph": "https://graph.windows.net/",
        "graphAudience": "https://graph.windows.net/",
        "portal": "https://portal.azure.com",
        "resourceManager": "https://management.azure.com/",
        "activeDirectoryDataLake": "https://datalake.azure.net/",
        "batch": "https://batch.core.windows.net/",
        "media": "https://rest.media.azure.net",
        "sqlManagement": "https://management.core.windows.net:8443/",
        "authentication": {
            "loginEndpoint": "https://login.microsoftonline.com/",
            "audiences": ["https://management.core.windows.net/", "https://management.azure.com/"],
            "tenant": "common",
            "identityProvider": "AAD",
        },
        "suffixes": dict(_SUFFIXES),
    }


@LIBRARY.declare("roleDefinitions", STRING)
def role_definitions(name: str) -> Value:
    """A built-in role by its name."""
    guid = _ROLES.get(name.lower())
    if guid is None:
        known = ", ".join(sorted(_ROLES))
        raise EvaluationError(f"roleDefinitions() does not know the role '{name}'; it knows {known}")
    return {"id": f"/providers/Microsoft.Authorization/roleDefinitions/{guid}", "roleDefinitionId": guid}


@LIBRARY.declare("pickZones", STRING, STRING, STRING, INT, INT, least=3)
def pick_zones(namespace: str, type: str, location: str, count: int = 1, offset: int = 0) -> Value:
    """So many of a region's availability zones, from an offset; every region counts as having three."""
    if not 1 <= count <= 3:
        raise EvaluationError(f"Argument 4 of pickZones() must lie between 1 and 3, and is {count}")
    if not 0 <= offset <= 2:
        raise EvaluationError(f"Argument 5 of pickZones() must lie between 0 and 2, and is {offset}")
    return [str(zone + 1) for zone in range(offset, min(offset + count, 3))]


def _refused(name: str, why: str) -> Callable[..., Value]:
    def refuse(arguments: _Arguments, evaluator: Evaluator) -> Value:
        if evaluator.frame.world.scope.placeholders is not None:
            return Deferred(name, tuple(evaluator.evaluate(a) for a in arguments))
        raise EvaluationError(f"{name}() cannot be evaluated here: {why}")

    return refuse


for _name, _least, _most in (
    ("toLogicalZone", 3, 3),
    ("toLogicalZones", 3, 3),
    ("toPhysicalZone", 3, 3),
    ("toPhysicalZones", 3, 3),
    ("providers", 1, 2),
):
    LIBRARY.special(_name, _least, _most)(_refused(_name, "only Azure knows the answer"))
LIBRARY.special("target", 0, 1)(_refused("target", "a resource cannot look at itself before it is deployed"))


# ---------------------------------------------------------------- list*()


def list_function(name: str) -> Callable[[_Arguments, Evaluator], Value] | None:
    """The code of a `list…()` function, whatever the rest of its name; None for any other name."""
    if not name.lower().startswith("list") or not name.isalnum():
        return None

    def run(arguments: _Arguments, evaluator: Evaluator) -> Value:
        return _list(name, arguments, evaluator)

    return run


def _list(name: str, arguments: _Arguments, evaluator: Evaluator) -> Value:
    """What a resource lists: its output `name()`; of a module, its outputs, secure ones included."""
    from engine.contract.listing import called
    from engine.expand.functions.resources import text_of
    from engine.expand.modules import Report
    from engine.expand.references import find, one_of

    if not arguments:
        raise EvaluationError(f"{name}() takes at least 1 argument, and 0 are given")
    values = [evaluator.evaluate(a) for a in arguments]
    text = text_of(name, 1, values[0], evaluator)
    world = evaluator.frame.world
    found = find(evaluator.frame, text)
    if found is None:
        version = values[1] if len(values) > 1 and type(values[1]) is str else ""
        address = world.outside(text, version)
    else:
        instance = one_of(found, text)
        if instance.unit.is_module and name.lower() == "listoutputswithsecurevalues":
            return Report(instance, "secure", evaluator)
        address = instance.address
        world.instances.setdefault(address, instance)
    known = world.foreign[address].api_version if found is None else instance.static("apiversion")
    evaluator.touch((address,))
    return world.output(address, (called(name, *_asked(name, values[1:], known)),))


def _asked(name: str, given: list[Value], known: Value) -> list[Value]:
    """What a call has of its own: an API version other than that of the resource, and values."""
    version = given[0] if given and type(given[0]) is str and given[0] else known
    if len(given) < 2 or given[1] is None or given[1] == {}:
        return [] if version == known else [version]
    if type(given[1]) is not dict:
        raise EvaluationError(f"The values that {name}() is asked with are an object")
    if any(True for _ in leaves(given[1])):
        message = f"The values that {name}() is asked with must be known before the deployment, and be no secrets"
        raise EvaluationError(message, "Write them in the file, or make them parameters that are not secure.")
    return [version, given[1]]
