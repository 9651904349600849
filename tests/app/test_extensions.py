"""Labels along environment, application and container."""

from __future__ import annotations

from engine.app.extensions import metadata_of


def test_the_nearer_label_wins_and_reserved_keys_are_left_out_of_every_layer():
    def layer(**labels: str) -> dict[str, object]:
        return {"extensions": [{"kind": "kubernetesMetadata", "labels": labels}]}

    layers = [layer(**{"radapp.io/x": "1", "team": "a"}), layer(team="b"), layer(**{"radapp.io/y": "2", "tier": "web"})]
    assert metadata_of(layers, "labels") == {"team": "b", "tier": "web"}
