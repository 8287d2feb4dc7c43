"""Runs as files: what is written, replayed without a database, and refused."""

import io
import json
import zipfile
from hashlib import sha256
from pathlib import Path

import pytest

from workers.bundles.writing import MANIFEST, zipped

RUN = ("run", "toy.toml", "--backend", "sparse", "--method", "fast", "--shots", "50",
       "--processes", "1")  # fmt: skip


@pytest.fixture
def bundle(stichwerk):
    """A bundle of one run, whose database is gone."""
    assert stichwerk(*RUN).code == 0
    done = stichwerk("records", "export", "1", "-o", "run.zip")
    assert done.code == 0, done.err
    for path in Path().glob("stichwerk.sqlite*"):
        path.unlink()
    return Path("run.zip")


def opened(path):
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def sealed(files):
    """Return a bundle whose manifest fits its files, as somebody with bad intent would make it."""
    manifest = json.loads(files[MANIFEST])
    manifest["files"] = {
        name: sha256(content).hexdigest() for name, content in files.items() if name != MANIFEST
    }
    return zipped({**files, MANIFEST: json.dumps(manifest).encode()})


def with_job(files, **said):
    job = json.loads(files["jobs/1.json"]) | said
    return sealed({**files, "jobs/1.json": json.dumps(job).encode()})


def refused(stichwerk, content, why):
    Path("bad.zip").write_bytes(content)
    done = stichwerk("replay", "bad.zip")
    assert (done.code, done.out) == (2, "")
    assert done.err.count("\n") == 1, done.err
    assert why in done.err


def test_a_run_is_replayed_without_its_database(stichwerk, answer_of, bundle):
    answer = answer_of("replay", str(bundle), "--run")
    (job,) = answer["jobs"]
    assert answer["same"] and job["same"] and job["circuit"] and job["run_again"]
    assert job["scores"] == {"raw": True, "post_selected": True}
    assert (job["job"], job["program"], job["backend"]) == (1, "toy.toml", "sparse")
    assert not Path("stichwerk.sqlite").exists()
    done = stichwerk("replay", str(bundle), "--job", "2")
    assert (done.code, done.out) == (2, "")
    done = stichwerk("replay", str(bundle))
    assert "not run" in done.out
    _what_differs_is_told(stichwerk, opened(bundle))
    _hostile_files_are_refused(stichwerk, bundle)


def _what_differs_is_told(stichwerk, files):
    said = json.loads(files["jobs/1.json"])
    said["scores"]["raw"]["tvd"] += 1e-9
    Path("other.zip").write_bytes(with_job(files, scores=said["scores"], circuit_digest="0"))
    done = stichwerk("replay", "other.zip")
    assert done.code == 1
    assert "raw DIFFERENT" in done.out and "post_selected same" in done.out
    (first, *_), n = said["counts"], said["shots"]
    Path("other.zip").write_bytes(with_job(files, counts={first: n}))
    done = stichwerk("replay", "other.zip", "--run", "--json")
    assert done.code == 1
    assert json.loads(done.out)["jobs"][0]["run_again"] is False


def _hostile_files_are_refused(stichwerk, bundle):
    content, files = bundle.read_bytes(), opened(bundle)
    said = json.loads(files["jobs/1.json"])
    for cut in (0, 10, len(content) // 2, len(content) - 1):
        refused(stichwerk, content[:cut], "is damaged, or no ZIP")
    refused(stichwerk, zipped({"a/b.txt": b""}), "has no bundle.json")
    changed = {**files, said["circuit"]: files[said["circuit"]] + b"\0"}
    refused(stichwerk, zipped(changed), "its SHA-256 differs")
    for name in ("../out.json", "/etc/out.json", "a/../b.json", "jobs\\1.json"):
        refused(stichwerk, sealed({**files, name: b""}), "no name of its files")
    refused(stichwerk, zipped({**files, "jobs/2.json": b"{}"}), "does not hold the files")
    refused(stichwerk, sealed({**files, "jobs/2.json": b"[" * 10**5}), "nested too deeply")
    refused(stichwerk, sealed({**files, "jobs/2.json": b"{}"}), "makes no sense: KeyError")
    old = files[said["circuit"]][:6] + bytes([12]) + files[said["circuit"]][7:]
    refused(stichwerk, sealed({**files, said["circuit"]: old}), "which may hold code")
    refused(stichwerk, sealed({**files, said["circuit"]: b"\x80\x04pickle" * 9}), "is no QPY")
    cut = files[said["circuit"]][:-40]
    refused(stichwerk, sealed({**files, said["circuit"]: cut}), "jobs/1.json: ")
    refused(stichwerk, with_job(files, counts={"0": -1}), "must be positive numbers")
    refused(stichwerk, with_job(files, counts={"0": 7}), "do not add up")
    refused(stichwerk, with_job(files, shots="50"), "must be of type int")
    del said["circuit_digest"]
    unsaid = {**files, "jobs/1.json": json.dumps(said).encode()}
    refused(stichwerk, sealed(unsaid), "makes no sense: KeyError")
    refused(stichwerk, with_job(files, source="../../etc/passwd"), "makes no sense")
    bomb = io.BytesIO()
    with zipfile.ZipFile(bomb, "w", zipfile.ZIP_DEFLATED) as archive:
        for place in range(3):
            archive.writestr(f"jobs/{place}.json", b"0" * 70_000_000)
    refused(stichwerk, bomb.getvalue(), "unpacks to 210,000,000 bytes; 200,000,000 are allowed")
    lie = io.BytesIO()
    with zipfile.ZipFile(lie, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("jobs/1.json", b"0" * 70_000_000)
    size = (70_000_000).to_bytes(4, "little")
    refused(stichwerk, lie.getvalue().replace(size, (9).to_bytes(4, "little")), "is damaged")
    with zipfile.ZipFile(bomb, "w", zipfile.ZIP_BZIP2) as archive:
        archive.writestr("jobs/1.json", b"0")
    refused(stichwerk, bomb.getvalue(), "compressed in an unknown way")


def test_what_cannot_be_exported_is_told(stichwerk, answer_of):
    assert stichwerk(*RUN).code == 0
    for arguments, why in (
        (("1", "--tag", "x"), "jobs to export"),
        ((), "jobs to export"),
        (("--tag", "gone"), "no job of tag 'gone' has counts"),
        (("7",), "there is no job 7"),
    ):
        done = stichwerk("records", "export", *arguments, "-o", "x.zip")
        assert (done.code, done.out) == (2, "")
        assert why in done.err
    assert answer_of("records", "prune", "--dry-run")["circuits"] == 0
    assert stichwerk("records", "prune", "--older-than", "soon").code == 2
