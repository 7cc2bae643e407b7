"""Progress on a cluster: queued, running and done, node by node."""

import socket

from rexbench.campaign.executors.protocol import Ended, UnderWay
from rexbench.campaign.undertaking import Step
from rexbench.cli.nodes import Nodes

STEP = Step("campaign", "gold/toy/none/1", "agent")


def test_every_node_has_its_running_and_done_and_the_queue_its_reasons() -> None:
    nodes = Nodes()
    waiting = [UnderWay("c", waits_for="Resources"), UnderWay("d", waits_for="Priority")]
    under_way = [UnderWay("a", "n2"), UnderWay("b", "n2"), *waiting]
    nodes.take(under_way, Ended(STEP, where="n1"))
    nodes.take(under_way, Ended(STEP, where="n2", fault="it was cancelled"))
    assert nodes.lines() == ["n2: 2 running, 0 done", "n1: 0 running, 1 done", "2 wait in the cluster (Priority, Resources)"]
    assert (nodes.running, nodes.waiting) == (2, 2)
    assert nodes.name(Ended(STEP, where="n1")) == " on n1"


def test_a_thousand_nodes_fit_on_the_screen() -> None:
    nodes = Nodes()
    nodes.take([UnderWay("a", f"n{at}") for at in range(1000)], None)
    assert len(nodes.lines()) == 13 and nodes.lines()[-1] == "and 988 more nodes"


def test_on_this_machine_alone_there_is_nothing_to_say() -> None:
    nodes = Nodes()
    nodes.take([UnderWay("a", socket.gethostname())], Ended(STEP, where=socket.gethostname()))
    assert nodes.lines() == [] and nodes.name(Ended(STEP, where=socket.gethostname())) == ""
