"""A read-only S3 server that delays answers and counts requests: `python -m tests.benchmarks.s3server FOLDER DELAY`.

One answer takes 0.1 ms of CPU. Servers that implement all of S3 take 6 ms, which would dominate the readers' time.
It prints its port. `GET /-/requests` returns the counts so far as JSON, and resets them.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import sys
from collections import Counter
from pathlib import Path
from urllib.parse import parse_qs, quote, unquote, urlsplit
from xml.sax.saxutils import escape

BUCKET = "bucket"
_KEYS_A_PAGE = 1000
_TIME = "2026-01-01T00:00:00.000Z"
_HTTP_TIME = "Thu, 01 Jan 2026 00:00:00 GMT"


class Bucket:
    """Objects in memory, and answers to requests for them."""

    def __init__(self, folder: Path) -> None:
        self._objects = {
            path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()
        }
        self._etags = {key: hashlib.md5(data).hexdigest() for key, data in self._objects.items()}  # noqa: S324 (as S3 does)
        self._keys = sorted(self._objects)

    def answer(self, method: str, target: str, headers: dict[str, str]) -> tuple[int, dict[str, str], bytes]:
        """Return status, headers and body."""
        parts = urlsplit(target)
        key = unquote(parts.path).removeprefix(f"/{BUCKET}").removeprefix("/")
        if not key:
            page = {name: values[0] for name, values in parse_qs(parts.query).items()}
            return 200, {"Content-Type": "application/xml"}, self._page(page).encode()
        data = self._objects.get(key)
        if data is None:
            return 404, {"Content-Type": "application/xml"}, b"<Error><Code>NoSuchKey</Code><Message/></Error>"
        found = {"ETag": f'"{self._etags[key]}"', "Last-Modified": _HTTP_TIME, "Accept-Ranges": "bytes"}
        if method == "GET" and "range" in headers:
            first, _, last = headers["range"].removeprefix("bytes=").partition("-")
            begin, end = int(first), min(int(last) + 1 if last else len(data), len(data))
            if begin >= len(data):
                return 416, {}, b"<Error><Code>InvalidRange</Code><Message/></Error>"
            found["Content-Range"] = f"bytes {begin}-{end - 1}/{len(data)}"
            return 206, found, data[begin:end]
        return 200, found, data

    def _page(self, options: dict[str, str]) -> str:
        """List one page of keys, with keys beyond a delimiter as their common prefix."""
        prefix, delimiter = options.get("prefix", ""), options.get("delimiter", "")
        names: dict[str, None] = {}
        for key in self._keys:
            if key.startswith(prefix):
                head, found, _ = key.removeprefix(prefix).partition(delimiter) if delimiter else (key, "", "")
                names[prefix + head + found if delimiter else key] = None
        begin = int(options.get("continuation-token", "0"))
        most = min(int(options.get("max-keys", _KEYS_A_PAGE)), _KEYS_A_PAGE)
        page = list(names)[begin : begin + most]
        more = begin + most < len(names)
        items = [
            f"<CommonPrefixes><Prefix>{escape(quote(name))}</Prefix></CommonPrefixes>"
            if name not in self._objects
            else f"<Contents><Key>{escape(quote(name))}</Key><LastModified>{_TIME}</LastModified>"
            f'<ETag>"{self._etags[name]}"</ETag><Size>{len(self._objects[name])}</Size></Contents>'
            for name in page
        ]
        token = f"<NextContinuationToken>{begin + most}</NextContinuationToken>" if more else ""
        return (
            f"<ListBucketResult><Name>{BUCKET}</Name><EncodingType>url</EncodingType><KeyCount>{len(page)}</KeyCount>"
            f"<IsTruncated>{str(more).lower()}</IsTruncated>{token}{''.join(items)}</ListBucketResult>"
        )


class Server:
    """Answers on connections that stay open, each after a delay."""

    def __init__(self, bucket: Bucket, delay: float) -> None:
        self._bucket, self._delay = bucket, delay
        self._counts: Counter[str] = Counter()

    async def serve(self) -> None:
        """Print the port, and answer until the process ends."""
        server = await asyncio.start_server(self._converse, "127.0.0.1", 0, backlog=512)
        print(server.sockets[0].getsockname()[1], flush=True)
        await server.serve_forever()

    async def _converse(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while True:
                head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
                method, target, _ = head[0].split(" ")
                headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in head[1:])}
                writer.write(await self._answer(method, target, headers))
                await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            writer.close()

    async def _answer(self, method: str, target: str, headers: dict[str, str]) -> bytes:
        found: dict[str, str] = {}
        if target == "/-/requests":
            status, body = 200, json.dumps(self._counts).encode()
            self._counts = Counter()
        else:
            is_list = method == "GET" and "list-type=2" in target
            self._counts["LIST" if is_list else method] += 1
            await asyncio.sleep(self._delay)
            status, found, body = self._bucket.answer(method, target, headers)
        lines = [f"HTTP/1.1 {status} -", f"Content-Length: {len(body)}", *(f"{k}: {v}" for k, v in found.items())]
        return "\r\n".join([*lines, "", ""]).encode() + (b"" if method == "HEAD" else body)


if __name__ == "__main__":
    asyncio.run(Server(Bucket(Path(sys.argv[1])), float(sys.argv[2])).serve())
