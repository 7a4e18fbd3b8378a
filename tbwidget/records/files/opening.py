"""Which storage a path or URL leads to."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from tbwidget.records.files.filesystems import knows_scheme
from tbwidget.records.files.remote import RemoteStorage
from tbwidget.records.files.storage import LOCAL, Storage
from tbwidget.records.files.urls import LOCAL_SCHEMES, check_url, local_path, scheme_of

REMOTE: dict[str, Callable[[str, Mapping[str, Any]], Storage]] = {}
"""Classes of other storages than fsspec's, by the scheme of the URLs that lead to them.

Each is called with the scheme and the user's `storage_options`. Making one is cheap: it connects when it is asked.
"""


def storage_of(path: str, options: Mapping[str, Any] | None = None) -> tuple[Storage, str]:
    """Return the storage that a path or URL leads to, a new one for a URL, and the path in it.

    Raises ValueError for a URL that leads to none.
    """
    scheme = scheme_of(path).lower()
    if not scheme:
        return LOCAL, path
    if scheme in REMOTE:
        return REMOTE[scheme](scheme, options or {}), path
    if scheme in LOCAL_SCHEMES:
        return LOCAL, local_path(path)
    check_url(path)
    if not knows_scheme(path):
        raise ValueError(f"no storage is known for {scheme}://")
    return RemoteStorage(path, options or {}), path
