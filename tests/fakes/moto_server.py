"""moto's server, with what it lacks of application autoscaling: tags of a scalable target. `python moto_server.py PORT`."""

from __future__ import annotations

import json
import sys
import warnings

warnings.simplefilter("ignore")

from moto.applicationautoscaling.responses import ApplicationAutoScalingResponse as Responses  # noqa: E402
from moto.server import main  # noqa: E402

TAGS: dict[str, dict[str, str]] = {}
_register = Responses.register_scalable_target


def register(self: Responses) -> str:
    """Register, and keep the tags that come with it."""
    asked = json.loads(self.body)
    answer = _register(self)
    whose = (asked["ServiceNamespace"], asked["ResourceId"], asked["ScalableDimension"])
    for target in self.applicationautoscaling_backend.describe_scalable_targets(whose[0], [whose[1]], whose[2]):
        if asked.get("Tags"):
            TAGS[target.arn] = asked["Tags"]
        return json.dumps({"ScalableTargetARN": target.arn})
    return answer


def list_tags(self: Responses) -> str:
    """The tags that were kept."""
    return json.dumps({"Tags": TAGS.get(json.loads(self.body)["ResourceARN"], {})})


Responses.register_scalable_target = register  # type: ignore[method-assign]
Responses.list_tags_for_resource = list_tags  # type: ignore[attr-defined]

if __name__ == "__main__":
    main(["-H", "127.0.0.1", "-p", sys.argv[1]])
