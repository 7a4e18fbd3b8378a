"""Log directories on Azure, Google and SSH storage, with emulators and OpenSSH's server: the same as from the disk.

A test is skipped if its server is not installed. The tests of S3, with its server, are among the unit tests.
"""

from __future__ import annotations

import base64
import getpass
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import tbwidget
from tests.stores.conftest import Store, free_port, mirror, running
from tests.support.changing import changes, write_runs
from tests.support.corpus import CORPUS
from tests.unit.test_records_storage import values

fsspec = pytest.importorskip("fsspec")
pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::ResourceWarning")

AZURE_ACCOUNT = "account"
AZURE_KEY = base64.b64encode(b"of the emulator").decode()
STORES = ["azure", "google", "ssh"]


def program(name: str, *folders: str) -> str:
    """Return the path of a server's program; the test is skipped if it is missing."""
    found = shutil.which(name, path=os.pathsep.join([os.environ.get("PATH", ""), *folders]))
    if found is None:
        pytest.skip(f"{name} is not installed")
    return found


@pytest.fixture(scope="module")
def azure(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    pytest.importorskip("adlfs")
    server = program("azurite-blob", str(Path(__file__).parent / "js/node_modules/.bin"))
    port, folder = free_port(), tmp_path_factory.mktemp("azure")
    command = [server, "--blobPort", str(port), "--location", ".", "--skipApiVersionCheck", "--silent"]
    connection = (
        f"DefaultEndpointsProtocol=http;AccountName={AZURE_ACCOUNT};AccountKey={AZURE_KEY};"
        f"BlobEndpoint=http://127.0.0.1:{port}/{AZURE_ACCOUNT};"
    )
    options = {"connection_string": connection}
    with running(command, port, folder, **os.environ, AZURITE_ACCOUNTS=f"{AZURE_ACCOUNT}:{AZURE_KEY}"):
        filesystem = fsspec.filesystem("az", **options, skip_instance_cache=True, use_listings_cache=False)
        filesystem.mkdir("container")
        yield Store("az://container/runs", options, lambda folder: mirror(filesystem, "container/runs", folder))


@pytest.fixture(scope="module")
def google(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    server = program("gcp-storage-emulator", str(Path(sys.executable).parent))
    port, folder = free_port(), tmp_path_factory.mktemp("google")
    command = [server, "start", "--host", "127.0.0.1", "--port", str(port), "--in-memory", "--default-bucket", "bucket"]
    options = {"endpoint_url": f"http://127.0.0.1:{port}", "token": "anon", "project": "emulated"}
    with pytest.MonkeyPatch.context() as patch, running(command, port, folder):
        # gcsfs reads this on import; otherwise it uses gRPC, which the emulator does not support.
        patch.setenv("GCSFS_EXPERIMENTAL_ZB_HNS_SUPPORT", "false")
        pytest.importorskip("gcsfs")
        filesystem = fsspec.filesystem("gs", **options, skip_instance_cache=True, use_listings_cache=False)
        yield Store("gs://bucket/runs", options, lambda folder: mirror(filesystem, "bucket/runs", folder))


@pytest.fixture(scope="module")
def ssh(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    pytest.importorskip("sshfs")
    server = program("sshd", "/usr/sbin", "/usr/local/sbin")
    if os.getuid() == 0 and not Path("/run/sshd").is_dir():
        pytest.skip("sshd run by root needs /run/sshd")
    port, folder = free_port(), tmp_path_factory.mktemp("ssh")
    for key in ("host", "user"):
        subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(folder / key)], check=True)
    (folder / "sshd_config").write_text(
        f"Port {port}\nListenAddress 127.0.0.1\nHostKey {folder}/host\nAuthorizedKeysFile {folder}/user.pub\n"
        f"PidFile {folder}/sshd.pid\nStrictModes no\nUsePAM no\nPasswordAuthentication no\nPermitRootLogin yes\n"
        "Subsystem sftp internal-sftp\n"
    )
    remote = folder / "runs"
    options = {"username": getpass.getuser(), "client_keys": [str(folder / "user")], "known_hosts": None}

    def upload(directory: Path) -> None:
        """Copy files that differ, and delete the others."""
        wanted = {path.relative_to(directory) for path in directory.rglob("*") if path.is_file()}
        for path in list(remote.rglob("*")):
            if path.is_file() and path.relative_to(remote) not in wanted:
                path.unlink()
        for name in wanted:
            (remote / name).parent.mkdir(parents=True, exist_ok=True)
            if not (remote / name).exists() or (remote / name).read_bytes() != (directory / name).read_bytes():
                shutil.copy2(directory / name, remote / name)

    with running([server, "-D", "-e", "-f", str(folder / "sshd_config")], port, folder):
        yield Store(f"ssh://127.0.0.1:{port}{remote}", options, upload)


@pytest.fixture(params=STORES)
def store(request: pytest.FixtureRequest) -> Store:
    found: Store = request.getfixturevalue(request.param)
    return found


def load(store: Store) -> Any:
    return tbwidget.load(store.url, storage_options=store.options)


@pytest.mark.parametrize("name", ["tf2_hparams_grid", "torch_all_kinds", "tensorboardx_all", "aw_names"])
def test_the_corpus_is_read_as_from_the_disk(name: str, store: Store) -> None:
    store.upload(CORPUS / name / "logs")
    logs = load(store)
    assert not logs.refresh()
    assert values(logs) == values(tbwidget.load(CORPUS / name / "logs"))


def test_growth_replacement_and_deletion_end_as_a_fresh_load(tmp_path: Path, store: Store) -> None:
    write_runs(tmp_path, 20)
    store.upload(tmp_path)
    logs = load(store)
    assert values(logs) == values(tbwidget.load(tmp_path))

    def check() -> None:
        store.upload(tmp_path)
        assert logs.refresh()
        assert not logs.refresh()
        assert values(logs) == values(tbwidget.load(tmp_path))

    for _ in changes(tmp_path):
        check()


def test_missing_buckets_and_directories(store: Store) -> None:
    with pytest.raises(FileNotFoundError, match="no such log directory"):
        tbwidget.load(f"{store.url}-of-nobody", storage_options=store.options)
