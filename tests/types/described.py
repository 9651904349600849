"""Types for tests: a dozen of an invented provider that have of everything one, and an extension with a configuration."""

from __future__ import annotations

from functools import cache

from tests.types.writing import (
    MANAGEMENT_GROUP,
    RESOURCE,
    RESOURCE_GROUP,
    SUBSCRIPTION,
    TENANT,
    Index,
    Types,
    packed,
    prop,
)


@cache
def arm() -> dict[str, str]:
    """An index folder with types of ARM."""
    index = Index()
    for version in ("2022-01-01", "2024-01-01", "2024-06-01-preview"):
        _stores(index.file(f"test/test.rp/{version}/types.json"), version)
    _others(index.file("test/others/types.json"))
    return index.written()


def _stores(t: Types, version: str) -> None:
    name = prop(t.text(3, 8), "required", "constant", "identifier", about="What the store is called.")
    rule = len(t.entries)
    t.entries.append({})  # a rule can hold rules: its place is known before it is
    t.entries[rule] = {
        "$type": "ObjectType",
        "name": "Rule",
        "properties": {"port": prop(t.number(1, 65535), "required"), "inner": prop(t.ref(rule))},
    }
    keys = t.object("Keys", primary=prop(t.text(secret=True)), kind=t.choice("Read", "Write"))
    properties = t.object(
        "StoreProperties",
        tier=prop(t.choice("Hot", "Cool", "Frozen"), about="How fast it answers."),
        mode=prop(t.choice("Fast", "Slow", open=True)),
        size=prop(t.number(1, 100), "required", about="In GB."),
        label=t.text(2, 5),
        state=prop(t.choice("Ready", "Failed"), "readonly"),
        secret=prop(t.text(secret=True), "writeonly", about="Never told again."),
        hidden=prop(t.object("Hidden", None, True, deep=t.text())),
        rules=t.list(t.ref(rule)),
        labels=t.object("Labels", t.text()),
        endpoints=prop(t.object("Endpoints", blob=prop(t.text(), "readonly")), "readonly"),
        backup=t.told(
            "Backup",
            "kind",
            {
                "Daily": t.object(
                    "DailyBackup", kind=prop(t.one("Daily"), "required"), hour=prop(t.number(), "required")
                ),
                "None": t.object("NoBackup", kind=prop(t.one("None"), "required")),
            },
            note=t.text(),
        ),
    )
    sku = t.object("Sku", name=prop(t.choice("Basic", "Premium", open=True), "required"))
    body = t.arm(
        "Test.Rp/stores",
        version,
        name=name,
        location=prop(t.text(), "required"),
        tags=t.object("Tags", t.text()),
        sku=sku,
        properties=prop(properties, "required"),
        etag=prop(t.text(), "readonly"),
        early=prop(t.text(), "constant"),
        zones=t.list(t.text()),
    )
    t.resource(f"Test.Rp/stores@{version}", body)
    inner = t.object("ShelfProperties", depth=t.number())
    shelf = t.arm(
        "Test.Rp/stores/shelves",
        version,
        name=prop(t.choice("default", "upper"), "required", "constant"),
        properties=inner,
    )
    t.resource(f"Test.Rp/stores/shelves@{version}", shelf)
    t.action("Test.Rp/stores", version, "listKeys", keys, t.object("KeysInput", expand=t.text()))


def _others(t: Types) -> None:
    version = "2024-01-01"
    common = {"location": prop(t.text())}
    script = {
        kind: t.arm(
            "Test.Rp/scripts",
            version,
            kind=prop(t.one(kind), "required"),
            properties=prop(t.object(f"{kind}Properties", **{key: prop(t.text(), "required")}), "required"),
            **common,
        )
        for kind, key in (("Shell", "command"), ("Python", "module"))
    }
    t.resource(f"Test.Rp/scripts@{version}", t.told("Test.Rp/scripts", "kind", script))
    settings = {
        name: t.arm("Test.Rp/stores/settings", version, name=prop(t.one(name), "required"), **{name: t.flag()})
        for name in ("audit", "quota")
    }
    t.resource(f"Test.Rp/stores/settings@{version}", t.told("Test.Rp/stores/settings", "name", settings))
    locks = t.arm("Test.Rp/locks", version, properties=t.object("Lock", level=t.choice("Low", "High")))
    everywhere = TENANT | MANAGEMENT_GROUP | SUBSCRIPTION | RESOURCE_GROUP | RESOURCE
    t.resource(f"Test.Rp/locks@{version}", locks, everywhere)
    t.modern(f"Test.Rp/groups@{version}", t.arm("Test.Rp/groups", version, **common), 0, SUBSCRIPTION)
    t.modern(f"Test.Rp/regions@{version}", t.arm("Test.Rp/regions", version, **common), SUBSCRIPTION | TENANT, 0)
    seen = t.arm("Test.Rp/tenants", version, properties=t.object("Tenant", plan=t.text()))
    t.modern(f"Test.Rp/tenants@{version}", seen, RESOURCE_GROUP, TENANT)
    t.resource(f"Test.Rp/loose@{version}", t.arm("Test.Rp/loose", version, properties=t.any()), 0)


@cache
def extension() -> dict[str, str]:
    """An extension `Garden`, with a configuration, functions and types that have no namespace."""
    index = Index()
    t = index.file("types.json")
    config = t.object(
        "config",
        gate=prop(t.text(), "required", about="Where the garden is."),
        key=prop(t.text(secret=True), "required"),
        level=t.choice("Low", "High"),
    )
    bed = t.object("bed", soil=t.choice("Sand", "Loam"), wet=t.flag())
    grow = t.add("FunctionType", parameters=[{"name": "days", "type": t.number()}], output=t.text())
    plant = t.object(
        "plant",
        label=prop(t.text(), "required", "identifier"),
        bed=prop(bed, "required"),
        height=prop(t.number(), "readonly"),
        plot=prop(t.text(), "constant"),
    )
    t.modern("plant@v1", plant, 0, RESOURCE_GROUP, functions={"grow": {"type": grow, "description": "Let it grow."}})
    t.modern("tools/Spade@v1", t.object("spade", size=prop(t.number(), "required")), 0, RESOURCE_GROUP)
    fallback = t.object("thing", t.any(), label=prop(t.text(), "required"))
    place = t.add("ResourceType", name="thing", body=fallback, readableScopes=0, writableScopes=8)
    index.document["settings"] = {
        "name": "Garden",
        "version": "1.2.3",
        "isSingleton": False,
        "configurationType": {"$ref": f"types.json{config['$ref']}"},
    }
    index.document["fallbackResourceType"] = {"$ref": f"types.json{place['$ref']}"}
    return index.written()


def large(types: int, versions: int = 10, properties: int = 30) -> dict[str, str]:
    """An index as large as wanted: a file a type, with all its versions in it."""
    index = Index()
    for number in range(types):
        t = index.file(f"fake/fake.rp{number % 50}/{number}/types.json")
        given = {f"property{n}": prop(t.text(), about=f"What number {n} is.") for n in range(properties)}
        for version in range(versions):
            name = f"Fake.Rp{number % 50}/things{number}@{2010 + version}-01-01"
            body = t.arm(name.partition("@")[0], name.partition("@")[2], properties=t.object("Properties", **given))
            t.resource(name, body)
    return index.written()


@cache
def beside() -> dict[str, str | bytes]:
    """What every program of a page finds beside it: types of ARM in the folder `types`, and an extension, also packed."""
    folders = {"types": arm(), "garden": extension()}
    found = {f"{folder}/{name}": text for folder, files in folders.items() for name, text in files.items()}
    return {**found, "garden.tgz": packed(extension())}
