"""Many connections ask at once when one unit is left, and each finds the budget good before any has paid."""

import json
import socketserver
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tests.laboratory.scene import Client, open_laboratory

BUDGET, THIEVES = 5, 24


def test_thieves_in_parallel_share_exactly_the_budget(tmp_path: Path) -> None:
    with open_laboratory(tmp_path, BUDGET) as laboratory:
        assert answers_taken(laboratory.socket) == BUDGET
    assert laboratory.usage.answered == laboratory.usage.spent == BUDGET


def test_a_laboratory_that_looks_first_and_pays_later_is_robbed(tmp_path: Path) -> None:
    together = threading.Barrier(THIEVES)
    left = [BUDGET]

    class Careless(socketserver.StreamRequestHandler):
        def handle(self) -> None:
            for _ in self.rfile:
                enough = left[0] > 0
                together.wait(60)  # the answer takes its time
                left[0] -= 1
                reply = {"answer": {}, "left": left[0]} if enough else {"error": "used up", "left": 0}
                self.wfile.write(json.dumps(reply).encode() + b"\n")
                return

    at = tmp_path / "careless.sock"
    with socketserver.ThreadingUnixStreamServer(str(at), Careless) as server:
        server.request_queue_size = THIEVES
        serving = threading.Thread(target=server.serve_forever)
        serving.start()
        taken = answers_taken(at)
        server.shutdown()
        serving.join()
    assert taken > BUDGET


def answers_taken(at: Path) -> int:
    """How many answers thieves get who all ask at the same moment."""
    ready = threading.Barrier(THIEVES)

    def steal(number: int) -> bool:
        with Client(at) as client:
            ready.wait(60)
            return "answer" in (client.ask({"x": number}) or {})

    one: Callable[[int], bool] = steal
    with ThreadPoolExecutor(THIEVES) as pool:
        return sum(pool.map(one, range(THIEVES)))
