"""Measurement theory's metrics in Python, as their reference code computes them: NumPy where it multiplies whole
matrices, loops where it loops.

    measurement.py small|large

For each line on standard input, a metric's name such as "m07", computes it once and prints how long that took, in ms,
then what came of it, as JSON, a line each. Arrays are drawn anew only where the metric is another than before, and
that is not timed. examples/measurement_rounds draws the same in the same order.

It is written from the metrics' formulas, in the code's reading where text and code differ, in float64 throughout. Where
the reference code loops over prompts, positions, features or thresholds this does, too, with the same products in
the same blocks. Groups of contexts are SciPy's where it is installed, as there, and else those of a loop here.
"""

import json
import math
import sys
import time
from statistics import NormalDist

import reference  # noqa: F401  first: it sets the number of threads

import numpy as np
from numpy.random import RandomState

try:
    from scipy.cluster.hierarchy import fcluster, linkage
except ImportError:
    linkage = None

LEAST = 1e-8


def rectified(rng, rows, cols, above):
    return np.maximum(rng.randn(rows, cols) - above, 0)


def whole(rng, count, below):
    return (rng.random_sample(count) * below).astype(int)


def differences(rng, count, mean):
    return np.floor(50 * (rng.randn(count) + mean)) / 50


def unit(rows):
    return rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), LEAST)


def jaccard(a, b, empty):
    either = len(a | b)
    return len(a & b) / either if either else empty


# M07: architecture duality


def m07(small):
    first, second, width = (300, 280, 24) if small else (8_192, 8_192, 768)
    prompts, each = (12, 9) if small else (64, 128)
    rng = RandomState(7)
    decoder_a, decoder_b = rng.randn(first, width), rng.randn(second, width)
    decoder_b[: second // 2] += decoder_a[: second // 2]
    a = rectified(rng, prompts * each, first, 2.0).reshape(prompts, each, first)
    b = rectified(rng, prompts * each, second, 2.2).reshape(prompts, each, second)

    def overlap(a, b):
        here, there = (np.abs(a) > 0.01).sum(axis=-1), (np.abs(b) > 0.01).sum(axis=-1)
        least, most = np.minimum(here, there), np.maximum(here, there)
        some = most > 0
        return float((least[some] / most[some]).mean()) if some.any() else 0.0

    def nearest(a, b, block=1024):
        best = np.zeros(len(a))
        for start in range(0, len(a), block):
            cosines = a[start : start + block] @ b.T
            best[start : start + block] = np.abs(cosines).max(axis=1)
        return best.mean()

    def run():
        unit_a, unit_b = unit(decoder_a), unit(decoder_b)
        direction = float((nearest(unit_a, unit_b) + nearest(unit_b, unit_a)) / 2)
        shared = float(np.mean([overlap(a[at], b[at]) for at in range(prompts)]))
        return {
            "feature_overlap": shared,
            "direction_agreement": direction,
            "architecture_agreement": (shared + direction) / 2,
        }

    return run


# M08: WeightLens


def m08(small):
    sizes = (120, 24, 60, 150, 20) if small else (512, 256, 4_096, 1_024, 50)
    features, width, words, positions, k = sizes
    rng = RandomState(8)
    decoder, unembed = rng.randn(features, width), rng.randn(width, words)
    activations = rectified(rng, positions, features, 1.0)
    tokens = whole(rng, positions, words).tolist()

    def run():
        promoted = np.argsort(-(decoder @ unembed), axis=1, kind="stable")[:, :k]
        promoted = [set(row.tolist()) for row in promoted]
        strongest = [{} for _ in range(features)]
        for position, token in enumerate(tokens):
            for feature in range(features):
                value = activations[position, feature].item()
                if value > 0:
                    known = strongest[feature]
                    if token not in known or value > known[token]:
                        known[token] = value
        shared = []
        for weights, known in zip(promoted, strongest):
            if known:
                order = sorted(known.items(), key=lambda pair: (-pair[1], pair[0]))
                shared.append(jaccard(weights, {token for token, _ in order[:k]}, 0.0))
        shared = np.array(shared)
        return {
            "agreement": float(shared.mean()),
            "median": float(np.median(shared)),
            "std": float(shared.std()),
            "frac_above": float((shared > 0.3).mean()),
            "active_features": len(shared),
        }

    return run


# M10: PRISM polysemanticity


def groups(unit_rows, threshold):
    """How many groups average linkage leaves, joined up to and including a cosine distance."""
    count = len(unit_rows)
    if count < 2:
        return count
    distance = np.clip(1 - unit_rows @ unit_rows.T, 0, 2)
    if linkage is not None:
        joined = linkage(distance[np.triu_indices(count, 1)], method="average")
        return int(fcluster(joined, threshold, criterion="distance").max())
    held = [[at] for at in range(count)]
    while len(held) > 1:
        best = (math.inf, 0, 0)
        for i in range(len(held)):
            for j in range(i):
                mean = float(distance[np.ix_(held[i], held[j])].mean())
                best = min(best, (mean, i, j))
        if best[0] > threshold:
            break
        _, i, j = best
        held[j] += held.pop(i)
    return len(held)


def m10(small):
    contexts, features, width, looked_at = (120, 80, 16, 30) if small else (400, 2_048, 256, 100)
    rng = RandomState(10)
    strengths = rectified(rng, contexts, features, 1.0)
    centres = rng.randn(4, width)
    kinds = whole(rng, contexts, 4)
    embeddings = 0.6 * rng.randn(contexts, width) + centres[kinds]
    for context, kind in enumerate(kinds):
        strengths[context, kind::6] += 2.0

    def run():
        strongest = np.argsort(-strengths.mean(axis=0), kind="stable")[:looked_at]
        found = []
        for feature in strongest:
            column = strengths[:, feature]
            order = np.argsort(-column, kind="stable")[: min(20, contexts)]
            rows = unit(np.stack([embeddings[at] for at in order]))
            found.append((float(column.max()), groups(rows, 0.5)))
        alive = [count for most, count in found if most >= LEAST]
        return {
            "polysemanticity_rate": sum(count > 1 for count in alive) / len(alive),
            "mean_clusters": sum(alive) / len(alive),
            "n_alive": len(alive),
            "n_clusters_first": found[0][1],
            "n_clusters_all": sum(count for _, count in found),
        }

    return run


# M11: Matryoshka


def m11(small):
    sizes = (60, 150, 16, 90, 20) if small else (2_048, 8_192, 768, 8_192, 20)
    few, many, width, positions, k = sizes
    rng = RandomState(11)
    decoder = rng.randn(many, width)
    b = rectified(rng, positions, many, 1.5)
    a = rectified(rng, positions, few, 1.5)
    a *= 0.5
    near = b[:, ::2][:, :few]
    a[:, : near.shape[1]] += near

    def centred(x):
        x = x - x.mean(axis=0)
        return x / np.maximum(np.linalg.norm(x, axis=0), LEAST)

    def run():
        correlation = centred(a).T @ centred(b)
        size = np.abs(correlation)
        coherence = []
        for feature in range(few):
            largest = np.argsort(-size[feature], kind="stable")[:k]
            rows = unit(decoder[largest])
            cosines = np.abs(rows @ rows.T)
            coherence.append(float(cosines[np.triu_indices(k, 1)].mean()) if k > 1 else 1.0)
        splitting = sum(value < 0.5 for value in coherence) / few
        best = size.argmax(axis=1)
        counts = {}
        for large in best.tolist():
            counts[large] = counts.get(large, 0) + 1
        absorption = sum(count > 1 for count in counts.values()) / len(counts)
        return {
            "mean_coherence": float(np.mean(coherence)),
            "mean_best_correlation": float(size.max(axis=1).mean()),
            "splitting_rate": splitting,
            "absorption_rate": absorption,
            "consistency": 1 - 0.5 * (splitting + absorption),
        }

    return run


# M12: adaptive sparsity


def m12(small):
    prompts, width, features = (80, 16, 64) if small else (4_096, 256, 2_048)
    rng = RandomState(12)
    residual = rng.randn(prompts, width)
    activations = rectified(rng, prompts, features, 1.5)
    activations[::10] += 2.0

    def run():
        complexity, active = [], []
        for x, codes in zip(residual, activations):
            complexity.append(float(np.linalg.norm(x)))
            active.append(int((np.abs(codes) > 0.01).sum()))
        complexity, active = np.array(complexity), np.array(active, float)
        ones = np.stack([complexity, np.ones(prompts)], axis=1)
        slope, intercept = np.linalg.lstsq(ones, active, rcond=None)[0]
        deviation = []
        for x, k in zip(complexity, active):
            expected = slope * x + intercept
            deviation.append((k - expected) / max(expected, 1.0))
        constant = complexity.std() == 0 or active.std() == 0
        return {
            "k_mismatch_rate": float(np.mean(np.abs(deviation) > 2)),
            "over_activation_rate": float(np.mean(np.array(deviation) > 2)),
            "under_activation_rate": float(np.mean(np.array(deviation) < -2)),
            "correlation": 0.0 if constant else float(np.corrcoef(complexity, active)[0, 1]),
            "slope": float(slope),
            "intercept": float(intercept),
            "mean_deviation": float(np.mean(np.abs(deviation))),
        }

    return run


# M13: superposition


def m13(small):
    positions, width = (200, 24) if small else (8_192, 768)
    activations = RandomState(13).randn(positions, width)

    def run():
        centred = activations - activations.mean(axis=0)
        _, s, v_t = np.linalg.svd(centred, full_matrices=False)
        squares = s**2
        fourths = float((squares**2).sum())
        ratio = float(squares.sum()) ** 2 / fourths if fourths >= 1e-12 else 0.0
        packing = ratio / width
        top = v_t[:20]
        cosines = np.abs(top @ top.T)
        interference = float(cosines[np.triu_indices(len(top), 1)].mean())
        if packing > 1.2 or (packing > 0.8 and interference > 0.15):
            regime = 2
        else:
            regime = int(packing > 0.8 or interference > 0.1)
        return {"participation_ratio": ratio, "packing_ratio": packing, "regime": regime}

    return run


def m13_features(small):
    features, width = (50, 24) if small else (8_192, 768)
    directions = RandomState(113).randn(features, width)

    def run():
        rows = unit(directions)
        cosines = rows @ rows.T
        np.fill_diagonal(cosines, 0)
        pairs = features * (features - 1)
        squares = float(np.einsum("ij,ij->", cosines, cosines))
        np.abs(cosines, out=cosines)
        return {
            "packing": features / width,
            "interference": float(cosines.sum()) / pairs,
            "interference_rms": math.sqrt(squares / pairs),
        }

    return run


# M14: safety SVE


def spread(directions):
    s = np.linalg.svd(directions - directions.mean(axis=0), compute_uv=False)
    total = float((s**2).sum())
    if total < 1e-12:
        return 0.0, len(s) + 1
    shares = s**2 / total
    kept = shares[shares > 1e-12]
    return float(-(kept * np.log(kept)).sum()), int(np.searchsorted(np.cumsum(shares), 0.9)) + 1


def m14(small):
    layers, prompts, width = (6, 20, 16) if small else (24, 40, 768)
    rng = RandomState(14)
    sets = [(rng.randn(prompts, width), rng.randn(prompts, width)) for _ in range(layers)]

    def directions(safe, other):
        rows = []
        for first, second in sets:
            rows.append(
                np.mean([second[at] for at in other], axis=0)
                - np.mean([first[at] for at in safe], axis=0)
            )
        return np.stack(rows)

    def run():
        whole_set = directions(range(prompts), range(prompts))
        sve, rank = spread(whole_set)
        sves = [sve]
        for draw in range(3):
            rng = RandomState(42 + draw)
            part = max(1, prompts * 3 // 4)
            safe = rng.choice(prompts, part, replace=False)
            other = rng.choice(prompts, part, replace=False)
            sves.append(spread(directions(safe, other))[0])
        steady = 1 - np.std(sves) / max(abs(np.mean(sves)), LEAST)
        return {
            "sve": sve,
            "effective_rank": rank,
            "stability": float(np.clip(steady, 0, 1)),
            "mean_sve": float(np.mean(sves)),
            "mean_norm": float(np.mean([np.linalg.norm(row) for row in whole_set])),
        }

    return run


# EX1: d'


def ex1(small):
    count = 60 if small else 1_000
    rng = RandomState(1)
    signal, noise = differences(rng, count, 0.8), differences(rng, count, -0.2)

    def run():
        hit, false_alarm = float(np.mean(signal > 0)), float(np.mean(noise > 0))
        least = 1 / (2 * count)
        z_hit, z_false = (
            NormalDist().inv_cdf(min(max(rate, least), 1 - least)) for rate in (hit, false_alarm)
        )
        both = np.concatenate([signal, noise])
        labels = np.concatenate([np.ones(count), np.zeros(count)])
        points = [(1.0, 1.0)]
        for threshold in np.unique(both):
            above = both > threshold
            points.append(
                (
                    float(np.sum(above & (labels == 0))) / count,
                    float(np.sum(above & (labels == 1))) / count,
                )
            )
        points.append((0.0, 0.0))
        auc = 0.0
        for (x, y), (next_x, next_y) in zip(points, points[1:]):
            auc += abs(x - next_x) * (y + next_y) / 2
        return {
            "hit_rate": hit,
            "false_alarm_rate": false_alarm,
            "dprime": z_hit - z_false,
            "criterion": -0.5 * (z_hit + z_false),
            "auc": auc,
        }

    return run


# EX2: differential item functioning


def ex2(small):
    count = 13 if small else 500
    rng = RandomState(2)
    drawn = [differences(rng, count, 0.2 * group).tolist() for group in range(6)]

    def run():
        named = [np.array(group) for group in drawn]
        found = []
        for i, x in enumerate(named):
            for y in named[i + 1 :]:
                n, m = len(x), len(y)
                if n < 2 or m < 2:
                    continue
                pooled = ((n - 1) * np.var(x) + (m - 1) * np.var(y)) / (n + m - 2)
                found.append(float((x.mean() - y.mean()) / np.sqrt(pooled)) if pooled > 0 else 0.0)
        most = max(abs(d) for d in found)
        return {"max_dif": most, "value": 1 - min(most, 1.0), "sum_dif": sum(found)}

    return run


# EX11: Weber's law


SCALES = (0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.98, 1.0)


def ex11(small):
    prompts, heads = (20, 4) if small else (500, 16)
    rng = RandomState(111)
    bias = rng.randn(prompts)
    effect = 0.1 * rng.randn(prompts, heads) + 0.6 - 0.9 * np.arange(heads) / heads

    def mean_ld(scales):
        found = []
        for prompt in range(prompts):
            total = float(scales @ effect[prompt])
            found.append(0.2 * bias[prompt] + total + 0.05 * total * total)
        return float(np.mean(found))

    def jnds(level):
        baseline = mean_ld(np.full(heads, level))
        found = []
        for head in range(heads):
            noticed = None
            for scale in SCALES[:-1]:
                scales = np.full(heads, level)
                scales[head] *= scale
                if abs(baseline) >= LEAST and (baseline - mean_ld(scales)) / abs(baseline) > 0.05:
                    noticed = 1 - scale
            found.append(noticed)
        return found

    def run():
        full = [jnd for jnd in jnds(1.0) if jnd is not None]
        reduced = [jnd for jnd in jnds(0.5) if jnd is not None]
        both = full + [jnd / 0.5 for jnd in reduced]
        if len(both) > 1:
            consistency = 1 - float(np.std(both) / np.mean(both))
        else:
            consistency = float(len(both))
        return {
            "consistency": consistency,
            "n_detectable": len(full),
            "sum_jnd_full": sum(full),
            "sum_jnd_reduced": sum(reduced),
        }

    return run


# EX24: audit


def ex24(small):
    drawn = RandomState(24).randn(7 if small else 1_000, 12)

    def variation(values):
        return float(np.std(values) / max(abs(np.mean(values)), LEAST))

    def run():
        cvs, discriminability = [], 0.0
        for row in drawn:
            probe, ablation = 0.8 + 0.02 * row[:5], 1.0 + 0.1 * row[5:10]
            cvs.append((variation(probe) + variation(ablation)) / 2)
            apart = abs((0.8 + 0.02 * row[10]) - (1.0 + 0.1 * row[11]))
            discriminability += float(apart / max(np.std(probe), LEAST))
        return {
            "mean_cv": float(np.mean(cvs)),
            "cv_std": float(np.std(cvs)),
            "sum_discriminability": discriminability,
        }

    return run


# EX25: reproducibility


def ex25(small):
    runs, prompts = (5, 40) if small else (20, 400)
    rng = RandomState(25)
    base, noise = rng.randn(prompts), rng.randn(runs, prompts)

    def rank_correlation(a, b):
        n = min(len(a), len(b))
        if n < 3:
            return 1.0
        ranks = [np.argsort(np.argsort(x[:n], kind="stable"), kind="stable") for x in (a, b)]
        apart = (ranks[0] - ranks[1]).astype(float)
        return float(1 - 6 * (apart**2).sum() / (n * (n**2 - 1)))

    def run():
        found = []
        for seed in range(runs):
            part = max(2, int(prompts * 0.75))
            chosen = sorted(RandomState(seed).choice(prompts, part, replace=False))
            found.append(np.array([2 + base[at] + 0.3 * noise[seed, at] for at in chosen]))
        means = [float(np.mean(values)) for values in found]
        centre = float(np.mean(means))
        size = max(abs(centre), LEAST)
        deviating, pairs, coherence = 0, 0, []
        for i in range(runs):
            for j in range(i + 1, runs):
                pairs += 1
                deviating += abs(means[i] - means[j]) / size > 0.08
                coherence.append(rank_correlation(found[i], found[j]))
        return {
            "deviation_rate": deviating / pairs,
            "max_deviation": max(abs(mean - centre) / size for mean in means),
            "coherence": float(np.mean(coherence)),
        }

    return run


# EX34: NLA-SAE convergence


def ex34(small):
    sizes = (20, 16, 60, 100, 10) if small else (100, 256, 2_000, 4_096, 20)
    count, width, positions, words, k = sizes
    rng = RandomState(34)
    stream, unembed = rng.randn(positions, width), rng.randn(width, words)
    tokens = whole(rng, positions, words).tolist()
    directions = rng.randn(count, width)

    def run():
        overlaps, cosines = [], []
        for direction in directions:
            strongest = np.argsort(-np.abs(stream @ direction), kind="stable")[:k]
            said = {tokens[at] for at in strongest}
            promoted = np.argsort(-np.abs(direction @ unembed), kind="stable")[:k]
            overlaps.append(jaccard(said, set(promoted.tolist()), 1.0))
            rows = stream[strongest]
            if len(rows) < 3:
                cosines.append(1.0)
                continue
            _, _, v_t = np.linalg.svd(rows - rows.mean(axis=0), full_matrices=False)
            lengths = np.linalg.norm(direction) * np.linalg.norm(v_t[0])
            cosines.append(float(abs(direction @ v_t[0]) / max(lengths, LEAST)))
        return {
            "mean_token_overlap": float(np.mean(overlaps)),
            "mean_direction_cosine": float(np.mean(cosines)),
            "std_token_overlap": float(np.std(overlaps)),
            "std_direction_cosine": float(np.std(cosines)),
        }

    return run


# MIB: the faithfulness curve


THRESHOLDS = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0)


def mib(small):
    layers, heads, prompts = (3, 3, 20) if small else (8, 8, 100)
    effect = 0.05 * RandomState(9).randn(prompts, layers * heads) + 0.1

    def alone(kept):
        columns = [layer * heads + head for layer, head in sorted(kept)]
        total = 0.0
        for prompt in range(prompts):
            total += float(effect[prompt, columns].sum())
        return total

    def area(values):
        found = 0.0
        for at in range(len(THRESHOLDS) - 1):
            step = THRESHOLDS[at + 1] - THRESHOLDS[at]
            found += step * (values[at] + values[at + 1]) / 2
        return found

    def run():
        nodes = [(layer, head) for layer in range(layers) for head in range(heads)]
        edges = {(*a, *b) for a in nodes for b in nodes if a[0] < b[0]}
        order = sorted(edges, key=lambda edge: (edge[0], edge[2], edge[1], edge[3]))
        clean = alone(nodes)
        curve = []
        for threshold in THRESHOLDS:
            kept = order[: max(1, int(threshold * len(order)))]
            chosen = {edge[:2] for edge in kept} | {edge[2:] for edge in kept}
            curve.append(alone(chosen) / clean if abs(clean) >= LEAST else 0.0)
        return {
            "cpr": area(curve),
            "cmd": area([1 - value for value in curve]),
            "first": curve[0],
            "half": curve[8],
            "last": curve[9],
        }

    return run


WORKS = {
    work.__name__: work
    for work in (
        *(m07, m08, m10, m11, m12, m13, m13_features, m14),
        *(ex1, ex2, ex11, ex24, ex25, ex34, mib),
    )
}


def main():
    small = {"small": True, "large": False}[sys.argv[1]]
    known, run = None, None
    for line in sys.stdin:
        name = line.strip()
        if name != known:
            run = None
            known, run = name, WORKS[name](small)
        start = time.perf_counter()
        found = run()
        print(1e3 * (time.perf_counter() - start))
        print(json.dumps(found), flush=True)


if __name__ == "__main__":
    main()
