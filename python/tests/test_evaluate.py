"""Arrays in memory are scored as the command line scores the same files."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading

import numpy as np
import pytest

import sfc_bench

SAES = ["sae_standard", "sae_topk", "sae_jumprelu", "sae_gated", "sae_batchtopk"]


def tensors(folder):
    """What a folder of SAELens holds, as NumPy's arrays."""
    data = (folder / "sae_weights.safetensors").read_bytes()
    size = int.from_bytes(data[:8], "little")
    kinds = {"F32": "<f4", "F64": "<f8", "F16": "<f2"}
    for name, it in json.loads(data[8 : 8 + size]).items():
        if name != "__metadata__":
            start, end = (8 + size + at for at in it["data_offsets"])
            if it["dtype"] == "BF16":
                # The upper half of a float32.
                upper = np.frombuffer(data[start:end], "<u2").astype("<u4") << 16
                yield name, upper.view("<f4").reshape(it["shape"])
                continue
            yield name, np.frombuffer(data[start:end], kinds[it["dtype"]]).reshape(it["shape"])


class Sae:
    """As SAELens has one: tensors by name, and what it is configured by."""

    def __init__(self, folder, turn=lambda array: array):
        self.cfg = json.loads((folder / "cfg.json").read_text())
        for name, array in tensors(folder):
            setattr(self, name, turn(array))


@pytest.mark.parametrize("name", SAES)
@pytest.mark.parametrize("readout", [False, True])
def test_an_object_is_scored_as_its_folder(cli, golden, tmp_path, name, readout):
    folder = golden / "evaluate"
    words = ["--activations", "acts_f32.npy", "--sae", name]
    given = {}
    if readout:
        words += ["--readout", "readout.npy", "--readout-bias", "readout_bias.npy"]
        given = {
            "readout": np.load(folder / "readout.npy"),
            "readout_bias": np.load(folder / "readout_bias.npy"),
        }
    expected = json.loads(cli("evaluate", *words, "--json", cwd=folder))
    found = sfc_bench.evaluate(np.load(folder / "acts_f32.npy"), Sae(folder / name), **given)
    apart = {"files": None}
    assert {**found, **apart} == {**expected, **apart}
    on_disk = sfc_bench.evaluate(os.fspath(folder / "acts_f32.npy"), folder / name, **given)
    assert {**on_disk, **apart} == {**expected, **apart}


def test_a_dictionary_and_its_digests_are_byte_for_byte_the_same(cli, tmp_path):
    rng = np.random.default_rng(0)
    activations = rng.standard_normal((301, 24)).astype(np.float32)
    dictionary = rng.standard_normal((40, 24)).astype(np.float32)
    np.save(tmp_path / "activations.npy", activations)
    np.save(tmp_path / "dictionary.npy", dictionary)
    words = ["--activations", "activations.npy", "--dictionary", "dictionary.npy"]
    words += ["--codes-by", "top-4", "--digest", "--json"]
    expected = cli("evaluate", *words, cwd=tmp_path)
    for threads in (1, 2, 5, None):
        found = sfc_bench.evaluate(activations, dictionary, codes_by="top-4", digest=True, threads=threads)
        assert found.json == expected
    assert found.frame()["sfc"][0] == found["sfc"]
    assert found.figure(found.figures()[0]["id"]).svg


@pytest.mark.parametrize("kind", ["f2", "f8", "i2", ">f4", "fortran", "strided"])
def test_arrays_of_every_kind_are_read_as_their_files(cli, tmp_path, kind):
    rng = np.random.default_rng(1)
    rows = rng.integers(-100, 100, (50, 12)) / (1 if kind == "i2" else 8)
    if kind == "fortran":
        array = np.asfortranarray(rows.astype("f4"))
    elif kind == "strided":
        array = np.repeat(rows.astype("f4"), 2, axis=0)[::2]
        assert not array.flags.contiguous
    else:
        array = rows.astype(kind)
    dictionary = rng.standard_normal((8, 12)).astype("f4")
    np.save(tmp_path / "activations.npy", array)
    np.save(tmp_path / "dictionary.npy", dictionary)
    words = ["--activations", "activations.npy", "--dictionary", "dictionary.npy", "--json"]
    found = sfc_bench.evaluate(array, dictionary)
    expected = json.loads(cli("evaluate", *words, cwd=tmp_path))
    assert found["sfc"] == expected["sfc"]
    assert found["fidelity"] == expected["fidelity"]


class Dlpack:
    """Something that is no array, and lends one."""

    def __init__(self, array):
        self._array = array

    def __dlpack__(self, **how):
        return self._array.__dlpack__(**how)

    def __dlpack_device__(self):
        return self._array.__dlpack_device__()


def test_whatever_lends_an_array_is_taken(golden):
    folder = golden / "evaluate"
    activations = np.load(folder / "acts_f32.npy")
    plain = sfc_bench.evaluate(activations, Sae(folder / "sae_topk"))
    lent = sfc_bench.evaluate(Dlpack(activations), Sae(folder / "sae_topk", Dlpack))
    assert lent == plain


def test_tensors_of_pytorch_are_taken(golden):
    torch = pytest.importorskip("torch")
    folder = golden / "evaluate"
    activations = np.load(folder / "acts_f32.npy")
    plain = sfc_bench.evaluate(activations, Sae(folder / "sae_topk"))
    turn = lambda array: torch.nn.Parameter(torch.from_numpy(array.copy()))  # noqa: E731
    found = sfc_bench.evaluate(torch.from_numpy(activations), Sae(folder / "sae_topk", turn))
    assert found == plain
    half = torch.from_numpy(activations).to(torch.bfloat16)
    wide = half.float().numpy()
    assert sfc_bench.evaluate(half, folder / "sae_topk") == sfc_bench.evaluate(wide, folder / "sae_topk")


def test_what_is_no_array_is_refused_by_name(golden):
    rows = np.zeros((4, 3), np.float32)
    eye = np.eye(3, dtype=np.float32)
    for field, refuse in {
        "activations": lambda: sfc_bench.evaluate([["a"]], eye),
        "fidelity": lambda: sfc_bench.evaluate(rows, eye, fidelity="best"),
        "codes_by": lambda: sfc_bench.evaluate(rows, eye, codes_by="magic"),
        "transposed": lambda: sfc_bench.evaluate(rows, eye, transposed=["rows"]),
        "threads": lambda: sfc_bench.evaluate(rows, eye, threads=0),
        "codes": lambda: sfc_bench.evaluate(rows, {"W_enc": eye, "W_dec": eye}, codes=rows),
    }.items():
        with pytest.raises(sfc_bench.SfcBenchError) as refused:
            refuse()
        assert field in (refused.value.field, str(refused.value).split(" ")[0]), refused.value
    sae = {"W_enc": eye, "W_dec": eye}
    masked = np.ma.masked_less(rows + eye[0], 0.5)
    for field, refuse in {
        "activations": lambda: sfc_bench.evaluate(None, eye),
        "sae": lambda: sfc_bench.evaluate(rows, None),
        "architecture": lambda: sfc_bench.evaluate(rows, {**sae, "cfg": {"architecture": "mystery"}}),
        "readout_bias": lambda: sfc_bench.evaluate(rows, eye, readout_bias=[1.0]),
        "codes_by": lambda: sfc_bench.evaluate(rows, sae, codes_by="projection"),
        "transposed": lambda: sfc_bench.evaluate(rows, sae, transposed="dictionary"),
        "weights": lambda: sfc_bench.evaluate(rows, eye, weights=(np.nan, 1, 1)),
        "active_rows": lambda: sfc_bench.evaluate(rows, eye, active_rows=-1),
        "memory": lambda: sfc_bench.evaluate(rows, eye, memory=None),
        "threads": lambda: sfc_bench.evaluate(rows, eye, threads="a"),
        "progress": lambda: sfc_bench.evaluate(rows, eye, progress=3),
        "cfg": lambda: sfc_bench.evaluate(rows, {**sae, "cfg": 3}),
        "codes": lambda: sfc_bench.sparsity(masked),
        "readout": lambda: sfc_bench.numpy_script("a.npy", "b.npy", readout=eye),
    }.items():
        with pytest.raises(sfc_bench.SfcBenchError) as refused:
            refuse()
        assert field in (refused.value.field, str(refused.value).split(" ")[0]), refused.value
    with pytest.raises(sfc_bench.SfcBenchError, match="as wide as the activations") as refused:
        sfc_bench.evaluate(rows, np.zeros((2, 5), np.float32))
    assert (refused.value.field, refused.value.value) == ("dictionary", "2 × 5")
    assert refused.value.allowed
    infinite = rows.copy()
    infinite[2, 1] = np.inf
    with pytest.raises(sfc_bench.SfcBenchError) as refused:
        sfc_bench.evaluate(infinite, eye)
    assert (refused.value.field, refused.value.value) == ("activations", "inf")
    assert refused.value.allowed == "finite 32-bit floats"
    with pytest.raises(sfc_bench.SfcBenchError) as refused:
        sfc_bench.evaluate(rows, {**sae, "cfg": {"architecture": "mystery"}})
    assert refused.value.value == '"mystery"'
    assert "standard" in refused.value.allowed


def test_arrays_of_unusual_kinds_are_read(golden):
    rng = np.random.default_rng(5)
    rows, eye = rng.standard_normal((40, 6)), rng.standard_normal((6, 6))
    plain = sfc_bench.evaluate(rows, eye)
    assert sfc_bench.evaluate(rows.astype(np.longdouble), np.ma.masked_array(eye)) == plain
    assert sfc_bench.evaluate(rows.tolist(), eye.tolist()) == plain
    unaligned = np.frombuffer(b"x" + rows.tobytes(), np.uint8)[1:].view(rows.dtype).reshape(rows.shape)
    assert not unaligned.flags.aligned
    assert sfc_bench.evaluate(unaligned, eye) == plain
    assert sfc_bench.sparsity(unaligned) == sfc_bench.sparsity(rows)
    cube = np.asfortranarray(rows.reshape(8, 5, 6))
    c_order = np.ascontiguousarray(cube)
    assert sfc_bench.evaluate(cube, eye) == sfc_bench.evaluate(c_order, eye)


class Tensor:
    """As much of a tensor of PyTorch as is asked of it, as strict as one with gradients on a device."""

    def __init__(self, array, dtype="torch.float32", where="cuda", free=False):
        self._array, self.dtype, self._where, self._free = array, dtype, where, free

    def detach(self):
        return Tensor(self._array, self.dtype, self._where, True)

    def cpu(self):
        return Tensor(self._array, self.dtype, "cpu", self._free)

    def float(self):
        return Tensor(self._array, "torch.float32", self._where, self._free)

    def numpy(self):
        if not self._free:
            raise RuntimeError("Can't call numpy() on Tensor that requires grad.")
        if self._where != "cpu" or self.dtype == "torch.bfloat16":
            raise TypeError("can't convert")
        return self._array

    def __dlpack__(self, **how):
        raise BufferError("Can't export tensors that require gradient")


def test_what_is_built_as_pytorch_s_tensors_is_taken(golden):
    folder = golden / "evaluate"
    activations = np.load(folder / "acts_f32.npy")
    plain = sfc_bench.evaluate(activations, folder / "sae_topk")
    for dtype in ("torch.float32", "torch.bfloat16"):
        of = Tensor(activations, dtype)
        assert sfc_bench.evaluate(of, Sae(folder / "sae_topk", Tensor))["sfc"] == plain["sfc"]

    class Sparse(Tensor):
        def detach(self):
            raise NotImplementedError("sparse tensors have no such thing")

    with pytest.raises(sfc_bench.SfcBenchError, match="dense array") as refused:
        sfc_bench.evaluate(Sparse(activations), folder / "sae_topk")
    assert refused.value.field == "activations"


def test_state_that_would_change_codes_is_refused_by_name(golden):
    folder = golden / "evaluate"
    activations = np.load(folder / "acts_f32.npy")
    jumprelu = dict(tensors(folder / "sae_jumprelu"))

    class Module:
        """As a module of PyTorch that says nothing of its architecture."""

        def __init__(self, arrays):
            self.__dict__.update({name: array for name, array in arrays.items() if name != "mask"})
            self._arrays = arrays

        def state_dict(self):
            return self._arrays

    for sae in (jumprelu, Module(jumprelu)):
        with pytest.raises(sfc_bench.SfcBenchError, match="threshold") as refused:
            sfc_bench.evaluate(activations, sae)
        assert refused.value.field == "threshold"
    said = {**jumprelu, "architecture": "jumprelu"}
    assert sfc_bench.evaluate(activations, said)["codes"] == "jumprelu"
    standard = {**dict(tensors(folder / "sae_standard")), "mask": np.ones(20)}
    for sae in (standard, Module(standard)):
        with pytest.raises(sfc_bench.SfcBenchError, match="mask"):
            sfc_bench.evaluate(activations, sae)


def test_a_decoders_bias_is_added_to_what_given_codes_reconstruct():
    rng = np.random.default_rng(3)
    codes, words = np.maximum(rng.standard_normal((60, 5)), 0), rng.standard_normal((5, 4))
    bias = rng.standard_normal(4) + 2
    rows = codes @ words + bias
    whole = sfc_bench.evaluate(rows, words, codes=codes, b_dec=bias)
    assert whole["fidelity"]["r2"] > 1 - 1e-9 > sfc_bench.evaluate(rows, words, codes=codes)["fidelity"]["r2"]
    with pytest.raises(sfc_bench.SfcBenchError, match="b_dec") as refused:
        sfc_bench.evaluate(rows, words, b_dec=bias)
    assert refused.value.field == "b_dec"


def test_the_factor_of_a_checkpoints_activations_is_folded_in(golden, tmp_path):
    folder = golden / "evaluate"
    (tmp_path / "sae_weights.safetensors").write_bytes(
        (folder / "sae_folded" / "sae_weights.safetensors").read_bytes()
    )
    config = json.loads((folder / "sae_folded" / "cfg.json").read_text())
    factor = config.pop("norm_scaling_factor")
    (tmp_path / "cfg.json").write_text(json.dumps(config))
    (tmp_path / "activation_scaler.json").write_text(json.dumps({"scaling_factor": factor}))
    expected = sfc_bench.evaluate(folder / "acts_f32.npy", folder / "sae_folded")
    found = sfc_bench.evaluate(folder / "acts_f32.npy", tmp_path)
    assert found["fidelity"] == expected["fidelity"]


def test_a_file_is_not_taken_for_what_is_in_memory_under_its_name(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(6)
    rows, words = rng.standard_normal((64, 8)), rng.standard_normal((5, 8))
    np.save("activations.npy", words)
    assert sfc_bench.evaluate(rows, "activations.npy")["sfc"] == sfc_bench.evaluate(rows, words)["sfc"]


def test_progress_is_told_where_the_call_was_made_and_to_its_end(golden):
    heard, parts = [], []
    folder = golden / "evaluate"
    sfc_bench.evaluate(
        np.load(folder / "acts_f32.npy"), folder / "sae_topk", threads=2,
        progress=lambda stage, part: (heard.append(threading.get_ident()), parts.append(part)),
    )  # fmt: skip
    assert set(heard) == {threading.get_ident()}
    assert parts == sorted(parts) and parts[-1] == 1.0


FORKED = """
import multiprocessing, numpy as np, sfc_bench
rng = np.random.default_rng(0)
rows, words = rng.standard_normal((3_000, 32)), rng.standard_normal((64, 32))
found = sfc_bench.evaluate(rows, words)
def work():
    assert sfc_bench.evaluate(rows, words) == found
child = multiprocessing.get_context("fork").Process(target=work)
child.start()
child.join()
raise SystemExit(child.exitcode)
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="processes are forked on Unix")
def test_a_forked_process_evaluates_too():
    done = subprocess.run([sys.executable, "-W", "ignore", "-c", FORKED], timeout=600)
    assert done.returncode == 0


def test_a_numpy_program_of_the_same_is_printed(golden, tmp_path):
    folder = golden / "evaluate"
    program = sfc_bench.numpy_script(folder / "acts_f32.npy", folder / "sae_topk")
    compile(program, "printed", "exec")
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    other = sfc_bench.numpy_script(
        folder / "acts_f32.npy",
        folder / "sae_topk",
        fidelity="r2",
        completeness="reconstruction",
        weights=(5, 1, 1),
    )
    assert other != program
    done = subprocess.run([sys.executable, "-c", other], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    with pytest.raises(sfc_bench.SfcBenchError, match="the same files"):
        sfc_bench.numpy_script(np.zeros((4, 3)), folder / "sae_topk")


RUN = """
import numpy as np, sfc_bench
rng = np.random.default_rng(0)
rows = rng.standard_normal((20_000, 256)).astype("f4")
words = rng.standard_normal((4_096, 256)).astype("f4")
def tell(stage, part):
    print("began", flush=True)
try:
    for again in range(1_000):
        sfc_bench.evaluate(rows, words, codes_by="least-squares", progress=tell, threads={threads})
except KeyboardInterrupt:
    print("interrupted", flush=True)
"""


@pytest.mark.skipif(os.name == "nt", reason="signals are sent as on Unix")
@pytest.mark.parametrize("threads", [None, 2])
def test_ctrl_c_ends_an_evaluation(threads):
    script = RUN.replace("{threads}", str(threads))
    child = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True)
    assert child.stdout is not None
    assert child.stdout.readline().strip() == "began"
    child.send_signal(signal.SIGINT)
    said, _ = child.communicate(timeout=300)
    assert said.split()[-1] == "interrupted"
    assert child.returncode == 0


def test_rows_are_left_out_by_number_length_and_zeros():
    rng = np.random.default_rng(3)
    rows, words = rng.normal(size=(60, 6)), rng.normal(size=(4, 6))
    rows[7] = 0.0
    rows[9] *= 1_000.0
    left = np.ones(60, dtype=bool)
    left[[0, 1, 2, 7, 9]] = False
    alone = sfc_bench.evaluate(rows[left], words)
    for named in ("0-2", [0, 1, 2], range(3), np.arange(3)):
        found = sfc_bench.evaluate(rows, words, skip_zero_rows=True, skip_rows=named, skip_norm_above=20)
        assert found["fidelity"] == alone["fidelity"]
        assert (
            found["rows"],
            found["skipped"]["named"],
            found["skipped"]["zero"],
            found["skipped"]["long"],
        ) == (55, 3, 1, 1)
    for bad in (
        {"skip_rows": "x"},
        {"skip_rows": 3},
        {"skip_norm_above": "far"},
        {"skip_norm_above": 0.5},
        {"skip_rows": "60"},
    ):
        with pytest.raises(sfc_bench.SfcBenchError, match="skip"):
            sfc_bench.evaluate(rows, words, **bad)


def test_parts_of_activations_are_read_one_after_the_other(tmp_path):
    rng = np.random.default_rng(4)
    rows, words = rng.normal(size=(50, 6)).astype(np.float32), rng.normal(size=(4, 6))
    for at, part in ((2, rows[:20]), (10, rows[20:])):
        np.save(tmp_path / f"acts_{at}.npy", part)
    whole = sfc_bench.evaluate(rows, words)
    for parts in ([rows[:20], rows[20:]], tmp_path, [tmp_path / "acts_2.npy", tmp_path / "acts_10.npy"]):
        found = sfc_bench.evaluate(parts, words)
        assert found["fidelity"] == whole["fidelity"] and found["rows"] == 50
    with pytest.raises(sfc_bench.SfcBenchError, match="wide"):
        sfc_bench.evaluate([rows, rows[:, :3]], words)


def test_a_folder_is_read_in_the_order_of_its_numbers(tmp_path, cli, golden):
    rows = np.load(golden / "evaluate" / "acts_f32.npy")
    for number, part in [(2, rows[:70]), (10, rows[70:71]), (11, rows[71:])]:
        np.save(tmp_path / f"acts_{number}.npy", part)
    (tmp_path / ".acts_1.npy").write_text("hidden")
    (tmp_path / "notes.txt").write_text("of no arrays")
    sae = golden / "evaluate" / "sae_topk"
    found = sfc_bench.evaluate(tmp_path, sae)
    files = [file["file"] for file in found["files"] if file["role"] == "activations"]
    assert files == [str(tmp_path / f"acts_{number}.npy") for number in (2, 10, 11)]
    told = json.loads(cli("evaluate", "--activations", tmp_path, "--sae", sae, "--json"))
    assert [file["file"] for file in told["files"]] == [file["file"] for file in found["files"]]
    whole = sfc_bench.evaluate(golden / "evaluate" / "acts_f32.npy", sae)
    assert found["sfc"] == whole["sfc"] == told["sfc"]
    empty = tmp_path / "empty"
    empty.mkdir()
    with pytest.raises(sfc_bench.SfcBenchError) as refused:
        sfc_bench.evaluate(empty, sae)
    assert (refused.value.field, refused.value.value) == ("activations", str(empty))
    assert "a folder with files of arrays" in refused.value.allowed
