"""Whole pieces of program that are begun by a word, with the places to fill in."""

from __future__ import annotations

from collections.abc import Iterator

from engine.lsp.completion.item import Item

RADIUS = "2023-10-01-preview"

_PROGRAM: tuple[tuple[str, str, str], ...] = (
    ("param", "A parameter", "param ${1:name} ${2:string}"),
    ("param-default", "A parameter with a default", "param ${1:name} ${2:string} = ${3:'value'}"),
    (
        "param-described",
        "A parameter that says what it is for",
        "@description('${1:What it is for.}')\nparam ${2:name} ${3:string}",
    ),
    ("param-secure", "A secret parameter", "@secure()\n@description('${1:What it opens.}')\nparam ${2:name} string"),
    ("var", "A variable", "var ${1:name} = $0"),
    ("output", "An output", "output ${1:name} ${2:string} = $0"),
    ("type", "An object type", "type ${1:Name} = {\n  ${2:name}: ${3:string}\n}"),
    ("func", "A function", "func ${1:name}(${2:value} ${3:string}) ${4:string} => $0"),
    ("import", "Names of another file", "import { ${2:name} } from '${1:types.bicep}'"),
    (
        "module",
        "A module",
        "module ${1:name} '${2:module.bicep}' = {\n  name: '${1:name}'\n  params: {\n    $0\n  }\n}",
    ),
    (
        "module-loop",
        "A module for every item of an array",
        "module ${1:name} '${2:module.bicep}' = [\n  for ${3:item} in ${4:items}: {\n"
        "    name: '${1:name}-\\${${3:item}}'\n    params: {\n      $0\n    }\n  }\n]",
    ),
    ("resource", "A resource", "resource ${1:name} '${2:Namespace/type@version}' = {\n  name: '${1:name}'\n  $0\n}"),
    (
        "resource-existing",
        "A resource that is there already",
        "resource ${1:name} '${2:Namespace/type@version}' existing = {\n  name: '${1:name}'\n}",
    ),
    (
        "environment",
        "An environment of containers, here of local processes",
        f"resource ${{1:local}} 'Applications.Core/environments@{RADIUS}' = {{\n  name: '${{1:local}}'\n"
        "  properties: {\n    compute: {\n      kind: '${2:process}'\n    }\n  }\n}",
    ),
    (
        "application",
        "An application with its environment",
        "extension radius\n\n@description('The environment to deploy to.')\nparam environment string\n\n"
        f"resource ${{1:app}} 'Applications.Core/applications@{RADIUS}' = {{\n  name: '${{1:app}}'\n"
        "  properties: {\n    environment: environment\n  }\n}\n$0",
    ),
    (
        "container",
        "A container of an application",
        f"resource ${{1:web}} 'Applications.Core/containers@{RADIUS}' = {{\n  name: '${{1:web}}'\n  properties: {{\n"
        "    application: ${2:app}.id\n    container: {\n      image: '${3:image}'\n      ports: {\n"
        "        ${4:http}: {\n          containerPort: ${5:8080}\n        }\n      }\n    }\n  }\n}",
    ),
    (
        "container-probe",
        "A container that is asked whether it is ready",
        f"resource ${{1:web}} 'Applications.Core/containers@{RADIUS}' = {{\n  name: '${{1:web}}'\n  properties: {{\n"
        "    application: ${2:app}.id\n    container: {\n      image: '${3:image}'\n      ports: {\n"
        "        ${4:http}: {\n          containerPort: ${5:8080}\n        }\n      }\n      readinessProbe: {\n"
        "        kind: 'httpGet'\n        containerPort: ${5:8080}\n        path: '${6:/healthz}'\n      }\n    }\n  }\n}",
    ),
    (
        "extender",
        "Whatever has no type of its own",
        f"resource ${{1:name}} 'Applications.Core/extenders@{RADIUS}' = {{\n  name: '${{1:name}}'\n  properties: {{\n"
        "    environment: environment\n    $0\n  }\n}",
    ),
)

_PARAMETERS: tuple[tuple[str, str, str], ...] = (
    ("using", "The template that this is for", "using '${1:main.bicep}'"),
    ("param", "The value of a parameter", "param ${1:name} = $0"),
    (
        "param-env",
        "A value from the environment",
        "param ${1:name} = readEnvironmentVariable('${2:NAME}'${3:, 'default'})",
    ),
)


def snippets(params_file: bool) -> Iterator[Item]:
    """Those that a statement can begin with."""
    for label, detail, insert in _PARAMETERS if params_file else _PROGRAM:
        yield Item(label, "snippet", detail, insert=insert, snippet=True, order=4)
