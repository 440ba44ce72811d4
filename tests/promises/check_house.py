"""The rules of the house that a reader can rely on, as far as the text of the checkout shows them.

  check_house.py               every rule, on the checkout
  check_house.py --self-test   every rule, on a text that breaks it
"""
import json
import posixpath
import re
import sys
from repository import ROOT, files_under, functions_of, lines_of

# Each folder includes only folders on floors below its own, and itself.
FLOORS = {"platform": 1, "core": 2, "kernels": 3, "ops": 4, "transformer": 5, "training": 6, "decoding": 6,
          "data": 7, "evaluation": 8, "io": 7, "report": 7, "parsing": 8, "model_folder": 8,
          "train": 9, "show": 10, "app": 11}

# A change that adds takes away as much, or says what the lines are worth.
MOST = {"lines of src": 28_080, "bytes of src": 1_164_200, "files of src": 264, "files of src under 40 lines": 30,
        "lines of tests": 27_080, "lines of transformer": 1_405}
MOST_FILE_LINES, MOST_FUNCTION_LINES, MOST_PARAMETERS, COMMENT_WIDTH = 800, 80, 6, 110

# (files, what no line of them matches, why); a file that matches the fourth is exempt.
FORBIDDEN = [
    (r"src/ops/[^/]*", r'#include ("(kernels/|core/(thread_pool|storage)\.h)|<thread>)',
     "an equation leaves for the fast way, and knows no kernel"),
    (r"src/transformer/.*", r'#include ("(kernels/|core/(thread_pool|storage)\.h)|<thread>)',
     "the paper knows no engine"),
    (r"src/transformer/.*", r'#include "ops/fast/', "only multi-head attention names the engine",
     r".*/multi_head_attention\.(h|cpp)"),
    (r"src/training/[^/]*", r'#include ("(ops/fast|kernels|decoding)/|"core/thread_pool\.h|<thread>)',
     "training knows no engine"),
    (r"src/decoding/.*", r'#include ("(kernels|training)/|"core/thread_pool\.h|<thread>)', "decoding knows no engine"),
    (r"src/(evaluation|io|report)/.*", r'#include "(kernels|ops|transformer|training|decoding)/',
     "it knows text and files, and no model"),
    (r"src/parsing/.*", r'#include "(kernels|ops|transformer|training|decoding|evaluation|io|report)/',
     "trees know no model"),
    (r"src/(ops/[^/]*|(transformer|training|decoding)/(?!fast/).*)",
     r"_mm(256|512)?_|<immintrin|<arm_neon|<wasm_simd|std::thread|parallel_for", "instruction sets and threads are below"),
    (r"src/.*\.h", r'#include "core/check\.h"', "its macros would reach other projects"),
    (r"src/(?!platform/).*", r"#include <(?!immintrin\.h|arm_neon\.h|wasm_simd128\.h)[a-z_0-9]+[./].*>",
     "only platform/ asks the system"),
    (r"src/(?!platform/).*", r"__attribute__|__builtin_|\[\[gnu::|\basm\b|__int128|#pragma (?!once)|_Pragma|"
     r"\b_WIN32\b|__linux__|__APPLE__|__GNUC__|__clang__|__EMSCRIPTEN__", "only platform/ leaves standard C++"),
    (r"src/(?!platform/).*", r"std::filesystem::(path|exists|is_directory|is_regular_file|file_size|remove|rename|"
     r"create_directories|absolute|equivalent|directory_iterator)\((?!to_path\(|status\))|"
     r"stream [a-z_]+\((?!to_path\()[a-z_]*path|\.open\((?!to_path\()", "a path is UTF-8: to_path"),
    (r"tests/(?!system/|assignments/).*", r"^#include <(?!(gtest|plainformer)/)[a-z_0-9]+[./].*>", "only tests/system asks the system"),
    (r"(src|tests|examples)/.*", r"\b(TO" r"DO|FIX" r"ME|XX" r"X|HA" r"CK)\b", "nothing is left unfinished"),
    (r"src/.*", r"^ *// ?(Of|Those of|Likewise|The same|And|As above)\b", "a comment names its subject"),
]


def forbidden_lines(path, lines):
    for files, pattern, why, *exempt in FORBIDDEN:
        if not re.fullmatch(files, path) or any(re.fullmatch(e, path) for e in exempt):
            continue
        for number, line in enumerate(lines, 1):
            continues_comment = number > 1 and lines[number - 2].lstrip().startswith("//")
            if re.search(pattern, line) and not (why.startswith("a comment") and continues_comment):
                yield f"{path}:{number}: {why}: {line.strip()}"


def floors(path, lines):
    folder = re.match(r"src/(\w+)/", path)
    if not folder:
        return
    if folder[1] not in FLOORS:
        yield f"{path}: {folder[1]} is on no floor"
        return
    for line in lines:
        other = re.match(r'#include "(\w+)/', line)
        if other and other[1] != folder[1] and FLOORS.get(other[1], 99) >= FLOORS[folder[1]]:
            yield f"{path}: a look upward: {line}"


def one_line_leaves(path, lines):
    """if (ways.linear == Way::kFast) return fast::linear_forward(x, w);"""
    if not re.fullmatch(r"src/ops/[^/]*\.cpp", path):
        return
    leaves = r"  if \(ways\.\w+ == Way::kFast\)"
    for before, line in zip([""] + lines, lines):
        is_broken = re.fullmatch(leaves, before) and line.startswith("    return fast::")
        if re.search(r"\bfast::", line) and not re.match(leaves + " return fast::", line) and not is_broken:
            yield f"{path}: it leaves for the fast way in another line than the one: {line.strip()}"


def limits(path, lines):
    is_engine = "/kernels/" in path or "/fast/" in path
    if len(lines) > MOST_FILE_LINES:
        yield f"{path}: {len(lines)} lines"
    if not path.startswith("src/"):
        return
    for f in functions_of(lines):
        if not f.is_type and f.is_definition and f.end - f.begin > MOST_FUNCTION_LINES:
            yield f"{path}:{f.begin + 1}: {f.name} has {f.end - f.begin} lines"
        if not f.is_type and not is_engine and f.parameters() > MOST_PARAMETERS:
            yield f"{path}:{f.begin + 1}: {f.name} has {f.parameters()} parameters"
    for number, line in enumerate(lines, 1):
        if line.lstrip().startswith("//") and len(line) > COMMENT_WIDTH:
            yield f"{path}:{number}: a comment of {len(line)} columns"


def operations_have_backwards(path, lines):
    if re.fullmatch(r"src/ops/[^/]*\.h", path):
        text = "\n".join(lines)
        if ("_forward(" in text or "_forward_backward(" in text) != ("_backward(" in text):
            yield f"{path}: forward and backward are not beside each other"


FILE_RULES = [forbidden_lines, floors, one_line_leaves, limits, operations_have_backwards]


# --- rules of all files

def sizes(sources):
    src = {p: t for p, t in sources.items() if p.startswith("src/")}
    count = {"lines of src": sum(map(len, src.values())),
             "bytes of src": sum(len(line.encode()) + 1 for lines in src.values() for line in lines),
             "files of src": len(src),
             "files of src under 40 lines": sum(len(lines) < 40 for lines in src.values()),
             "lines of tests": sum(len(t) for p, t in sources.items() if p.startswith("tests/")),
             "lines of transformer": sum(len(t) for p, t in src.items() if p.startswith("src/transformer/"))}
    for name, most in MOST.items():
        if count[name] > most:
            yield f"{name}: {count[name]}, at most {most}"


def differentiable_in(header):
    layer = ""
    for line in header:
        for name in re.findall(r"^[A-Za-z].*\b([a-z]\w*?)(?:_forward)?_backward\(", line):
            yield name
        layer = (re.match(r"(?:class|struct) (\w+) .*{$", line) or [0, layer])[1]
        if re.match(r"  [A-Za-z].* backward\(", line):
            yield layer


def gradient_checks_in(test):
    """The text of a file without its tests that check no gradient; "" if none does."""
    text, inside_other = [], False
    for line in test:
        inside_other = inside_other or bool(re.match(r"TEST(_[FP])?\(", line))
        if not inside_other:
            text.append(line)
        inside_other = inside_other and line != "}"
    text = "\n".join(text)
    return text if "GRADIENT_TEST" in text else ""


# Passes that give the bits of the model's own.
CHECKED_ELSEWHERE = {"RecomputingTransformer"}


def gradients_are_checked(sources):
    tests = {p: gradient_checks_in(t) for p, t in sources.items() if p.startswith("tests/")}
    for path, lines in sources.items():
        if not re.fullmatch(r"src/(ops|transformer|training)/[^/]*\.h", path):
            continue
        own = path.replace("src/", "tests/").replace(".h", "_test.cpp")
        folder = own.rsplit("/", 1)[0]
        checks = tests[own] if own in tests else "\n".join(t for p, t in tests.items() if p.startswith(folder))
        for name in differentiable_in(lines):
            pattern = rf"\b{name}\b" if name[0].isupper() else rf"\b{name}(_forward)?_backward\("
            if name not in CHECKED_ELSEWHERE and not re.search(pattern, checks):
                yield f"{path}: {name} has a backward, and no GRADIENT_TEST of {own} names it"


EXAMPLE_LINES = {"examples/attention_is_all_you_need.cpp": 560, "examples/microgpt.cpp": 200,
                 "examples/since_then.cpp": 180,  # three layers of later models
                 "examples/experiments/": 200, "examples/": 140}


def examples(sources):
    """Programs of one file that use public headers only, that a test runs and docs/examples.md names."""
    tests = "\n".join(line for p, t in sources.items() if p.startswith("tests/examples/") for line in t)
    page = "\n".join(sources["docs/examples.md"])
    for path, lines in sources.items():
        if not re.fullmatch(r"examples/(experiments/)?\w+\.cpp", path):
            continue
        most = next(most for start, most in EXAMPLE_LINES.items() if path.startswith(start))
        if len(lines) > most:
            yield f"{path}: {len(lines)} lines, at most {most}"
        for line in lines:
            if line.startswith("#include") and not re.fullmatch(
                    r"#include <(plainformer/(?!app/|show/|train/)[\w/]+\.h|[a-z_]+)>", line):
                yield f"{path}: an example includes public headers only: {line}"
        if f"](../{path})" not in page:
            yield f"{path}: docs/examples.md does not name it"
        name = path.rsplit("/", 1)[1][:-4]
        if f'"{name}"' not in tests and f"/{name}.cpp\"" not in tests:
            yield f"{path}: no test of tests/examples runs it"


def names_for_every_system(sources):
    """Windows refuses some names, and two that differ in case only are one file there and on macOS."""
    seen = {}
    for path in sources:
        if re.search(r"(^|/)(con|prn|aux|nul|com\d|lpt\d)(\.[^/]*)?(/|$)", path, re.I):
            yield f"{path}: Windows reserves this name"
        if re.search(r'[<>:"|?*\\]|[. ](/|$)', path):
            yield f"{path}: Windows refuses a character"
        if seen.setdefault(path.lower(), path) != path:
            yield f"{path} and {seen[path.lower()]} differ in case only"


def edits_fit(sources):
    """The course and the tab change sources: each text to change occurs once, after the changes before it. Each entry
    begins with the sources, but the tab has all bugs in one program."""
    for path, lines in sources.items():
        if not re.fullmatch(r"examples/.*\.json", path):
            continue
        value, texts = json.loads("\n".join(lines)), {}
        for entry in value if isinstance(value, list) else [value]:
            if not path.startswith("examples/browser/"):
                texts = {}
            for file, edits in {**entry.get("edits", {}), **entry.get("hide", {})}.items():
                text = texts.get(file, "\n".join(sources.get(posixpath.normpath("src/" + file), [])) + "\n")
                for before, after in edits:
                    if text.count(before) != 1 or before == after:
                        yield f"{path}: adapt an edit: src/{file} has {text.count(before)} times: {before}"
                    text = text.replace(before, after)
                texts[file] = text


REPOSITORY_RULES = [sizes, gradients_are_checked, examples, names_for_every_system, edits_fit]


def problems_of(sources):
    for path, lines in sources.items():
        if path.endswith((".h", ".cpp")):
            for rule in FILE_RULES:
                yield from rule(path, lines)
    for rule in REPOSITORY_RULES:
        yield from rule(sources)


def checkout():
    read = files_under("src", "tests", "examples") + files_under("examples", suffix=".json") + ["docs/examples.md"]
    sources = {p: lines_of(p) for p in read}
    for folder in ("docs", "examples", "tests", ".ci", ".github", ".vscode", ".debugger"):
        for path in files_under(folder, suffix=""):
            sources.setdefault(path, [])  # whose name alone counts
    return sources


# --- each rule rejects

def self_test():
    bad = [(forbidden_lines, "src/ops/a.cpp", ['#include "kernels/kernels.h"']),
           (forbidden_lines, "src/transformer/a.cpp", ['#include "ops/fast/fast.h"']),
           (forbidden_lines, "src/transformer/a.cpp", ['#include "core/thread_pool.h"']),
           (forbidden_lines, "src/training/a.cpp", ["std::thread t;"]),
           (forbidden_lines, "src/io/a.cpp", ['#include "ops/linear.h"']),
           (forbidden_lines, "src/core/a.h", ['#include "core/check.h"']),
           (forbidden_lines, "src/data/a.cpp", ["#include <unistd.h>"]),
           (forbidden_lines, "src/data/a.cpp", ["#ifdef _WIN32"]),
           (forbidden_lines, "src/data/a.cpp", ["std::ifstream file(path, std::ios::binary);"]),
           (forbidden_lines, "tests/data/a.cpp", ["#include <sys/stat.h>"]),
           (forbidden_lines, "tests/data/a.cpp", ["// TO" "DO"]),
           (forbidden_lines, "src/data/a.cpp", ["int a;", "// Likewise in double."]),
           (floors, "src/ops/a.cpp", ['#include "transformer/embedding.h"']),
           (floors, "src/io/a.cpp", ['#include "data/text.h"']),
           (floors, "src/nowhere/a.cpp", []),
           (one_line_leaves, "src/ops/a.cpp", ["  if (rows > 7) return fast::linear_forward(x, w);"]),
           (limits, "src/ops/a.cpp", ["void f() {"] + ["  g();"] * 79 + ["}"]),
           (limits, "src/ops/a.h", ["void f(int a, int b, std::pair<int, int> c, int d, int e, int f, int g);"]),
           (limits, "src/ops/a.h", ["class A {", "  A(int a, int b, int c,", "    int d, int e, int f, int g);", "};"]),
           (limits, "src/ops/a.h", ["// " + "x" * COMMENT_WIDTH]),
           (limits, "tests/a.cpp", [""] * 801),
           (operations_have_backwards, "src/ops/a.h", ["Tensor relu_forward(Tensor x);"])]
    good = [(forbidden_lines, "src/ops/fast/a.cpp", ['#include "kernels/kernels.h"']),
            (forbidden_lines, "src/data/a.cpp", ["std::ifstream file(to_path(path));"]),
            (forbidden_lines, "src/data/a.cpp", ["// The sums", "// Of a row."]),
            (floors, "src/transformer/a.cpp", ['#include "ops/softmax.h"', "#include <cmath>"]),
            (one_line_leaves, "src/ops/a.cpp", ["  if (ways.linear == Way::kFast)", "    return fast::f(x);"]),
            (limits, "src/ops/a.cpp", ["void f() {"] + ["  g();"] * 78 + ["}"]),
            (limits, "src/ops/a.h", ["void f(int a, std::pair<int, int> b, X c = {1, 2}, int d, int e, int f);"]),
            (limits, "src/ops/fast/a.h", ["void f(int a, int b, int c, int d, int e, int f, int g);"])]
    for rule, path, lines in bad:
        assert list(rule(path, lines)), (rule.__name__, lines)
    for rule, path, lines in good:
        assert not list(rule(path, lines)), (rule.__name__, list(rule(path, lines)))
    header, page = ["Tensor a_backward(Tensor x);"], ["[a](../examples/a.cpp)"]
    for rule, sources in [(sizes, {"src/a.cpp": ["x"] * 32_871}), (sizes, {"tests/a.cpp": ["x"] * 34_741}),
                          (gradients_are_checked, {"src/ops/a.h": header, "tests/ops/a_test.cpp": ["a_backward(x);"]}),
                          (examples, {"examples/a.cpp": ["#include <gtest/gtest.h>"], "docs/examples.md": page,
                                      "tests/examples/t.cpp": ['run("a")']}),
                          (examples, {"examples/a.cpp": [], "docs/examples.md": page}),
                          (examples, {"examples/a.cpp": [], "docs/examples.md": [],
                                      "tests/examples/t.cpp": ['run("a")']}),
                          (names_for_every_system, {"a/NUL": []}), (names_for_every_system, {"a/b:c": []}),
                          (names_for_every_system, {"a/B": [], "A/b": []}),
                          (edits_fit, {"src/a.h": ["x", "x"], "examples/b.json": [
                              '[{"name": "b", "edits": {"a.h": [["x\\nx", "y"], ["x", "z"]]}}]']}),
                          (edits_fit, {"src/a.h": ["x"], "examples/browser/b.json": [
                              '[{"edits": {"a.h": [["x", "y"]]}}, {"edits": {"a.h": [["x", "z"]]}}]']})]:
        assert list(rule(sources)), (rule.__name__, sources)
    checked = ["GRADIENT_TEST(A, B) {", "  a_backward(x);", "}"]
    assert not list(gradients_are_checked({"src/ops/a.h": header, "tests/ops/a_test.cpp": checked}))


if __name__ == "__main__":
    if "--self-test" in sys.argv:
        sys.exit(self_test())
    problems = list(problems_of(checkout()))
    print("\n".join(problems) or f"{ROOT.name}: the house keeps its rules")
    sys.exit(1 if problems else 0)
