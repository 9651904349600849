"""A graph as JSON, in the shape of Radius' application graph."""

from __future__ import annotations

from typing import Any

from engine.cli.drawing.nodes import Picture


def document(picture: Picture) -> dict[str, Any]:
    """The resources, each with its connections both ways and what it is made of."""
    return {
        "application": picture.title,
        "resources": [
            {
                "id": node.id,
                "address": node.address,
                "type": node.type,
                "name": node.name,
                **({"state": node.state} if node.state else {}),
                "connections": [
                    *(
                        {"id": picture.find(to).id, "address": to, "direction": "Outbound", "kind": str(kind)}
                        for to, kind in node.to
                    ),
                    *(
                        {"id": n.id, "address": n.address, "direction": "Inbound", "kind": str(kind)}
                        for n, kind in picture.leading_to(node.address)
                    ),
                ],
                "outputResources": [
                    {"id": p.id, "address": p.address, "type": p.type, "name": p.name} for p in node.parts
                ],
            }
            for node in picture.nodes
        ],
    }
