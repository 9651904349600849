"""The desired graph as operators may look at it: by id, by address, each resource in its environment."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping
from pathlib import PurePosixPath
from posixpath import join as join_paths
from posixpath import normpath

from engine.app.environment import environment_of
from engine.contract.operator import Environment
from engine.contract.resource import Resource
from engine.contract.value import Leaf, Output, Value, rewrite
from engine.diagnostics.diagnostic import Diagnostic


class Graph:
    """The resources of one deployment; `root` is the folder that relative file names start from.

    `others` belong to other deployments of the environment: they can be found by id, and are not rendered.
    """

    __slots__ = ("_by_address", "_by_id", "_declared", "_others", "given", "root")

    def __init__(
        self, resources: Iterable[Resource], given: Environment | None, root: str, others: Iterable[Resource] = ()
    ) -> None:
        self.given = given
        self.root = root
        self._others = others
        raw = tuple(resources)
        self._by_address = {r.address: r for r in raw}
        self._declared = tuple(map(self._settled, raw))
        self._by_id: dict[str, Resource] | None = None

    @property
    def declared(self) -> tuple[Resource, ...]:
        """The resources in their order, with ids and names of each other filled in."""
        return self._declared

    @property
    def addresses(self) -> Container[str]:
        """The addresses of the declared resources."""
        return self._by_address

    def find(self, id: str) -> Resource | None:
        """The declared resource with this id."""
        if self._by_id is None:  # most graphs never ask
            existing = (r for r in self._declared if r.existing)  # what is known of it elsewhere is more
            known = (*existing, *self._others, *(r for r in self._declared if not r.existing))
            self._by_id = {r.id.lower(): r for r in known if isinstance(r.id, str)}
        return self._by_id.get(id.lower())

    def environment_of(self, resource: Resource) -> Environment | Diagnostic | None:
        """Where a resource goes."""
        return environment_of(resource, self.find, self.given)

    def _settled(self, resource: Resource) -> Resource:
        """The resource with what is known of others (their ids and names) in place of a question for it.

        Only the app model asks for more than values: what a container consists of hangs on what it is connected to.
        """
        if not resource.type.lower().startswith(("applications.", "ulna.core/gates", "ulna.core/commands")):
            return resource
        properties: Mapping[str, Value] = rewrite(resource.properties, self._known)
        return resource if properties is resource.properties else resource.replace(properties=properties)

    def _known(self, leaf: Leaf) -> Value:
        if isinstance(leaf, Output) and (target := self._by_address.get(leaf.address)) is not None:
            answer: Value = leaf
            match leaf.path:
                case ("id",):
                    answer = target.id
                case ("name",):
                    answer = target.name
                case ("type",):
                    answer = target.type
                case _:
                    pass
            return answer if isinstance(answer, str) else leaf
        return leaf


class GraphView:
    """The graph as one resource sees it: with the environment it goes to."""

    __slots__ = ("_environment", "_graph")

    def __init__(self, graph: Graph, environment: Environment | None) -> None:
        self._graph = graph
        self._environment = environment

    @property
    def environment(self) -> Environment | None:
        """The environment of the resource that looks."""
        return self._environment

    def find(self, id: str) -> Resource | None:
        """The declared resource with this id."""
        return self._graph.find(id)

    def resources(self) -> Iterable[Resource]:
        """All declared resources."""
        return self._graph.declared

    def folder(self, resource: Resource) -> str:
        """The folder of the file that declares it."""
        name = resource.origin.source.name if resource.origin is not None else ""
        return normpath(join_paths(self._graph.root or ".", str(PurePosixPath(name).parent)))
