"""One sentence for each way in which a remote storage fails, without what the libraries add to it."""

from __future__ import annotations

import re

from tbwidget.reasons import Reason
from tbwidget.records.files.urls import family_of, hidden, scheme_of

_NO_CREDENTIALS = re.compile(r"NoCredentials|PartialCredentials|CredentialRetrieval|DefaultCredentials|SSOToken|NoAuth")
_FORBIDDEN = re.compile(r"Permission|Forbidden|Authenticat|AccessDenied|Unauthorized|InvalidAccessKey|HostKeyNotVerif")
_TIMEOUT = re.compile(r"Time(d)?out", re.IGNORECASE)
_UNREACHABLE = re.compile(r"Connect|gaierror|Disconnect|IncompleteRead|Payload|ProtocolError|HTTPClientError")
_FORBIDDEN_STATUS = (401, 403)

_PACKAGES = {
    "s3": "s3fs",
    "gs": "gcsfs",
    "az": "adlfs",
    "adl": "adlfs",
    "ssh": "sshfs",
    "hf": "huggingface_hub",
}
_MAX_DETAIL = 160  # characters


class UnavailableError(OSError):
    """The storage as a whole does not answer: no file of it can be read now, and none of them is to blame."""


def refusal(error: BaseException, path: str, secrets: list[str]) -> Reason:
    """Return why a request for a path failed. `path` is shown, `secrets` are taken out of the text of the error."""
    scheme = scheme_of(path)
    if isinstance(error, FileNotFoundError):
        return Reason("storage-missing", path=path)
    if isinstance(error, ImportError):
        package = "tbwidget[remote]" if error.name == "fsspec" else _PACKAGES.get(family_of(path), "")
        detail = f"pip install {package}" if package else _first_sentence(error, secrets)
        return Reason("storage-package", scheme=scheme, detail=detail)
    names = " ".join(cls.__name__ for each in _causes(error) for cls in type(each).__mro__[:3])
    if _NO_CREDENTIALS.search(names):
        return Reason("storage-no-credentials", path=path)
    status = getattr(error, "status", None) or getattr(error, "code", None)
    if isinstance(error, PermissionError) or _FORBIDDEN.search(names) or status in _FORBIDDEN_STATUS:
        return Reason("storage-forbidden", path=path)
    if isinstance(error, TimeoutError) or _TIMEOUT.search(names):
        return Reason("storage-timeout", path=path)
    if isinstance(error, ConnectionError) or _UNREACHABLE.search(names):
        return Reason("storage-unreachable", path=path)
    return Reason("storage-failed", path=path, detail=_first_sentence(error, secrets))


def _causes(error: BaseException) -> list[BaseException]:
    found: list[BaseException] = []
    cause: BaseException | None = error
    while cause is not None and cause not in found:
        found.append(cause)
        cause = cause.__cause__
    return found


def _first_sentence(error: BaseException, secrets: list[str]) -> str:
    """The name of an error and the first sentence of its text."""
    try:
        text = str(error)
    except Exception:  # noqa: BLE001 (an error that cannot even say what it is)
        text = ""
    text = re.split(r"(?<=\w)[.!](?:\s|$)|\n", text.strip(), maxsplit=1)[0]
    text = hidden(text, secrets)[:_MAX_DETAIL]
    name = type(error).__name__
    return f"{name}: {text}" if text else name
