"""Log directories on S3, from a server in the test process: counts of requests, growth, and failures."""

from __future__ import annotations

import logging
import multiprocessing
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any

import pytest

import tbwidget
from tbwidget.logs.engine import cache, executors
from tbwidget.proto.summary_pb2 import Summary
from tbwidget.records.files import filesystems
from tests.support.cached import cold, contents
from tests.support.changing import append, changes, write_runs
from tests.support.corpus import CORPUS
from tests.support.countingproxy import CountingProxy
from tests.support.eventfiles import NAME, event, simple, write
from tests.support.waiting import wait_for
from tests.unit.test_records_storage import values

boto3 = pytest.importorskip("boto3")
pytest.importorskip("s3fs")
moto_server = pytest.importorskip("moto.server")
s3_models = pytest.importorskip("moto.s3.models")

BUCKET, URL = "bucket", "s3://bucket/runs"
KEYS = {"key": "testing-key", "secret": "testing-secret"}
pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::ResourceWarning")


@pytest.fixture(scope="module")
def server() -> Iterator[int]:
    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    running = moto_server.ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    running.start()
    yield int(running.get_host_and_port()[1])
    running.stop()


@pytest.fixture
def proxy(server: int) -> Iterator[CountingProxy]:
    with CountingProxy(server) as made:
        yield made


@pytest.fixture
def s3(server: int, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
    monkeypatch.setenv("AWS_DEFAULT_REGION", "us-east-1")
    client = boto3.client(
        "s3",
        endpoint_url=f"http://127.0.0.1:{server}",
        aws_access_key_id=KEYS["key"],
        aws_secret_access_key=KEYS["secret"],
    )
    client.create_bucket(Bucket=BUCKET)
    yield client
    while listed := client.list_objects_v2(Bucket=BUCKET).get("Contents"):
        client.delete_objects(Bucket=BUCKET, Delete={"Objects": [{"Key": each["Key"]} for each in listed]})
    client.close()


def upload(client: Any, directory: Path) -> None:
    """Copy a local directory to the objects below runs/; unchanged objects are left alone."""
    there = {
        listed["Key"]: listed["ETag"].strip('"')
        for page in client.get_paginator("list_objects_v2").paginate(Bucket=BUCKET, Prefix="runs/")
        for listed in page.get("Contents", [])
    }
    files = {f"runs/{path.relative_to(directory).as_posix()}": path for path in directory.rglob("*") if path.is_file()}
    for key in there.keys() - files.keys():
        client.delete_object(Bucket=BUCKET, Key=key)
    for key, path in files.items():
        client.put_object(Bucket=BUCKET, Key=key, Body=path.read_bytes())


def options(proxy: CountingProxy, **given: Any) -> dict[str, Any]:
    return {**KEYS, "client_kwargs": {"endpoint_url": proxy.url}, **given}


@pytest.mark.parametrize("name", ["tf2_hparams_grid", "torch_all_kinds", "tensorboardx_all", "aw_names"])
def test_the_corpus_is_read_as_from_the_disk(name: str, s3: Any, proxy: CountingProxy) -> None:
    upload(s3, CORPUS / name / "logs")
    logs = tbwidget.load(URL, storage_options=options(proxy))
    assert not logs.refresh()
    assert values(logs) == values(tbwidget.load(CORPUS / name / "logs"))


def test_counts_of_requests(tmp_path: Path, s3: Any, proxy: CountingProxy) -> None:
    write_runs(tmp_path, 40)
    upload(s3, tmp_path)
    s3.put_object(Bucket=BUCKET, Key="runs/", Body=b"")
    s3.put_object(Bucket=BUCKET, Key="runs/tfevents/", Body=b"")
    logs = tbwidget.load(URL, storage_options=options(proxy))
    assert proxy.count() == {"LIST": 1, "GET": 40}
    proxy.requests.clear()
    assert not logs.refresh()
    assert proxy.count() == {"LIST": 1}
    for run in range(5):
        append(tmp_path / f"run{run}" / NAME, event(1, 20, simple("loss", 20)))
    for run in range(5):
        s3.upload_file(str(tmp_path / f"run{run}" / NAME), BUCKET, f"runs/run{run}/{NAME}")
    proxy.requests.clear()
    assert logs.refresh()
    assert proxy.count() == {"LIST": 1, "GET": 5}
    assert values(logs) == values(tbwidget.load(tmp_path))


def test_more_than_a_thousand_objects_are_two_requests(tmp_path: Path, s3: Any, proxy: CountingProxy) -> None:
    write_runs(tmp_path, 1)
    upload(s3, tmp_path)
    backend = s3_models.s3_backends["123456789012"]["aws"]  # moto's own backend: 1,000 requests would take long
    for number in range(1000):
        backend.put_object(BUCKET, f"runs/run0/checkpoint-{number}", b"x")
    logs = tbwidget.load(URL, storage_options=options(proxy))
    assert proxy.count() == {"LIST": 2, "GET": 1}
    proxy.requests.clear()
    assert not logs.refresh()
    assert proxy.count() == {"LIST": 2}


def test_images_are_fetched_together(tmp_path: Path, s3: Any, proxy: CountingProxy) -> None:
    image = Summary.Value(tag=b"im", image=Summary.Image(encoded_image_string=b"x" * 30_000))
    write(tmp_path / NAME, *(event(1, step, simple("loss", step), image) for step in range(100)))
    upload(s3, tmp_path)
    logs = tbwidget.load(URL, storage_options=options(proxy))
    proxy.requests.clear()
    assert len(list(logs.source.items(".", "im", "images").values())) == 100
    assert proxy.count() == {"GET": 2}


def test_growth_replacement_and_deletion_end_as_a_fresh_load(tmp_path: Path, s3: Any, proxy: CountingProxy) -> None:
    write_runs(tmp_path, 3)
    upload(s3, tmp_path)
    logs = tbwidget.load(URL, storage_options=options(proxy))

    def check() -> None:
        upload(s3, tmp_path)
        assert logs.refresh()
        assert not logs.refresh()
        assert values(logs) == values(tbwidget.load(tmp_path))

    for _ in changes(tmp_path):
        check()
    data = bytearray((tmp_path / "run2" / NAME).read_bytes())
    data[200] ^= 1
    write(tmp_path / "run2" / NAME, bytes(data))
    check()


def http(status: str, code: str) -> bytes:
    body = f"<?xml version='1.0'?><Error><Code>{code}</Code><Message>{KEYS['secret']}</Message></Error>".encode()
    head = f"HTTP/1.1 {status}\r\nContent-Type: application/xml\r\nContent-Length: {len(body)}\r\n\r\n"
    return head.encode() + body


@pytest.mark.parametrize(
    ("answer", "code"),
    [
        (http("403 Forbidden", "AccessDenied"), "storage-forbidden"),
        (http("403 Forbidden", "InvalidAccessKeyId"), "storage-forbidden"),
        (http("500 Internal Server Error", "InternalError"), "storage-failed"),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n<ListBucketResult>", "storage-timeout"),
        (b"nothing of HTTP\r\n\r\n", None),
    ],
    ids=["403", "key", "500", "cut", "garbage"],
)
def test_wrong_answers_of_the_server(
    answer: bytes, code: str | None, tmp_path: Path, s3: Any, proxy: CountingProxy
) -> None:
    write_runs(tmp_path, 4)
    upload(s3, tmp_path)
    given = options(proxy, config_kwargs={"read_timeout": 1.0})
    logs = tbwidget.load(URL, storage_options=given)
    before = values(logs)
    proxy.answer = answer
    assert logs.refresh()
    (problem,) = logs.problems
    assert (problem.path, URL in problem.message, KEYS["secret"] in problem.message) == (".", True, False)
    assert code in (problem.code, None)
    assert {**values(logs), ("problems", "", ""): []} == before
    with pytest.raises(OSError, match=URL) as raised:
        tbwidget.load(URL, storage_options=given)
    assert KEYS["secret"] not in str(raised.value)
    proxy.answer = None
    assert logs.refresh()
    assert values(logs) == before


def cut(data: bytes) -> bytes:
    """An answer to a GET that ends early."""
    return f"HTTP/1.1 206 Partial Content\r\nContent-Length: {len(data)}\r\n\r\n".encode() + data[:-7]


@pytest.mark.parametrize(
    ("answer", "code"),
    [
        (http("403 Forbidden", "AccessDenied"), "storage-forbidden"),
        (http("403 Forbidden", "InvalidObjectState"), "storage-forbidden"),
        (http("500 Internal Server Error", "InternalError"), "storage-failed"),
        (cut(b"x" * 500), "storage-timeout"),
        (b"HTTP/1.1 206 Partial Content\r\nContent-Length: 7\r\n\r\nshorter", "storage-truncated"),
        (http("404 Not Found", "NoSuchKey"), None),
    ],
    ids=["403", "archived", "500", "cut", "short", "404"],
)
def test_wrong_answers_about_one_object(
    answer: bytes, code: str | None, tmp_path: Path, s3: Any, proxy: CountingProxy, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(filesystems, "_FETCH_TIMEOUT_S", 10.0)
    write_runs(tmp_path, 4)
    upload(s3, tmp_path)
    proxy.answers["runs/run2/"] = answer
    logs = tbwidget.load(URL, storage_options=options(proxy, config_kwargs={"read_timeout": 1.0}))
    assert list(logs.tags()["scalars"]) == ["run0", "run1", "run3"]
    found = [(problem.path, problem.code) for problem in logs.problems]
    assert found == ([] if code is None else [(f"run2/{NAME}", code)])
    assert not [problem for problem in logs.problems if KEYS["secret"] in problem.message]
    proxy.answers.clear()
    assert logs.refresh()
    assert values(logs) == values(tbwidget.load(tmp_path))


def test_an_object_that_never_comes_keeps_no_other_from_being_read(
    tmp_path: Path, s3: Any, proxy: CountingProxy, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(filesystems, "_FETCH_TIMEOUT_S", 10.0)  # the 39 others come in time on a busy machine
    write_runs(tmp_path, 40)
    upload(s3, tmp_path)
    proxy.held = "runs/run3/"
    logs = tbwidget.load(URL, storage_options=options(proxy))
    assert len(logs.tags()["scalars"]) == 39
    assert [(problem.path, problem.code) for problem in logs.problems] == [(f"run3/{NAME}", "storage-timeout")]
    proxy.release()
    assert logs.refresh()
    assert values(logs) == values(tbwidget.load(tmp_path))


def test_a_reading_that_is_closed_leaves_no_connection(tmp_path: Path, s3: Any, proxy: CountingProxy) -> None:
    write_runs(tmp_path, 20)
    upload(s3, tmp_path)
    proxy.held = "runs/run9/"
    logs = tbwidget.LogDir(URL, storage_options=options(proxy))
    thread = threading.Thread(target=logs.refresh)
    thread.start()
    assert proxy.is_held.wait(60)
    wait_for(lambda: logs.source.progress.files_read == 16)
    logs.close()
    thread.join(30)
    assert not thread.is_alive()
    wait_for(lambda: proxy.open_connections == 0)
    proxy.release()
    assert logs.refresh()
    assert values(logs) == values(tbwidget.load(tmp_path))
    logs.close()
    wait_for(lambda: proxy.open_connections == 0)


def test_a_long_listing_counts_received_objects(tmp_path: Path, s3: Any, proxy: CountingProxy) -> None:
    write_runs(tmp_path, 1)
    upload(s3, tmp_path)
    backend = s3_models.s3_backends["123456789012"]["aws"]
    for number in range(1500):
        backend.put_object(BUCKET, f"runs/a/checkpoint-{number}", b"x")
    logs = tbwidget.LogDir(URL, storage_options=options(proxy))
    proxy.held = "continuation-token"
    thread = threading.Thread(target=logs.refresh)
    thread.start()
    assert proxy.is_held.wait(60)
    wait_for(lambda: logs.source.progress.entries == 1000)
    assert logs.source.progress.phase == "listing"
    logs.source.stop()
    thread.join(30)
    assert not thread.is_alive()
    assert (logs.source.progress.phase, logs.problems) == ("stopped", [])
    proxy.release()
    assert logs.refresh()
    assert logs.source.progress.entries == 1501
    assert values(logs) == values(tbwidget.load(tmp_path))


def test_slow_and_broken_connections(tmp_path: Path, s3: Any, proxy: CountingProxy) -> None:
    write_runs(tmp_path, 4, 2000)
    upload(s3, tmp_path)
    proxy.delay = 0.05
    logs = tbwidget.LogDir(URL, storage_options=options(proxy))
    logs.refresh()
    local = values(tbwidget.load(tmp_path))
    assert values(logs) == local
    proxy.delay = 0
    proxy.resets_after = 20_000  # within the files' answers: the listing is shorter
    broken = tbwidget.LogDir(URL, storage_options=options(proxy, config_kwargs={"read_timeout": 2}))
    broken.refresh()
    assert {problem.code for problem in broken.problems} <= {"storage-unreachable", "storage-failed"}
    assert broken.problems
    proxy.resets_after = None
    broken.refresh()
    assert values(broken) == local


def test_missing_buckets_and_directories(
    proxy: CountingProxy,
    s3: Any,  # noqa: ARG001
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    with pytest.raises(FileNotFoundError, match="no such log directory: s3://bucket/none"):
        tbwidget.load("s3://bucket/none", storage_options=options(proxy))
    with pytest.raises(FileNotFoundError, match="no such log directory: s3://missing/runs"):
        tbwidget.load("s3://missing/runs", storage_options=options(proxy))
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_PROFILE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("AWS_SHARED_CREDENTIALS_FILE", str(tmp_path / "none"))
    monkeypatch.setenv("AWS_CONFIG_FILE", str(tmp_path / "none"))
    with pytest.raises(OSError, match="no credentials for s3://bucket/runs"):
        tbwidget.load(URL, storage_options={"client_kwargs": {"endpoint_url": proxy.url}})
    nobody = {**KEYS, "client_kwargs": {"endpoint_url": "http://127.0.0.1:9"}}
    with pytest.raises(OSError, match="no connection to s3://bucket/runs"):
        tbwidget.load(URL, storage_options=nobody)


def torch_writer(folder: str) -> Any:
    """Return torch's own writer; without torch, tensorboard's, to which it delegates."""
    try:
        from torch.utils.tensorboard import SummaryWriter  # noqa: PLC0415
    except ImportError:
        writers = pytest.importorskip("tensorboard.summary.writer.event_file_writer")
        return writers.EventFileWriter(folder, flush_secs=3600)
    return SummaryWriter(folder, flush_secs=3600).file_writer.event_writer


def test_a_run_that_torch_writes_to_s3_is_followed(
    proxy: CountingProxy,
    s3: Any,  # noqa: ARG001
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    summaries = pytest.importorskip("tensorboard.compat.proto.summary_pb2")
    events = pytest.importorskip("tensorboard.compat.proto.event_pb2")
    gfile = pytest.importorskip("tensorboard.compat.tensorflow_stub.io.gfile")
    if not gfile.S3_ENABLED:
        pytest.skip("this writer of tensorboard was imported without boto3")
    for name, value in (("AWS_ACCESS_KEY_ID", KEYS["key"]), ("AWS_SECRET_ACCESS_KEY", KEYS["secret"])):
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(gfile.get_filesystem(URL), "_s3_endpoint", proxy.url)  # it read the environment when created
    writer = torch_writer(f"{URL}/x")
    logs = tbwidget.LogDir(URL, storage_options=options(proxy))
    try:
        for step in range(60):
            summary = summaries.Summary(value=[summaries.Summary.Value(tag="loss", simple_value=step)])
            writer.add_event(events.Event(wall_time=1.7e9 + step, step=step, summary=summary))
            if step % 20 == 19:
                writer.flush()  # uploads the whole object again
                assert logs.refresh()
                assert logs.problems == []
                assert logs.scalars("x", "loss").value.tolist() == list(range(step + 1))
    finally:
        writer.close()
    logs.refresh()
    assert values(logs) == values(tbwidget.load(URL, storage_options=options(proxy)))


def test_a_run_that_tensorboardx_writes_to_s3_is_followed(proxy: CountingProxy, s3: Any, monkeypatch: Any) -> None:  # noqa: ARG001
    tensorboardx = pytest.importorskip("tensorboardX")
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", KEYS["key"])
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", KEYS["secret"])
    monkeypatch.setenv("S3_ENDPOINT", proxy.url)
    writer = tensorboardx.SummaryWriter(f"{URL}/x", flush_secs=3600)
    logs = tbwidget.LogDir(URL, storage_options=options(proxy))
    try:
        for step in range(0, 60, 20):
            for each in range(step, step + 20):
                writer.add_scalar("loss", each, each)
            read: list[float] = []
            give_up = time.monotonic() + 30
            while len(read) < step + 19 and time.monotonic() < give_up:
                writer.flush()  # it does not wait: a thread of the writer passes the values on
                logs.refresh()
                assert logs.problems == []
                read = logs.scalars("x", "loss").value.tolist() if "x" in logs.runs else []
            assert read == list(range(len(read)))
            assert len(read) >= step + 19
    finally:
        writer.close()
    logs.refresh()
    assert logs.scalars("x", "loss").value.tolist() == list(range(60))
    assert values(logs) == values(tbwidget.load(URL, storage_options=options(proxy)))


def test_data_cached_by_an_earlier_process_are_not_requested_again(
    tmp_path: Path, s3: Any, proxy: CountingProxy, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The credentials do not matter, and are not in the cache. An object with a new ETag is read."""
    monkeypatch.setenv("TBWIDGET_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(cache, "MIN_READ_S", 0)
    monkeypatch.setattr(cache, "_IDLE_S", -3600)
    runs = tmp_path / "runs"
    write_runs(runs, 4)
    upload(s3, runs)
    expected = cold(URL, options(proxy))
    with tbwidget.load(URL, storage_options=options(proxy)) as logs:
        assert contents(logs) == expected
    proxy.requests.clear()
    found = tbwidget.load(URL, storage_options=options(proxy) | {"secret": "another"})
    assert proxy.count() == {"LIST": 1}
    assert contents(found) == expected
    written = b"".join(path.read_bytes() for path in (tmp_path / "cache").rglob("*") if path.is_file())
    assert b"secret" not in written
    path = runs / "run1" / NAME
    path.write_bytes(path.read_bytes()[:-100] + b"x" + path.read_bytes()[-99:])
    upload(s3, runs)
    proxy.requests.clear()
    found = tbwidget.load(URL, storage_options=options(proxy))
    assert proxy.count()["GET"] >= 1
    assert contents(found) == cold(URL, options(proxy))


@contextmanager
def _processes() -> Iterator[Any]:
    with ProcessPoolExecutor(2, multiprocessing.get_context("spawn")) as pool:
        yield pool


@contextmanager
def _dask() -> Iterator[Any]:
    dask: Any = pytest.importorskip("distributed")
    quiet = {"dashboard_address": None, "silence_logs": logging.CRITICAL}
    with dask.LocalCluster(n_workers=2, threads_per_worker=1, **quiet) as cluster, dask.Client(cluster) as client:
        yield client


@pytest.mark.parametrize("engine", [_processes, _dask])
def test_workers_read_from_s3_themselves(
    tmp_path: Path,
    s3: Any,
    proxy: CountingProxy,
    monkeypatch: pytest.MonkeyPatch,
    engine: Callable[[], AbstractContextManager[Any]],
) -> None:
    """They also read appended data, and nothing else."""
    monkeypatch.setattr(executors, "MIN_BYTES", 0)
    monkeypatch.setattr(executors, "_BATCH_FILES", 5)
    write_runs(tmp_path, 20)
    upload(s3, tmp_path)
    with engine() as workers:
        logs = tbwidget.load(URL, storage_options=options(proxy), executor=workers)
        assert logs.problems == []
        assert proxy.count()["GET"] == 20
        assert contents(logs) == cold(URL, options(proxy))
        append(tmp_path / "run1" / NAME, event(1, 20, simple("loss", 20)))
        upload(s3, tmp_path)
        proxy.requests.clear()
        assert logs.refresh()
        assert logs.problems == []
        assert proxy.count()["GET"] == 1
        assert logs.source.progress.bytes_fetched == 0, "by this process"
        assert contents(logs) == cold(URL, options(proxy))
