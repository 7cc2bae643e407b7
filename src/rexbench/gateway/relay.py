"""Runs inside the sandbox, on the standard library alone: a loopback address that leads to the gateway's socket, and the agent.

    python relay.py SOCKET COMMAND...

`{gateway}` in the command and in the environment becomes the address. Ends with the command's exit status.
"""

import os
import socket
import subprocess
import sys
import threading
from contextlib import suppress

_CHUNK = 65536


def main() -> int:
    """Listen, start the command, pass bytes until it ends."""
    gateway, command = sys.argv[1], sys.argv[2:]
    listening = socket.create_server(("127.0.0.1", 0), backlog=128)
    address = f"http://127.0.0.1:{listening.getsockname()[1]}"
    threading.Thread(target=_accept, args=(listening, gateway), daemon=True).start()
    variables = {name: value.replace("{gateway}", address) for name, value in os.environ.items()}
    status = subprocess.run([part.replace("{gateway}", address) for part in command], env=variables, check=False).returncode
    return status if status >= 0 else 128 - status


def _accept(listening: socket.socket, gateway: str) -> None:
    while True:
        client, _ = listening.accept()
        client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        server = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            server.connect(gateway)
        except OSError:
            client.close()
            server.close()
            continue
        for source, target in ((client, server), (server, client)):
            threading.Thread(target=_pump, args=(source, target), daemon=True).start()


def _pump(source: socket.socket, target: socket.socket) -> None:
    """Pass bytes one way; the end of one direction is told to the other side, the other direction goes on."""
    try:
        while data := source.recv(_CHUNK):
            target.sendall(data)
        target.shutdown(socket.SHUT_WR)
    except OSError:
        for end in (source, target):
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)


if __name__ == "__main__":
    os._exit(main())
