"""Who may do what: accounts, the tokens that open them, and the cookies and form tokens made from those.

A token is random and kept as a digest alone. A cookie names an account and a time, sealed with the home's secret and the token's
digest: it ends with the token. A form's token is the seal of its cookie, which no page from elsewhere can read.
"""

import hashlib
import hmac
import re
import secrets
import time

from sqlalchemy import select
from sqlalchemy.exc import IntegrityError

from rexbench.errors import RexbenchError
from rexbench.record.clock import now
from rexbench.service.database import Change, Database
from rexbench.service.tables import ROLES, Account, Role

NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
HOST = "the host"
"""Who changes something by the command line of the machine itself."""
UPLOADS_A_DAY, MOST_WAITING = 20, 10
COOKIE_SECONDS = 7 * 86400


def token_digest(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


def open_account(change: Change, who: str, name: str, role: str, uploads_a_day: int, most_waiting: int) -> str:
    """Make an account, or give an open one a new token, role and limits; returns the token, which nothing else ever shows."""
    if not NAME.fullmatch(name):
        raise RexbenchError(f"{name!r} is no name of an account: letters, digits, dots, dashes and underscores, at most 64.")
    known = next((each for each in ROLES if each == role), None)
    if known is None:
        raise RexbenchError(f"There is no role {role!r}; there are: {', '.join(ROLES)}.")
    if not (1 <= uploads_a_day <= 100_000 and 1 <= most_waiting <= 100_000):
        raise RexbenchError("An account may upload and keep waiting at least 1 and at most 100000 submissions.")
    token = f"rex_{secrets.token_urlsafe(32)}"
    account = change.scalar(select(Account).where(Account.name == name).with_for_update())
    if account is None:
        account = Account(name=name, made_at=now())
        change.add(account)
    account.role, account.token, account.closed_at = known, token_digest(token), None
    account.uploads_a_day, account.most_waiting = uploads_a_day, most_waiting
    try:
        change.flush()
    except IntegrityError as error:
        raise RexbenchError(f"The account {name} was made by somebody else a moment ago.") from error
    change.note(who, "account opened", f"{name}, {role}, {uploads_a_day} uploads a day, {most_waiting} waiting")
    return token


def close_account(change: Change, who: str, name: str) -> None:
    """From now on its token opens nothing; what it handed in stays."""
    account = change.scalar(select(Account).where(Account.name == name).with_for_update())
    if account is None or account.closed_at:
        raise RexbenchError(f"There is no open account {name!r}.")
    account.closed_at = now()
    change.note(who, "account closed", name)


def may(account: Account | None, role: Role) -> bool:
    return account is not None and ROLES.index(account.role) >= ROLES.index(role)


class Door:
    """Tells who is asking."""

    def __init__(self, database: Database, secret: bytes) -> None:
        self._database = database
        self._secret = hmac.new(secret, b"service", hashlib.sha256).digest()

    def by_token(self, token: str) -> Account | None:
        with self._database.reading() as session:
            chosen = Account.token == token_digest(token), Account.closed_at.is_(None)
            return session.scalar(select(Account).where(*chosen))

    def by_cookie(self, cookie: str) -> Account | None:
        found = re.fullmatch(r"(\d{1,9})\.(\d{1,12})\.([0-9a-f]{64})", cookie)
        if not found or int(found[2]) < time.time():
            return None
        with self._database.reading() as session:
            account = session.get(Account, int(found[1]))
        if account is None or account.closed_at or not hmac.compare_digest(found[3], self._seal(account, found[2])):
            return None
        return account

    def cookie(self, account: Account) -> str:
        until = str(int(time.time()) + COOKIE_SECONDS)
        return f"{account.id}.{until}.{self._seal(account, until)}"

    def form_token(self, cookie: str) -> str:
        return hmac.new(self._secret, f"form {cookie}".encode(), hashlib.sha256).hexdigest()

    def _seal(self, account: Account, until: str) -> str:
        return hmac.new(self._secret, f"cookie {account.id} {until} {account.token}".encode(), hashlib.sha256).hexdigest()
