"""The wire: lines from anybody who connects, one reply for each, in order. Knows nothing of questions.

One thread takes one line at a time. What a connection can hold is bounded: a line while it is read, and replies that nobody reads,
beyond which nothing more is taken from it. The end of a stream ends a line, and what was sent before a client hung up is taken all
the same.
"""

import selectors
import socket
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field

MAX_CONNECTIONS = 256
"""Held at a time; others wait at the door, or get the place of one whose replies nobody reads."""
MAX_UNREAD = 1024 * 1024
"""Bytes of unread replies beyond which a connection's further lines wait."""
CHUNK = 65536
TURN = 0.01
"""Seconds after which others are looked at, though a connection has sent more."""


@dataclass(eq=False)
class Connection:
    """A client, who may be anybody."""

    socket: socket.socket
    number: int
    sent: bytearray = field(default_factory=bytearray)
    """By the client, and not taken yet."""
    searched: int = 0
    """Bytes of it that hold no end of a line."""
    unread: bytearray = field(default_factory=bytearray)
    over: bool = False
    """Nothing more is read from it."""
    watched: int = selectors.EVENT_READ

    def next_line(self, longest: int) -> bytes | None:
        """The next line, without its end; one that is too long is cut there, and is the connection's last."""
        end = self.sent.find(b"\n", self.searched)
        if end < 0:
            self.searched = end = len(self.sent)
            if end <= longest and not (self.over and end):
                return None
            self.over = True
        line = bytes(self.sent[:end])
        del self.sent[: end + 1]
        self.searched = 0
        return line


class Desk:
    """Serves a listening socket until a stream of the keeper's ends."""

    def __init__(self, listening: socket.socket, keeper: int, reply: Callable[[int, bytes], bytes], longest: int) -> None:
        """`reply` answers a line of the connection of that number; a line has at most `longest` bytes."""
        self._listening, self._reply, self._longest = listening, reply, longest
        self.over = False
        """Set by `reply`: what it gives is the last that is sent."""
        self._accepted = 0
        self._open: dict[int, Connection] = {}
        self._busy: dict[int, Connection] = {}
        self._selector = selectors.DefaultSelector()
        self._selector.register(keeper, selectors.EVENT_READ, None)
        listening.setblocking(False)
        self._listens = False
        self._listen()

    def run(self) -> None:
        """Until the keeper's stream ends, or `over` is set."""
        while not self.over:
            for key, events in self._selector.select(0 if self._busy else None):
                if key.data is None:
                    return
                if key.data is self:
                    self._accept()
                elif key.data.number in self._open:  # not dropped since
                    self._hear(key.data, events)
            for connection in list(self._busy.values()):
                self._work(connection)

    def _accept(self) -> None:
        if len(self._open) >= MAX_CONNECTIONS:
            stuck = next((each for each in self._open.values() if len(each.unread) >= MAX_UNREAD), None)
            if stuck is None:  # until a place is free, or one gets stuck
                self._selector.unregister(self._listening)
                self._listens = False
                return
            self._drop(stuck)
        with suppress(OSError):
            client, _ = self._listening.accept()
            client.setblocking(False)
            self._accepted += 1
            connection = self._open[self._accepted] = Connection(client, self._accepted)
            self._selector.register(client, connection.watched, connection)

    def _listen(self) -> None:
        if not self._listens:
            self._listens = True
            self._selector.register(self._listening, selectors.EVENT_READ, self)

    def _hear(self, connection: Connection, events: int) -> None:
        try:
            if events & selectors.EVENT_WRITE:
                self._send(connection)
            if events & selectors.EVENT_READ:
                data = connection.socket.recv(CHUNK)
                connection.sent += data
                connection.over = connection.over or not data
        except BlockingIOError:
            pass
        except OSError:
            self._drop(connection)
            return
        self._work(connection)

    def _work(self, connection: Connection) -> None:
        """Take the lines that are there, for a turn."""
        until = time.monotonic() + TURN
        self._busy.pop(connection.number, None)
        while not (self.over or len(connection.unread) >= MAX_UNREAD):
            line = connection.next_line(self._longest)
            if line is None:
                break
            connection.unread += self._reply(connection.number, line)
            try:
                self._send(connection)
            except OSError:
                self._drop(connection)
                return
            if time.monotonic() > until:
                self._busy[connection.number] = connection
                break
        self._watch(connection)

    def _send(self, connection: Connection) -> None:
        with suppress(BlockingIOError):
            while connection.unread:
                del connection.unread[: connection.socket.send(connection.unread)]

    def _watch(self, connection: Connection) -> None:
        """Look out for what can be done next; a connection for which there is nothing left to do is closed."""
        busy = connection.number in self._busy
        if connection.over and not connection.unread and not busy:
            self._drop(connection)
            return
        stuck = len(connection.unread) >= MAX_UNREAD
        if stuck:
            self._listen()
        reads = not (connection.over or busy or stuck)
        watched = selectors.EVENT_READ * reads | selectors.EVENT_WRITE * bool(connection.unread)
        if watched == connection.watched:
            return
        if not connection.watched:
            self._selector.register(connection.socket, watched, connection)
        elif not watched:
            self._selector.unregister(connection.socket)
        else:
            self._selector.modify(connection.socket, watched, connection)
        connection.watched = watched

    def _drop(self, connection: Connection) -> None:
        if connection.watched:
            self._selector.unregister(connection.socket)
        connection.socket.close()
        self._busy.pop(connection.number, None)
        del self._open[connection.number]
        self._listen()
