"""What a plan reaches beyond the suite and the known providers, and whether a command line of this home said so.

A campaign's folder may come from elsewhere, and then its plan is somebody else's. Starting a campaign seals its plan with this
home's secret. A plan without that seal may still be read and reported; folders, files, addresses and rights that it names are
not touched.
"""

import hashlib
import hmac
import re
from collections.abc import Iterator

from rexbench.campaign.plan import Plan
from rexbench.task.schema import TASK_ID


def seal_of(plan: bytes, secret: bytes) -> str:
    """What only somebody who has the secret can write beside a plan."""
    return hmac.new(secret, b"campaign\n" + plan, hashlib.sha256).hexdigest()


def reach_of(plan: Plan) -> Iterator[str]:
    """Everything in a plan that a stranger must not decide, in plain words."""
    addresses = {name: plan.folders.get(name, name) for name in plan.tasks}
    for name, address in addresses.items():
        if not re.fullmatch(TASK_ID, address):
            yield f"the folder {address} for the task {name}"
    for spec in plan.agents:
        if spec.endpoint.base_url:
            yield f"the address {spec.endpoint.base_url}"
        if spec.endpoint.key_file:
            yield f"the key file {spec.endpoint.key_file}"
        if ":" in spec.agent:
            yield f"the class {spec.agent}"
        if spec.model.startswith(("scripted:", "replay:")):
            yield f"the file {spec.model.partition(':')[2]}"
        if spec.gateway.allow_server_tools:
            yield f"a provider's own tools for {spec.name}"
