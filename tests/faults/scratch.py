"""Copies of the tree, each built once, in which one change at a time is made, compiled, fuzzed and taken back."""
import os
import re
import shutil
import signal
import subprocess
import sys
import threading
from collections import namedtuple

from records import Broken, Edit, apply_edit

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
FUZZ = "gasket-fuzz"
PLUGIN = "gasket_llvm.so"
LEFT_OUT = ("build", "build-", ".git", "out", "__pycache__")
GENERATED_FROM = ("gen/specs/", "templates/")
GENERATOR = ("gen/", "formula/")

# Which strategies use the words of a header; those of vector.h are used by all. mutate.py --check proves the list.
HEADER_USERS = {
    "runtime/abi/lookup.h": ("resolve", "resolve_any"),
    "runtime/abi/box.h": ("append_strided", "combine_strided", "place_strided", "strided"),
    "runtime/abi/number.h": ("combine", "combine_one", "combine_strided"),
    "runtime/abi/lanes.h": ("combine",),
}

ANY = (r"\w+",)
HEADERS = tuple(HEADER_USERS) + ("runtime/abi/vector.h",)

Outcome = namedtuple("Outcome", "kind case detail")  # kind: found, missed, skipped, timeout, or broken


def tracked_files():
    command = ["git", "-C", ROOT, "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, capture_output=True, check=False)
    if listed.returncode == 0 and listed.stdout:
        names = listed.stdout.decode().split("\0")
        return [name for name in names if os.path.isfile(os.path.join(ROOT, name))]
    return [name for name in walk(ROOT) if not name.split("/")[0].startswith(LEFT_OUT)]


def walk(top):
    for folder, _, names in os.walk(top):
        for name in names:
            yield os.path.relpath(os.path.join(folder, name), top)


def copy_file(source, target):
    """With its times, so that a build finds it unchanged."""
    os.makedirs(os.path.dirname(target), exist_ok=True)
    status = os.stat(source)
    with open(target, "wb") as written:
        written.write(read_bytes(source))
    os.chmod(target, status.st_mode)
    os.utime(target, ns=(status.st_atime_ns, status.st_mtime_ns))


def read_bytes(path):
    with open(path, "rb") as file:
        return file.read()


def read_text(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def write_text(path, text):
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def run(command, timeout=None):
    """(exit status or None when the time was up, all that was said). Ends all processes that the command started."""
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True)
    try:
        said, _ = process.communicate(timeout=timeout)
        return process.returncode, said.decode(errors="replace")
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        said, _ = process.communicate()
        return None, said.decode(errors="replace")


def source_of(kernel_object):
    return kernel_object[kernel_object.index("generated/"):-len(".o")]


class Copy:
    """One copy. `narrow` says what less is generated (options of gasket-gen), `isas` what it is compiled for, and
    `level` how the kernels are optimised: their bits do not depend on it, the time of a rebuild does. Call-time kernels
    need a plug-in, which is made where it is `call_time` and the machine can."""

    def __init__(self, folder, narrow=(), isas=None, level="-O1", call_time=False):
        self.folder, self.kept = folder, folder + ".kept"
        self.build_folder = os.path.join(folder, "build")
        self.narrow, self.isas, self.level, self.call_time = list(narrow), isas, level, call_time
        self.targets = [FUZZ]
        self.touched, self.users = [], dict(HEADER_USERS)

    def path(self, name):
        return os.path.join(self.folder, name)

    def make(self):
        subprocess.run(["rm", "-rf", self.folder, self.kept], check=True)
        for name in tracked_files():
            copy_file(os.path.join(ROOT, name), self.path(name))
        self.compile_lightly()
        self.must(["cmake", "-S", self.folder, "-B", self.build_folder, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=None",
                   "-DCMAKE_C_FLAGS=-O1", "-DGASKET_BUILD_EXTRAS=OFF", "-DGASKET_INSTALL=OFF", "-DGASKET_WERROR=OFF",
                   "-DGASKET_LLVM=" + ("AUTO" if self.call_time else "OFF")]
                  + ([] if self.isas is None else ["-DGASKET_ISAS=" + self.isas]))
        self.must(self.ninja("gasket-gen"))
        if self.narrow:
            self.must(self.generate())
        if self.call_time and run(["ninja", "-C", self.build_folder, "-t", "query", PLUGIN])[0] == 0:
            self.targets.append(PLUGIN)
        self.must(self.ninja(*self.targets))
        subprocess.run(["cp", "-a", self.folder, self.kept], check=True)

    def compile_lightly(self):
        edit = Edit("cmake/gasket_kernels.cmake", "set(optimise -O3)", f"set(optimise {self.level})")
        write_text(self.path(edit.file), apply_edit(read_text(self.path(edit.file)), edit))

    def must(self, command):
        status, said = run(command)
        if status != 0:
            raise Broken(f"{' '.join(command)}\n{said[-3000:]}")

    def ninja(self, *targets):
        return ["ninja", "-C", self.build_folder, *targets]

    def generate(self):
        return [os.path.join(self.build_folder, "gasket-gen"), "--specs", self.path("gen/specs"), "--templates",
                self.path("templates"), "--out", self.path("generated"), "--call-time", "--cuda",
                self.path("runtime")] + self.narrow

    def apply(self, edits):
        """Makes the change, regenerates what follows from it and compiles; None, or what the compiler said."""
        texts = {}
        for edit in edits:
            text = texts[edit.file] if edit.file in texts else read_text(self.path(edit.file))
            texts[edit.file] = apply_edit(text, edit)
        return self.change(texts)

    def change(self, texts):
        """As apply, with the new text of each file."""
        self.touched += texts
        for file, text in texts.items():
            write_text(self.path(file), text)
        said = self.generate_from(list(texts))
        return said if said is not None else self.compile_users(list(texts))

    def generate_from(self, files):
        is_generator = any(file.startswith(GENERATOR) and not file.startswith(GENERATED_FROM) for file in files)
        steps = [self.ninja("gasket-gen")] if is_generator else []
        if is_generator or any(file.startswith(GENERATED_FROM) for file in files):
            steps.append(self.generate())
        return self.first_trouble(steps)

    def compile_users(self, files):
        """ninja goes by times, which say too much: all kernels include all headers. So headers and kernels that have
        changed keep their time, and the objects that use them are removed: what is missing is made."""
        headers = [file for file in files if file in HEADERS]
        stale = {name for name in self.objects() if not self.is_same(source_of(name))}
        for name in headers + [source_of(name) for name in stale]:
            status = os.stat(os.path.join(self.kept, name))
            os.utime(self.path(name), ns=(status.st_atime_ns, status.st_mtime_ns))
            self.touched.append(name)
        for header in headers:
            stale |= set(self.objects(self.users.get(header, ANY)))
        for name in stale:
            os.remove(os.path.join(self.build_folder, name))
        return self.first_trouble([self.ninja(*self.targets)])

    @staticmethod
    def first_trouble(steps):
        for step in steps:
            status, said = run(step)
            if status != 0:
                return said
        return None

    def objects(self, strategies=ANY):
        """Of kernels: paths in the build folder."""
        pattern = re.compile(r"generated/cpu/\w+/(%s)\.c\.o$" % "|".join(strategies))
        return [name for name in walk(self.build_folder) if pattern.search(name)]

    def compile_command(self, name):
        """How ninja makes that object."""
        _, said = run(["ninja", "-C", self.build_folder, "-t", "commands", name])
        return f"cd {self.build_folder} && " + said.strip().split("\n")[-1]

    def has_same_code(self):
        """Whether all objects are, byte for byte, those of the unchanged tree."""
        objects = [name for name in walk(self.build_folder) if name.endswith(".o")]
        return all(read_bytes(os.path.join(self.build_folder, name)) ==
                   read_bytes(os.path.join(self.kept, "build", name))
                   for name in objects if not self.is_same(os.path.join("build", name)))

    def restore(self):
        """Everything is as it was after make(), times included."""
        kept = set(walk(self.kept))
        for name in kept:
            if name in self.touched or not self.is_same(name):
                copy_file(os.path.join(self.kept, name), self.path(name))
        for name in set(walk(self.folder)) - kept:
            os.remove(self.path(name))
        self.touched = []

    def is_same(self, name):
        try:
            there, kept = os.stat(self.path(name)), os.stat(os.path.join(self.kept, name))
        except FileNotFoundError:
            return False
        return there.st_mtime_ns == kept.st_mtime_ns and there.st_size == kept.st_size

    def fuzz(self, arguments, timeout):
        command = [os.path.join(self.build_folder, FUZZ), "--jobs", "1", "--no-shrink"] + arguments
        return outcome_of(*run(command, timeout))


def outcome_of(status, said):
    if status is None:
        return Outcome("timeout", None, "the tester did not end")
    if status == 0:
        return Outcome("missed", None, "")
    if status == 77:
        return Outcome("skipped", None, said.strip()[-200:])
    failure = re.search(r"FAILED: case (\d+)[^\n]*\n\s*([^\n]*)", said)
    if status != 1 or not failure:
        return Outcome("broken", None, f"{FUZZ} ended with {status}: {said[-600:]}")
    return Outcome("found", int(failure.group(1)), failure.group(2)[:60])


def share_out(jobs, make_worker, items, work):
    """work(worker, item) for all items, in `jobs` threads; what a thread raises is raised here."""
    waiting, lock, raised = list(reversed(items)), threading.Lock(), []

    def loop(number):
        try:
            worker = make_worker(number)
            while not raised:
                with lock:
                    if not waiting:
                        return
                    item = waiting.pop()
                work(worker, item)
        except Exception as error:
            raised.append(error)

    threads = [threading.Thread(target=loop, args=(number,)) for number in range(jobs)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if raised:
        raise raised[0]


def say(text):
    print(text, flush=True)


def stop(text):
    say(text)
    sys.exit(1)


def skip_without_tools():
    """Ends the program as a test that is skipped where a copy can not be built."""
    missing = [tool for tool in ("cmake", "ninja") if not shutil.which(tool)]
    if missing:
        say(f"SKIP: {missing[0]} is not installed")
    elif "GASKET_GEN" in os.environ and not os.access(os.environ["GASKET_GEN"], os.X_OK):
        say("SKIP: this build has no gasket-gen")
    else:
        return
    sys.exit(77)
