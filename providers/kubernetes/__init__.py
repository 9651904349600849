"""Kubernetes: the compute kind `kubernetes`, and the operator of any object of a cluster."""

from providers.kubernetes.plugin import provider as provider
