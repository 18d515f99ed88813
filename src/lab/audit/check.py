"""The audit's statistics and words anew, from what was measured, with NumPy and SciPy.

    sfc-bench audit --json > audit.json
    python3 check.py audit.json

Reads what `sfc-bench audit --json` prints, one report or several, and computes the numbers of its table from its rows
again: variation, differences with intervals and p, q, areas, rank correlations, partial ones,
changes, reach, costs, and how metrics go together; of the second edition every word, the number
behind it and how many words limits move, too. Ends with 0 if all numbers are as there to a relative
1e-9 and all words are the same, and with 1 otherwise. What it does not read: sentences, the order and
clusters of metrics, where a metric is least and greatest, and how many seeds would be enough.
"""

import json
import math
import sys
from collections import Counter, defaultdict
from statistics import NormalDist

import numpy as np

ROUNDING, SAME, NEAR = 1e-12, 1e-9, 1e-9
COUNTED = {"reference", "truth", "control", "dose", "variant"}


# ---- Student's t of whole degrees of freedom, in closed form (Abramowitz and Stegun, 26.7).


def t_within(t, freedom):
    """The probability of a size below |t|."""
    angle = math.atan(abs(t) / math.sqrt(freedom))
    s, c = math.sin(angle), math.cos(angle)
    if freedom == 1:
        return 2 * angle / math.pi
    if freedom % 2:
        term = total = c
        for k in range(3, freedom - 1, 2):
            term *= c * c * (k - 1) / k
            total += term
        return 2 / math.pi * (angle + s * total)
    term = total = 1.0
    for k in range(2, freedom - 1, 2):
        term *= c * c * (k - 1) / k
        total += term
    return s * total


def t_beyond(t, freedom):
    """The probability of a size of |t| or more; by the tail's series where it is small."""
    whole = 1 - t_within(t, freedom)
    if whole > 1e-3:
        return whole
    # x = v/(v + t^2): I_x(v/2, 1/2), a series that converges quickly for small x.
    x = freedom / (freedom + t * t)
    a = freedom / 2
    log_beta = math.lgamma(a) + math.lgamma(0.5) - math.lgamma(a + 0.5)
    term, total, n = 1.0, 1.0 / a, 0
    while True:
        n += 1
        term *= (n - 0.5) / n * x
        add = term / (a + n)
        total += add
        if add < 1e-17 * total:
            return math.exp(a * math.log(x) - log_beta) * total


def t_quantile(share, freedom):
    low, high = 0.0, 1e8
    for _ in range(200):
        middle = 0.5 * (low + high)
        if t_beyond(middle, freedom) > 2 * (1 - share):
            low = middle
        else:
            high = middle
    return 0.5 * (low + high)


# ---- Statistics of a few numbers.


def equal(values):
    low, high = min(values), max(values)
    return high - low <= ROUNDING * max(abs(low), abs(high))


def ranks(values):
    """Average ranks, after what is rounding at the size of the largest."""
    values = np.asarray(values, float)
    step = ROUNDING * np.abs(values).max()
    if step > 0:
        values = np.floor(np.abs(values / step) + 0.5) * np.sign(values)
    order = np.sort(values)
    below, up_to = (np.searchsorted(order, values, side) for side in ("left", "right"))
    return (below + up_to + 1) / 2


def pearson(x, y):
    x, y = x - x.mean(), y - y.mean()
    length = math.sqrt((x @ x) * (y @ y))
    return float(np.clip((x @ y) / length, -1, 1)) if length > 0 else None


def spearman(x, y):
    return pearson(ranks(x), ranks(y))


def partial(x, y, z):
    rho, xz, yz = spearman(x, y), spearman(x, z), spearman(y, z)
    if rho is None or xz is None or yz is None:
        return rho
    left = (1 - xz * xz), (1 - yz * yz)
    if min(left) <= 1e-12:
        return None
    return float(np.clip((rho - xz * yz) / math.sqrt(left[0] * left[1]), -1, 1))


def follows(values, what, statistic):
    if len(values) < 3 or equal(what):
        return None
    return 0.0 if equal(values) else statistic(values, what)


DRAWN = {}


def bootstrapped(values):
    """The studentised bootstrap's interval: 2,000 resamples by RandomState(0), of values without rounding."""
    n = len(values)
    step = ROUNDING * np.abs(values).max()
    if step > 0:
        values = np.floor(np.abs(values / step) + 0.5) * np.sign(values) * step
    if n not in DRAWN:
        rng = np.random.RandomState(0)
        DRAWN[n] = np.array([rng.randint(0, n, n) for _ in range(2000)])
    mean, error = values.mean(), values.std(ddof=1) / math.sqrt(n)
    some = values[DRAWN[n]]
    away = some.mean(axis=1) - mean
    spread = (some != some[:, :1]).any(axis=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        t = away / (some.std(axis=1, ddof=1) / math.sqrt(n))
    flat = np.where(away == 0, 0.0, np.copysign(np.inf, away))
    t = np.sort(np.where(spread, t, flat))

    def quantile(share):
        at = share * (len(t) - 1)
        low = int(at)
        high = min(low + 1, len(t) - 1)
        return t[low] if t[low] == t[high] else t[low] + (at - low) * (t[high] - t[low])

    low, high = mean - error * quantile(0.975), mean - error * quantile(0.025)
    return (low, high) if np.isfinite([low, high]).all() else None


def estimate(values, low=-math.inf, high=math.inf):
    """Mean, interval and p of numbers of seeds; none of none."""
    values = np.asarray(values, float)
    if not len(values):
        return None
    found = {"mean": values.mean(), "interval": None, "p": None, "seeds": len(values)}
    if len(values) == 1:
        return found
    if equal(values):
        found["mean"] = mean = values[0]
        found["p"] = 1.0 if abs(mean) <= ROUNDING else 2.0 ** (1 - len(values))
        ends = mean, mean
    else:
        error = values.std(ddof=1) / math.sqrt(len(values))
        freedom = len(values) - 1
        found["p"] = t_beyond(values.mean() / error, freedom)
        ends = bootstrapped(values) if len(values) >= 10 else None
        if ends is None:
            reach = t_quantile(0.975, freedom) * error
            ends = values.mean() - reach, values.mean() + reach
    found["interval"] = [min(max(end, low), high) for end in ends]
    return found


def variation(values):
    if len(values) < 2:
        return None
    if equal(values):
        return 0.0
    values = np.asarray(values)
    with np.errstate(divide="ignore"):
        found = values.std(ddof=1) / abs(values.mean())
    return found if np.isfinite(found) else None


def hedges(freedom):
    if freedom <= 1:
        return 0.0
    step = math.lgamma(freedom / 2) - math.lgamma((freedom - 1) / 2)
    return math.exp(step) / math.sqrt(freedom / 2)


def area(above, below):
    """The share of pairs in order. Means of equal numbers may differ in their last digits."""
    away = np.subtract.outer(above, below)
    away[np.abs(away) <= ROUNDING * np.maximum.outer(np.abs(above), np.abs(below))] = 0
    return float(np.mean(0.5 + 0.5 * np.sign(away)))


def area_ends(found, n):
    """Newcombe's fifth method, by halves."""
    z = NormalDist().inv_cdf(0.975)

    def below(found):
        low, high = 0.0, found
        for _ in range(200):
            theta = 0.5 * (low + high)
            skew = (1 - theta) / (2 - theta) + theta / (1 + theta)
            room = z * z / (n * n) * theta * (1 - theta) * (1 + (n - 1) * skew)
            if (found - theta) ** 2 > room:
                low = theta
            else:
                high = theta
        return high

    return [below(found), 1 - below(1 - found)]


def discoveries(p):
    """Benjamini and Hochberg's q."""
    order = np.argsort(p, kind="stable")[::-1]
    scaled = np.asarray(p)[order] * len(p) / np.arange(len(p), 0, -1)
    q = np.empty(len(p))
    q[order] = np.minimum(np.minimum.accumulate(scaled), 1)
    return q


# ---- Rows, by where they are from.


class Tally:
    """Numbers by seed and world, several a world where it has several places."""

    def __init__(self):
        self.found = defaultdict(list)

    def add(self, block, *numbers):
        self.found[block.key].append(numbers)

    def by_seed(self):
        seeds = defaultdict(dict)
        for (seed, world), numbers in sorted(self.found.items()):
            seeds[seed][world] = np.mean(numbers, axis=0)
        return seeds

    def seeds(self):
        """A row a seed: of those that have the worlds which most seeds have."""
        seeds = self.by_seed()
        count = Counter(tuple(worlds) for worlds in seeds.values())
        if not count:
            return np.zeros((0, 1))
        best = max((n, len(worlds)) for worlds, n in count.items())
        most = max(worlds for worlds, n in count.items() if (n, len(worlds)) == best)
        each = [worlds for worlds in seeds.values() if tuple(worlds) == most]
        return np.array([np.mean(list(worlds.values()), axis=0) for worlds in each])

    def numbers(self):
        return self.seeds()[:, 0]

    def mean(self):
        each = [np.mean(list(worlds.values()), axis=0)[0] for worlds in self.by_seed().values()]
        return float(np.mean(each)) if each else None


class Block:
    """All subjects of a world, a place and a seed, as one metric says it."""

    def __init__(self, key, rows, metric, sign):
        self.key, self.sign = key, sign
        self.said = [(row, v["value"]) for row in rows for v in row["values"]
                     if v["metric"] == metric and v["value"] is not None]

    def of(self, group, name=None):
        return [(row, x) for row, x in self.said if row["subject"]["group"] == group
                and name in (None, row["subject"]["name"])]

    def mean(self, group, name=None):
        values = [x for _, x in self.of(group, name)]
        return float(np.mean(values)) if values else None

    def names(self, group):
        return sorted({row["subject"]["name"] for row, _ in self.of(group)})


def control(pairs):
    """Reference and control of each seed, more being better."""
    own, other = pairs[:, 0], pairs[:, 1]
    n, both = len(pairs), np.abs(pairs).max()
    unit = 0.0
    if n > 1:
        pooled = math.sqrt((own.var(ddof=1) + other.var(ddof=1)) / 2)
        factor = hedges(2 * n - 2)
        if pooled > ROUNDING * both:
            unit = pooled / factor
    unit = unit or np.abs(own).max() or both or 1.0
    found = area(own, other)
    return estimate((own - other) / unit), found, area_ends(found, n) if n > 1 else None


def evidence(blocks):
    """What rows say of a metric."""
    seeds, samples, again = Tally(), Tally(), Tally()
    controls, doses, rhos = defaultdict(Tally), {}, defaultdict(Tally)
    valid, changes = [Tally(), Tally(), Tally()], defaultdict(Tally)
    for block in blocks:
        counted = [(row, block.sign * x) for row, x in block.said
                   if row["subject"]["group"] in COUNTED and row["truth"] is not None]
        if counted:
            truths = [row["truth"] for row, _ in counted]
            found = follows([x for _, x in counted], truths, spearman)
            if found is not None:
                valid[0].add(block, found)
            for tally, given in zip(valid[1:], ["size", "width"]):
                some = [(row, x) for row, x in counted if row[given] is not None]
                z = [row[given] for row, _ in some]
                found = follows([x for _, x in some], [row["truth"] for row, _ in some],
                                lambda x, y: partial(x, y, z)) if some else None
                if found is not None:
                    tally.add(block, found)
        reference = block.mean("reference")
        if reference is None:
            continue
        seeds.add(block, reference)
        for group, tally in [("sample", samples), ("again", again)]:
            cv = variation([reference] + [x for _, x in block.of(group)])
            if cv is not None:
                tally.add(block, cv)
        for name in block.names("control"):
            value = block.mean("control", name)
            same = abs(value - reference) <= SAME * abs(reference)
            controls[name].add(block, block.sign * reference,
                               block.sign * (reference if same else value))
        for name in block.names("dose"):
            said = [(row["subject"]["level"], x) for row, x in block.of("dose", name)]
            said.append((1.0, reference))
            for level, value in said:
                doses.setdefault(name, {}).setdefault(level, Tally()).add(block, value)
            rho = follows([block.sign * x for _, x in said], [level for level, _ in said], spearman)
            if rho is not None:
                rhos[name].add(block, rho)
        random = block.mean("control", "random")
        for name in block.names("same"):
            for _, value in block.of("same", name):
                scale = abs(reference) or abs(value)
                if random is not None:
                    apart = abs(reference - random)
                    if apart > SAME * max(abs(reference), abs(random)):
                        scale = apart
                away = abs(value - reference)
                changes[name].add(block, away / scale if away > 0 else 0.0)
    values = [(x, v) for block in blocks for row, x in block.said for v in [x]]
    costs = [(v["seconds"], v["evaluations"]) for block in blocks for row, _ in block.said
             for v in row["values"] if v["metric"] == block.metric]
    return {
        "cv": (variation(seeds.numbers()), samples.mean(), again.mean()),
        "controls": {name: control(tally.seeds()) for name, tally in controls.items()},
        "levels": {(name, level): estimate(tally.numbers())
                   for name, levels in doses.items() for level, tally in levels.items()},
        "doses": {name: estimate(tally.numbers(), -1, 1) for name, tally in rhos.items()},
        "validity": [estimate(tally.numbers(), -1, 1) for tally in valid],
        "changes": {name: estimate(tally.numbers(), 0) for name, tally in changes.items()},
        "reach": (min(values)[0], max(values)[0]) if values else None,
        "cost": tuple(np.median(costs, axis=0)) if costs else None,
        "unsearched": [x for block in blocks for row, x in block.said
                       if row["subject"]["group"] != "extreme"],
    }


class Compared:
    """Numbers held against those of the table."""

    def __init__(self):
        self.count, self.worst, self.differ = 0, 0.0, []

    def number(self, where, own, other):
        self.count += 1
        if own is None or other is None:
            if own is not other:
                self.differ.append(f"{where}: {own} here, {other} there")
            return
        away = abs(own - other) / max(abs(own), abs(other), 1e-3)
        self.worst = max(self.worst, away)
        if not away <= NEAR:
            self.differ.append(f"{where}: {own!r} here, {other!r} there")

    def same(self, where, own, other):
        self.count += 1
        if own != other:
            self.differ.append(f"{where}: {own!r} here, {other!r} there")

    def estimate(self, where, own, other, p=True, q=True):
        if own is None or other is None:
            self.number(where, own and own["mean"], other and other["mean"])
            return
        self.number(f"{where}, mean", own["mean"], other["mean"])
        self.number(f"{where}, seeds", own["seeds"], other["seeds"])
        for end in range(2):
            ends = [found["interval"] and found["interval"][end] for found in (own, other)]
            self.number(f"{where}, interval", *ends)
        if p:
            self.number(f"{where}, p", own["p"], other["p"])
        if p and q:
            self.number(f"{where}, q", own.get("q"), other["q"])


# ---- The second edition: a world at a time, models as units, words from intervals.

STREAMS = {"stream0", "stream1", "stream2", "toys"}
KINDS = {"planted": "circuit", "tasks": "circuit", "models": "model", "scores": "scores"}
TRUTHS = ["directions", "activations", "subspace", "steering", "ablation", "probing", "overlap",
          "accuracy", "noise"]
TIED = {"subspace": ("sfc.f", "sfc.c.", "sfc.score."),
        "activations": ("fade.responsiveness.", "fade.purity.", "fade.clarity.", "ce-bench.winner."),
        "steering": ("fade.faithfulness.",), "probing": ("fade.clarity.",),
        "accuracy": ("mui.performance", "mui.pur."), "noise": ("ex2.", "ex24.", "ex25.")}
OF_CODES = ("m10.", "m12.", "ex34.", "fade.clarity.", "fade.responsiveness.", "fade.purity.", "ce-bench.")
OF_CODES_ALONE = {"sfc.s", "sfc.c.row-space", "m07.agreement.code", "m07.agreement.document"}
OWN = {"reference", "truth", "control", "dose", "variant", "trained"}
RANKS = {"reversed": 0, "fails": 1, "inconclusive": 2, "partly": 3, "overlaps": 3, "holds": 4,
         "separates": 4}
TOLD = {"told": "separates", "reversed": "reversed", "not-seen": "fails", "overlaps": "overlaps",
        "inconclusive": "inconclusive"}


def setting(world):
    return "streams" if world in STREAMS else world


def trained(row):
    group, level = row["subject"]["group"], row["subject"]["level"]
    if group == "dose":
        # At level 0 nothing is left: it is a control.
        return row["world"] in KINDS and level > 0
    return group in {"reference", "variant", "trained"}


def is_tied(truth, where, metric):
    if truth == "overlap":
        return where == "tasks" and metric.startswith("mib.")
    return metric.startswith(TIED.get(truth, ("\0",)))


def model_of(key, place):
    seed, world = key
    if world == "toys":
        return place
    if world in STREAMS or world in {"tasks", "models"}:
        return "ck-12000"
    return f"{seed:06d}"


class Units:
    """Numbers by what intervals are over: models where there are three, else seeds."""

    def __init__(self):
        self.found = defaultdict(list)

    def add(self, unit, *numbers):
        self.found[unit].append(numbers)

    def all(self):
        return np.array([np.mean(self.found[unit], axis=0) for unit in sorted(self.found)])

    def numbers(self):
        return self.all()[:, 0] if self.found else np.zeros(0)


class Worlds:
    """What all metrics share: the units of each setting, and the controls that lose by truth."""

    def __init__(self, places):
        models = defaultdict(set)
        for seed, world, place in places:
            models[setting(world)].add(model_of((seed, world), place))
        self.by_model = {where: len(some) >= 3 for where, some in models.items()}
        tallies = defaultdict(Units)
        names = set()
        for (seed, world, place), rows in sorted(places.items()):
            unit = self.unit((seed, world), place)
            references = [row for row in rows if row["subject"]["group"] == "reference"]
            for row in rows:
                if row["subject"]["group"] != "control":
                    continue
                where = setting(world), row["subject"]["name"]
                names.add(where)
                for truth in TRUTHS:
                    own = [r["truths"][truth] for r in references if truth in r.get("truths", {})]
                    other = row.get("truths", {}).get(truth)
                    if own and other is not None:
                        tallies[where, truth].add(unit, own[0] - other)
        self.loses = {}
        for where in names:
            ends = []
            for (control_of, _), tally in tallies.items():
                if control_of == where:
                    found = estimate(tally.numbers())
                    ends.append(found["interval"] or [found["mean"]] * 2)
            above, below = any(low > 0 for low, _ in ends), any(high < 0 for _, high in ends)
            self.loses[where] = not ends or (above and not below)

    def unit(self, key, place):
        if self.by_model[setting(key[1])]:
            return model_of(key, place)
        return f"{key[0]:06d}"


def intraclass(table):
    """ICC(C,1) of subjects by units, its exact interval, the smallest difference to believe."""
    # SciPy has these quantiles in `stats`, too, which takes longer to import than the rest of this program.
    from scipy.special import fdtri, stdtrit

    n, k = table.shape
    rows, columns, grand = table.mean(axis=1), table.mean(axis=0), table.mean()
    freedom = (n - 1) * (k - 1)
    above = k * ((rows - grand) ** 2).sum() / (n - 1)
    left = ((table - rows[:, None] - columns + grand) ** 2).sum() / freedom
    if above + left <= 0:
        return None
    if left == 0:
        return 1.0, [1.0, 1.0], 0.0
    f = above / left
    low = f / fdtri(n - 1, freedom, 0.975)
    high = f * fdtri(freedom, n - 1, 0.975)
    icc = [(x - 1) / (x + k - 1) for x in (f, low, high)]
    return icc[0], icc[1:], stdtrit(freedom, 0.975) * math.sqrt(2 * left)


def unit_ranks(values):
    away = ranks(values) - (len(values) + 1) / 2
    length = math.sqrt((away ** 2).sum())
    return away / length if length > 0 else away


def over_subjects(places):
    """p of the mean rank correlation where one permutation of the subjects is applied to the truths of all places."""
    common = [key for key in places[0][1] if all(key in some for _, some in places)]
    if len(common) < 3:
        return None
    count = Counter(unit for unit, _ in places)
    whole = sum(1 / count[unit] for unit, _ in places)
    sums = np.zeros((len(common), len(common)))
    for unit, some in places:
        x, y = (unit_ranks([some[key][at] for key in common]) for at in (0, 1))
        sums += np.outer(x, y) / count[unit] / whole
    variance = (sums ** 2).sum() / (len(common) - 1)
    return math.erfc(abs(np.trace(sums)) / math.sqrt(2 * variance)) if variance > 0 else None


def once(found):
    """What every draw gives alike: nothing is known of how it varies."""
    return found and {**found, "interval": None, "p": None}


def second_evidence(blocks, worlds, about):
    subjects = defaultdict(lambda: defaultdict(lambda: defaultdict(list)))
    controls, differs = defaultdict(Units), defaultdict(bool)
    rhos, given, most = defaultdict(Units), defaultdict(Units), defaultdict(int)
    of_size, of_width = defaultdict(Units), defaultdict(Units)
    spread, changes = defaultdict(list), defaultdict(Units)
    places, drawn, units_of = defaultdict(list), defaultdict(list), defaultdict(set)
    for block in blocks:
        where, unit = setting(block.key[1]), worlds.unit(block.key, block.place)
        kept = []
        for row, x in block.said:
            if row["subject"]["group"] in OWN:
                spread[where].append(x)
                units_of[where].add(unit)
                here = "" if block.key[1] == "toys" else block.place
                drawn[where, block.key[1], here, row["subject"]["group"], row["subject"]["name"],
                      row["subject"]["level"]].append(x)
            if not trained(row):
                continue
            subject = row["subject"]
            # Of a reader's own, architectures are what is compared.
            own = f"{row['place']}/" if row["world"] == "own" else ""
            key = subject["group"], own + subject["name"], subject["level"]
            subjects[where][key][unit].append(x)
            same = [o for o, _ in kept if o.get("truths") == row.get("truths")
                    and o["size"] == row["size"] and o["width"] == row["width"]
                    and [(v["metric"], v["value"]) for v in o["values"]]
                    == [(v["metric"], v["value"]) for v in row["values"]]]
            if not same:
                kept.append((row, x))
        for truth in TRUTHS:
            pairs = [(block.sign * x, row["truths"][truth], row["size"], row["width"])
                     for row, x in kept if truth in row.get("truths", {})]
            if not pairs:
                continue
            most[where, truth] = max(most[where, truth], len(pairs))
            x, y, size, width = map(list, zip(*pairs))
            if len(pairs) < 3 or equal(x) or equal(y):
                continue
            rho = spearman(x, y)
            if rho is not None:
                rhos[where, truth].add(unit, rho)
                keys = [(row["subject"]["group"], row["subject"]["name"], row["subject"]["level"])
                        for row, _ in kept if truth in row.get("truths", {})]
                places[where, truth].append((unit, dict(zip(keys, zip(x, y)))))
            for tally, some, sign in [(of_size, size, -1), (of_width, width, 1)]:
                rho = spearman(some, y) if None not in some and not equal(some) else None
                if rho is not None:
                    tally[where, truth].add(unit, sign * rho)
            rho = partial(x, y, size) if None not in size else None
            if rho is not None:
                given[where, truth].add(unit, rho)
        reference = block.mean("reference")
        if reference is None:
            continue
        for name in block.names("control"):
            value = block.mean("control", name)
            same = abs(value - reference) <= SAME * abs(reference)
            differs[where, name] |= not same
            passes = about["condition"] is not None and holds_at(about["condition"], value)
            controls[where, name].add(unit, block.sign * reference,
                                      block.sign * (reference if same else value), passes)
    for block in blocks:
        where, reference = setting(block.key[1]), block.mean("reference")
        values = spread[where]
        if reference is None or len(values) < 2:
            continue
        size = np.std(values, ddof=1)
        if size <= ROUNDING * np.abs(values).max():
            continue
        for name in block.names("same"):
            for _, value in block.of("same", name):
                changes[where, name].add(worlds.unit(block.key, block.place),
                                         abs(value - reference) / size)
    found = {"controls": {}, "truths": {}, "stability": {}, "changes": {}}
    # What is the same on every draw was measured once.
    alike = {where for where, units in units_of.items() if len(units) > 1 and all(
        equal(values) for key, values in drawn.items() if key[0] == where)}
    for key, tally in controls.items():
        pairs = tally.all()
        blind = key[1] == "permuted" and (
            about["id"] in OF_CODES_ALONE or about["id"].startswith(OF_CODES))
        word = None
        if not worlds.loses.get(key, True):
            word = "not-applicable"
        elif not differs[key] and blind:
            word = "equal"
        elif not differs[key] and len(pairs) > 1:
            # Of one unit it is not known whether they differ.
            word = "not-seen"
        passes = pairs[:, 2].mean() if about["condition"] else None
        difference, auc, ends = control(pairs[:, :2])
        if key[0] in alike:
            difference, ends = once(difference), None
        found["controls"][key] = [difference, auc, ends, word, passes]
    for key, count in most.items():
        rho, given_size = (estimate(some[key].numbers(), -1, 1) if key in some else None
                           for some in (rhos, given))
        subjects_p = over_subjects(places[key]) if key in places else None
        if key[0] in alike:
            rho, given_size = once(rho), once(given_size)
        models_p = rho and rho["p"]
        if rho:
            rho["p"] = None if None in (models_p, subjects_p) else max(models_p, subjects_p)
        found["truths"][key] = [rho, count, is_tied(key[1], key[0], about["id"]), given_size,
                                models_p, subjects_p,
                                *(estimate(some[key].numbers(), -1, 1) if key in some else None
                                  for some in (of_size, of_width))]
    for where, some in subjects.items():
        units = sorted({unit for by_unit in some.values() for unit in by_unit})
        whole = [[np.mean(by_unit[unit]) for unit in units] for by_unit in some.values()
                 if len(by_unit) == len(units)]
        if where not in alike and len(whole) >= 3 and len(units) >= 2 and not equal([x for row in whole for x in row]):
            icc = intraclass(np.array(whole))
            if icc:
                found["stability"][where] = [*icc, len(whole), len(units)]
    for key, tally in changes.items():
        found["changes"][key] = estimate(tally.numbers(), 0)
    return found


def worst(words):
    words = [word for word in words if word in RANKS]
    return min(words, key=lambda word: RANKS[word]) if words else None


def control_word(found, limits):
    difference, _, ends, word, _ = found
    if word:
        return word
    if difference.get("q") is None or difference["q"] > limits["fdr"]:
        return "inconclusive"
    if difference["mean"] < 0:
        return "reversed"
    if ends and ends[0] >= limits["separates"]:
        return "told"
    if ends and ends[1] <= 1 - limits["separates"]:
        return "reversed"
    return "overlaps"


def truth_word(found, limits):
    rho, _, is_tied_to = found[:3]
    if is_tied_to:
        return "tied"
    if rho is None or rho["interval"] is None:
        return "inconclusive"
    (low, high), sure = rho["interval"], rho["q"] is not None and rho["q"] <= limits["fdr"]
    if sure and low > limits["validity"]:
        return "holds"
    if sure and low > 0:
        return "partly"
    if sure and high < 0:
        return "reversed"
    return "fails" if high < limits["validity"] else "inconclusive"


def stability_word(found, limits):
    low, high = found[1]
    if low >= limits["icc"]:
        return "holds"
    if low >= limits["icc_partly"]:
        return "partly"
    return "fails" if high < limits["icc_partly"] else "inconclusive"


def change_word(found, limits):
    if found["interval"] is None:
        return "inconclusive"
    low, high = found["interval"]
    return "holds" if high <= limits["change"] else "fails" if low > limits["change"] else "inconclusive"


def holds_at(condition, value):
    limit = condition["limit"]
    return {"above": value > limit, "at-least": value >= limit, "below": value < limit,
            "at-most": value <= limit}[condition["relation"]]


def can(condition, reach):
    low, high = (end if end is not None else far for end, far in zip(reach, (-math.inf, math.inf)))
    limit = condition["limit"]
    return {"above": (high > limit, low <= limit), "at-least": (high >= limit, low < limit),
            "below": (low < limit, high >= limit), "at-most": (low <= limit, high > limit)
            }[condition["relation"]]


def stem(name):
    return ".".join(name.split(".")[:2])


def second_words(report, found, values, costs, limits):
    """The word of every cell, by metric and column."""
    metrics = {about["id"]: about for about in report["metrics"]}
    correlations = report["table"]["correlations"]
    place = {name: at for at, name in enumerate(correlations["metrics"])}
    follows = {name: {key for key, one in own["truths"].items() if truth_word(one, limits) == "holds"}
               for name, own in found.items()}
    words = {}
    for name, about in metrics.items():
        own = found[name]
        stable = [stability_word(one, limits) for one in own["stability"].values()]
        words[name, "reliability"] = worst(stable) or "inconclusive"

        told = [control_word(one, limits) for one in own["controls"].values()]
        words[name, "discrimination"] = worst([TOLD[word] for word in told if word in TOLD]) or (
            "equal" if "equal" in told else "not-applicable")

        by_world = defaultdict(list)
        for (where, _), one in own["truths"].items():
            by_world[where].append(truth_word(one, limits))
        middle = [sorted(RANKS[word] for word in some if word in RANKS) for some in by_world.values()]
        middle = [some[(len(some) - 1) // 2] for some in middle if some]
        names = {RANKS[word]: word for word in ["reversed", "fails", "inconclusive", "partly", "holds"]}
        words[name, "validity"] = names[min(middle)] if middle else (
            "tied" if by_world else "not-applicable")

        changed = [change_word(one, limits) for one in own["changes"].values()]
        hold, fail = changed.count("holds"), changed.count("fails")
        words[name, "invariance"] = (
            "not-applicable" if not changed else "holds" if hold == len(changed)
            else "partly" if fail and hold else "fails" if fail else "inconclusive")

        condition = about["condition"]
        if not condition:
            words[name, "reach"] = "not-applicable"
        else:
            passed = [holds_at(condition, x) for x in values[name]]
            passes, fails = can(condition, about["reach"])
            passes, fails = passes or any(passed), fails or not all(passed)
            words[name, "reach"] = (
                "fails" if not (passes and fails) else "inconclusive" if not passed
                else "holds" if any(passed) and not all(passed) else "partly")

        alike = []
        if name in place:
            row = correlations["rho"][place[name]]
            alike = [(other, rho) for other, rho in zip(correlations["metrics"], row)
                     if other != name and rho is not None]
        same = [other for other, rho in alike if abs(rho) >= limits["redundancy"]]

        def is_reading(other):
            one, two = metrics[name], metrics[other]
            return one["paper"] == two["paper"] and (
                one["name"] == two["name"] or stem(name) == stem(other))

        others = [other for other in same if not is_reading(other)]
        others = [other for other in others if not follows[name] & follows[other]]
        words[name, "redundancy"] = ("inconclusive" if not alike else "fails" if others
                                     else "partly" if same else "holds")
        took = costs[name]
        words[name, "cost"] = (
            "inconclusive" if took is None else "holds" if took <= limits["seconds"]
            else "partly" if took <= limits["seconds_partly"] else "fails")
    return words


def second(report, places, compared):
    """Holds all numbers and words of the second edition against the table's."""
    worlds = Worlds(places)
    found, plain, values, costs, claimed = {}, {}, {}, {}, []
    for about in report["metrics"]:
        name, sign, blocks = about["id"], 1 if about["better"] == "higher" else -1, []
        for (seed, world, place), rows in sorted(places.items()):
            block = Block((seed, world), rows, name, sign)
            block.metric, block.place = name, place
            blocks.append(block)
        own = found[name] = second_evidence(blocks, worlds, about)
        plain[name] = evidence(blocks)
        values[name] = [x for block in blocks for _, x in block.said]
        took = [v["seconds"] for block in blocks for row, _ in block.said
                for v in row["values"] if v["metric"] == name]
        costs[name] = float(np.median(took)) if took else None
        counted = [one[0] for one in own["controls"].values() if one[3] in (None, "not-seen")]
        followed = [one[0] for one in own["truths"].values() if one[0] and not one[2]]
        claimed += [one for one in counted + followed if one and one["p"] is not None]
    for one, q in zip(claimed, discoveries([one["p"] for one in claimed]) if claimed else []):
        one["q"] = q
    limits = report["settings"]
    for entry in report["table"]["entries"]:
        name, theirs = entry["metric"], entry["evidence"]
        own = found[name]
        same_in_both(name, plain[name], theirs, compared)
        parts = [("controls", theirs["controls"], lambda one: one["name"]),
                 ("truths", theirs["validity"]["truths"], lambda one: one["truth"]),
                 ("changes", theirs["changes"], lambda one: one["name"])]
        for part, some, what in parts:
            compared.same(f"{name} {part}", sorted(own[part]),
                          sorted((one["world"], what(one)) for one in some))
        for one in theirs["controls"]:
            mine = own["controls"][one["world"], one["name"]]
            where = f"{name} against {one['name']} on {one['world']}"
            compared.estimate(where, mine[0], one["difference"])
            compared.number(f"{where}, area", mine[1], one["auc"])
            for end in range(2):
                compared.number(f"{where}, area's interval", mine[2] and mine[2][end],
                                one["auc_interval"] and one["auc_interval"][end])
            compared.number(f"{where}, passes", mine[4], one["passes"])
            compared.same(f"{where}, models", worlds.by_model[one["world"]], one["models"])
            compared.same(where, control_word(mine, limits), one["word"])
        for one in theirs["validity"]["truths"]:
            mine = own["truths"][one["world"], one["truth"]]
            where = f"{name} and {one['truth']} on {one['world']}"
            compared.estimate(where, mine[0], one["rho"])
            compared.estimate(f"{where}, given size", mine[3], one["given_size"])
            compared.estimate(f"{where}, size alone", mine[6], one["of_size"], p=False)
            compared.estimate(f"{where}, width alone", mine[7], one["of_width"], p=False)
            compared.number(f"{where}, p over models", mine[4], one["p_models"])
            compared.number(f"{where}, p over subjects", mine[5], one["p_subjects"])
            compared.number(f"{where}, subjects", mine[1], one["subjects"])
            compared.same(f"{where}, tied", mine[2], one["tied"])
            compared.same(f"{where}, models", worlds.by_model[one["world"]], one["models"])
            compared.same(where, truth_word(mine, limits), one["word"])
        for one in theirs["changes"]:
            mine = own["changes"][one["world"], one["name"]]
            where = f"{name}, {one['name']} on {one['world']}"
            compared.estimate(where, mine, one["change"], p=False)
            compared.same(where, change_word(mine, limits), one["word"])
        stability = theirs["reliability"]["worlds"]
        compared.same(f"{name} stability", sorted(own["stability"]),
                      sorted(one["world"] for one in stability))
        for one in stability:
            icc, ends, least, subjects, units = mine = own["stability"][one["world"]]
            where = f"{name}, ICC on {one['world']}"
            pairs = [(icc, one["icc"]), (ends[0], one["interval"][0]),
                     (ends[1], one["interval"][1]), (least, one["least_difference"]),
                     (subjects, one["subjects"]), (units, one["units"])]
            for own_number, their_number in pairs:
                compared.number(where, own_number, their_number)
            compared.same(where, stability_word(mine, limits), one["word"])
    words = second_words(report, found, values, costs, limits)
    for entry in report["table"]["entries"]:
        name = entry["metric"]
        numbers = headlines(found[name], plain[name], costs[name], limits,
                            next(about for about in report["metrics"] if about["id"] == name))
        numbers["redundancy"] = nearest(report["table"]["correlations"], name)
        for cell in entry["cells"]:
            column = cell["column"]
            compared.same(f"{name} {column}", words[name, column], cell["word"])
            compared.number(f"{name} {column}, number", numbers[column], cell["value"])
    # What moved limits change: of metrics that have values, the columns that have such limits.
    counted = [(name, column) for name in found if values[name]
               for column in ["reliability", "discrimination", "validity", "invariance", "redundancy"]]
    sensitivity = report["table"].get("sensitivity")
    # Of a part nothing is said of limits.
    if sensitivity is None:
        return
    compared.number("words that hang on limits", len(counted), sensitivity["words"])
    for key, by in [("lower", -sensitivity["by"]), ("higher", sensitivity["by"])]:
        moved = dict(limits)
        for limit in ["separates", "icc", "icc_partly", "validity", "redundancy"]:
            moved[limit] = min(max(limits[limit] + by, 0.0), 1.0)
        moved["change"] = max(limits["change"] + by, 0.0)
        others = second_words(report, found, values, costs, moved)
        count = sum(others[cell] != words[cell] for cell in counted)
        compared.number(f"words that change where limits are {key}", count, sensitivity[key])


def nearest(correlations, name):
    """The largest size of a correlation with another metric."""
    if name not in correlations["metrics"]:
        return None
    at = correlations["metrics"].index(name)
    sizes = [abs(rho) for other, rho in enumerate(correlations["rho"][at]) if other != at and rho is not None]
    return max(sizes, default=None)


def headlines(own, plain, cost, limits, about):
    """The number behind each word that has one: of the worst world, as the words have it."""
    def least(some, rank, then):
        return min(some, key=lambda one: (rank(one), then(one))) if some else None

    stable = least(list(own["stability"].values()),
                   lambda one: RANKS[stability_word(one, limits)], lambda one: one[1][0])
    told = [one for one in own["controls"].values() if control_word(one, limits) in TOLD]
    control = least(told, lambda one: RANKS[TOLD[control_word(one, limits)]], lambda one: one[1])

    def place(one):
        return RANKS[truth_word(one, limits)], one[0]["mean"] if one[0] else -math.inf

    by_world = defaultdict(list)
    for (where, _), one in own["truths"].items():
        if not one[2]:
            by_world[where].append(one)
    middle = [sorted(some, key=place)[(len(some) - 1) // 2] for some in by_world.values()]
    truth = min(middle, key=place) if middle else None
    changed = [one["mean"] for one in own["changes"].values()]
    passed = [holds_at(about["condition"], x) for x in plain["unsearched"]] if about["condition"] else []
    return {
        "reliability": stable[0] if stable else None,
        "discrimination": control[1] if control else None,
        "validity": truth[0]["mean"] if truth and truth[0] else None,
        "invariance": max(changed) if changed else None,
        "reach": float(np.mean(passed)) if passed else None,
        "cost": cost,
    }


def same_in_both(name, own, theirs, compared):
    """Holds what both editions compute alike."""
    for key, value in zip(["cv_seeds", "cv_samples", "cv_own"], own["cv"]):
        compared.number(f"{name} {key}", value, theirs["reliability"][key])
    for one in theirs["doses"]:
        compared.estimate(f"{name} {one['name']}", own["doses"].get(one["name"]), one["rho"], q=False)
        for level, mean, ends in one["levels"]:
            mine = own["levels"][one["name"], level]
            compared.number(f"{name} {one['name']} at {level}", mine["mean"], mean)
            for end in range(2):
                compared.number(f"{name} {one['name']} at {level}, interval",
                                mine["interval"] and mine["interval"][end], ends and ends[end])
    if theirs["reach"]:
        for key, value in zip(["least", "greatest"], own["reach"]):
            compared.number(f"{name} {key}", value, theirs["reach"][key])
    if theirs["cost"]:
        for key, value in zip(["seconds", "evaluations"], own["cost"]):
            compared.number(f"{name} {key}", value, theirs["cost"][key])


def agrees(path):
    """Whether a report's table has what its rows say; prints what is other."""
    with open(path, encoding="utf-8") as file:
        report = json.load(file)
    is_second = report["settings"].get("edition", "1") == "2"
    places = defaultdict(list)
    for rows in [report["own"]] if report.get("own") else [job["rows"] for job in report["jobs"]]:
        for row in rows:
            if is_second or in_first_edition(row):
                places[row["seed"], row["world"], row["place"]].append(row)
    compared = Compared()
    if is_second:
        second(report, places, compared)
        keep = trained
    else:
        first(report, places, compared)
        keep = lambda row: row["subject"]["group"] != "extreme"
    together(report, places, compared, keep)
    for line in compared.differ[:20]:
        print(line)
    print(f"{path}: {compared.count} numbers and words, {len(compared.differ)} of them other than in the table; "
          f"the largest relative difference is {compared.worst:.1e}")
    return compared.count and not compared.differ


def main():
    reports = sys.argv[1:] or sys.exit(__doc__)
    # A list: all are looked at, whatever the first one is.
    sys.exit(0 if all([agrees(path) for path in reports]) else 1)


def in_first_edition(row):
    """Not of subjects that the first edition does not have."""
    group, name = row["subject"]["group"], row["subject"]["name"]
    return group != "trained" and not (group == "control" and name in {"pca", "k-means", "frozen-decoder"})


def first(report, places, compared):
    """Holds all numbers of the first edition against the table's."""
    found, tested = {}, []
    for about in report["metrics"]:
        blocks = []
        for (seed, world, _), rows in sorted(places.items()):
            sign = 1 if about["better"] == "higher" else -1
            block = Block((seed, world), rows, about["id"], sign)
            block.metric = about["id"]
            blocks.append(block)
        own = found[about["id"]] = evidence(blocks)
        each = [difference for difference, _, _ in own["controls"].values()]
        each += list(own["doses"].values()) + own["validity"]
        tested += [one for one in each if one and one["p"] is not None]
    for one, q in zip(tested, discoveries([one["p"] for one in tested]) if tested else []):
        one["q"] = q

    for entry in report["table"]["entries"]:
        name, theirs, own = entry["metric"], entry["evidence"], found[entry["metric"]]
        same_in_both(name, own, theirs, compared)
        assert {one["name"] for one in theirs["controls"]} == set(own["controls"]), name
        for one in theirs["controls"]:
            difference, auc, ends = own["controls"][one["name"]]
            where = f"{name} against {one['name']}"
            compared.estimate(where, difference, one["difference"])
            compared.number(f"{where}, area", auc, one["auc"])
            for end in range(2):
                compared.number(f"{where}, area's interval", ends and ends[end],
                                one["auc_interval"] and one["auc_interval"][end])
        for one in theirs["doses"]:
            mine = own["doses"].get(one["name"])
            compared.number(f"{name} {one['name']}, q", mine and mine.get("q"), one["rho"] and one["rho"]["q"])
        parts = ["rho", "given_size", "given_width"]
        for part, value in zip(parts, own["validity"]):
            compared.estimate(f"{name} {part}", value, theirs["validity"][part])
        for one in theirs["changes"]:
            compared.estimate(f"{name} {one['name']}", own["changes"][one["name"]],
                              one["change"], p=False)


def together(report, places, compared, keep):
    """How metrics go together, over the subjects of a place that both have."""
    ids = report["table"]["correlations"]["metrics"]
    tallies = defaultdict(Tally)
    for (seed, world, _), rows in sorted(places.items()):
        said = {}
        for name in ids:
            values = [next((v["value"] for v in row["values"] if v["metric"] == name), None)
                      for row in rows if keep(row)]
            said[name] = np.array([math.nan if x is None else x for x in values])
        block = Block((seed, world), [], "", 1)
        for i, one in enumerate(ids):
            for other in ids[i + 1:]:
                x, y = said[one], said[other]
                # Whoever does not vary over all has no order.
                whole = [v[~np.isnan(v)] for v in (x, y)]
                if any(len(v) < 3 or equal(v) for v in whole):
                    continue
                both = ~np.isnan(x) & ~np.isnan(y)
                if both.sum() < 3 or equal(x[both]) or equal(y[both]):
                    continue
                rho = spearman(x[both], y[both])
                if rho is not None:
                    tallies[one, other].add(block, rho)
    theirs = report["table"]["correlations"]["rho"]
    for i, one in enumerate(ids):
        for j in range(i + 1, len(ids)):
            tally = tallies.get((one, ids[j]))
            own = tally.mean() if tally else None
            compared.number(f"{one} and {ids[j]}", own, theirs[i][j])


main()
