"""The gateway as a process: settings on standard input, events on standard output, requests on a unix socket.

    {"event": "ready"}          it listens
    {"event": "limit", ...}     a budget is used up
    {"event": "outage", ...}    the provider gave no answer for too long, or refused the key
    {"event": "refused", ...}   the agent asked for a tool or model that it may not have

It ends when its standard input does: when the run is over, or its keeper is dead.
"""

import asyncio
import json
import os
import socket
import sys
from contextlib import suppress
from pathlib import Path

import uvicorn

from rexbench.gateway.app import Gateway
from rexbench.gateway.exchange import ExchangeLog, read_exchanges
from rexbench.gateway.providers.protocol import Provider
from rexbench.gateway.settings import ForwardSettings, GatewaySettings, ScriptedSettings

SOCKET = "gateway.sock"


def main() -> None:
    """Serve until standard input ends. Arguments: the folder for the socket, the file for the exchanges."""
    folder, exchanges = Path(sys.argv[1]), Path(sys.argv[2])
    settings = GatewaySettings.model_validate_json(sys.stdin.readline())
    # The event loop's selector costs less per request than the default's bookkeeping on some systems; the default is kept.
    asyncio.run(_serve(settings, folder, exchanges))


async def _serve(settings: GatewaySettings, folder: Path, exchanges: Path) -> None:
    provider, log = make_provider(settings), ExchangeLog(exchanges)
    app = Gateway(settings, provider, log, _tell)
    config = uvicorn.Config(app, log_level="critical", access_log=False, lifespan="off", timeout_keep_alive=600, ws="none")
    server = uvicorn.Server(config)
    listening = _listen(folder)
    serving = asyncio.create_task(server.serve(sockets=[listening]))
    while not server.started and not serving.done():
        await asyncio.sleep(0.005)
    _tell("ready", "")
    await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)
    server.should_exit = server.force_exit = True
    with suppress(asyncio.CancelledError):
        await serving
    await provider.close()
    log.close()


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
    """A unix socket in the folder, whose path may be longer than a socket's address can be; any user inside may connect."""
    listening = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        listening.bind(f"/proc/self/fd/{handle}/{SOCKET}")
    finally:
        os.close(handle)
    (folder / SOCKET).chmod(0o666)  # the folder above it is private on the host
    listening.listen(128)
    return listening


def _tell(event: str, detail: str) -> None:
    with suppress(BrokenPipeError):
        print(json.dumps({"event": event, "detail": detail}), flush=True)


if __name__ == "__main__":
    main()
