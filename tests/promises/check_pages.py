"""Holds the pages of the project to the program: what they quote, print, name, link and count.

  check_pages.py --program build/test/plainformer   every rule
  check_pages.py --program ... --update             writes quotes, outputs, the paper map and README's counts again
  check_pages.py --self-test                        every rule, on a page that breaks it

A comment in the line above a fence says where its text comes from (docs/contributing.md lists the forms).
"""
import argparse
import json
import math
import re
import shlex
import subprocess
import sys
import tempfile
from functools import lru_cache
from pathlib import Path

from repository import (ROOT, all_pages, cells_of, fences_of, files_under, functions_of, lines_of, links_of, parts_of,
                        prose_of, spans_of, without_code, without_links, without_math, Fence)

MOST_WORDS_OF_A_CHAPTER, MOST_LINES_OF_README = 3110, 120


# --- quotes: <!-- code: PATH SELECTOR, SELECTOR -->, <!-- output: COMMAND; SELECTOR, SELECTOR -->

class Unfounded(Exception):
    """A quote whose source has nothing of that name, or more than one thing."""


def selectors_of(text):
    """`name(words) "at" to "words"` as dictionaries."""
    selectors = []
    pattern = re.compile(r'\s*(?P<name>[^\s,("]+)?(?:\((?P<parameters>[^)]*)\))?(?P<parts>(?:\s*(?:to|until|from)?'
                         r'\s*"[^"]*")*)\s*(?:,|$)')
    at = 0
    while at < len(text):
        match = pattern.match(text, at)
        if not match or match.end() == at:
            raise Unfounded(f"no selector: {text[at:]}")
        parts = dict((word or "at", words) for word, words in
                     re.findall(r'(to|until|from)?\s*"([^"]*)"', match["parts"]))
        selectors.append({"name": match["name"] or "", "parameters": match["parameters"] or "", **parts})
        at = match.end()
    if not selectors:
        raise Unfounded("no selector")
    return selectors


def step_of(lines, begin, end, words):
    """From a comment that starts with these words to the next comment of its depth, or to the end of its block."""
    starts = [i for i in range(begin, end) if lines[i].lstrip().startswith("// " + words)]
    if len(starts) != 1:
        raise Unfounded(f'{len(starts)} comments start with "{words}"')
    depth = re.match(r" *//", lines[starts[0]])[0]
    first = last = starts[0]
    while first > begin and lines[first - 1].startswith(depth):
        first -= 1
    while last < end and lines[last].startswith(depth):
        last += 1
    while last < end and not lines[last].startswith(depth) and (not lines[last] or lines[last].startswith(depth[:-2])):
        last += 1
    return first, last


def excerpt(lines, selector):
    found = [f for f in functions_of(lines)
             if (f.full_name == selector["name"] or f.full_name.endswith("::" + selector["name"]))
             and selector["parameters"] in f.head]
    found = [f for f in found if f.is_type] or [f for f in found if f.is_definition] or found
    if len(found) != 1:
        raise Unfounded(f"{len(found)} are named {selector['name']}; say Class::name, or name(words of the parameters)")
    begin, end = found[0].begin, found[0].end
    while begin > 0 and lines[begin - 1].lstrip().startswith("//"):
        begin -= 1
    whole = begin, end
    if "at" in selector:
        begin, end = step_of(lines, *whole, selector["at"])
    if "from" in selector:
        begin = step_of(lines, *whole, selector["from"])[0]
    if "to" in selector:
        end = step_of(lines, *whole, selector["to"])[1]
    if "until" in selector:
        end = step_of(lines, *whole, selector["until"])[0]
    while end > begin and not lines[end - 1]:
        end -= 1
    if end <= begin:
        raise Unfounded("the end is before the beginning")
    return lines[begin:end]


def joined(parts):
    """Parts with an empty line between two of them."""
    return [line for i, part in enumerate(parts) for line in ([""] if i else []) + part]


def code_for(what, _fence):
    path, _, selectors = what.partition(" ")
    if not (ROOT / path).is_file():
        raise Unfounded(f"there is no {path}")
    return joined([excerpt(lines_of(path), s) for s in selectors_of(selectors)])


def part_of_output(lines, selector):
    def line_that_starts(words, begin):
        for i in range(begin, len(lines)):
            if lines[i].startswith(words):
                return i
        raise Unfounded(f'no line starts with "{words}"')

    begin = end = line_that_starts(selector["at"], 0)
    if "to" in selector:
        end = line_that_starts(selector["to"], begin) + 1
    elif "until" in selector:
        end = line_that_starts(selector["until"], begin + 1)
    else:
        while end < len(lines) and lines[end]:
            end += 1
    return lines[begin:end]


class Commands:
    """Runs the commands of a page in a folder with its files, docs/page-model and ten translated sentences."""

    def __init__(self, program, page):
        self.program, self.folder = program, tempfile.TemporaryDirectory()
        folder = Path(self.folder.name)
        (folder / "docs").mkdir()
        (folder / "docs/page-model").symlink_to(ROOT / "docs/page-model")
        for file in (ROOT / "tests/evaluation/fixtures").glob("three_figures.*"):
            (folder / file.name).symlink_to(file)
        for fence in fences_of(page):
            if fence.of("file"):
                (folder / fence.of("file")).write_text("\n".join(fence.lines) + "\n", encoding="utf-8")

    def output_of(self, line):
        words = [w for w in shlex.split(line, posix=True)]
        if any(words[i] != "plainformer" for i in range(len(words)) if i == 0 or words[i - 1] in ("&&", "|")):
            raise Unfounded("only plainformer is run")
        shell = re.sub(r"(^|&& |\| )plainformer\b", rf"\1{shlex.quote(str(self.program))}", line)
        result = subprocess.run(["sh", "-ec", shell], cwd=self.folder.name, capture_output=True, encoding="utf-8")
        if result.returncode != 0:
            raise Unfounded(f"exit code {result.returncode}: {result.stderr}")
        return result.stdout.splitlines()


def output_for(what, fence, output_of):
    command, _, selectors = what.partition("; ")
    shown = 0
    while fence.lines[shown:] and (fence.lines[0].startswith("plainformer ") if shown == 0
                                   else fence.lines[shown - 1].endswith("\\")):
        shown += 1
    above = fence.lines[:shown]
    if above and "".join(line.strip().removesuffix("\\") for line in above) != command:
        above = [command]
    output = output_of(command)
    parts = [part_of_output(output, s) for s in selectors_of(selectors)] if selectors else ["\n".join(output).rstrip()
                                                                                          .split("\n")]
    return above + joined(parts)


def quotes(page, kind, source):
    """Yields (fence, wanted lines or None, problem) of each quote that differs."""
    for fence in fences_of(page):
        if fence.of(kind) is None:
            continue
        try:
            wanted = source(fence.of(kind), fence)
        except Unfounded as error:
            yield fence, None, f"{fence.begin}: {fence.marker}: {error}"
            continue
        if wanted != fence.lines:
            same = next((i for i, (a, b) in enumerate(zip(wanted, fence.lines)) if a != b),
                        min(len(wanted), len(fence.lines)))
            yield fence, wanted, (f"{fence.begin}: {fence.marker}: differs in line {same + 1}: "
                                  f"{(wanted + ['the end'])[same]!r} in the source, "
                                  f"{(fence.lines + ['the end'])[same]!r} here")


def unmarked_code(page):
    folded = re.sub(r"(?s)<details>.*?</details>", lambda m: "\n" * m[0].count("\n"), "\n".join(page)).split("\n")
    for fence in fences_of(folded):
        if fence.opening == "```cpp" and not fence.marker.startswith(("code: ", "no code of the program: ")):
            yield f"{fence.begin}: a fence of C++ without a comment that says where it is from"


def orphan_markers(page):
    markers = [i for i, line in enumerate(page)
               if re.match(r" *<!-- (code|output|printed by): ", line)]
    for i in markers:
        if not page[i + 1:] or not page[i + 1].lstrip().startswith("```"):
            yield f"{i + 1}: no fence in the next line"


def printed_by(page, expected):
    """Fences below <!-- printed by: NAME --> are lines that the example's test expects."""
    for fence in fences_of(page):
        name = fence.of("printed by")
        if name and "\n".join(fence.lines) not in expected(name):
            yield f"{fence.begin}: {name} prints something else"


# --- links and names

def anchor_of(heading):
    text = without_links(heading, True).lower()
    return "".join("-" if c == " " else c for c in text if c == " " or c in "-_" or c.isalnum() and c not in "²")


def anchors_of(page):
    counts, anchors = {}, set()
    for part in parts_of(page):
        for line in [] if isinstance(part, Fence) else part:
            heading = re.match(r"#{1,6} +(.*?) *$", line)
            if heading:
                anchor = anchor_of(heading[1])
                n = counts[anchor] = counts.get(anchor, -1) + 1
                anchors.add(f"{anchor}-{n}" if n else anchor)
    return anchors


def dead_links(page, folder):
    for part in parts_of(page):
        for link in [] if isinstance(part, Fence) else links_of("\n".join(part)):
            if link.startswith("https://"):
                continue
            path, _, anchor = link.partition("#")
            target = folder / path
            if path and not target.exists():
                yield f"a link leads nowhere: {link}"
            elif anchor and (not path or path.endswith(".md")):
                if anchor not in anchors_of(target.read_text(encoding="utf-8").splitlines() if path else page):
                    yield f"no heading has the anchor of {link}"


class Names:
    """What a page may name."""

    def __init__(self, tests, code, presets, help_of):
        self.tests, self.code, self.presets, self.help_of = tests, code, presets, help_of

    @staticmethod
    def of_checkout(program):
        tests = set()
        for path in files_under("tests"):
            tests.update(f"{m[1]}.{m[2]}" for line in lines_of(path)
                         for m in re.finditer(r"TEST(?:_F|_P)?\((\w+), (\w+)\)", line))
        code = "\n".join(line for path in files_under("src", "examples") for line in lines_of(path))
        presets = {p["name"] for p in json.loads((ROOT / "CMakePresets.json").read_text())["configurePresets"]}

        @lru_cache(maxsize=None)
        def help_of(command):
            arguments = [str(program)] + command.split() + ["--help"]
            return subprocess.run(arguments, capture_output=True, encoding="utf-8").stdout

        return Names(tests, code, presets, help_of)

    @lru_cache(maxsize=None)
    def all_options(self):
        commands = re.findall(r"\n  ([a-z]\w*(?: [a-z]+)?)  ", self.help_of(""))
        return " ".join(self.help_of(command) for command in [""] + commands) + " --help --version "


MODEL_PRESETS = {"page", "nano", "toy", "parser", "tiny", "small", "base", "big"}
DEBUGGER_COMMANDS = {"tensor", "vocabulary"}


def has_option(text, option):
    return re.search(re.escape(option) + r"(?![\w-])", text) is not None


def dead_commands(text, names):
    for match in re.finditer(r"(?<![\w\")])(?<!\(gdb\) )(?<!\(lldb\) )plainformer ((?:bpe |treebank )?[a-z]\w*)([^|#<>&\n]*)", text):
        command, rest = match[1], match[2]
        if command in DEBUGGER_COMMANDS:
            continue
        help_text = names.help_of(command)
        if not help_text:
            yield f"there is no command {command}"
        for option in re.findall(r"(?<![\w-])--[a-z][\w-]*", rest):
            if help_text and option != "--help" and not has_option(help_text, option):
                yield f"{command} has no option {option}"


def is_dead_path(word):
    program = re.fullmatch(r"build/[\w-]+/(?:(tests)/(\w+)_tests|(examples)/(\w+))", word)
    if program and program[1]:
        return not (ROOT / "tests" / program[2]).is_dir()
    if program and program[3]:
        return not any((ROOT / "examples" / folder / f"{program[4]}.cpp").exists() for folder in ("", "experiments"))
    return word.startswith(("src/", "tests/", "docs/", "examples/", ".ci/")) and not (ROOT / word.rstrip(".")).exists()


def dead_names(page, names, has_other_programs=False):
    """Tests, paths, functions, commands, options and presets that do not exist."""
    for part in parts_of(page):
        fenced = isinstance(part, Fence)
        for text in part.lines if fenced else spans_of("\n".join(part)):
            text = text if fenced else " ".join(text.split())
            yield from dead_commands(text, names)
            for preset in re.findall(r"(?:cmake|ctest) [^|;&]*--preset ([a-z0-9]+)", text):
                if preset not in names.presets:
                    yield f"there is no preset {preset}"
            for word in re.findall(r"[\w./-]+", text) if fenced or re.fullmatch(r"[\w./-]+", text) else []:
                if is_dead_path(word) and (fenced or not word.startswith("examples/")):
                    yield f"there is no {word}"
                if re.fullmatch(r"[A-Z]\w*\.[A-Z]\w*", word) and word not in names.tests:
                    yield f"there is no test {word}"
            if fenced:
                continue
            stem = text.split("(")[0]
            if re.fullmatch(r"[a-z]+/\w+\.h", text) and not (ROOT / "src" / text).exists():
                yield f"there is no {text}"
            if re.fullmatch(r"[A-Z]\w*::\w+", stem) and not all(p in names.code for p in stem.split("::")):
                yield f"there is no {stem}"
            if re.fullmatch(r"[a-z]+(_[a-z]+)+(\(.*\))?", text) and stem not in names.code:
                yield f"there is no {stem}"
            if not has_other_programs and re.match(r"--[a-z]", text) and not has_option(names.all_options(), re.match(r"[\w-]+", text)[0]):
                yield f"no command has the option {text}"


# --- math, as code hosts show it

def fault_of_math(math):
    for macro in ("\\operatorname", "\\newcommand", "\\def", "\\require"):
        if macro in math:
            return f"{macro} is refused by hosts"
    if not math.strip():
        return "nothing in it"
    if "$" in math:
        return "a dollar in it"
    if math.count("\\begin{") != math.count("\\end{"):
        return "\\begin without \\end"
    if len(re.findall(r"\\left(?!arrow)", math)) != len(re.findall(r"\\right(?!arrow)", math)):
        return "\\left without \\right"
    plain = re.sub(r"\\.", "", math, flags=re.S)
    depth = 0
    for c in plain:
        depth += (c == "{") - (c == "}")
        if depth < 0:
            break
    return "braces do not match" if depth else ""


def faults_of_math(page):
    for part in parts_of(page):
        if isinstance(part, Fence):
            fault = fault_of_math("\n".join(part.lines)) if part.opening == "```math" else ""
            if fault:
                yield f"{part.begin}: {fault}"
            continue
        text = "\n".join(part)
        for token in re.finditer(r"\$`(?P<math>.*?)`\$|(?P<ticks>`+).*?(?P=ticks)|(?P<dollar>\$)", text, flags=re.S):
            if token["dollar"]:
                yield f"a dollar; write $`...`$, or a fence of math: {text[:50]}"
            if token["math"] is None:
                continue
            line = text[text.rfind("\n", 0, token.start()) + 1:].lstrip()
            around = text[max(token.start() - 1, 0):token.start()] + text[token.end():token.end() + 1]
            faults = [fault_of_math(token["math"]), "a line break in it" if "\n" in token["math"] else "",
                      "a bar in a table ends the cell" if line.startswith("|") and "|" in token["math"] else "",
                      "it touches a word" if re.search(r"[\w$]", around) else ""]
            yield from (f"{token[0][:50]}: {fault}" for fault in faults if fault)


# --- the book's order: words, terms, exercises, works

def spine_of(readme):
    """The chapters in the order of the table of docs/README.md, up to the conclusion."""
    spine = []
    for line in readme:
        cells = cells_of(line)
        if len(cells) >= 3 and cells[1].startswith("["):
            spine.append(re.search(r"\]\(([^)]+)\)", cells[1])[1])
            if spine[-1].startswith("7-"):
                break
    return spine


def words_of(page):
    return sum(len(re.sub(r"<!--.*?-->", "", line).split()) for line in page)


def terms_of(glossary):
    for line in glossary:
        cells = cells_of(line)
        links = re.findall(r"\]\(([^)]+)\)", cells[2]) if len(cells) == 3 else []
        for name in cells[0].split(", ") if links else []:
            yield name, links[0]


# Words that are terms, too, where they mean something else: "memory" of a computer, a task named "recall".
ORDINARY_USES = {("0-what-you-need.md", "memory"), ("0-what-you-need.md", "source"), ("0-what-you-need.md", "value"),
                 ("4-why-self-attention.md", "recall"), ("3.2.3-applications-of-attention.md", "bias")}


def word_pattern(term):
    one = re.escape(term.lower())
    plurals = f"{one}(?:s|es)?" + (f"|{one[:-1]}ies" if one.endswith("y") else "")
    return re.compile(rf"(?<![\w-])(?:{plurals})(?![\w-])")


def plain_prose_of(page):
    return [without_links(text, False).replace("*", "").lower() for text in prose_of(page)]


def lesson_of(term, page):
    """The first paragraph that shows the term in italics, in bold or in a heading."""
    pattern = word_pattern(term)
    for i, text in enumerate(prose_of(page)):
        text = without_links(text, True).lower()
        shown = [text] if text.startswith("#") else re.findall(r"\*+([^*]+)\*+", text)
        if any(pattern.search(part) for part in shown):
            return i
    return None


def terms_out_of_order(spine, pages, terms):
    prose = {chapter: plain_prose_of(pages[chapter]) for chapter in spine}
    for term, first in terms:
        pattern = word_pattern(term)
        before = spine[:spine.index(first)] if first in spine else spine
        for chapter in before:
            if (chapter, term) not in ORDINARY_USES and any(pattern.search(text) for text in prose[chapter]):
                yield f'{chapter} uses "{term}", taught in {first}'
        lesson = lesson_of(term, pages[first])
        if lesson is None:
            yield f'{first} has "{term}" neither in italics nor in bold nor in a heading'
        elif any(pattern.search(text) for text in plain_prose_of(pages[first])[:lesson]):
            yield f'{first} uses "{term}" before it is taught'


FOLD = re.compile(r"   <details><summary>(\w+)</summary>\n\n[^\n](?:(?!<details>).)*?\n\n   </details>", re.S)


def unfolded_exercises(page):
    text = re.split(r"^## Exercises?$", "\n".join(page), flags=re.M)
    items = re.split(r"^(\d+)\. ", re.split(r"^## ", text[1], flags=re.M)[0], flags=re.M)[1:] if len(text) > 1 else []
    for i in range(0, len(items), 2):
        if items[i] != str(i // 2 + 1):
            yield f"exercise {items[i]} has the wrong number"
        if FOLD.findall(items[i + 1]) != ["Hint", "Solution"] or items[i + 1].count("<details>") != 2:
            yield f"exercise {items[i]} has no folded hint and then a folded solution"


NAME = r"(?:[Vv]an |de )*[A-Z][^\s().,|\"]+"
CITATION = re.compile(rf"({NAME}(?:(?:,| and| &) {NAME})*(?: et al\.)?,? \(?(?:19|20)\d\d[a-z]?)(?!\w)")
DATE = re.compile(r"(WMT|NeurIPS|Rows|January|February|March|April|May|June|July|August|September|October|November|"
                  r"December) \d+")


def normal(work):
    return re.sub(r", (\S+)$", r" \1", work.replace("(", "").replace(" & ", " and "))


WITHOUT_FORM = {"preface.md", "first-breakpoint.md"}
PREFACE = "preface.md"  # shows the whole before the parts, so it uses terms early and has no exercises


def faults_of_form(page):
    """What each chapter has: three goals, sections to read later marked, a summary, exercises with level and minutes."""
    text = "\n".join(page)
    goals = re.search(r"^\*\*After this page you can\*\*\n\n((?:- [^\n]+\n(?:  [^\n]+\n)*)+)", text, re.M)
    if not goals or len(re.findall("^- ", goals[1], re.M)) != 3:
        yield 'no "After this page you can" with three goals'
    summary = re.search(r"^## In short\n\n((?:- [^\n]+\n(?:  [^\n]+\n)*)+)", text, re.M)
    if not summary or len(re.findall("^- ", summary[1], re.M)) > 5:
        yield 'no "## In short" with at most five'
    yield from (f"{heading}: mark it as (second reading)" for heading in
                re.findall(r"^## (?:Backward|Is it true\?)(?: *)$", text, re.M))
    exercises = re.split(r"^## Exercises$", text, flags=re.M)[1:]
    if not exercises:
        yield "no exercises"
    for number, item in re.findall(r"^(\d+)\. (.*)$", "".join(exercises), re.M):
        if not re.match(r"\*\*(?:Predict, then run\. )?(?:Easy|Medium|Hard), \d+ minutes\.\*\* ", item):
            yield f"exercise {number} has no level and minutes"
    if "**Predict, then run. " not in text:
        yield "no exercise to predict, then run"


def navigation(spine, pages, chapter):
    """The line below a title, which names the chapter before this one."""
    title = lambda page: page[0].removeprefix("# ")
    place = spine.index(chapter)
    return "[Contents](README.md)" + (f", before: [{title(pages[spine[place - 1]])}]({spine[place - 1]})" if place else "")


def check_navigation(spine, pages, update):
    for chapter in spine:
        page = pages[chapter]
        start = 4 if page[2].startswith("[Contents]") else 2
        renewed = [*page[:2], navigation(spine, pages, chapter), "", *page[start:]]
        if page == renewed:
            continue
        if not update:
            yield f"{chapter}: the line below the title does not name the chapter before: --update"
            continue
        page[:] = renewed
        (ROOT / "docs" / chapter).write_text("\n".join(page) + "\n", encoding="utf-8")


def citations_of(page):
    return {normal(work) for text in prose_of(page) for work in CITATION.findall(without_links(text, True))
            if not DATE.fullmatch(work)}


def works_of(bibliography):
    rows = [cells for cells in map(cells_of, bibliography) if len(cells) == 2]
    return {normal(re.sub(r"(\d{4}[a-z]?), .*", r"\1", cells[0])): cells[1] for cells in rows}


def problems_of_works(cited, works):
    for path, citations in cited.items():
        for work in citations - works.keys():
            yield f"{path} cites {work}, which docs/bibliography.md lacks"
    for work, entry in works.items():
        if re.search(r"\b(19|20)\d\d", work) and not any(work in citations for citations in cited.values()):
            yield f"docs/bibliography.md: nobody cites {work}"
        if work not in ("cited as",) and not work.startswith("---") and "](https://" not in entry:
            yield f"docs/bibliography.md: {work} has no link"


def problems_of_questions(questions, readme):
    items = re.findall(r"^\d+\. \*\*.*(?:\n   .*)*", "\n".join(questions), flags=re.M)
    for item in items:
        if not links_of(item) or len(without_links(item, False)) > 200:
            yield f"docs/questions.md: a line and a link, please: {item[:60]}"
    if f"[{len(items)} questions](docs/questions.md)" not in "\n".join(readme):
        yield f"README.md has no link to [{len(items)} questions]"


# A decimal of three places in these chapters is in an output of its page, or of a page that its paragraph links, or here.
CALCULATED = {
    "3-model-architecture.md": "0.871",  # the sum of -ln p
    "3.1-encoder-and-decoder-stacks.md": "0.244 0.293 0.088 1.946 0.658 0.083 0.195 1.566",
    "3.2.2-multi-head-attention.md": "",
    "3.2.3-applications-of-attention.md": "0.928 0.893 0.901 0.848 0.899 0.832 0.622",
    "3.3-position-wise-feed-forward-networks.md": "0.982 0.285 0.975 1.957 0.357 0.873 0.948 0.809 0.721 0.607 1.365 0.337 0.331",
    "3.4-embeddings-and-softmax.md": "2.449 0.955 0.208 0.743 0.103 4.499 0.790 1.190 0.510 0.340 0.470 0.740"}


def shown_decimals(page):
    fences = [f for f in fences_of(page) if f.marker.startswith(("output: ", "printed by: "))]
    return {n for f in fences for line in f.lines for n in re.findall(r"\d+\.\d+", line)}


def unfounded_decimals(page, calculated, folder):
    shown = shown_decimals(page) | set(calculated.split())
    for part in parts_of(page):
        if isinstance(part, Fence) and re.match(r"(output|printed by|code|file): ", part.marker):
            continue
        text = "\n".join(part.lines if isinstance(part, Fence) else part)
        linked = set()
        for link in links_of(text):
            target = folder / link.split("#")[0]
            if target.suffix == ".md" and target.exists():
                linked |= shown_decimals(target.read_text(encoding="utf-8").splitlines())
        for number in re.findall(r"\d+\.\d{3,}", text):
            if number not in shown | linked:
                yield f"{number} is in no output of this page or of one that the paragraph links"


def faults_of_descent(page):
    """Chapter 5 by hand: steps of one weight whose gradient is p - 1/2, and its way if no gradient is set to zero."""
    text = "\n".join(page)
    p = lambda w: 1 / (1 + math.exp(-w))
    w = 3
    for step in range(1, 4):
        loss, grad = -(math.log(p(w)) + math.log(1 - p(w))) / 2, p(w) - 0.5
        row = f"| {step} | {w:.3f} | {p(w):.3f} | {loss:.3f} | {grad:.3f} | {w - grad:.3f} |"
        w -= grad
        if row not in text:
            yield f"step {step} is {row}"
    way, grad = [3], 0
    while len(way) < 9:
        grad += p(way[-1]) - 0.5
        way.append(way[-1] - grad)
    way = ", ".join(f"{w:.3f}" for w in way)
    if way not in text:
        yield f"without zeroing w is {way}"


# --- the paper map, and README's reading table

SECTIONS = {"1": "Introduction", "2": "Background", "3": "Model Architecture", "3.1": "Encoder and Decoder Stacks",
            "3.2": "Attention", "3.2.1": "Scaled Dot-Product Attention", "3.2.2": "Multi-Head Attention",
            "3.2.3": "Applications of Attention in our Model", "3.3": "Position-wise Feed-Forward Networks",
            "3.4": "Embeddings and Softmax", "3.5": "Positional Encoding", "4": "Why Self-Attention", "5": "Training",
            "5.1": "Training Data and Batching", "5.2": "Hardware and Schedule", "5.3": "Optimizer",
            "5.4": "Regularization", "6.1": "Machine Translation", "6.2": "Model Variations",
            "6.3": "English Constituency Parsing", "7": "Conclusion"}


def sections_of(first_line):
    """The sections that "// Paper: 3.1 Title (remark) and 5.4 Title" names; a wrong title raises Unfounded."""
    if not first_line.startswith("// Paper: "):
        return []
    numbers = re.findall(r"(?:^// Paper: | and )([1-7](?:\.[0-9])*) ", first_line)
    for number in numbers:
        if not re.search(rf"{re.escape(number)} {re.escape(SECTIONS.get(number, '?'))}(?=[ ,.]|$)", first_line):
            raise Unfounded(f"{first_line}: {number} is {SECTIONS.get(number, 'no section')}")
    if not numbers and "Abstract" not in first_line and "abstract" not in first_line:
        raise Unfounded(f"{first_line}: no section")
    return numbers


def paper_map(old_rows, headers, tests, experiments):
    """The rows of docs/paper-map.md: chapters as they are, code and tests from the first lines and the names of files."""
    rows = []
    for number, title in SECTIONS.items():
        chapters = next((row[1] for row in old_rows if row[0] == number), "")
        files = [path for path, sections in headers.items() if number in sections]
        programs = [path for path, sections in experiments.items() if number in sections]
        mirrors = [path.replace("src/", "tests/").replace(".h", "_test.cpp") for path in files]
        mirrors += [path for path in tests if path.startswith("tests/golden/") and number in tests[path]]
        mirrors.append(f"tests/paper/section_{number.replace('.', '_')}_test.cpp")
        link = lambda path: "[{}](../{})".format(
            re.sub(r"^(src|tests|examples)/|(_test)?\.(h|cpp)$", "", path), path)
        code = ", ".join(map(link, files + programs)) or "no code here"
        rows.append(f"| {number} | {chapters} | {code} | {', '.join(link(m) for m in mirrors if m in tests)} |")
        page = "1-before.md" if number in ("1", "2") else f"{number}-"  # one chapter for both sections
        if not re.match(rf"\[{re.escape(title)}\]\({re.escape(page)}", chapters):
            rows[-1] += f"  <!-- the chapter is not [{title}]({page}...) -->"
    return rows


def headers_of_checkout(files):
    return {path: sections_of((lines_of(path) or [""])[0]) for path in files}


def check_paper_map(update):
    page = lines_of("docs/paper-map.md")
    is_row = lambda line: re.match(r"\| [1-7][0-9.]* \|", line)
    old = [cells_of(line) for line in page if is_row(line)]
    tests = {path: [] for path in files_under("tests", suffix="_test.cpp")}
    tests.update(headers_of_checkout([p for p in tests if p.startswith("tests/golden/")]))
    headers = headers_of_checkout(files_under("src", suffix=".h"))
    experiments = headers_of_checkout([p for p in files_under("examples", suffix=".cpp")
                                       if re.fullmatch(r"examples/experiments/\w+\.cpp", p)])
    rows = paper_map(old, headers, tests, experiments)
    begin = next(i for i, line in enumerate(page) if is_row(line))
    wanted = page[:begin] + rows + [line for line in page[begin:] if not is_row(line)]
    if wanted != page and update:
        (ROOT / "docs/paper-map.md").write_text("\n".join(wanted) + "\n", encoding="utf-8")
    elif wanted != page:
        yield from (f"docs/paper-map.md lacks: {row}" for row in rows if row not in page)
    for path, sections in headers.items():
        if path.startswith("src/transformer/") and not sections:
            yield f"{path}: its first line names no section of the paper"


READING_ROW = re.compile(r"\| \[([^\]]*)\]\((src/[^).]*)\.(h|cpp)\) \| (\d+) \|(.*)")


def reading_table(readme, lines_in, includes_of, headers):
    """Yields (line of README, the line as it should be, problem)."""
    above, named = set(), [m[2] for m in map(READING_ROW.fullmatch, readme) if m]
    for header in headers:
        if named.count(header[:-2]) != 1:
            yield None, None, f"README.md names {header} {named.count(header[:-2])} times in its reading table"
    for line in readme:
        row = READING_ROW.fullmatch(line)
        if not row:
            continue
        count = lines_in(row[2])
        if count != int(row[4]):
            yield line, f"| [{row[1]}]({row[2]}.{row[3]}) | {count} |{row[5]}", f"{row[2]} has {count} lines"
        for other in includes_of(row[2]):
            if other in named and other not in above:
                yield None, None, f"README.md: {row[2]} is above {other}, which it includes"
        above.add(row[2])


def check_reading_table(update):
    readme = lines_of("README.md")
    lines_in = lambda stem: sum(len(lines_of(p)) for p in (stem + ".h", stem + ".cpp") if (ROOT / p).exists())
    includes_of = lambda stem: ["src/" + m for line in lines_of(stem + ".h")
                                for m in re.findall(r'^#include "([^"]+)\.h"', line)]
    wanted = list(readme)
    for line, new, problem in reading_table(readme, lines_in, includes_of, files_under("src/transformer", suffix=".h")):
        if update and new:
            wanted[wanted.index(line)] = new
        else:
            yield problem
    if wanted != readme:
        (ROOT / "README.md").write_text("\n".join(wanted) + "\n", encoding="utf-8")


# --- editors and teachers

def check_editor_files():
    presets = {p["name"] for p in json.loads((ROOT / "CMakePresets.json").read_text())["configurePresets"]}
    text = "".join((ROOT / ".vscode" / name).read_text() for name in ("tasks.json", "launch.json"))
    for name in ("tasks.json", "launch.json"):
        json.loads((ROOT / ".vscode" / name).read_text())
    for preset in re.findall(r'"--preset", "([^"]+)"', text):
        if preset not in presets | MODEL_PRESETS:
            yield f".vscode: there is no preset {preset}"
    for path in re.findall(r"\$\{workspaceFolder\}/(\.debugger/[\w.]+)", text):
        if not (ROOT / path).exists():
            yield f".vscode: there is no {path}"
    labels = set(re.findall(r'"label": "([^"]+)"', text))
    for task in re.findall(r'"(?:preLaunchTask|dependsOn)": "([^"]+)"', text):
        if task not in labels:
            yield f".vscode: there is no task {task}"
    for used in re.findall(r"\$\{input:(\w+)\}", text):
        if f'"id": "{used}"' not in text:
            yield f".vscode: there is no input {used}"


def check_oral_questions():
    page = "\n".join(lines_of("examples/assignments/teaching/oral-questions.md"))
    chapters = dict(re.findall(r"^## (\d\d)\b[^\n]*\n(.*?)(?=^## |\Z)", page, flags=re.M | re.S))
    chapters["19"] = chapters.get("18", "")  # 18 and 19 share theirs
    for folder in sorted((ROOT / "examples/assignments/exercises").iterdir()):
        numbers = re.findall(r"^(\d+)\. ", chapters.get(folder.name[:2], ""), flags=re.M)
        if numbers != ["1", "2", "3", "4"]:
            yield f"oral-questions.md has questions {numbers} for {folder.name}, not four"


# --- all pages

def check_quotes(pages, options):
    for path, page in pages.items():
        sources = {"code": code_for}
        if any(f.of("output") for f in fences_of(page)):
            commands = Commands(options.program, page)
            sources["output"] = lambda what, fence: output_for(what, fence, commands.output_of)
        for kind, source in sources.items():
            for fence, wanted, problem in reversed(list(quotes(page, kind, source))):
                if not options.update or wanted is None:
                    yield f"{path}:{problem}"
                    continue
                page[fence.begin:fence.begin + len(fence.lines)] = [fence.indent + w if w else "" for w in wanted]
                (ROOT / path).write_text("\n".join(page) + "\n", encoding="utf-8")


def check_pages(options):
    pages = {path: lines_of(path) for path in all_pages()}
    yield from check_quotes(pages, options)
    names = Names.of_checkout(options.program)
    expected = lambda name: (ROOT / f"tests/examples/expected/{name}.txt").read_text(encoding="utf-8")
    for path, page in pages.items():
        rules = [orphan_markers(page), unmarked_code(page), printed_by(page, expected), faults_of_math(page),
                 dead_links(page, (ROOT / path).parent), unfolded_exercises(page),
                 dead_names(page, names, path.startswith("examples/"))]
        yield from (f"{path}: {problem}" for rule in rules for problem in rule)
    docs = {path[5:]: page for path, page in pages.items() if path.startswith("docs/")}
    spine = spine_of(docs["README.md"])
    for chapter in spine:
        if words_of(docs[chapter]) > MOST_WORDS_OF_A_CHAPTER:
            yield f"{chapter} has {words_of(docs[chapter])} words, at most {MOST_WORDS_OF_A_CHAPTER}"
    for chapter in spine:
        if chapter not in WITHOUT_FORM:
            yield from (f"{chapter}: {fault}" for fault in faults_of_form(docs[chapter]))
    yield from check_navigation(spine, docs, options.update)
    yield from terms_out_of_order([c for c in spine if c != PREFACE], docs, terms_of(docs["glossary.md"]))
    cited = {path: citations_of(page) for path, page in pages.items() if path != "docs/bibliography.md"}
    for path in files_under("src", "examples"):
        cited[path] = citations_of([" ".join(line.split("//")[1].strip() for line in lines_of(path) if "//" in line)])
    yield from problems_of_works(cited, works_of(docs["bibliography.md"]))
    yield from problems_of_questions(docs["questions.md"], pages["README.md"])
    for chapter, calculated in CALCULATED.items():
        yield from (f"{chapter}: {p}" for p in unfounded_decimals(docs[chapter], calculated, ROOT / "docs"))
    yield from (f"5-training.md: {fault}" for fault in faults_of_descent(docs["5-training.md"]))
    yield from check_paper_map(options.update)
    yield from check_reading_table(options.update)
    if len(pages["README.md"]) > MOST_LINES_OF_README:
        yield f"README.md has {len(pages['README.md'])} lines, at most {MOST_LINES_OF_README}"
    yield from check_editor_files()
    yield from check_oral_questions()


# --- each rule rejects

SOURCE = """namespace a {

// The sum of a row.
int A::sum(const Row& row) {
  int s = 0;

  // Step 1. Add.
  for (int x : row) s += x;

  // Step 2. Return.
  return s;
}

void free(int x);
void free(Row row) {}
void free(Column column) {}

// Its fields.
struct C : public D {
  explicit C(int x) : x_{x} {}
  int size() const {
    return 1;
  }
};

}  // namespace a""".splitlines()


def self_test():
    def selected(text):
        return joined([excerpt(SOURCE, s) for s in selectors_of(text)])

    def fails(text):
        try:
            selected(text)
        except Unfounded:
            return True
        return False

    assert selected("A::sum") == SOURCE[2:12] and selected("C") == SOURCE[17:24]
    assert selected('A::sum "Step 1"') == SOURCE[6:8] and selected('A::sum from "Step 2"') == SOURCE[9:12]
    assert selected('A::sum until "Step 1"') == SOURCE[2:5] and selected('A::sum "Step 1" to "Step 2"') == SOURCE[6:11]
    assert selected("C::size, free(Row row)") == SOURCE[20:23] + [""] + SOURCE[14:15]
    for text in ["", "free", "um", 'A::sum "Step"', 'A::sum "Step 3"', 'A::sum "Step 2" to "Step 1"', 'a "b']:
        assert fails(text), text

    output = ["title", "", "name   a  bb", "first  1   2", "last   3   4", "", "end"]
    printed = lambda what, shown=(): output_for(what, Fence("", "", "", 0, list(shown)), lambda command: output)
    assert printed("p x") == output and printed('p x; "first"') == output[3:5]
    assert printed('p x; "title" until "last"')[-1] == output[3]
    assert printed("plainformer x", ["plainformer y", "old"])[0] == "plainformer x"

    page = ["<!-- code: two -->", "```cpp", "a", "", "  b", "```"]
    differing = lambda page: list(quotes(page, "code", lambda what, fence: ["a", "", "  b"]))
    assert not differing(page) and differing(page[:4] + ["```"])
    assert not differing(["- x", "  <!-- code: two -->", "  ```cpp", "  a", "", "    b", "  ```"])
    assert list(orphan_markers(["<!-- code: a b -->", "", "```"])) and not list(orphan_markers(page))
    assert list(unmarked_code(["text", "```cpp", "```"])) and not list(unmarked_code(page))
    assert not list(unmarked_code(["<details>", "", "```cpp", "```", "", "</details>"]))
    assert list(printed_by(["<!-- printed by: a -->", "```", "x 2", "```"], lambda name: "x 1\n"))

    assert anchor_of("Why the root, and not `d_k`?") == "why-the-root-and-not-d_k"
    assert anchor_of("The [code](x.md) of 3.2.1: O(n²)") == "the-code-of-321-on"
    links = ["# Tests", "## Tests", "[a](#tests-1) [b](#none) [c](no-such-page.md) `[d](e)` [f](README.md)"]
    assert len(list(dead_links(links, ROOT))) == 2

    names = Names({"Suite.Name"}, "class Tensor size good_name", {"toy"},
                  lambda command: {"": "\n  train  x", "train": "--out DIR --steps N"}.get(command, ""))
    dead = lambda text: list(dead_names([text], names)) + list(dead_names(["```", text.strip("`"), "```"], names))
    for text in ["`Suite.Name`", "`src/ops/softmax.cpp`", "`plainformer train --out x --steps 3 | sort --key 1`",
                 "`cmake --preset toy && build/toy/examples/five_words`", "`good_name(x)`", "`--steps N`",
                 "`plainformer COMMAND`", "`(gdb) plainformer tensor x`", "`Tensor::size`"]:
        assert not dead(text), (text, dead(text))
    for text in ["`Suite.Other`", "`src/nothing.h`", "`core/nothing.h`", "`Tensor::nothing`", "`no_such_name(x)`",
                 "`plainformer trian`", "`plainformer train --step 1`", "`cmake --preset joy`", "`--step N`",
                 "`build/toy/examples/six_words`"]:
        assert dead(text), text

    faults = lambda *page: len(list(faults_of_math(list(page))))
    assert not faults("With $`\\{x_i\\} \\| y`$, $`k`$-th, `$HOME` and ``a ` $ b``", "", "```sh", "$ ls", "```")
    assert not faults("text $`|x| = 1`$") and not faults("$`x \\leftarrow y`$")
    for text in ["With $x$", "$$x$$", "| $`|x| = 1`$ |", "keys$`^T`$", "$`d`$s"]:
        assert faults(text), text
    for math in ["{x", "x}", "\\{x}", "\\operatorname{lse}", "\\left(x)", "\\begin{matrix} x", " "]:
        assert faults(f"a $`{math}`$") and faults("```math", math, "```"), math
    assert faults("With $`x", "+ y`$")

    readme = ["| | chapter | in one line |", "|---|---|---|", "| 0 | [A](a.md) | x |", "| 7 | [C](7-c.md) | x |"]
    assert spine_of(readme) == ["a.md", "7-c.md"] and words_of(["# One two", "<!-- three -->", "four;  five"]) == 5
    taught = lambda first, second: list(terms_out_of_order(["a.md", "b.md"], {"a.md": first, "b.md": second},
                                                           [("head", "b.md")]))
    assert not taught(["ahead, `head`, [the head](x.md)"], ["a *multi-head* and a *wide", "head*"])
    for first, second in [(["two heads"], ["*head*"]), ([""], ["a head"]), ([""], ["a head", "", "a *head*"])]:
        assert taught(first, second), (first, second)

    fold = ["", "   <details><summary>Hint</summary>", "", "   Look.", "", "   </details>"]
    solution = [line.replace("Hint", "Solution") for line in fold[1:]]
    exercise = lambda *parts: list(unfolded_exercises(sum(parts, ["## Exercises", "", "1. Why?"]) + ["## Tests", "7. x"]))
    assert not exercise(fold, solution)
    for parts in [(), (fold,), (solution, fold), (fold, solution[:-1]), (fold, solution, ["3. How?"], fold, solution)]:
        assert exercise(*parts), parts

    assert citations_of(["As Kingma and Ba (2015), Elman 1990", "and Vinyals & Kaiser et al. 2014", "", "WMT 2014"]) == {
        "Kingma and Ba 2015", "Elman 1990", "Vinyals and Kaiser et al. 2014"}
    assert len(list(problems_of_works({"a": {"A 1990"}}, {"B 1991": "x"}))) == 3
    assert len(list(problems_of_questions(["1. **A?** B.", "   [c](c.md)", "", "2. **D?** E."], ["[1 questions]"]))) == 2
    decimals = ["A 1.250 and 2.500.", "", "<!-- output: a -->", "```", "x 1.250", "```", "", "```", "7.5000", "```"]
    assert len(list(unfounded_decimals(decimals, "", ROOT))) == 2
    assert not list(unfounded_decimals(decimals, "2.500 7.5000", ROOT))
    assert len(list(faults_of_descent(["| 1 | 3.000 | 0.953 | 1.549 | 0.453 | 2.547 |", "| 2 | 2.547 | 0.9"]))) == 3

    assert sections_of("// Paper: 3.1 Encoder and Decoder Stacks (the norm) and 5.4 Regularization, too") == ["3.1", "5.4"]
    for line in ["// Paper: 3.1 Encoder-Decoder Stacks", "// Paper: 3.6 Something", "// Paper: Attention"]:
        try:
            assert not sections_of(line), line
        except Unfounded:
            pass
        else:
            assert False, line
    rows = paper_map([["3.3", "[Position-wise Feed-Forward Networks](3.3-x.md)", "", ""]], {"src/a/b.h": ["3.3"]},
                     {"tests/a/b_test.cpp": []}, {})
    assert "| [a/b](../src/a/b.h) | [a/b](../tests/a/b_test.cpp) |" in rows[8] and "not [" in rows[0]
    table = ["| [a](src/a.h) | 7 | x |", "| [b](src/b.cpp) | 9 | y |"]
    problems = lambda includes: list(reading_table(table, lambda stem: 7, lambda stem: includes.get(stem, []), ["src/a.h"]))
    assert len(problems({})) == 1 and len(problems({"src/a": ["src/b"]})) == 2


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", type=lambda p: Path(p).resolve())
    for option in ("--update", "--self-test"):
        parser.add_argument(option, action="store_true")
    options = parser.parse_args()
    if options.self_test:
        sys.exit(self_test())
    if not options.program:
        parser.error("give the program whose outputs the pages show: --program build/test/plainformer")
    found = list(check_pages(options))
    print("\n".join(found) or "the pages say what the program does")
    sys.exit(1 if found else 0)
