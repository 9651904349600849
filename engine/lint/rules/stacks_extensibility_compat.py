"""Rule stacks-extensibility-compat."""

from __future__ import annotations

from collections.abc import Iterator

from engine.check.model import Model
from engine.check.types import ObjectType, Type
from engine.lint.names import bare, is_secret, key_of, property_of
from engine.lint.rule import Category, Finding, rule
from engine.parse import tree


@rule("stacks-extensibility-compat", Category.STACKS)
def stacks_extensibility_compat(model: Model) -> Iterator[Finding]:
    """A configuration of an extension that a deployment stack would not take.

    A stack keeps the configuration for later, so a secret in it must be a reference to a vault: `getSecret()` by itself, or
    what another extension is configured with. What is no secret must be a plain value, and no such reference.

    Example:
        >>> bicepconfig.json
        { "experimentalFeaturesEnabled": { "moduleExtensionConfigs": true } }
        <<<
        >>> part.bicep
        extension kubernetes
        <<<
        @secure()
        param config string
        module part 'part.bicep' = {
          extensionConfigs: {
            kubernetes: { kubeConfig: config, namespace: 'default' }
          }
        }
        ---
        resource vault 'Microsoft.KeyVault/vaults@2023-07-01' existing = {
          name: 'vault'
        }
        module part 'part.bicep' = {
          extensionConfigs: {
            kubernetes: { kubeConfig: vault.getSecret('config'), namespace: 'default' }
          }
        }
    """
    for statement in model.file.statements:
        match statement:
            case tree.Extension(config=tree.Object() as config):
                yield from _configured(model, config, _type(model, statement))
            case tree.ExtensionConfig(alias=alias, config=tree.Object() as config):
                yield from _configured(model, config, _declared(_used(model), alias.text))
            case tree.Module(value=value):
                configs = property_of(value, "extensionConfigs")
                target = model.modules.get(id(statement))
                if configs is not None and isinstance(target, Model) and isinstance(configs.value, tree.Object):
                    for member in configs.value.members:
                        if isinstance(member, tree.Property) and isinstance(member.value, tree.Object):
                            yield from _configured(model, member.value, _declared(target, key_of(member) or ""))
            case _:
                pass


def _used(model: Model) -> Model | None:
    """The file that a parameter file is for."""
    using = next((s for s in model.file.statements if isinstance(s, tree.Using)), None)
    target = model.modules.get(id(using)) if using is not None else None
    return target if isinstance(target, Model) else None


def _declared(model: Model | None, alias: str) -> Type | None:
    """What an extension of a file, by its name there, can be configured with."""
    symbols = model.extension_symbols if model is not None else ()
    found = next((s.declaration for s in symbols if s.name == alias), None)
    return _type(model, found) if model is not None and isinstance(found, tree.Extension) else None


def _type(model: Model, statement: tree.Extension) -> Type | None:
    from engine.check.extension_data import configuration_of

    return configuration_of(model, statement)[1]


def _configured(model: Model, config: tree.Object, type: Type | None) -> Iterator[Finding]:
    if not isinstance(type, ObjectType):
        return
    for member in config.members:
        name = key_of(member)
        known = type.properties.get(name) if name is not None else None
        if known is None or not isinstance(member, tree.Property):
            continue
        secret = is_secret(known.type)
        kept = _is_reference(model, member.value)
        if secret and not kept and not _inherited(model, member.value):
            yield member.value, f"'{name}' is a secret, and for a stack must be a reference to a vault: getSecret()"
        elif not secret and kept:
            yield member.value, f"'{name}' is no secret, and for a stack must be a plain value"


def _is_reference(model: Model, node: tree.Node) -> bool:
    node = bare(node)
    return isinstance(node, tree.Call | tree.MethodCall) and node.name.text == "getSecret"


def _inherited(model: Model, node: tree.Node) -> bool:
    """`alias.config.name`"""
    match bare(node):
        case tree.Member(base=tree.Member(base=tree.Name() as base, name=tree.Identifier(text="config"))):
            symbol = model.symbol(base)
            return symbol is not None and symbol in model.extension_symbols
        case _:
            return False
