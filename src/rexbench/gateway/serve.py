"""The gateway as a process: settings on standard input, events on standard output, requests on a unix socket.

    {"event": "ready"}          it listens
    {"event": "limit", ...}     a budget is used up
    {"event": "outage", ...}    the provider gave no answer for too long, or refused the key; or nothing can be written down
    {"event": "refused", ...}   the agent asked for something that it may not have; each is told once
    {"event": "refusals", ...}  how many requests were refused, at the end

It ends when it is told another line, since the run is over, or when its standard input ends, since its keeper is dead.
"""

import asyncio
import json
import os
import resource
import socket
import sys
from asyncio import BaseTransport
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from rexbench.gateway.app import Gateway
from rexbench.gateway.exchange import ExchangeLog, read_exchanges
from rexbench.gateway.providers.protocol import Provider
from rexbench.gateway.refusals import Tell
from rexbench.gateway.settings import SOCKET, ForwardSettings, GatewaySettings, ScriptedSettings

_CONNECTIONS = 256
"""More at once are not held: those that an agent leaves open must not keep the gateway from reaching the provider."""


def main() -> None:
    """Serve until told to end. Arguments: the folder for the socket, the file for the exchanges."""
    folder, exchanges = Path(sys.argv[1]), Path(sys.argv[2])
    settings = GatewaySettings.model_validate_json(sys.stdin.readline())
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(most, 4096) if most != resource.RLIM_INFINITY else 4096, most))
    asyncio.run(_serve(settings, folder, exchanges))


async def _serve(settings: GatewaySettings, folder: Path, exchanges: Path) -> None:
    async with serving(settings, folder, exchanges, _tell):
        _tell("ready", "")
        told = await asyncio.get_running_loop().run_in_executor(None, sys.stdin.readline)
        if not told:
            os._exit(1)  # the keeper is dead: nobody is left to account to


@asynccontextmanager
async def serving(settings: GatewaySettings, folder: Path, exchanges: Path, tell: Tell) -> AsyncIterator[None]:
    """A gateway on the socket in `folder`; at the end it hears no more, but ends and writes down what is under way."""
    provider, log = make_provider(settings), ExchangeLog(exchanges, settings.log_bytes)
    gateway = Gateway(settings, provider, log, tell)
    config = uvicorn.Config(
        gateway, log_level="critical", access_log=False, lifespan="off", timeout_keep_alive=600, ws="none", http=_Bounded
    )
    server = uvicorn.Server(config)
    serving = asyncio.create_task(server.serve(sockets=[_listen(folder)]))
    while not server.started and not serving.done():
        await asyncio.sleep(0.005)
    try:
        yield
    finally:
        server.should_exit = server.force_exit = True
        with suppress(asyncio.CancelledError):
            await serving
        await gateway.close()
        await provider.close()
        log.close()


class _Bounded(H11Protocol):
    """HTTP on at most so many connections: for one more, one on which nothing happens is given up, or else the new one."""

    def connection_made(self, transport: BaseTransport) -> None:
        super().connection_made(transport)  # type: ignore[arg-type]
        held = [one for one in self.connections if isinstance(one, H11Protocol) and not one.transport.is_closing()]
        if len(held) > _CONNECTIONS:
            idle = (one for one in held if one is not self and (one.cycle is None or one.cycle.response_complete))
            next(idle, self).transport.abort()


def make_provider(settings: GatewaySettings) -> Provider:
    """The provider that the settings name."""
    chosen = settings.provider
    if isinstance(chosen, ScriptedSettings):
        from rexbench.gateway.providers.scripted import Scripted

        return Scripted(chosen.script)
    if isinstance(chosen, ForwardSettings):
        from rexbench.gateway.providers.forward import Forward

        return Forward(chosen.base_url, chosen.key, chosen.key_header, settings.stall_seconds)
    from rexbench.gateway.providers.replay import Replay

    return Replay(read_exchanges(chosen.exchanges))


def _listen(folder: Path) -> socket.socket:
    """A unix socket in the folder, whose path may be longer than a socket's address can be.

    The folder is its owner's alone. Only the socket is shown in a sandbox, where root's programs run as somebody else.
    """
    listening = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        listening.bind(f"/proc/self/fd/{handle}/{SOCKET}")
    finally:
        os.close(handle)
    (folder / SOCKET).chmod(0o600 if os.getuid() else 0o666)
    listening.listen(128)
    return listening


def _tell(event: str, detail: str) -> None:
    with suppress(BrokenPipeError):
        print(json.dumps({"event": event, "detail": detail}), flush=True)


if __name__ == "__main__":
    main()
