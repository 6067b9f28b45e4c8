"""Gasket against NumPy and TensorFlow on the same work, in one run, alternating.

usage: python3 bench/against.py --build build/release [--threads 1,2] [--rounds 7] [--only PART] [--no-tensorflow]

Each round runs `gasket run --repeat` once and then each peer on the same arrays. A row prints the medians of the times and,
for each peer, the median over the rounds of its time divided by Gasket's: above 1 Gasket is faster. NumPy writes into a
reused output (mode="clip", which it does not buffer); TensorFlow allocates its own. Peers are optional."""
import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time


def parse_options():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--build", default="build/release", help="folder of the build")
    options.add_argument("--threads", default="1,2")
    options.add_argument("--rounds", type=int, default=7)
    options.add_argument("--repeat", type=int, default=5, help="runs in a round")
    options.add_argument("--only", default="", help="cases whose name contains this")
    options.add_argument("--no-tensorflow", action="store_true")
    return options.parse_args()


OPTIONS = parse_options()
try:
    import numpy as np
except ImportError:
    sys.exit("SKIP: this benchmark needs NumPy (and, if wanted, TensorFlow) from PyPI")


def load_tensorflow(threads):
    if OPTIONS.no_tensorflow:
        return None
    os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
    os.environ["CUDA_VISIBLE_DEVICES"] = ""
    try:
        import tensorflow
    except ImportError:
        return None
    tensorflow.config.threading.set_intra_op_parallelism_threads(threads)
    tensorflow.config.threading.set_inter_op_parallelism_threads(1)
    return tensorflow


OUTPUT = 64 << 20
RANDOM = np.random.default_rng(1)


def rows_case(row_bytes, table_bytes):
    width, rows = row_bytes // 4, table_bytes // row_bytes
    table = np.ones((rows, width), "f4")
    return {"op": "gather", "tensors": {"params": table, "indices": RANDOM.integers(0, rows, OUTPUT // row_bytes, "i4")},
            "axis": 0}


def last_axis_case():
    table = np.ones((4096, 4096), "f4")
    return {"op": "gather", "tensors": {"params": table, "indices": RANDOM.integers(0, 4096, 2048, "i4")}, "axis": 1}


def scalars_case():
    shape, count = (512, 512, 64), OUTPUT // 4
    table = np.ones(shape, "f4")
    indices = np.stack([RANDOM.integers(0, extent, count, "i4") for extent in shape], 1)
    return {"op": "gather_nd", "tensors": {"params": table, "indices": indices}}


def scatter_case():
    rows, width = 1 << 20, 16
    count = OUTPUT // 64
    return {"op": "scatter_nd", "shape": (rows, width),
            "tensors": {"indices": RANDOM.integers(0, rows, (count, 1), "i4"),
                        "updates": np.ones((count, width), "f4")}}


CASES = {
    "rows 64 B, cached table": lambda: rows_case(64, 192 << 10),
    "rows 1 KiB, cached table": lambda: rows_case(1024, 192 << 10),
    "rows 64 B, table of 1 GiB": lambda: rows_case(64, 1 << 30),
    "rows 1 KiB, table of 1 GiB": lambda: rows_case(1024, 1 << 30),
    "last axis [4096,4096], 2048 columns": last_axis_case,
    "gather_nd depth 3, scalars": scalars_case,
    "scatter add, rows of 64 B": scatter_case,
}


def numpy_peer(case):
    tensors = case["tensors"]
    if case["op"] == "gather":
        indices = tensors["indices"].astype("intp")
        axis, table = case["axis"], tensors["params"]
        out = np.zeros(table.shape[:axis] + indices.shape + table.shape[axis + 1:], table.dtype)
        return lambda: np.take(table, indices, axis=axis, out=out, mode="clip")
    if case["op"] == "gather_nd":
        columns = tuple(column.astype("intp").copy() for column in tensors["indices"].T)
        return lambda: tensors["params"][columns]
    out, rows = np.zeros(case["shape"], "f4"), tensors["indices"][:, 0].astype("intp")

    def scatter():
        out[:] = 0
        np.add.at(out, rows, tensors["updates"])
    return scatter


def tensorflow_peer(tf, case):
    tensors = {name: tf.constant(array) for name, array in case["tensors"].items()}
    if case["op"] == "gather":
        return lambda: tf.raw_ops.GatherV2(axis=case["axis"], **tensors)
    if case["op"] == "gather_nd":
        return lambda: tf.raw_ops.GatherNd(**tensors)
    shape = tf.constant(case["shape"], "int32")
    return lambda: tf.raw_ops.ScatterNd(shape=shape, **tensors)


def timed(function):
    times = []
    for _ in range(OPTIONS.repeat):
        start = time.perf_counter()
        function()
        times.append(time.perf_counter() - start)
    return statistics.median(times)


class Gasket:
    """One `gasket run --repeat` on files of the case's tensors."""

    def __init__(self, case, threads, folder):
        self.command = [os.path.join(OPTIONS.build, "gasket"), "run", case["op"], "--json", f"--threads={threads}",
                        f"--repeat={OPTIONS.repeat}", "-o", os.path.join(folder, "out.npy")]
        for name, array in case["tensors"].items():
            path = os.path.join(folder, name + ".npy")
            np.save(path, array)
            self.command.append(f"{name}={path}")
        if "axis" in case:
            self.command.append(f"axis={case['axis']}")
        if "shape" in case:
            self.command.append("shape=" + ",".join(map(str, case["shape"])))
        self.kernel = ""

    def __call__(self):
        report = json.loads(subprocess.run(self.command, check=True, capture_output=True, text=True).stdout)
        self.kernel = report["kernel"]
        return report["seconds_median"]


def compare(name, case, threads, tf):
    with tempfile.TemporaryDirectory() as folder:
        gasket = Gasket(case, threads, folder)
        peers = {"numpy": numpy_peer(case)}
        if tf:
            peers["tensorflow"] = tensorflow_peer(tf, case)
        for peer in peers.values():
            peer()
        ours, theirs = [], {peer: [] for peer in peers}
        for _ in range(OPTIONS.rounds):
            ours.append(gasket())
            for peer, function in peers.items():
                theirs[peer].append(timed(function))
    row = {"case": name, "threads": threads, "gasket_ms": statistics.median(ours) * 1e3, "kernel": gasket.kernel}
    for peer, times in theirs.items():
        row[peer + "_ms"] = statistics.median(times) * 1e3
        row[peer + "_ratio"] = statistics.median(their / our for their, our in zip(times, ours))
    print(json.dumps(row), flush=True)


def compare_smallest():
    """A plan run of one row of 64 bytes against numpy.take of the same row."""
    table, index, out = np.ones((1000, 16), "f4"), np.array([617]), np.zeros((1, 16), "f4")
    ratios, ours, theirs = [], [], []
    for _ in range(OPTIONS.rounds):
        command = [os.path.join(OPTIONS.build, "bench", "bench_plan_cost"), "5"]
        report = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
        start = time.perf_counter()
        for _ in range(20000):
            np.take(table, index, axis=0, out=out, mode="clip")
        take = (time.perf_counter() - start) / 20000 * 1e9
        ours.append(report)
        theirs.append(take)
        ratios.append(report["plan_moved_ns"] / take)
    row = {"case": "one row of 64 B", "numpy_ns": statistics.median(theirs),
           "plan_over_numpy": statistics.median(ratios)}
    for key in ours[0]:
        row[key] = statistics.median(report[key] for report in ours)
    print(json.dumps(row), flush=True)


def main():
    threads = [int(text) for text in OPTIONS.threads.split(",")]
    if len(threads) > 1:  # TensorFlow takes its threads once in a process
        for count in threads:
            subprocess.run([sys.executable, *sys.argv, f"--threads={count}"], check=True)  # the last one holds
        return
    tf = load_tensorflow(threads[0])
    for name, make in CASES.items():
        if OPTIONS.only in name:
            compare(name, make(), threads[0], tf)
    if not OPTIONS.only and threads[0] == 1:
        compare_smallest()


main()
