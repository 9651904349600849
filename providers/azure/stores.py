"""Secrets: secure values in the groups that use them, or secrets of a Key Vault where the environment names one. Pure."""

from __future__ import annotations

from engine.contract.app import SecretKey, SecretStore
from engine.contract.operator import Children, View
from engine.contract.resource import Resource, Wait, join, short
from engine.contract.value import Output, Value
from engine.diagnostics.diagnostic import Diagnostic, Severity
from providers.azure.naming import VERSIONS, Place, label, place

SECRETS = "Microsoft.KeyVault/vaults/secrets"
_DOMAINS = {"usGovernment": "vault.usgovcloudapi.net", "china": "vault.azure.cn"}


def vault_of(where: Place) -> str:
    """The id of the Key Vault of an environment; "" without one."""
    return str(where.compute.get("keyVault") or "")


def store_of(store: SecretStore, view: View) -> Children:
    """A secret in the vault for each key; nothing where there is no vault, as groups carry the values themselves."""
    where = place(view)
    vault = vault_of(where) if where is not None else ""
    if where is None or (not vault and store.reference is None):
        return Children((), {})
    if not vault:
        message = f"The secret store '{store.resource.name}' is over '{store.reference}', which is in no vault"
        help = "Name the vault: compute: { keyVault: id } of the environment; its secrets are then called NAME-KEY."
        return Children((), {}, (Diagnostic("ULN318", Severity.ERROR, message, store.resource.origin, help=help),))
    made = tuple(_secret(store, where, vault, k, v) for k, v in store.data.items() if v is not None)
    return Children(made, {})


def _secret(store: SecretStore, where: Place, vault: str, key: str, value: Value) -> Resource:
    name = secret_name(store, where, key)
    tags = {"ulna.application": store.application, "ulna.name": str(store.resource.name)}
    wish = {"tags": {k: v for k, v in tags.items() if v}, "properties": {"value": value}}
    address = join(store.resource.address, key)
    return Resource(address, SECRETS, VERSIONS[SECRETS], f"{short(vault)}/{name}", f"{vault}/secrets/{name}", wish)


def secret_name(store: SecretStore, where: Place, key: str) -> str:
    """What a key is called in the vault."""
    if store.reference is not None:
        return label(store.reference, key, limit=127)
    return label(where.name, store.application, str(store.resource.name), key, limit=127)


def reference_of(key: SecretKey, where: Place, view: View) -> tuple[Value, tuple[Wait, ...]] | None:
    """The address of a key in the vault, and what to wait for; None where the group has to carry the value."""
    vault = vault_of(where)
    if not vault:
        return None
    if not key.store.startswith("/"):
        return f"https://{short(vault)}.{_domain(where)}/secrets/{label(key.store, key.key, limit=127)}", ()
    store = view.find(key.store)
    if store is None or key.value is None:
        return None
    address = join(store.address, key.key)
    return Output(address, ("properties", "secretUri")), (Wait(address),)


def _domain(where: Place) -> str:
    cloud = where.compute.get("cloud")
    return _DOMAINS.get(cloud, "vault.azure.net") if isinstance(cloud, str) else "vault.azure.net"
