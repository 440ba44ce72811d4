"""The checkout as text: its files, their lines, the functions of a source, and the parts of a page."""
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def lines_of(path):
    return (ROOT / path).read_text(encoding="utf-8").splitlines()


def files_under(*folders, suffix=(".h", ".cpp")):
    """Paths from the root, sorted."""
    found = (p for folder in folders for p in (ROOT / folder).rglob("*"))
    return sorted(p.relative_to(ROOT).as_posix() for p in found if p.is_file() and p.name.endswith(suffix))


def all_pages():
    return files_under("docs", "examples", suffix=".md") + ["README.md"]


# --- pages

def is_fence(line):
    return line.lstrip(" ").startswith("```")


class Fence:
    """Lines between two ```; `marker` is the text of a comment in the line above, such as "code: PATH NAME"."""

    def __init__(self, marker, indent, opening, begin, lines):
        self.marker, self.indent, self.opening = marker, indent, opening
        self.begin, self.lines = begin, lines  # `begin`: the index of the first line within the fence

    def of(self, kind):
        return self.marker[len(kind) + 2:] if self.marker.startswith(kind + ": ") else None


def parts_of(page):
    """Yields the fences of a page, and its paragraphs as lists of lines."""
    paragraph, i = [], 0
    while i < len(page):
        line = page[i]
        if is_fence(line):
            indent = " " * (len(line) - len(line.lstrip(" ")))
            marker = re.fullmatch(r" *<!-- (.*) -->", paragraph[-1]) if paragraph else None
            if paragraph:
                yield paragraph
            begin = i + 1
            i = begin
            while i < len(page) and not is_fence(page[i]):
                i += 1
            content = [text[len(indent):] if text.startswith(indent) else text for text in page[begin:i]]
            yield Fence(marker[1] if marker else "", indent, line.strip(), begin, content)
            paragraph = []
        elif not line.strip():
            if paragraph:
                yield paragraph
            paragraph = []
        else:
            paragraph.append(line)
        i += 1
    if paragraph:
        yield paragraph


def fences_of(page):
    return [part for part in parts_of(page) if isinstance(part, Fence)]


def without_math(text):
    return re.sub(r"\$`.*?`\$", " ", text, flags=re.S)


def spans_of(text):
    """What a paragraph writes as code."""
    return [m[2] for m in re.finditer(r"(`+)(.*?)\1", without_math(text), flags=re.S)]


def without_code(text):
    return re.sub(r"(`+).*?\1", " ", without_math(text), flags=re.S)


def links_of(text):
    return re.findall(r"\]\(([^)\s]+)\)", without_code(text))


def without_links(text, keep_texts):
    return re.sub(r"\[([^\[\]]*)\]\([^)]*\)", r"\1" if keep_texts else "", text)


def prose_of(page):
    """Paragraphs, tables and headings, each in one line, without fences, formulas, code and comments."""
    prose = []
    for part in parts_of(page):
        if isinstance(part, Fence):
            continue
        text = ""
        for line in part + ["#"]:
            if line.lstrip().startswith("#"):
                prose += [text, line.strip()]
                text = ""
            else:
                text += " " + line.strip()
    plain = [re.sub(r"<!--.*?-->", " ", without_code(text)).strip() for text in prose]
    return [text for text in plain if text and text != "#"]


def cells_of(line):
    return [cell.strip() for cell in line.strip().strip("|").split("|")] if line.startswith("|") else []


# --- sources

class Function:
    """A function, class or enumeration; lines from 0, the end excluded. `scope` is its class."""

    def __init__(self, name, scope, begin, end, head, is_type=False):
        self.name, self.scope, self.begin, self.end, self.head = name, scope, begin, end, head
        self.is_type, self.is_definition = is_type, "{" in head
        self.full_name = f"{scope}::{name}" if scope else name

    def parameters(self):
        begin = self.head.find("(", self.head.find(self.name.split("::")[-1]))
        depth, commas, empty = 0, 0, True
        for c, before in zip(self.head[begin:], " " + self.head[begin:]):
            depth += c in "(<{["
            depth -= c in ")}]" or (c == ">" and before != "-")
            if depth == 0:
                break
            commas += c == "," and depth == 1
            empty = empty and c in "( "
        return 0 if empty else commas + 1


def functions_of(lines):
    """What a file that clang-format has formatted declares in namespaces and classes."""
    found, scopes, i = [], [], 0
    while i < len(lines):
        line = lines[i]
        indent = len(line) - len(line.lstrip(" "))
        text = line.strip()
        while scopes and indent <= scopes[-1][1] and text.startswith("}"):
            name, _, begin, head = scopes.pop()
            if name:
                found.append(Function(name, "::".join(s[0] for s in scopes if s[0]), begin, i + 1, head, True))
        depth = scopes[-1][1] + 2 if scopes and scopes[-1][0] else 0
        if indent != depth or not text or text[0] in "#/}" or text in ("public:", "private:"):
            i += 1
            continue
        begin, head = i, ""
        while i < len(lines):  # up to the end of the declaration, or to its body
            code = re.sub(r'"(\\.|[^"\\])*"', '""', lines[i]).split("//")[0].strip()
            head += (" " if head else "") + code
            i += 1
            if code.endswith((";", "{", "}")) or not code and head == "":
                break
        scope = "::".join(s[0] for s in scopes if s[0])
        opened = re.match(r"(?:template <.*?> )?(?:inline )?(namespace|extern|struct|class|union|enum)\b ?"
                          r"(?:class )?(\w*)[^(;]*{$", head)
        if opened:
            is_named = opened[1] not in ("namespace", "extern")
            scopes.append((opened[2] if is_named else "", depth if is_named else -1, begin, head))
            continue
        if head.endswith("{"):
            while i < len(lines) and not re.match(" " * depth + r"}", lines[i]):
                i += 1
            i += 1
        name = re.search(r"((?:[A-Za-z_]\w*::)*(?:~?[A-Za-z_]\w*|operator\S+)) ?\($",
                         re.sub(r"<[^()]*>(?=[\w ~:&*]*\()", "", head).split("(")[0] + "(")
        is_other = re.match(r"(using|typedef|static_assert|friend class|return|const \w+ \w+\[)\b", head)
        before = head[:head.find("(")]
        if name and not is_other and "=" not in before.replace("operator=", "") and "(" in head:
            qualified = name[1].split("::")
            found.append(Function(qualified[-1], "::".join(qualified[:-1]) or scope, begin, i, head))
    return found
