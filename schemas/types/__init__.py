"""One schema a resource type: the body as it is written in a template."""
