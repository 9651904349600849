"""What references mean, and what is said of those that mean nothing."""

import json
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.check.check import check
from engine.sources.fetch import _layers
from engine.sources.memory import MemorySources
from engine.sources.reference import Commit, Image, Mapped, Misnamed, Spec, parse_reference
from engine.sources.transport import RegistryError

DIGEST = "sha256:" + "0a" * 32
COMMIT = "0123456789abcdef0123456789abcdef01234567"
GUID = "00000000-0000-0000-0000-000000000001"
SETTINGS = {
    "moduleAliases": {
        "br": {
            "public": {"registry": "mcr.microsoft.com", "modulePath": "bicep"},
            "bare": {"registry": "r.example"},
            "empty": {"modulePath": "x"},
        },
        "ts": {
            "specs": {"subscription": GUID, "resourceGroup": "group"},
            "nosub": {"resourceGroup": "group"},
            "nogroup": {"subscription": GUID},
        },
    },
    "moduleAliasesMock": {
        "br": {"near": {"mapToFilePath": "local/modules"}, "far": {"mapToFilePath": "/elsewhere/"}},
        "ts": {"near": {"mapToFilePath": "../specs"}},
    },
}


def parse(text):
    return parse_reference(text, SETTINGS, "/work/bicepconfig.json")


@pytest.mark.parametrize(
    ("text", "meaning"),
    [
        ("br:r.example/a/b:v1", Image("r.example", "a/b", "v1")),
        ("br:R.Example:443/a:V1", Image("r.example:443", "a", "V1")),
        (f"br:r.example/a/b@{DIGEST}", Image("r.example", "a/b", "", DIGEST)),
        ("br:localhost:5000/a:v1", Image("localhost:5000", "a", "v1")),
        ("br:127.0.0.1/a:v1", Image("127.0.0.1", "a", "v1")),
        ("br:[::1]:5000/a/b:v1", Image("[::1]:5000", "a/b", "v1")),
        ("br:[::1]/a/b:v1", Image("[::1]", "a/b", "v1")),
        ("br/public:avm/res/x:1.2.3", Image("mcr.microsoft.com", "bicep/avm/res/x", "1.2.3")),
        ("br/bare:x:1", Image("r.example", "x", "1")),
        (f"br/bare:x@{DIGEST}", Image("r.example", "x", "", DIGEST)),
        (f"ts:{GUID}/group/spec:1.0", Spec(GUID, "group", "spec", "1.0")),
        ("ts/specs:spec:1.0", Spec(GUID, "group", "spec", "1.0")),
        ("br/near:a/web:v1", Mapped("/work/local/modules/a/web")),
        (f"br/near:web@{DIGEST}", Mapped("/work/local/modules/web")),
        ("br/far:web:v1", Mapped("/elsewhere/web")),
        ("ts/near:Spec:v1", Mapped("/specs/Spec")),
        (
            f"git:https://git.example/o/r.git//m/web.bicep@{COMMIT}",
            Commit("https://git.example/o/r.git", "m/web.bicep", COMMIT),
        ),
        (
            f"git:https://git.example/o/r.git//m/web@{COMMIT}",
            Commit("https://git.example/o/r.git", "m/web/main.bicep", COMMIT),
        ),
        (f"git:ssh://git@h.example:22/o/r//m@{COMMIT}", Commit("ssh://git@h.example:22/o/r", "m/main.bicep", COMMIT)),
        (f"git:git@h.example:o/r.git//@{COMMIT}", Commit("git@h.example:o/r.git", "main.bicep", COMMIT)),
        (f"git:file:///srv/r//a.json@{COMMIT}", Commit("file:///srv/r", "a.json", COMMIT)),
    ],
)
def test_a_reference_means(text, meaning):
    assert parse(text) == meaning


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("br:", "BCP193"),
        ("br:r.example", "BCP193"),
        ("br:r example/a:v1", "BCP193"),
        ("br:user:pass@r.example/a:v1", "BCP193"),
        ("br:r.example:99999/a:v1", "BCP193"),
        ("br:r.example:0/a:v1", "BCP193"),
        ("br:-r.example/a:v1", "BCP193"),
        (f"br:{'r' * 256}/a:v1", "BCP200"),
        ("br:r.example/A:v1", "BCP195"),
        ("br:r.example/../a:v1", "BCP195"),
        ("br:r.example//a:v1", "BCP195"),
        ("br:r.example/:v1", "BCP195"),
        ("br:r.example/a%2f..:v1", "BCP195"),
        ("br:r.example/a", "BCP196"),
        ("br:r.example/a:", "BCP196"),
        (f"br:r.example/a:{'v' * 129}", "BCP197"),
        ("br:r.example/a:.v1", "BCP198"),
        ("br:r.example/a:v/1", "BCP195"),
        ("br:r.example/a:v 1", "BCP198"),
        (f"br:r.example/{'a' * 256}:v1", "BCP199"),
        ("br:r.example/a@sha256:12", "BCP224"),
        ("br:r.example/a@" + DIGEST.upper(), "BCP224"),
        ("br/bare", "BCP193"),
        ("br/bare:", "BCP193"),
        ("br/no such:x:1", "BCP211"),
        ("br/other:x:1", "BCP213"),
        ("br/empty:x:1", "BCP216"),
        ("br/near:../x:1", "BCP195"),
        ("ts/other:x:1", "BCP212"),
        ("ts/nosub:x:1", "BCP214"),
        ("ts/nogroup:x:1", "BCP215"),
        ("ts:x", "BCP194"),
        (f"ts:{GUID}/group:1", "BCP194"),
        ("ts:1/group/spec:1", "BCP217"),
        (f"ts:{GUID}/{'g' * 91}/spec:1", "BCP218"),
        (f"ts:{GUID}/group./spec:1", "BCP219"),
        (f"ts:{GUID}/../spec:1", "BCP219"),
        (f"ts:{GUID}/group/{'s' * 91}:1", "BCP220"),
        (f"ts:{GUID}/group/..:1", "BCP221"),
        (f"ts:{GUID}/group/s:{'1' * 91}", "BCP222"),
        (f"ts:{GUID}/group/s:..", "BCP223"),
        ("git:https://git.example/o/r//m@main", "ULN030"),
        ("git:https://git.example/o/r//m@0123456", "ULN030"),
        (f"git:https://git.example/o/r@{COMMIT}", "ULN030"),
        (f"git:http://git.example/o/r//m@{COMMIT}", "ULN030"),
        (f"git:https://me:secret@git.example/o/r//m@{COMMIT}", "ULN030"),
        (f"git:ext::sh -c id//m@{COMMIT}", "ULN030"),
        (f"git:--upload-pack=id//m@{COMMIT}", "ULN030"),
        (f"git:ssh://-oProxyCommand=id/r//m@{COMMIT}", "ULN030"),
        (f"git:-oProxyCommand=id@h:r//m@{COMMIT}", "ULN030"),
        (f"git:https://git.example/o/r//../m@{COMMIT}", "ULN030"),
        (f"git:https://git.example/o/r//.git/config.json@{COMMIT}", "ULN030"),
        (f"git:https://git.example/o/r//a\\b@{COMMIT}", "ULN030"),
        (f"git:https://git.example/o/r\0//a@{COMMIT}", "ULN030"),
        (f"git:https://git.example/o/\ud800//a@{COMMIT}", "ULN030"),
        (f"git:https://git.example/o/r//a\0b@{COMMIT}", "ULN030"),
    ],
)
def test_what_cannot_be_right_is_refused(text, code):
    with pytest.raises(Misnamed) as problem:
        parse(text)
    assert problem.value.code == code


def test_a_near_miss_of_an_alias_is_offered():
    with pytest.raises(Misnamed) as problem:
        parse("br/publik:x:1")
    assert problem.value.help == "Did you mean 'public'?"


@given(st.sampled_from(["br:", "br/", "ts:", "ts/", "git:", "br:h/", "git:https://h/r//"]), st.text(max_size=60))
def test_anything_is_either_refused_or_read_as_it_is_written(scheme, rest):
    try:
        found = parse(scheme + rest)
    except Misnamed:
        return
    if not isinstance(found, Mapped):
        assert parse(str(found)) == found
        assert "/../" not in str(found)


@given(st.sampled_from(["br:", "br/public:", "br:h/a:", "ts:", "git:", "git:https://h/r//"]), st.text(max_size=40))
def test_any_reference_in_a_program_is_found_good_or_bad(scheme, rest):
    quoted = "".join(c if c.isalnum() or c in "/:@.-" else f"\\u{{{ord(c):x}}}" for c in rest)
    model = check("app.bicep", MemorySources({"app.bicep": f"module m '{scheme}{quoted}' = {{\n  name: 'm'\n}}\n"}))
    assert model.diagnostics


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["layers", "mediaType", "digest", "size", "config", "artifactType"]), inner, max_size=4
        )
    ),
    max_leaves=8,
)


@given(JSON)
def test_any_manifest_is_a_module_or_refused(document):
    with suppress(RegistryError):
        assert _layers(json.dumps(document).encode())
