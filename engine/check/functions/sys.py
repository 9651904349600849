"""Namespace `sys`: the functions of the language itself."""

from __future__ import annotations

from engine.check.functions.signature import Table

SYS = Table(
    "sys",
    """
any(any) any #compile
array(any) array
base64(string) string
base64ToJson(string) any
base64ToString(string) string
bool(any) bool
buildUri(object) string
cidrHost(string, int) string
cidrSubnet(string, int, int) string
concat(array...) array
concat(string|int|bool...) string
contains(object, string) bool
contains(array, any) bool
contains(string, string) bool
dataUri(any) string
dataUriToString(string) string
dateTimeAdd(string, string, string?) string
dateTimeFromEpoch(int) string
dateTimeToEpoch(string) int
distinct(array) array
empty(null|object|array|string) bool
endsWith(string, string) bool
externalInput(string, any?) any #params
fail(string) never
filter(array, lambda1-2:bool) array
first(array) any
first(string) string
flatten(array) array
format(string, any*) string
groupBy(array, lambda1:string, lambda1?) object
guid(string...) string
indexOf(string, string) int
indexOf(array, any) int
int(string|int) int
intersection(object...) object
intersection(array...) array
items(object) object[]
join(string|bool|int[], string) string
json(string) any
last(array) any
last(string) string
lastIndexOf(string, string) int
lastIndexOf(array, any) int
length(string) int
length(object) int
length(array) int
like(string, string) bool
loadDirectoryFileInfo(string, string?) object[] #compile #path
loadFileAsBase64(string) string #compile #path
loadJsonContent(string, string?, string?) any #compile #path
loadTextContent(string, string?) string #compile #path
loadYamlContent(string, string?, string?) any #compile #path
map(array, lambda1-2) array
mapValues(object, lambda1) object
max(int...) int
max(int[]) int
min(int...) int
min(int[]) int
nameof(any) string #compile
newGuid() string #default
objectKeys(object) string[]
padLeft(string|int|bool, int, string?) string
parseCidr(string) object
parseUri(string) object
range(int, int) int[]
readCliArg(string) string #params
readEnvVar(string, string?) string #params
readEnvironmentVariable(string, string?) string #params #compile
reduce(array, any, lambda2-3) any
replace(string, string, string) string
shallowMerge(object[]) object
skip(array, int) array
skip(string, int) string
sort(array, lambda2:bool) array
split(string, string|array) string[]
startsWith(string, string) bool
string(any) string
substring(string, int, int?) string
take(array, int) array
take(string, int) string
toLower(string) string
toObject(array, lambda1:string, lambda1?) object
toUpper(string) string
trim(string) string
union(object...) object
union(array...) array
uniqueString(string...) string
uri(string, string) string
uriComponent(string) string
uriComponentToString(string) string
utcNow(string?) string #default
""",
)

BANNED = {
    "add": "+",
    "and": "&&",
    "coalesce": "??",
    "div": "/",
    "equals": "==",
    "greater": ">",
    "greaterOrEquals": ">=",
    "less": "<",
    "lessOrEquals": "<=",
    "mod": "%",
    "mul": "*",
    "not": "!",
    "or": "||",
    "sub": "-",
}
"""ARM functions that are operators here."""

BANNED_SYNTAX = {
    "createArray": "an array literal, [...]",
    "createObject": "an object literal, {...}",
    "if": "the ternary operator, condition ? a : b",
    "parameters": "the name of the parameter",
    "variables": "the name of the variable",
}
"""ARM functions that are other syntax here."""

SYNTAX_CODES = {
    "createArray": "BCP101",
    "createObject": "BCP102",
    "if": "BCP100",
    "parameters": "BCP061",
    "variables": "BCP060",
}
"""What is said of each."""
