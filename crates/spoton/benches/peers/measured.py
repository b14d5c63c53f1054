"""Measurement for the Python programs in this folder, in the same way as benches/peers.rs."""

import json
import resource
import sys
import threading
import time

# Faster solutions are repeated for this long, and reported as the mean.
AT_LEAST_SECONDS = 0.2


def peak_bytes():
    """Peak memory of this process."""
    try:
        with open("/proc/self/status") as status:
            line = next(line for line in status if line.startswith("VmHWM:"))
        return int(line.split()[1]) * 1024
    except (OSError, StopIteration):
        unit = 1 if sys.platform == "darwin" else 1024
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit


def main(version, solve):
    """Solves for the target on the command line, and prints one JSON line. `solve` returns whether the first player wins,
    and in how many moves (None if unknown)."""
    target = int(sys.argv[1])
    answer = {}

    def run():
        times, begun = 0, time.perf_counter()
        try:
            while times == 0 or time.perf_counter() - begun < AT_LEAST_SECONDS:
                wins, remoteness = solve(target)
                times += 1
        except (MemoryError, RecursionError) as problem:
            answer["failed"] = "out of memory" if isinstance(problem, MemoryError) else "recursion too deep"
            return
        answer["seconds"] = (time.perf_counter() - begun) / times
        answer["wins"], answer["remoteness"] = bool(wins), remoteness

    # Recursive solvers need a larger stack than the default.
    sys.setrecursionlimit(2**31 - 1)
    threading.stack_size(1 << 30)
    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    answer["peak_bytes"] = peak_bytes()
    answer["version"] = f"{version}, Python {sys.version.split()[0]}" if version else f"Python {sys.version.split()[0]}"
    print(json.dumps(answer))
