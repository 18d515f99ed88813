"""Runs the whole paper once for each line on standard input and prints how long it took, in ms.

Somebody else runs the same job in between: that is what the lines are for. One thread, as
reference.py sets it.
"""

import sys
import time

import reference

method = sys.argv[1] if len(sys.argv) > 1 else "svd"
for _ in sys.stdin:
    start = time.perf_counter()
    reference.paper(method)
    print(1e3 * (time.perf_counter() - start), flush=True)
