"""The compute kinds by name, installed or not: a `runtimes` block for one of them is meant for some environment."""

KINDS = ("aci", "cloudrun", "containerapps", "docker", "ecs", "kubernetes", "process")
