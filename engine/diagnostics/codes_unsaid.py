"""The codes of the Bicep language that Ulna never reports: one line each, with why."""

UNSAID = """
BCP011 | Whether a value has the right type is said by BCP033, wherever it stands.
BCP021 | A number can stand only where any value can: what is missing there is BCP009.
BCP023 | What name is missing is told by the word before it: BCP013, BCP015, BCP016, BCP017 and so on.
BCP026 | An output is compared with its type as all values are: BCP033.
BCP030 | A name that is no type is BCP302, and where there is no type at all it is BCP279.
BCP031 | A name that is no type is BCP302, and where there is no type at all it is BCP279.
BCP041 | Whatever has a value can be that of a variable; what has none is BCP063 or BCP242.
BCP043 | What is no expression is no value for the parser either: BCP009.
BCP056 | No two namespaces have a function of one name: those of az and sys differ, and extensions bring none.
BCP093 | A relative path always leads somewhere; what is not there is BCP091.
BCP105 | Paths lead to files, and references to registries; there are no other addresses to load from.
BCP106 | Commas do separate; where they cannot, BCP018, BCP019 or BCP238 says so.
BCP119 | What is no scope is BCP036 for every resource, whether it extends another or not.
BCP136 | Where the name of a loop's item is missing it is BCP162, and BCP015 in parentheses.
BCP148 | No decorator is for variables alone.
BCP150 | No decorator is for modules alone; those for resources and modules are BCP153.
BCP151 | No decorator is for outputs alone.
BCP171 | A resource that cannot be the parent is a property of the wrong type: BCP036.
BCP172 | Of a parent with errors those are told, and nothing that follows from them.
BCP191 | Why something could not be fetched is always known: BCP192.
BCP210 | A nested resource is of the extension of the resource around it.
BCP232 | The cache is addressed by content: nothing has to be deleted to fetch it again.
BCP233 | The cache is addressed by content: nothing has to be deleted to fetch it again.
BCP244 | A lambda with more or fewer parameters than a function gives it does not fit: BCP070.
BCP250 | A parameter that is assigned twice is BCP028, as any name that is declared twice.
BCP260 | A parameter file is compared with the types of its template as all values are: BCP033.
BCP263 | A template that is not there is BCP091, as any file.
BCP267 | No decorator is for metadata alone.
BCP273 | A setting of the wrong form is passed over, with a warning: ULN020 and ULN021.
BCP274 | A folder that cannot be read has no configuration; the search goes on above it.
BCP290 | No decorator is for parameters and types alone.
BCP291 | No decorator is for parameters and outputs alone.
BCP320 | An output cannot be a resource, which is BCP394: it gives the id as a string.
BCP342 | Types of one's own are allowed in functions.
BCP352 | Variables of a parameter file are worked out where a parameter needs them: BCP338.
BCP367 | No feature is switched off for the time being.
BCP376 | Types, variables and functions can be imported into templates and parameter files alike.
BCP377 | Extensions have names in bicepconfig.json, and no aliases of registries besides those of modules: BCP211.
BCP378 | Extensions have names in bicepconfig.json, and no aliases of registries besides those of modules: BCP216.
BCP379 | Extensions have names in bicepconfig.json, and no aliases of registries besides those of modules: BCP213.
BCP380 | Only modules and the types of extensions are asked of a registry.
BCP411 | A part of a resource type that fits no kind of value is any, and stays so in the template.
BCP412 | A name that is no type is BCP302, and where there is no type at all it is BCP279.
BCP429 | A folder that cannot be listed is told as one that is not there: BCP428.
BCP432 | Which arguments must be known early is told by BCP181; extensions bring no functions of their own.
BCP439 | What @secure() cannot stand on is BCP124, or BCP308 and BCP386 where the type is declared elsewhere.
BCP440 | What @secure() cannot stand on is BCP124, or BCP308 and BCP386 where the type is declared elsewhere.
BCP446 | No registry is blocked: only what a file names is fetched, and each registry gets its own credentials alone.
BCP448 | What leads to it has not been published.
BCP449 | What leads to it has not been published.
BCP450 | What leads to it has not been published.
BCP451 | What leads to it has not been published.
"""


def reasons() -> dict[str, str]:
    """Why it is never reported, by the code."""
    pairs = (line.partition(" | ") for line in UNSAID.strip().splitlines())
    return {code: reason for code, _, reason in pairs}
