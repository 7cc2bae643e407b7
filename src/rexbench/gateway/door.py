"""A run's gateway, seen by its keeper: started, listened to, stopped."""

import json
import subprocess
import sys
import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType

from rexbench.errors import SystemFault
from rexbench.gateway.exchange import settle_lost
from rexbench.gateway.settings import SOCKET, GatewaySettings


@dataclass
class Events:
    """What a gateway has told so far."""

    limit: str | None = None
    """The budget that is used up, in words."""
    outage: str | None = None
    refused: list[str] = field(default_factory=list)
    """What the agent asked for and did not get, each kind once."""
    refusals: int = 0
    """How many requests were refused in all; known at the end."""


class Door:
    """A gateway process for one run; a context manager."""

    def __init__(self, settings: GatewaySettings, folder: Path, exchanges: Path, variables: Mapping[str, str]) -> None:
        self._settings, self._folder, self._exchanges, self._variables = settings, folder, exchanges, variables
        self.events = Events()
        self._ready = threading.Event()
        self._complaints = ""

    @property
    def socket(self) -> Path:
        return self._folder / SOCKET

    @property
    def pid(self) -> int:
        return self._process.pid

    def __enter__(self) -> "Door":
        self._folder.mkdir(mode=0o700, exist_ok=True)
        self._folder.chmod(0o700)
        command = [sys.executable, "-P", "-m", "rexbench.gateway.serve", str(self._folder), str(self._exchanges)]
        kept = ("PATH", "HOME", "LANG", "SSL_CERT_FILE", "SSL_CERT_DIR", "HTTPS_PROXY", "HTTP_PROXY", "NO_PROXY", "ALL_PROXY")
        variables = {name: self._variables[name] for name in (*kept, *map(str.lower, kept)) if name in self._variables}
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=variables,
            start_new_session=True,
            text=True,
        )
        assert self._process.stdin
        try:
            self._process.stdin.write(self._settings.model_dump_json() + "\n")
            self._process.stdin.flush()
        except BrokenPipeError:
            pass  # it died at once; `wait_ready` says why
        self._listeners = [threading.Thread(target=target, daemon=True) for target in (self._listen, self._hear_complaints)]
        for listener in self._listeners:
            listener.start()
        return self

    def wait_ready(self) -> None:
        """Return once it listens; it starts while the caller prepares other things."""
        self._ready.wait(60)
        if not self.socket.exists():
            self._process.kill()
            self._listeners[1].join(10)
            raise SystemFault(f"The gateway did not start: {self._complaints.strip()[-600:]}")

    @property
    def dead(self) -> bool:
        """Whether the process is gone although nobody stopped it."""
        return self._process.poll() is not None

    def _listen(self) -> None:
        assert self._process.stdout
        for line in self._process.stdout:
            told = json.loads(line)
            if told["event"] == "ready":
                self._ready.set()
            elif told["event"] == "refused":
                self.events.refused.append(told["detail"])
            elif told["event"] == "refusals":
                self.events.refusals = int(told["detail"])
            else:
                setattr(self.events, told["event"], told["detail"])
        self._ready.set()

    def _hear_complaints(self) -> None:
        """Read on, so that a gateway that complains a lot never waits for somebody to listen."""
        assert self._process.stderr
        for line in self._process.stderr:
            self._complaints = (self._complaints + line)[-4_000:]

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        assert self._process.stdin
        if kind is not None and not issubclass(kind, Exception):
            self._process.kill()  # we are told to stop, and keep nothing of this run
        try:
            if not self._process.stdin.closed:
                self._process.stdin.write("end\n")
                self._process.stdin.close()
            self._process.wait(self._settings.drain_seconds + 20)
        except (subprocess.TimeoutExpired, BrokenPipeError):
            self._process.kill()
            self._process.wait()
        for listener in self._listeners:
            listener.join(10)  # everything that it told is known from here on
        for stream in (self._process.stdout, self._process.stderr):
            if stream:
                stream.close()
        settle_lost(self._exchanges)
