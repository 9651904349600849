"""What may stand in a `bicepconfig.json`, as a table, and what a file has that may not."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from engine.diagnostics.diagnostic import Diagnostic, Label, Severity
from engine.diagnostics.suggest import did_you_mean

TYPE_CHECKING = False
if TYPE_CHECKING:  # typing itself costs milliseconds
    from typing import Any

LEVELS = ("off", "info", "warning", "error")
CREDENTIALS = (
    "AzureCLI", "AzurePowerShell", "Environment", "ManagedIdentity", "VisualStudio", "VisualStudioCode", "AzureDeveloperCLI",
    "WorkloadIdentity",
)  # fmt: skip

FEATURES = (
    "assertions", "azExtensionConfig", "deployCommands", "extendableParamFiles", "legacyFormatter", "localDeploy",
    "moduleExtensionConfigs", "ociEnabled", "patch", "resourceInfoCodegen", "resourcePatchMethod",
    "resourceTypedParamsAndOutputs", "runtimeValuesInTagsAndSku", "sourceMapping", "symbolicNameCodegen", "testFramework",
    "thisNamespace", "userDefinedConstraints", "waitAndRetry", "waitUntil",
)  # fmt: skip
"""The experimental features that there are, or were."""

# A shape is `str`, `int` (not below zero), `bool`, a tuple of allowed words, [shape of every item], {key: shape} with "*" for
# any other key, and "?" for one that is no misspelling of those that are there; or None for anything.
_RULE = {"level": LEVELS}
_RULES = {
    "no-hardcoded-env-urls": {**_RULE, "disallowedhosts": [str], "excludedhosts": [str]},
    "use-recent-api-versions": {**_RULE, "maxAgeInDays": int, "gracePeriodInDays": int},
    "use-recent-az-powershell-version": {**_RULE, "minimumVersion": str},
    "*": _RULE,
}
SHAPE: dict[str, Any] = {
    "$schema": str,
    "extends": str,
    "bicep": {"version": str},
    "cloud": {
        "currentProfile": str,
        "profiles": {"*": {"resourceManagerEndpoint": str, "activeDirectoryAuthority": str}},
        "credentialPrecedence": [CREDENTIALS],
        "credentialOptions": {
            "managedIdentity": {"type": ("SystemAssigned", "UserAssigned"), "clientId": str, "resourceId": str}
        },
    },
    "moduleAliases": {
        "br": {"*": {"registry": str, "modulePath": str}},
        "ts": {"*": {"subscription": str, "resourceGroup": str}},
    },
    "moduleAliasesMock": {"br": {"*": {"mapToFilePath": str}}, "ts": {"*": {"mapToFilePath": str}}},
    "extensions": {"*": str},
    "implicitExtensions": [str],
    "analyzers": {"core": {"verbose": bool, "enabled": bool, "rules": _RULES}},
    "cacheRootDirectory": str,
    "experimentalFeaturesEnabled": {"?": bool, **dict.fromkeys(FEATURES, bool)},
    "experimentalFeaturesWarning": bool,
    "formatting": {
        "indentKind": ("Space", "Tab"),
        "newlineKind": ("Auto", "LF", "CRLF", "CR"),
        "insertFinalNewline": bool,
        "indentSize": int,
        "width": int,
    },
    "documentation": {
        "output": {"file": str},
        "template": {"file": str, "includeRoot": str, "values": None},
        "examples": {
            "sources": [{"path": str, "include": None, "exclude": None}],
            "reassignments": [{"to": str, "include": None, "exclude": None}],
        },
    },
    "ulna": {"strictBicep": bool, "types": str, "typeNames": str, "moduleVersions": str},
}

IDLE = {
    "bicep.version": "it says which versions of Bicep may compile a file, and Ulna has versions of its own",
    "cloud.profiles": "nothing is sent to a cloud by a compiler; `cloud.currentProfile` must name one of them",
    "cloud.credentialPrecedence": "who one is to a registry, the configuration of Docker says",
    "cloud.credentialOptions": "likewise",
    "documentation": "there is no verb that writes documentation",
}
"""What may be said and has no meaning here, with why."""

_WORDS = {str: "a string", int: "a whole number, not below zero", bool: "true or false"}


def problems(settings: Mapping[str, Any], places: Mapping[str, Label]) -> Iterator[Diagnostic]:
    """Unknown keys and values of a wrong kind; both are warnings, for a newer tool may know them."""
    yield from _compare(settings, SHAPE, "", "", places)


def _compare(value: Any, shape: Any, pointer: str, path: str, places: Mapping[str, Label]) -> Iterator[Diagnostic]:
    if shape is None:
        return
    if isinstance(shape, dict):
        if not isinstance(value, Mapping):
            yield _wrong(path, "an object", pointer, places)
            return
        for key, inner in value.items():
            below = pointer + "/" + key.replace("~", "~0").replace("/", "~1")
            name = f"{path}.{key}" if path else key
            help = "" if key in shape or "*" in shape else did_you_mean(key, shape)
            if key in shape or "*" in shape or ("?" in shape and not help):
                yield from _compare(inner, shape.get(key, shape.get("*", shape.get("?"))), below, name, places)
            else:
                yield Diagnostic(
                    "ULN020", Severity.WARNING, f"There is no setting '{name}'", places.get(below), help=help
                )
    elif isinstance(shape, list):
        if not isinstance(value, list):
            yield _wrong(path, "a list", pointer, places)
            return
        for index, item in enumerate(value):
            yield from _compare(item, shape[0], f"{pointer}/{index}", f"{path}[{index}]", places)
    elif isinstance(shape, tuple):
        if not isinstance(value, str) or value.lower() not in {w.lower() for w in shape}:
            yield _wrong(path, "one of " + ", ".join(shape), pointer, places)
    elif not isinstance(value, shape) or (shape is int and (isinstance(value, bool) or value < 0)):
        yield _wrong(path, _WORDS[shape], pointer, places)


def _wrong(path: str, wanted: str, pointer: str, places: Mapping[str, Label]) -> Diagnostic:
    return Diagnostic(
        "ULN021", Severity.WARNING, f"Setting '{path or 'the document'}' must be {wanted}", places.get(pointer)
    )
