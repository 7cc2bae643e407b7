"""A real provider over HTTP: the request as it was understood, with our key, and with no header that is not known."""

import ssl
from collections.abc import AsyncGenerator

import httpx

from rexbench.gateway.providers.protocol import BrokeOff, Call, ProviderDown, Reply

_RETURNED = ("content-type", "request-id", "x-request-id", "retry-after")
_CLEANED = b"[key]"


class Forward:
    """Forwards to one base URL with one key."""

    def __init__(self, base_url: str, key: str, key_header: str, stall_seconds: float) -> None:
        self._key = key.encode()
        self._ours = {"content-type": "application/json", "accept-encoding": "identity", "user-agent": "rexbench"}
        if key:
            self._ours[key_header] = f"Bearer {key}" if key_header == "authorization" else key
        # One client for the run, so that connections are kept; the environment's proxies count, its netrc does not.
        timeout = httpx.Timeout(stall_seconds, connect=min(30.0, stall_seconds), pool=None)
        limits = httpx.Limits(max_connections=None, max_keepalive_connections=32)
        base = base_url.rstrip("/").removesuffix("/v1")
        secure: ssl.SSLContext | bool = base.startswith("https")  # building a context costs 50 ms that a local server need not pay
        self._client = httpx.AsyncClient(base_url=base, timeout=timeout, limits=limits, verify=secure)

    async def open(self, call: Call) -> Reply:
        accept = {"accept": "text/event-stream" if call.streamed else "application/json"}
        url = call.path + (f"?{call.query}" if call.query else "")
        request = self._client.build_request("POST", url, content=call.content, headers=call.headers | accept | self._ours)
        try:
            response = await self._client.send(request, stream=True)
        except httpx.HTTPError as error:
            complaint = f"{type(error).__name__}: {self._clean(str(error).encode()).decode()}"
            raise (BrokeOff if isinstance(error, httpx.ReadTimeout) else ProviderDown)(complaint) from error
        told = {name: response.headers.get(name, "").encode("ascii", "replace") for name in _RETURNED}
        returned = {name: self._clean(value).decode() for name, value in told.items() if value}
        return Reply(response.status_code, returned, self._chunks(response))

    async def _chunks(self, response: httpx.Response) -> AsyncGenerator[bytes, None]:
        """The answer without our key, which some providers repeat; a key may come in two pieces, so its length is held back."""
        held = b""
        try:
            async for chunk in response.aiter_bytes():
                held = self._clean(held + chunk)
                passed = max(0, len(held) - len(self._key) + 1)
                if passed:
                    yield held[:passed]
                held = held[passed:]
            if held:
                yield held
        except httpx.HTTPError as error:
            raise ProviderDown(f"{type(error).__name__} in mid-answer: {self._clean(str(error).encode()).decode()}") from error
        finally:
            await response.aclose()

    def _clean(self, content: bytes) -> bytes:
        return content.replace(self._key, _CLEANED) if self._key else content

    async def close(self) -> None:
        await self._client.aclose()
