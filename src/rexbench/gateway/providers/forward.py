"""A real provider over HTTP: the request as the agent sent it, with the real key in place of the dummy one."""

import ssl
from collections.abc import AsyncIterator

import httpx

from rexbench.gateway.providers.protocol import Call, ProviderDown, Reply

_HOP_BY_HOP = {"connection", "keep-alive", "proxy-connection", "te", "trailer", "transfer-encoding", "upgrade"}
_NOT_FORWARDED = _HOP_BY_HOP | {"host", "content-length", "accept-encoding", "authorization", "x-api-key", "api-key", "cookie"}
_NOT_RETURNED = _HOP_BY_HOP | {"content-length", "content-encoding", "set-cookie", "server", "date"}


class Forward:
    """Forwards to one base URL with one key."""

    def __init__(self, base_url: str, key: str, key_header: str, stall_seconds: float) -> None:
        self._key = key.encode()
        self._authorise = {key_header: f"Bearer {key}" if key_header == "authorization" else key} if key else {}
        # One client for the run, so that connections are kept; the environment's proxies count, its netrc does not.
        timeout = httpx.Timeout(stall_seconds, connect=min(30.0, stall_seconds), pool=None)
        limits = httpx.Limits(max_connections=None, max_keepalive_connections=32)
        base = base_url.rstrip("/").removesuffix("/v1")
        secure: ssl.SSLContext | bool = base.startswith("https")  # building a context costs 50 ms that a local server need not pay
        self._client = httpx.AsyncClient(base_url=base, timeout=timeout, limits=limits, verify=secure)

    async def open(self, call: Call) -> Reply:
        headers = {name: value for name, value in call.headers.items() if name.lower() not in _NOT_FORWARDED}
        url = call.path + (f"?{call.query}" if call.query else "")
        request = self._client.build_request(
            "POST", url, content=call.content, headers=headers | self._authorise | {"accept-encoding": "identity"}
        )
        try:
            response = await self._client.send(request, stream=True)
        except httpx.HTTPError as error:
            raise ProviderDown(f"{type(error).__name__}: {self.clean(str(error).encode()).decode()}") from error
        returned = {name: value for name, value in response.headers.items() if name.lower() not in _NOT_RETURNED}
        return Reply(response.status_code, returned, self._chunks(response))

    async def _chunks(self, response: httpx.Response) -> AsyncIterator[bytes]:
        try:
            async for chunk in response.aiter_bytes():
                yield self.clean(chunk)
        except httpx.HTTPError as error:
            raise ProviderDown(f"{type(error).__name__} in mid-answer: {self.clean(str(error).encode()).decode()}") from error
        finally:
            await response.aclose()

    def clean(self, content: bytes) -> bytes:
        """Some providers repeat a wrong key in their error; it must not reach an agent or a log."""
        return content.replace(self._key, b"[key]") if self._key else content

    async def close(self) -> None:
        await self._client.aclose()
