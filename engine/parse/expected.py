"""What to say where reading stopped: the code, the words and the help for what should have stood there."""

from __future__ import annotations

Words = tuple[str, str, str]
"""A code, what is missing, and a help line."""

_VALUE = "Write a value: a literal, an array, an object, a function call or a name."
_CONTENT = "Write a body in braces, a condition such as 'if (…) { … }', or a loop such as '[for x in y: { … }]'."

GAPS: dict[str, Words] = {
    "broken": ("BCP009", "a value", _VALUE),
    "broken_type": ("BCP279", "a type", "Write string, int, bool, object, array, or a type of your own."),
    "broken_path": ("BCP097", "a path in quotes", "Write the file's path, such as 'web.bicep'."),
    "broken_resource_type": ("BCP068", "a resource type in quotes", "Write 'Namespace/type@version'."),
    "broken_body": ("BCP118", "'{', '[' or 'if'", _CONTENT),
    "broken_loop_body": ("BCP167", "'{' or 'if'", "Write the body of each one in braces, or a condition before it."),
    "broken_condition_body": ("BCP018", "'{'", "Write the body in braces after the condition."),
    "broken_loop": ("BCP012", "'for'", "Write '[for item in items: { … }]'."),
    "condition_broken": ("BCP018", "'('", "Write the condition in parentheses: 'if (…) { … }'."),
    "with_broken": ("BCP018", "'{'", "Write the configuration in braces: 'with { … }'."),
    "extension_config_broken": ("BCP012", "'with'", "Write 'with { … }' after the alias."),
    "import_broken": (
        "BCP354",
        "what is imported",
        "Write \"import { name } from 'path'\" or \"import * as name from 'path'\".",
    ),
    "import_item_broken": ("BCP355", "the name of an export", "Write the name of something the other file exports."),
    "missing_assign": ("BCP018", "'='", "Write '=' and a value."),
    "missing_arrow": ("BCP018", "'=>'", "Write '=>' and the function's body."),
    "missing_colon": ("BCP018", "':'", "Write ':' and a value."),
    "missing_open": ("BCP018", "'('", "Write the parameters in parentheses, or '()'."),
    "missing_from": ("BCP012", "'from'", "Write \"from 'path'\"."),
    "missing_as": ("BCP012", "'as'", "Write 'as' and a name."),
    "missing_in": ("BCP012", "'in'", "Write 'in' and what is looped over."),
    "missing_key": ("BCP022", "a property's name", "Write a name, or a text in quotes."),
    "missing_member": ("BCP020", "the name of a function or property", "Write a name after the dot."),
    "missing_close_brace": ("BCP018", "'}'", "Close the brace."),
    "missing_close_bracket": ("BCP018", "']'", "Close the bracket."),
    "missing_close_parenthesis": ("BCP018", "')'", "Close the parenthesis."),
    "broken_close": ("BCP018", "')'", "Close the parenthesis."),
    "missing_close_angle": ("BCP018", "'>'", "Close the angle bracket."),
    "missing_separator": ("BCP236", "a comma or a new line", "Separate what stands in a row."),
    "missing_comma": ("BCP237", "a comma", "Separate the arguments of a call by commas."),
    "union_member": ("BCP300", "a literal", "Write the next member of the union on this line."),
    "extension_end": (
        "BCP305",
        "'with', 'as' or the end of the line",
        "Write 'with { … }', 'as name', or nothing more.",
    ),
    "using_end": ("BCP436", "'with' or the end of the line", "Write 'with { … }', or nothing more."),
    "missing_type_key": (
        "BCP317",
        "a property's name, a text or '*'",
        "Write name: type, or '*: type' for all others.",
    ),
    "line_end": ("BCP019", "the end of the line", "Start a new line for what comes next."),
    "assign_or_line_end": ("BCP008", "'=' or the end of the line", "Write '=' and a default, or nothing more."),
    "missing_name": ("BCP015", "a name", "Write a name of letters, digits and underscores."),
    "module_path": ("BCP097", "the path of the module's file", "Write the file's path, such as 'web.bicep'."),
    "test_path": ("BCP347", "the path of the tested file", "Write the file's path, such as 'main.bicep'."),
    "file_path": ("BCP257", "the path of a file", "Write the path of the template, such as 'main.bicep'."),
    "extension_spec": (
        "BCP201",
        "the name of an extension, or where it is",
        "Write its name, or a reference in quotes.",
    ),
    "wildcard_name": ("BCP356", "a name for what is imported", "Write a name, and 'from' after it."),
    "import_alias": ("BCP325", "another name for what is imported", "Write a name of letters, digits and underscores."),
    "test_body": ("BCP018", "'{'", "Write what the test gives in braces: '{ params: { … } }'."),
    "interpolation": ("BCP064", "'}'", "Write one expression in the braces."),
    "decorator": ("BCP123", "the name of a decorator", "Write a decorator's name, such as @description('…')."),
}
"""By the grammar's rule that stands for the gap."""

ENDS = {"EXTENSION": "extension_end", "USING": "using_end"}
"""How a statement could still go on, by its first word."""

PATHS = {"MODULE": "module_path", "TEST": "test_path", "USING": "file_path", "EXTENDS": "file_path"}
"""The gap of a path, by the word that its statement begins with."""

NAMES: dict[str, tuple[str, str]] = {
    "PARAM": ("BCP013", "the name of the parameter"),
    "VAR": ("BCP015", "the name of the variable"),
    "OUTPUT": ("BCP016", "the name of the output"),
    "RESOURCE": ("BCP017", "the name of the resource"),
    "MODULE": ("BCP096", "the name of the module"),
    "METADATA": ("BCP266", "the name of the metadata"),
    "TYPE": ("BCP325", "the name of the type"),
    "FUNC": ("BCP015", "the name of the function"),
    "ASSERT": ("BCP344", "the name of the assertion"),
    "TEST": ("BCP346", "the name of the test"),
    "EXTENSIONCONFIG": ("BCP202", "the alias of an extension"),
    "AS": ("BCP202", "an alias"),
    "FOR": ("BCP162", "the name of the loop's item"),
}
"""What a name is for, by the word before it."""

STATEMENT = (
    "BCP007",
    "does not start a declaration",
    "Start with param, var, resource, module, output, type, func, import, extension, metadata or targetScope.",
)
ASSIGNMENT = (
    "BCP337",
    "does not start a line of a parameters file",
    "Start with using, extends, param, var, type, import, extension or extensionConfig.",
)
_TYPED = "param output type"
_AFTER = {
    "allowed": "param",
    "batchSize": "resource module",
    "nullIfNotFound": "resource",
    "onlyIfNotExists": "resource",
    "patch": "resource",
    "retryOn": "resource",
    "waitUntil": "resource",
    **dict.fromkeys(
        ("discriminator", "maxLength", "maxValue", "metadata", "minLength", "minValue", "sealed", "secure", "validate"),
        _TYPED,
    ),
}
"""What each decorator can stand before, of those that are not for nearly everything."""

_DANGLING = {"param": "BCP147", "resource": "BCP149", "resource module": "BCP153", _TYPED: "BCP292"}
DANGLING = frozenset({*_DANGLING.values(), "BCP132"})
"""The codes of decorators with nothing below them."""


def dangling(names: list[str]) -> Words:
    """The code and words for decorators of these names with nothing below them."""
    wanted = [_AFTER[n].split() for n in names if n in _AFTER]
    fitting = [w for w in wanted[0] if all(w in others for others in wanted)] if wanted else []
    code = _DANGLING.get(" ".join(fitting), "BCP132")
    noun = " or ".join(fitting) or "declaration"
    return code, "A decorator stands before nothing", f"Write a {noun} below it, or remove it."
