"""Write the golden files that come from NumPy and moocore.

    python3 make_golden.py            write the files named in FILES into ../golden
    python3 make_golden.py --check    compare with what is there instead: random numbers, circuits
                                      and flags exactly, results to 1e-10

The other files in ../golden are recorded elsewhere and are not touched; see its README.
"""

import argparse
import json
import pathlib
import platform
import sys

import reference  # first: it sets the number of threads

import moocore
import numpy as np
from numpy.random import RandomState

import compare
from check_hypervolume import octant

GOLDEN = pathlib.Path(__file__).resolve().parent.parent / "golden"

# The random stream ------------------------------------------------------------------------------

SEEDS = (
    *(0, 1, 2, 3, 7, 10, 99, 123, 1234, 2024, 5489, 65535, 65536, 123456789, 987654321),
    *(2**31 - 1, 2**31, 0xDEADBEEF, 2**32 - 2, 2**32 - 1),
)
NORMALS, BLOCK, SHOWN = 10_000, 1_000, 32
CHOICES = ((64, 8), (64, 24), (128, 16), (100, 30), (2, 1), (1, 1), (5, 5), (33, 32))

FNV_OFFSET, FNV_PRIME = 0xCBF29CE484222325, 0x100000001B3


def fnv1a(array, dtype):
    """FNV-1a, 64 bits, over the little-endian bytes of the array; 16 hex digits."""
    digest = FNV_OFFSET
    for byte in np.ascontiguousarray(array, dtype=dtype).tobytes():
        digest = ((digest ^ byte) * FNV_PRIME) & 0xFFFFFFFFFFFFFFFF
    return f"{digest:016x}"


def doubles(array):
    return fnv1a(array, "<f8")


def bits(array):
    """The IEEE 754 bits of each double; 16 hex digits, most significant first."""
    return [f"{word:016x}" for word in np.ascontiguousarray(array, dtype="<f8").view("<u8")]


def stream(seed):
    normals = RandomState(seed).randn(NORMALS)
    uniform = RandomState(seed).random_sample(1000)
    permutation = RandomState(seed).permutation(1000)
    mixed = RandomState(seed)
    return {
        "seed": seed,
        "randn_10000": {
            "first_bits": bits(normals[:SHOWN]),
            "digest": doubles(normals),
            "block_digests": [doubles(block) for block in normals.reshape(-1, BLOCK)],
        },
        "random_sample_1000": {"first_bits": bits(uniform[:8]), "digest": doubles(uniform)},
        "permutation_1000": {
            "first": permutation[:16].tolist(),
            "digest": fnv1a(permutation, "<u4"),
        },
        "choice_2000_100": RandomState(seed).choice(2000, 100, replace=False).tolist(),
        "choices": [
            {"n": n, "size": size, "drawn": RandomState(seed).choice(n, size, replace=False).tolist()}
            for n, size in CHOICES
        ],
        # One generator throughout: the second normal of a pair outlives the draws in between.
        "mixed": [
            {"draw": "randn", "n": 3, "bits": bits(mixed.randn(3))},
            {"draw": "random_sample", "n": 2, "bits": bits(mixed.random_sample(2))},
            {"draw": "permutation", "n": 10, "values": mixed.permutation(10).tolist()},
            {"draw": "randn", "n": 2, "bits": bits(mixed.randn(2))},
            {
                "draw": "choice",
                "n": 64,
                "size": 8,
                "values": mixed.choice(64, 8, replace=False).tolist(),
            },
            {"draw": "randn", "n": 1, "bits": bits(mixed.randn(1))},
        ],
    }


def rng():
    return {
        "note": "numpy.random.RandomState(seed), a fresh generator for each entry of a seed; the "
        "last bit of a normal depends on the C library's log, see README.md",
        "made_with": " ".join(
            ("NumPy", np.__version__, *platform.libc_ver(), platform.machine())
        ),
        "digest": "FNV-1a, 64 bits (offset cbf29ce484222325, prime 100000001b3), over the bytes "
        "of the values in order: f64 little-endian, for permutations u32 little-endian",
        "block": BLOCK,
        "seeds": [stream(seed) for seed in SEEDS],
    }


# Curves -----------------------------------------------------------------------------------------


def custom(inputs, hidden, outputs, circuit, **rest):
    return {
        "config": "custom",
        "inputs": inputs,
        "hidden": hidden,
        "outputs": outputs,
        "circuit": circuit,
        **rest,
    }


TWELVE_LEVELS = [0.0, 0.03, 0.08, 0.15, 0.22, 0.29, 0.4, 0.57, 0.66, 0.78, 0.9, 0.99]

COMBINATIONS = {
    "standard_other_seeds": {"model_seed": 7, "data_seed": 11, "completeness_seed": 5},
    "standard_5000_samples_12_levels": {
        "samples": 5000,
        "k": 32,
        "levels": TWELVE_LEVELS,
        "weights": [0.3, 2.5, 1.0],
        "model_seed": 3,
        "data_seed": 2024,
    },
    "standard_k1": {"k": 1, "model_seed": 12, "data_seed": 34},
    "standard_k_hidden_one_level": {"k": 64, "levels": [0.5], "data_seed": 8, "model_seed": 8},
    "large_r2_total": {"config": "large", "fidelity": "r2", "completeness": "total"},
    # 0.29 * 100 and 0.57 * 100 fall just below a whole number in binary.
    "large_k100_floor_traps": {
        "config": "large",
        "k": 100,
        "levels": TWELVE_LEVELS,
        "model_seed": 2**32 - 1,
        "data_seed": 2**31,
        "completeness_seed": 2**32 - 1,
    },
    "large_k_hidden_centred": {
        "config": "large",
        "k": 128,
        "centred": True,
        "levels": [0.1, 0.5, 0.9],
        "samples": 3000,
        "model_seed": 5,
    },
    "dense_centred_rel_mse": {
        "config": "dense",
        "centred": True,
        "fidelity": "rel-mse",
        "k": 20,
        "weights": [1, 5, 1],
    },
    "dense_noise": {
        "config": "dense",
        "noise": 0.2,
        "k": 40,
        "completeness": "total",
        "model_seed": 1000003,
        "data_seed": 77,
    },
    "sparse_narrow_weights": {
        "config": "sparse",
        "weight_scale": 0.1,
        "k": 16,
        "samples": 500,
        "levels": [0.25, 0.75],
        "weights": [1, 1, 5],
    },
    "sparse_wide_biases_no_fidelity_weight": {
        "config": "sparse",
        "bias_scale": 0.5,
        "weight_scale": 1.0,
        "k": 63,
        "weights": [2, 0, 1],
        "data_seed": 123456789,
    },
    "tiny_1_2_1": custom(1, 2, 1, 1, k=2, data_seed=9),
    "tiny_1_2_1_k1_centred": custom(1, 2, 1, 2, k=1, data_seed=9, model_seed=4, centred=True),
    "small_50_samples": custom(
        3, 5, 2, 5, k=3, samples=50, model_seed=21, data_seed=22, completeness_seed=23
    ),
    "small_50_samples_r2": custom(
        8, 24, 3, 6, k=20, samples=50, fidelity="r2", levels=[0.0, 0.5, 0.8, 0.95]
    ),
    "middle_40_100_10": custom(
        40,
        100,
        10,
        30,
        k=60,
        samples=1500,
        fidelity="rel-mse",
        completeness="total",
        weights=[5, 1, 1],
        model_seed=271828,
        data_seed=314159,
    ),
    "middle_centred_total_noise": custom(
        12,
        48,
        6,
        48,
        k=24,
        samples=800,
        centred=True,
        completeness="total",
        noise=0.05,
        bias_scale=0.2,
        weight_scale=0.5,
        model_seed=99991,
        data_seed=4000000000,
    ),
}


def complete(settings):
    """Every setting spelled out, in one order."""
    filled = reference.complete_settings(settings)
    names = dict.fromkeys(("config", *reference.SIZE_NAMES, *reference.DEFAULTS))
    return {name: filled[name] for name in names}


def without_guard(settings, expected):
    """How far the fidelity would be from ``expected`` with a bare cosine."""
    guard, reference.COSINE_GUARD = reference.COSINE_GUARD, 0.0
    bare = reference.plain(reference.curve(settings))
    reference.COSINE_GUARD = guard
    return max(
        abs(one["fidelity"] - other["fidelity"])
        for one, other in zip(expected["points"], bare["points"])
    )


def combinations():
    cases = []
    print(f"{'case':40} {'s_K/s_1':>8} {'gap K':>8} {'least':>8} {'1e-15':>8} {'gram':>8} {'bare':>8}")
    for name, settings in COMBINATIONS.items():
        expected = reference.plain(reference.curve(settings))
        found = compare.conditioning(settings)
        bare = without_guard(settings, expected)
        numbers = (found.least_value, found.gap_at_k, found.least_gap, found.perturbed, found.gram)
        print(f"{name:40} " + " ".join(f"{value:8.1e}" for value in (*numbers, bare)))
        if not found.steady:
            raise SystemExit(f"{name} moves by more than {compare.STEADY} for rounding alone")
        cases.append(
            {
                "name": name,
                "settings": complete(settings),
                "expected": expected,
                "conditioning": {**found._asdict(), "fidelity_shift_without_guard": bare},
            }
        )
    return {
        "note": "curves by tests/numpy/reference.py; compare to 1e-10 relative, 1e-12 absolute",
        "made_with": f"NumPy {np.__version__}",
        "conditioning": "singular-value gaps relative to s_1, and the greatest change of any "
        "result when the activations get relative noise of 1e-15 (perturbed) or the dictionary "
        "comes from the Gram matrix (gram); both are below 1e-11",
        "cases": cases,
    }


# Every one of these asks for more dictionary rows than there are independent directions.
DEFICIENT = {
    "fewer_samples_than_k": {"samples": 20, "k": 48},
    "one_sample_short": {"samples": 47, "k": 48},
    "two_samples": custom(4, 8, 2, 3, samples=2, k=3),
    "centring_takes_one_rank": {"samples": 48, "k": 48, "centred": True},
    "one_input_no_bias": custom(1, 64, 4, 8, bias_scale=0.0, k=3),
    "one_input_no_bias_all": custom(1, 64, 4, 8, bias_scale=0.0, k=64),
    "constant_activations": {"weight_scale": 0.0, "k": 2},
    "constant_activations_centred": {"weight_scale": 0.0, "k": 1, "centred": True},
    "all_zero_activations": {"weight_scale": 0.0, "bias_scale": 0.0, "k": 1},
}


def rank_deficient():
    cases = []
    print(f"\n{'case':32} {'rank':>4} {'k':>3}  s around the rank, relative to s_1")
    for name, settings in DEFICIENT.items():
        run = reference.prepare(settings)
        k, found = run.settings["k"], run.dictionary
        try:
            reference.points(run)
        except reference.RankDeficient as error:
            s = found.singular_values / max(found.singular_values[0], 1e-300)
            around = s[max(error.rank - 1, 0) : error.rank + 1]
            print(f"{name:32} {error.rank:4} {k:3}  {np.array2string(around, precision=1)}")
            cases.append({"name": name, "rank": error.rank, "settings": complete(settings)})
        else:
            raise SystemExit(f"{name} is not rank-deficient")
    return {
        "note": "settings to be refused by a typed error: k exceeds the rank of the activations "
        "(of their deviations from the mean if centred), counting singular values above "
        "max(samples, hidden) * 2^-52 of the norm",
        "made_with": f"NumPy {np.__version__}",
        "cases": cases,
    }


ILL_CONDITIONED = {
    f"noise_{noise:g}": dict(inputs=1, bias_scale=0.0, k=10, levels=[0.0], noise=noise)
    for noise in (1e-3, 1e-5, 1e-7)
}


def ill_conditioned():
    """Activations of rank 2 but for some noise: HtH, whose condition is squared, would not do."""
    cases = []
    for name, settings in ILL_CONDITIONED.items():
        expected = reference.curve(settings)
        points = list(expected["points"])
        cases.append({"name": name, "settings": complete(settings), "expected": {"points": points}})
    return {
        "note": "curves by tests/numpy/reference.py; compare to 1e-9 relative: rounding alone moves "
        "the directions that the noise makes by up to 1e-10",
        "made_with": f"NumPy {np.__version__}",
        "cases": cases,
    }


# Hypervolume ------------------------------------------------------------------------------------


def point_sets():
    rng = RandomState(20240229)

    def octant(n):
        points = np.abs(rng.randn(n, 3))
        return points / np.linalg.norm(points, axis=1, keepdims=True)

    origin = [0.0, 0.0, 0.0]
    # The shape of the paper's curve: one axis rising, one falling, one the same for all.
    rising = np.sort(rng.random_sample(12))
    curve = np.column_stack([rising, np.sqrt(1 - rising**2), np.full(12, 0.9)])
    repeated = np.repeat(octant(15), 2, axis=0)
    yield "one_point", rng.random_sample((1, 3)), origin
    yield "two_equal_points", np.repeat(rng.random_sample((1, 3)), 2, axis=0), origin
    yield "paper_like_curve", curve, origin
    yield "octant_20", octant(20), origin
    yield "octant_200", octant(200), origin
    yield "bowl_100", 1.0 - octant(100), origin
    yield "cloud_50", rng.random_sample((50, 3)), origin
    yield "cloud_200", rng.random_sample((200, 3)), origin
    yield "tenths_100", np.round(rng.random_sample((100, 3)), 1), origin
    yield "octant_in_quarters_60", np.round(4 * octant(60)) / 4, origin
    yield "octant_every_point_twice", repeated[rng.permutation(30)], origin
    yield "cloud_80_higher_reference", rng.random_sample((80, 3)), [0.2, 0.1, 0.3]
    yield "normal_60_lower_reference", rng.randn(60, 3), [-0.5, -1.0, -2.0]
    yield "tenths_on_the_reference", np.round(rng.random_sample((40, 3)), 1), [0.5, 0.5, 0.5]
    yield "nothing_above_the_reference", rng.random_sample((10, 3)), [1.0, 1.0, 1.0]


def hypervolume_sets():
    cases = []
    for name, points, ref in point_sets():

        def volume(of):
            return moocore.hypervolume(of, ref=ref, maximise=True) if len(of) else 0.0

        total = volume(points)
        sweep = reference.hypervolume_sweep(points, ref)
        if abs(total - sweep) > 1e-13 * max(total, 1.0):
            raise SystemExit(f"{name}: moocore says {total}, the sweep {sweep}")
        flags = moocore.is_nondominated(points, maximise=True, keep_weakly=True)
        cases.append(
            {
                "name": name,
                "points": points.tolist(),
                "reference": ref,
                "hypervolume": total,
                "nondominated": flags.tolist(),
                "contributions": [
                    total - volume(np.delete(points, i, axis=0)) for i in range(len(points))
                ],
            }
        )
    return {
        "note": "3-D, every axis maximised; nondominated keeps equal points (keep_weakly=True); "
        "contribution of a point = hypervolume of all - hypervolume of all but it, as computed, so "
        "a contribution of nothing may be off by rounding (compare to 1e-12 absolute)",
        "made_with": f"moocore {moocore.__version__}",
        "cases": cases,
    }


def large_hypervolumes():
    """Volumes of many points; the points follow from the seed, so they are not written down."""
    cases = []
    for count, seed in ((1_000, 1), (10_000, 2), (10_000, 3), (100_000, 4)):
        points = octant(count, seed)
        volume = moocore.hypervolume(points, ref=[0.0, 0.0, 0.0], maximise=True)
        cases.append({"count": count, "seed": seed, "hypervolume": volume})
    return {
        "note": "p / sqrt(sum(p * p)) for each row p of RandomState(seed).random_sample((count, 3)), "
        "against the origin, every axis maximised; compare to 1e-12",
        "made_with": f"moocore {moocore.__version__}",
        "cases": cases,
    }


# Writing and checking ---------------------------------------------------------------------------

FILES = {
    "rng.json": rng,
    "numpy_combinations.json": combinations,
    "rank_deficient.json": rank_deficient,
    "ill_conditioned.json": ill_conditioned,
    "hypervolume_moocore.json": hypervolume_sets,
    "hypervolume_octants.json": large_hypervolumes,
}


def text(value, depth=0):
    """JSON with one line for each innermost list or object, so that differences can be read."""
    inner = value.values() if isinstance(value, dict) else value
    if not isinstance(value, (dict, list)) or not any(isinstance(v, (dict, list)) for v in inner):
        return json.dumps(value, allow_nan=False)
    indent, close = "\n" + " " * (depth + 1), "\n" + " " * depth
    if isinstance(value, dict):
        items = [f"{json.dumps(k)}: {text(v, depth + 1)}" for k, v in value.items()]
        return "{" + indent + ("," + indent).join(items) + close + "}"
    return "[" + indent + ("," + indent).join(text(v, depth + 1) for v in value) + close + "]"


def same(name, old, new):
    """Whether a made file agrees with the one on disk; conditioning is a property of the machine."""
    if isinstance(old, dict) and isinstance(new, dict):
        skipped = {"conditioning", "made_with"}
        return old.keys() == new.keys() and all(
            [same(f"{name}.{key}", old[key], new[key]) for key in old if key not in skipped]
        )
    if isinstance(old, list) and isinstance(new, list):
        return len(old) == len(new) and all(
            [same(f"{name}[{i}]", *pair) for i, pair in enumerate(zip(old, new))]
        )
    good = compare.distance(old, new) <= compare.RELATIVE if isinstance(old, float) else old == new
    if not good:
        print(f"  DIFFERS {name}: {old!r} on disk, {new!r} made")
    return good


def main():
    parser = argparse.ArgumentParser(description="Write or check the golden files.")
    parser.add_argument("--check", action="store_true", help="compare with the files instead")
    check = parser.parse_args().check
    good = True
    for name, make in FILES.items():
        path, made = GOLDEN / name, reference.plain(make())
        if check:
            good &= same(name, json.loads(path.read_text(encoding="utf-8")), made)
        else:
            path.write_text(text(made) + "\n", encoding="utf-8")
            print(f"{name}: {path.stat().st_size} bytes")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
