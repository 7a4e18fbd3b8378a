"""Log directories on an SSH host, from a server in the test process."""

from __future__ import annotations

import asyncio
import shutil
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import tbwidget
from tbwidget.logs.logdir import acquire, release
from tbwidget.records.files import filesystems
from tests.support.changing import append, write_runs
from tests.support.corpus import CORPUS
from tests.support.eventfiles import NAME, event, simple, write
from tests.support.waiting import wait_for
from tests.unit.test_records_storage import values

asyncssh = pytest.importorskip("asyncssh")
pytest.importorskip("sshfs")
pytestmark = pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::DeprecationWarning")

PASSWORD = "pa55-word"  # noqa: S105 (of nothing)


class Server:
    """An SSH server with SFTP, in a thread with its own event loop."""

    def __init__(self) -> None:
        self.loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self.loop.run_forever, daemon=True)
        self._thread.start()
        self.connections: list[Any] = []
        self.lost: list[Any] = []
        """Connections that have ended."""
        self.port = 0
        self._acceptor: Any = None
        self.answers = asyncio.Event()
        """While cleared, no file is read, as on a dead connection."""
        self.loop.call_soon_threadsafe(self.answers.set)
        self.start()

    def start(self) -> None:
        server = self

        class Login(asyncssh.SSHServer):  # type: ignore[misc,name-defined]
            def connection_made(self, connection: Any) -> None:
                self.connection = connection
                server.connections.append(connection)

            def connection_lost(self, _error: Exception | None) -> None:
                server.lost.append(self.connection)

            def begin_auth(self, _username: str) -> bool:
                return True

            def password_auth_supported(self) -> bool:
                return True

            def validate_password(self, _username: str, password: str) -> bool:
                return password == PASSWORD

        class Files(asyncssh.SFTPServer):  # type: ignore[misc,name-defined]
            def scandir(self, path: bytes) -> Any:
                if path.endswith(b"/closed"):
                    raise asyncssh.SFTPPermissionDenied("closed")
                return super().scandir(path)

            async def read(self, file: Any, offset: int, size: int) -> bytes:
                await server.answers.wait()
                found: bytes = super().read(file, offset, size)
                return found

        async def listen() -> None:
            key = asyncssh.generate_private_key("ssh-ed25519")
            self._acceptor = await asyncssh.create_server(
                Login, "127.0.0.1", self.port, server_host_keys=[key], sftp_factory=Files
            )
            self.port = self._acceptor.get_port()

        asyncio.run_coroutine_threadsafe(listen(), self.loop).result(60)

    def stop(self) -> None:
        async def end() -> None:
            self._acceptor.close()
            for connection in self.connections:
                connection.abort()
            await self._acceptor.wait_closed()

        asyncio.run_coroutine_threadsafe(end(), self.loop).result(60)
        self.connections.clear()

    def close(self) -> None:
        self.stop()
        self.loop.call_soon_threadsafe(self.loop.stop)
        self._thread.join(60)
        self.loop.close()


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    made = Server()
    yield made
    made.close()


def url(server: Server, folder: Path) -> str:
    return f"sftp://me:{PASSWORD}@127.0.0.1:{server.port}{folder}"


@pytest.mark.parametrize("name", ["torch_all_kinds", "tf2_hparams_grid"])
def test_the_corpus_is_read_as_from_the_disk(name: str, server: Server) -> None:
    folder = CORPUS / name / "logs"
    logs = tbwidget.load(url(server, folder))
    assert values(logs) == values(tbwidget.load(folder))
    assert str(logs.path) == f"sftp://127.0.0.1:{server.port}{folder}"


def test_growth_links_and_deletion(tmp_path: Path, server: Server) -> None:
    folder = tmp_path / "logs"
    write_runs(folder, 20)
    write(tmp_path / "elsewhere", event(1, 0, simple("linked", 0)))
    (folder / "run0" / f"{NAME}.link").symlink_to(tmp_path / "elsewhere")
    logs = tbwidget.load(url(server, folder))
    assert values(logs) == values(tbwidget.load(folder))
    append(folder / "run1" / NAME, event(1, 20, simple("loss", 20)))
    append(tmp_path / "elsewhere", event(1, 1, simple("linked", 1)))
    assert logs.refresh()
    assert values(logs) == values(tbwidget.load(folder))
    shutil.rmtree(folder / "run2")
    assert logs.refresh()
    assert values(logs) == values(tbwidget.load(folder))


def test_no_link_that_a_log_names_leads_out(tmp_path: Path, server: Server) -> None:
    folder = tmp_path / "logs"
    names = ["v.tsv", "inside.tsv", "outside.tsv", "folder/secret.tsv"]
    config = "".join(f'embeddings {{ tensor_name: "{name}" tensor_path: "{name}" }}\n' for name in names)
    write(folder / "run" / "projector_config.pbtxt", config.encode())
    (folder / "run" / "v.tsv").write_text("1\t2\n")
    (tmp_path / "secret.tsv").write_text("5\t6\n")
    (folder / "run" / "inside.tsv").symlink_to(folder / "run" / "v.tsv")
    (folder / "run" / "outside.tsv").symlink_to(tmp_path / "secret.tsv")
    (folder / "run" / "folder").symlink_to(tmp_path)
    named, linked, *outside = tbwidget.load(url(server, folder)).embeddings("run")
    assert [each.vectors.tolist() for each in (named, linked)] == [[[1, 2]], [[1, 2]]]
    for each in outside:
        with pytest.raises(tbwidget.EmbeddingError):
            _ = each.vectors


def test_a_broken_connection_is_replaced(tmp_path: Path, server: Server) -> None:
    write(tmp_path / "run" / NAME, event(1, 0, simple("loss", 0)))
    logs = tbwidget.load(url(server, tmp_path))
    server.stop()
    logs.refresh()
    assert [(problem.path, problem.code) for problem in logs.problems] == [(".", "storage-unreachable")]
    assert logs.tags() == {"scalars": {"run": ["loss"]}}
    server.start()
    append(tmp_path / "run" / NAME, event(1, 1, simple("loss", 1)))
    assert logs.refresh()
    assert logs.problems == []
    assert len(logs.scalars("run", "loss")) == 2


def test_refused_connections_and_logins(tmp_path: Path, server: Server) -> None:
    with pytest.raises(OSError, match="was refused") as raised:
        tbwidget.load(url(server, tmp_path).replace(PASSWORD, "wrong-word"))
    assert "wrong-word" not in str(raised.value)
    with pytest.raises(FileNotFoundError, match=r"no such log directory: sftp://127\.0\.0\.1"):
        tbwidget.load(url(server, tmp_path / "none"))
    (tmp_path / "empty").mkdir()
    assert tbwidget.load(url(server, tmp_path / "empty")).exists
    write(tmp_path / "file" / NAME, event(1, 0, simple("loss", 0)))
    with pytest.raises(NotADirectoryError, match="is a file"):
        tbwidget.load(url(server, tmp_path / "file" / NAME))


def test_a_directory_that_cannot_be_listed_is_a_problem(tmp_path: Path, server: Server) -> None:
    write(tmp_path / "closed" / NAME, event(1, 0, simple("loss", 0)))
    write(tmp_path / "open" / NAME, event(1, 0, simple("loss", 0)))
    logs = tbwidget.load(url(server, tmp_path))
    assert logs.runs == ["open"]
    assert [(problem.path, problem.code) for problem in logs.problems] == [("closed", "storage-forbidden")]


def test_a_line_that_goes_dead_is_waited_for_no_longer_than_the_timeout(
    tmp_path: Path, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_runs(tmp_path, 40, 1)
    monkeypatch.setattr(filesystems, "_FETCH_TIMEOUT_S", 1.0)
    logs = tbwidget.LogDir(url(server, tmp_path))
    before = set(threading.enumerate())
    server.loop.call_soon_threadsafe(server.answers.clear)
    try:
        thread = threading.Thread(target=logs.refresh, daemon=True)
        thread.start()
        thread.join(20)
        assert not thread.is_alive()
        assert [(problem.path, problem.code) for problem in logs.problems] == [(".", "storage-timeout")]
        assert [each.name for each in set(threading.enumerate()) - before if not each.daemon] == []
    finally:
        server.loop.call_soon_threadsafe(server.answers.set)
    assert logs.refresh()
    assert values(logs) == values(tbwidget.load(tmp_path))


def test_close_disconnects(tmp_path: Path, server: Server) -> None:
    write(tmp_path / "run" / NAME, event(1, 0, simple("loss", 0)))
    others = [*server.connections, *server.lost]  # of other tests: some end when their objects are collected

    def lost() -> int:
        return sum(each not in others for each in server.lost)

    logs = tbwidget.load(url(server, tmp_path))
    logs.close()
    wait_for(lambda: lost() == 1)
    append(tmp_path / "run" / NAME, event(1, 1, simple("loss", 1)))
    assert logs.refresh()
    assert values(logs) == values(tbwidget.load(tmp_path))
    logs.close()
    wait_for(lambda: lost() == 2)
    held = acquire(url(server, tmp_path))
    wait_for(lambda: held.source.ready)
    release(held)
    wait_for(lambda: lost() == 3)
    with pytest.raises(FileNotFoundError):
        tbwidget.load(url(server, tmp_path / "none"))
    wait_for(lambda: lost() == 4)


def test_a_connection_is_kept_alive(tmp_path: Path, server: Server) -> None:
    for given, expected in (({}, 15), ({"keepalive_interval": 7}, 7)):
        connection = filesystems.connect(url(server, tmp_path), given)
        assert connection.filesystem.client._keepalive_interval == expected
