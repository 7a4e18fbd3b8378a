"""URLs as texts: their schemes, and the parts of them that are credentials and are never shown."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any
from urllib.parse import unquote, urlsplit
from urllib.request import url2pathname

# A single letter is a drive. In a chain, a part may be a name alone, as in simplecache::https://host.
_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]+)(?:://|::(?=.*://))", re.DOTALL)
_LINK = "::"  # between the parts of a chained URL, as in zip://runs::s3://bucket/logs.zip

LOCAL_SCHEMES = frozenset({"file", "local"})
"""Schemes of URLs that name paths of this machine."""

_FAMILIES = {"s3a": "s3", "gcs": "gs", "abfs": "az", "abfss": "az", "sftp": "ssh"}
"""Schemes with another name for the same sort of storage: scheme -> the usual one."""

_NAMED_CONTAINER = frozenset({"az", "adl"})
"""Schemes whose URLs name a container before the "@": container@account.dfs.core.windows.net."""

_BUCKETS = frozenset({"s3", "gs", "memory", "hf", "oss"})
"""Schemes whose URLs begin with a bucket: one connection serves all of them."""

_WITH_QUERIES = frozenset({"http", "https"})

_PORT = re.compile(r"\d*\Z")
_SHORTEST_SECRET = 3  # characters; a shorter text is part of too many words to be taken out of a message
_MAX_DEPTH = 8  # levels of options


def scheme_of(path: str) -> str:
    """Return the scheme of a URL as it is written, such as "s3"; "" for a path of this machine."""
    found = _SCHEME.match(path)
    return found[1] if found else ""


def family_of(url: str) -> str:
    """Return the usual scheme, in lower case, for the sort of storage that a URL leads to: "s3" for s3a, too."""
    scheme = scheme_of(url).lower()
    return _FAMILIES.get(scheme, scheme)


def is_chained(url: str) -> bool:
    """Whether a URL leads into what another URL leads to, such as an archive."""
    return _LINK in url


def shown_url(url: str) -> str:
    """Return a URL without user names, passwords and queries, and without slashes at its end."""
    return _LINK.join(_shown_part(part) for part in url.split(_LINK))


def _shown_part(part: str) -> str:
    scheme = scheme_of(part)
    if not scheme:
        return part.rstrip("/") or part
    user, rest, _ = _split(part)
    container = f"{user.partition(':')[0]}@" if user and family_of(part) in _NAMED_CONTAINER else ""
    return f"{scheme}://{container}{rest}".rstrip("/") if rest.strip("/") else f"{scheme}://{container}"


def _split(part: str) -> tuple[str, str, str]:
    """The user information, the place and the query of one URL."""
    rest = part[len(scheme_of(part)) + 3 :]
    before, _, query = rest.partition("?")
    authority, slash, path = before.partition("/")
    if "@" in authority:
        user, _, authority = authority.rpartition("@")
        return user, authority + slash + path, query
    if ":" in authority and "@" in rest:
        # A password may hold a slash or a question mark, though they should be written as %2F and %3F. A number before
        # the slash may be a port or the begin of a password, so it is not shown.
        has_query = scheme_of(part).lower() in _WITH_QUERIES and _has_port(authority)
        searched = before if has_query else max((rest.rpartition("?")[0], rest), key=lambda text: "@" in text)
        if "@" in searched:
            user = searched.rpartition("@")[0]
            place, _, query = rest[len(user) + 1 :].partition("?")
            return user, place, query
    return "", before, query


def _has_port(authority: str) -> bool:
    return bool(_PORT.match(authority.partition(":")[2]))


def check_url(url: str) -> None:
    """Raise ValueError, without the URL, for one whose user information is not where its storage looks for it."""
    first, *inner = url.split(_LINK)
    if "://" not in first:
        raise ValueError("a chained URL begins with a scheme and ://, such as zip://")
    if not inner and scheme_of(url).lower() in _WITH_QUERIES and "?" in url:
        raise ValueError("a directory on a web server has no query: each of its files would need one")
    for part in (first, *inner):
        authority = re.split("[/?]", part[len(scheme_of(part)) + 3 :], maxsplit=1)[0] if scheme_of(part) else ""
        is_cut = "@" in part and "@" not in authority and ":" in authority and not _has_port(authority)
        if is_cut or (not scheme_of(part) and "@" in part and not part.startswith(("/", "."))):
            raise ValueError("write / ? and : in a user name or password of a URL as %2F, %3F and %3A")


def connection_of(url: str) -> str:
    """Return the part of a URL that says to what one connects, credentials included: equal for one filesystem."""
    if is_chained(url):
        return url
    user, place, query = _split(url)
    scheme = scheme_of(url).lower()
    host = "" if family_of(url) in _BUCKETS else place.partition("/")[0]
    return f"{scheme}://{user}@{host}?{query}"


def secrets_of(url: str, options: Mapping[str, Any]) -> list[str]:
    """Return the texts that no message may hold: user information and queries of a URL, and all options."""
    found: set[str] = set()
    for part in url.split(_LINK):
        if scheme_of(part):
            user, _, query = _split(part)
            is_container = family_of(part) in _NAMED_CONTAINER
            found |= {user, *user.split(":")[is_container:], query, *re.split("[&=]", query)}
    found |= set(_texts(options))
    found |= {unquote(text) for text in found}
    return sorted((text for text in found if len(text) >= _SHORTEST_SECRET), key=len, reverse=True)


def _texts(value: Any, depth: int = 0) -> Iterator[str]:
    """All texts and numbers among the values of options."""
    if isinstance(value, bytes):
        yield value.decode("utf-8", "replace")
    elif isinstance(value, str | int | float) and not isinstance(value, bool):
        yield str(value)
    elif isinstance(value, Mapping) and depth < _MAX_DEPTH:
        for each in value.values():
            yield from _texts(each, depth + 1)
    elif isinstance(value, list | tuple | set | frozenset) and depth < _MAX_DEPTH:
        for each in value:
            yield from _texts(each, depth + 1)


def hidden(text: str, secrets: list[str]) -> str:
    """Return a text without these secrets, and without user information and queries of URLs in it."""
    for secret in secrets:
        text = text.replace(secret, "…")
    return re.sub(
        r"([A-Za-z][A-Za-z0-9+.-]+://)(?:[^\s/@'\"]*@)?([^\s?'\"]*)(?:\?[^\s'\")]*)?",
        lambda found: found[1] + found[2],
        text,
    )


def local_path(url: str) -> str:
    """Return the path of this machine that a file:// URL names."""
    parts = urlsplit(url)
    host = "" if parts.netloc in ("", "localhost") else f"//{parts.netloc}"
    return url2pathname(f"{host}{parts.path}")


def resolved_url(directory: str, named: str, within: Sequence[str]) -> str | None:
    """Return where a path that a log names leads from a directory; None: not into one of those `within`."""
    if not scheme_of(named) and named.startswith(("/", "\\")):
        return None
    path = named if scheme_of(named) else f"{directory}/{named}"
    for place in within:
        if path.startswith(f"{place}/"):
            inside = posixpath.normpath(path.removeprefix(f"{place}/"))
            if inside.partition("/")[0] not in ("..", ".", ""):
                return f"{place}/{inside}"
    return None


_ENDPOINTS = ("endpoint_url", "endpoint", "host", "port", "account_name", "account_host")
"""Options of filesystems that say where the files are."""


class ConnectionKey:
    """Equal for storages that show the same files: the same connection with the same options, none of them in clear."""

    def __init__(self, connection: str, options: Mapping[str, Any]) -> None:
        self._connection, self._options = connection, options

    @property
    def place(self) -> str:
        """The scheme, host and address that it connects to, without credentials."""
        options = [self._options, self._options.get("client_kwargs")]
        endpoints = [str(each.get(name, "")) for each in options if isinstance(each, Mapping) for name in _ENDPOINTS]
        return "|".join(
            [shown_url(self._connection), *(shown_url(each) if "://" in each else each for each in endpoints)]
        )

    def __hash__(self) -> int:
        return hash((self._connection, frozenset(self._options)))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ConnectionKey) or self._connection != other._connection:
            return False
        try:
            return bool(self._options == other._options)
        except Exception:  # noqa: BLE001 (options are any objects)
            return False

    def __repr__(self) -> str:
        return f"<{scheme_of(self._connection)}>"
