"""What an edit takes along that the file does not declare: jobs that have ended, and, at the end, all that was added."""

from __future__ import annotations

import pytest

from engine.apply.batch import edits
from engine.contract.resource import Resource
from engine.contract.value import Output
from engine.state.entry import Entry, Phase


def entry(address: str, phase: Phase = Phase.RUNNING, reads: str = "", code: int | None = None, **more) -> Entry:
    properties = {"url": Output(reads, ("url",))} if reads else {}
    owner = address.rpartition("/")[0] if address.count("/") > 1 else None
    resource = Resource(address, "Fake/thing", "1", address, address, properties, owner=owner)
    return Entry(address, resource, phase=phase, exit_code=code, **more)


API, PORT = entry("d/api"), entry("d/api/port")


def there(*others: Entry) -> dict[str, Entry]:
    return {e.address: e for e in (API, PORT, *others)}


@pytest.mark.parametrize(
    ("phase", "code", "reads", "goes"),
    [
        (Phase.EXITED, 0, "d/api/port", True),
        (Phase.EXITED, 3, "d/api/port", True),
        (Phase.FAILED, 3, "d/api/port", True),
        (Phase.FAILED, None, "d/api/port", False),
        (Phase.RUNNING, None, "d/api/port", False),
        (Phase.EXITED, 0, "d/api", False),
    ],
)
def test_a_launched_job_that_has_ended_goes_with_what_it_read(phase, code, reads, goes):
    job = entry("d/api/job", declared=False)
    work = entry("d/api/job/work", phase, reads, code, declared=False)
    batch = edits([API.resource], there(job, work), "d")
    assert batch.remove == (("d/api/job/work", "d/api/job") if goes else ()) + ("d/api/port",)
    assert edits([API.resource, PORT.resource], there(job, work), "d").is_empty


def test_what_was_added_beside_the_file_stays_until_the_whole_goes():
    extra = entry("d/extra", Phase.EXITED, "d/api/port", 0, declared=False)
    assert edits([API.resource], there(extra), "d").remove == ("d/api/port",), "refused later: somebody needs it"
    assert edits([], there(extra), "d", whole=True).remove == ("d/extra", "d/api/port", "d/api")
    assert edits([], there(extra), "other", whole=True).is_empty
