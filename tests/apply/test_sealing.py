"""What operators seal in their answers: passed on to whoever reads it, in no event, and read again by every run."""

from test_engine import Story
from world import PLANTED, FakeOperator, boot, resource

from engine.contract.errors import Transient
from engine.contract.value import Output
from engine.expand.vault import MemoryVault


class Lister(FakeOperator):
    """Reports what is listed of a thing, sealed."""

    def _listed(self, resource, seen, call):
        answers = {f"{name}()": call.seal(PLANTED, name) for name in resource.lists}
        return seen and seen.replace(outputs={**seen.outputs, **answers})

    def observe(self, resource, token, call):
        if resource.lists and self.world.fault(resource.address):
            raise Transient("try again later")
        return self._listed(resource, super().observe(resource, token, call), call)

    def create(self, resource, token, call):
        return self._listed(resource, super().create(resource, token, call), call)


class Listing(Story):
    """A story of runs that know no secret but what is sealed in them."""

    def boot(self):
        engine = boot(self.world, self.shelf)
        engine.model.operators["container"] = Lister(self.world, "container")
        engine._vault = MemoryVault(b"key")
        return engine

    def __init__(self):
        super().__init__()
        self.world.engines.remove(self.engine)
        self.engine = self.boot()

    def again(self):
        self.world.engines.remove(self.engine)
        self.engine = self.boot()


def reader(**more):
    return resource("b", waits=["a"], key=Output("d/a", ("properties", "listKeys()")), **more)


def test_what_is_sealed_reaches_its_reader_and_no_event():
    story = Listing()
    listed = resource("a").replace(lists=("listKeys",))
    assert story.deploy(listed, reader()).ok
    key = story.things()["d/b#1"].properties["key"]
    assert story.engine._vault.open(key) == PLANTED
    assert PLANTED not in repr(story.shelf.events)


def test_a_later_run_reads_it_again_before_it_is_passed_on():
    story = Listing()
    listed = resource("a").replace(lists=("listKeys",))
    story.deploy(listed, reader())
    story.again()
    story.world.faults["d/a"] = ["transient"]
    assert story.deploy(listed, reader(image="2")).ok
    assert story.things()["d/b#1"].properties["image"] == "2"
