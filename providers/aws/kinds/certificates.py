"""`Ulna.Ecs/certificates`: a certificate brought into ACM, for the listener of a gateway. CloudFormation has no type for that."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any

from engine.contract.value import Properties
from providers.aws.client import Client, Seen, tag_list, tag_map
from providers.aws.kinds.thing import Thing

DIGEST = "ulna.digest"


class Certificate(Thing):
    """An imported certificate; another one is imported in its place, under the same ARN."""

    type = "Ulna.Ecs/certificates"

    def find(self, client: Client, token: str) -> Seen | None:
        """Among those of the account, by its tags."""
        for listed in client.all("acm", "list_certificates", "CertificateSummaryList"):
            arn = listed["CertificateArn"]
            tags = tag_map(client.call("acm", "list_tags_for_certificate", CertificateArn=arn).get("Tags"))
            if client.ours(tags, token):
                return {"CertificateArn": arn, "digest": tags.get(DIGEST, "")}
        return None

    def create(self, client: Client, token: str, wish: Properties) -> Seen:
        """Import it."""
        marks = {**client.marks(token), DIGEST: _digest(wish)}
        arn = client.call("acm", "import_certificate", **_parts(wish), Tags=tag_list(marks))["CertificateArn"]
        return {"CertificateArn": arn, "digest": _digest(wish)}

    def update(self, client: Client, seen: Seen, token: str, wish: Properties) -> Seen:
        """Import another in its place."""
        if seen["digest"] == _digest(wish):
            return seen
        arn = seen["CertificateArn"]
        client.call("acm", "import_certificate", CertificateArn=arn, **_parts(wish))
        tags = [{"Key": DIGEST, "Value": _digest(wish)}]
        client.call("acm", "add_tags_to_certificate", CertificateArn=arn, Tags=tags)
        return {**seen, "digest": _digest(wish)}

    def delete(self, client: Client, seen: Seen, token: str) -> None:
        """Once no listener uses it."""
        client.call("acm", "delete_certificate", CertificateArn=seen["CertificateArn"])

    def id(self, seen: Seen) -> str:
        """Its ARN."""
        return str(seen["CertificateArn"])

    def outputs(self, seen: Seen) -> Mapping[str, Any]:
        """Its ARN."""
        return {"CertificateArn": seen["CertificateArn"]}


_END = "-----END CERTIFICATE-----"


def _parts(wish: Properties) -> dict[str, bytes]:
    """The certificate itself, those that vouch for it, and the key."""
    first, _, chain = str(wish["Certificate"]).partition(_END)
    parts = {"Certificate": (first + _END + "\n").encode(), "PrivateKey": str(wish["PrivateKey"]).encode()}
    return {**parts, "CertificateChain": chain.strip().encode()} if chain.strip() else parts


def _digest(wish: Properties) -> str:
    """Of the certificate, which is public; the key goes with it."""
    return hashlib.sha256(str(wish["Certificate"]).encode()).hexdigest()[:32]
