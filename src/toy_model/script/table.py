
# A table of this program's numbers above sfc-bench's.
ROWS = []


def row(about, here, there, within):
    """Numbers by name, here and there, and how far apart they may be: not at all unless said."""
    ROWS.append((about, [(name, here[name], there[name], within.get(name, 0)) for name in here]))


def agree_within(here, there, tolerance):
    if here is None or there is None:
        return here is there
    return bool(abs(here - there) <= tolerance)


def shown(value):
    if value is None or isinstance(value, bool):
        return {None: "-", True: "yes", False: "no"}[value]
    return f"{value:.6g}"


def end(within):
    """Prints the table. Whether all agree is the exit status."""
    wide = max(len(about) for about, _ in ROWS)
    names, agreed, count = None, 0, 0
    for about, numbers in ROWS:
        if names != (names := [name for name, *_ in numbers]):
            print("\n" + " " * (wide + 11) + "".join(f"{name:>17}" for name in names))
        right = [agree_within(*values) for _, *values in numbers]
        here = [shown(value) for _, value, _, _ in numbers]
        there = [shown(value) for _, _, value, _ in numbers]
        there = [text if agrees else f"({text})" for text, agrees in zip(there, right)]
        print(f"{about:{wide}}      NumPy" + "".join(f"{text:>17}" for text in here))
        print(" " * wide + "  sfc-bench" + "".join(f"{text:>17}" for text in there))
        agreed, count = agreed + sum(right), count + len(right)
    print(f"\n{agreed} of {count} numbers agree; others are in brackets. {within}")
    sys.exit(agreed < count)

