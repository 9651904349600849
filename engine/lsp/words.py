"""What is said about the built-in functions, decorators, types and keywords: the names of parameters, and a sentence each."""

from __future__ import annotations

from collections.abc import Mapping

from engine.record import Record


class Word(Record):
    """The names of the parameters, and what it is for."""

    parameters: tuple[str, ...] = ()
    text: str = ""


_FUNCTIONS = """
any(value): The value, taken as of any type: it fits everywhere.
array(value): The value as the only item of an array; an array is itself.
base64(text): The text in base64.
base64ToJson(text): The value of a JSON text that is in base64.
base64ToString(text): The text that is in base64.
bool(value): The value as a bool: 'true', 'false', 0 and 1 are understood.
buildUri(parts): A URI made of its scheme, host, port, path and query.
cidrHost(network, index): The address of a host in a network.
cidrSubnet(network, prefix, index): The subnet of a size at a place in a network.
concat(first, more): Arrays one after the other, or texts.
contains(container, item): Whether an array has an item, an object a key, or a text a part.
dataUri(value): The value as a data URI.
dataUriToString(uri): The text in a data URI.
dateTimeAdd(base, duration, format): A time later or earlier than another by an ISO 8601 duration.
dateTimeFromEpoch(seconds): The time so many seconds after the beginning of 1970, in ISO 8601.
dateTimeToEpoch(time): The seconds from the beginning of 1970 to a time.
deployer(): Who deploys: tenant and object id.
deployment(): The deployment that runs.
distinct(values): The items without repetitions.
empty(value): Whether an array, object or text has nothing in it, or is null.
endsWith(text, end): Whether a text ends so, in whatever case.
environment(): The cloud, with its URLs.
exists(): Whether the resource was there before this deployment.
existingResource(): The resource as it was before this deployment.
extensionResourceId(scope, type, name): The id of a resource that extends another.
externalInput(kind, options): A value that whoever deploys gives.
fail(message): Ends the deployment with a message.
filter(array, predicate): The items for which the lambda gives true.
first(value): The first item of an array, or the first character of a text.
flatten(arrays): The items of all the arrays in one.
format(pattern, value): The pattern with {0}, {1}, … replaced by the values.
getSecret(subscription, resourceGroup, vault, secret, version): A secret of a vault.
groupBy(array, key, value): An object with the items of an array by what the lambda gives for each.
guid(seed, more): A GUID that is always the same for the same texts.
indexOf(value, item): Where an item or part stands, from 0; -1 if nowhere.
int(value): The value as a whole number.
intersection(first, more): What all the arrays or objects have.
items(object): The properties as an array of `key` and `value`, sorted by key.
join(values, separator): The values as one text.
json(text): The value of a JSON text.
last(value): The last item of an array, or the last character of a text.
lastIndexOf(value, item): Where an item or part stands for the last time; -1 if nowhere.
length(value): How many items, properties or characters there are.
like(text, pattern): Whether a text matches a pattern with * and ?.
list*(resource, version, body): What a POST action of a resource answers, such as its keys.
loadDirectoryFileInfo(path, pattern): The files of a folder, with name, extension and path.
loadFileAsBase64(path): The content of a file in base64.
loadJsonContent(path, query, encoding): The value of a JSON file, or the part that a JSON path picks.
loadTextContent(path, encoding): The text of a file.
loadYamlContent(path, query, encoding): The value of a YAML file, or the part that a JSON path picks.
managementGroup(name): A management group, as a scope; without a name the current one.
managementGroupResourceId(type, name): The id of a resource of a management group.
map(array, mapper): What the lambda gives for every item.
mapValues(object, mapper): The object with each value replaced by what the lambda gives for it.
max(first, more): The greatest of the numbers.
min(first, more): The least of the numbers.
nameof(symbol): The name of a symbol or property as a text.
newGuid(): A new GUID every time.
objectKeys(object): The keys of an object, sorted.
padLeft(value, length, filler): The value as a text of at least so many characters.
parseCidr(network): The parts of a network: addresses, mask, prefix.
parseUri(uri): The parts of a URI.
pickZones(namespace, type, location, count, offset): Availability zones that a resource type has in a region.
providers(namespace, type): What a resource provider supports.
range(start, count): So many whole numbers from a first one on.
readCliArg(name): An argument of the command line.
readEnvVar(name, default): An environment variable.
readEnvironmentVariable(name, default): An environment variable, or the default where it is not set.
reduce(array, initial, combine): All items combined to one value by the lambda, from an initial one on.
reference(resource, version, full): The state of a resource while the deployment runs.
replace(text, old, new): The text with every occurrence of a part replaced.
resourceGroup(subscription, name): A resource group, as a scope; without arguments the current one.
resourceId(type, name): The id of a resource.
roleDefinitions(name): The role of a name.
shallowMerge(objects): The objects as one; of equal keys the last counts.
skip(value, count): What comes after so many items or characters.
sort(array, isBefore): The items in the order that the lambda gives.
split(text, separator): The parts of a text between separators.
startsWith(text, start): Whether a text begins so, in whatever case.
string(value): The value as a text; arrays and objects as JSON.
subscription(id): A subscription, as a scope; without an id the current one.
subscriptionResourceId(type, name): The id of a resource of a subscription.
substring(text, start, length): A part of a text.
take(value, count): The first so many items or characters.
tenant(): The tenant, as a scope.
tenantResourceId(type, name): The id of a resource of the tenant.
toLogicalZone(subscription, location, zone): The logical zone of a physical one.
toLogicalZones(subscription, location, zones): The logical zones of physical ones.
toLower(text): The text in lower case.
toObject(array, key, value): An object of the items, by what the lambda gives for each.
toPhysicalZone(subscription, location, zone): The physical zone of a logical one.
toPhysicalZones(subscription, location, zones): The physical zones of logical ones.
toUpper(text): The text in upper case.
trim(text): The text without blanks at its ends.
union(first, more): All items of the arrays once, or all properties of the objects.
uniqueString(seed, more): Thirteen characters that are always the same for the same texts.
uri(base, relative): A URI seen from another.
uriComponent(text): The text with what a URI may not hold escaped.
uriComponentToString(text): The text with what was escaped for a URI restored.
utcNow(format): The time of the deployment.
"""

_DECORATORS = """
allowed(values): Only these values may be given.
batchSize(size): So many copies of the loop are deployed at a time.
description(text): What it is for: shown by editors, kept in the template.
discriminator(property): The property that tells the members of the union apart.
export(): Other files can import it.
maxLength(length): No longer than this.
maxValue(value): No more than this.
metadata(object): Whatever else is to be said about it.
minLength(length): At least as long as this.
minValue(value): At least this.
nullIfNotFound(): It is null where the existing resource is not there.
onlyIfNotExists(): It is created where it is not there, and else left alone.
patch(): Only what is written is changed.
retryOn(errors, count): A failure with one of these errors is tried again.
sealed(): Properties that are not declared are errors.
secure(): It is a secret: not kept, not shown.
validate(predicate, message): The value must satisfy the lambda.
waitUntil(predicate, duration): The deployment waits until the lambda is satisfied.
"""

_TYPES = """
any: Anything: nothing is checked.
array: Many values of any type.
bool: true or false.
int: A whole number.
object: Properties of any name and type.
string: A text.
"""

_KEYWORDS = """
assert: A condition that must hold before anything is deployed.
extends: Takes over the assignments of another parameter file.
extension: Makes the resource types of an extension known.
func: A function of this file's own.
import: Names that another file exports.
metadata: Something that is said about the whole file.
module: Another file, deployed as a part of this one.
output: A value that the deployment gives back.
param: A value that whoever deploys gives.
resource: Something to be deployed, or with 'existing' something to be read.
targetScope: Where the file is deployed to.
test: A module that is only evaluated.
type: A name for a type.
using: The template that this parameter file is for.
var: A name for a value.
"""


def _table(text: str) -> Mapping[str, Word]:
    found = {}
    for line in text.strip().splitlines():
        head, _, says = line.partition(": ")
        name, _, inside = head.rstrip(")").partition("(")
        found[name] = Word(tuple(inside.split(", ")) if inside else (), says)
    return found


FUNCTIONS = _table(_FUNCTIONS)
DECORATORS = _table(_DECORATORS)
TYPES = _table(_TYPES)
KEYWORDS = _table(_KEYWORDS)


def function_word(name: str) -> Word:
    """What is said about a function; an empty word for one that is not known."""
    return FUNCTIONS.get(name) or (FUNCTIONS["list*"] if name.startswith("list") else Word())
