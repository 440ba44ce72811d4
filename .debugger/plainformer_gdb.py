"""Shows the types of plainformer in gdb: gdb -x .debugger/plainformer_gdb.py --args PROGRAM ...

The text comes from plainformer_printers.py. `help plainformer` lists the commands.
"""
import ctypes
import os
import re
import sys

import gdb
import gdb.printing

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import plainformer_memory as memory  # noqa: E402
import plainformer_printers as printers  # noqa: E402
from plainformer_memory import NoMember, Unreadable  # noqa: E402

MAX_FRAMES = 64  # that are searched for a vocabulary
REFERENCES = (gdb.TYPE_CODE_REF, gdb.TYPE_CODE_RVALUE_REF)


class View:
    """A gdb.Value as plainformer_memory.py wants it."""

    def __init__(self, value):
        self.value = value

    def _try(self, get):
        try:
            value = get()
            if value.is_optimized_out:
                raise Unreadable("optimized out")
            return value
        except (gdb.error, RuntimeError, ValueError, OverflowError) as problem:
            raise Unreadable(str(problem)) from None

    def field(self, *names):
        names_here = [name for name in names if self._has(self.value.type, name)]
        if not names_here:
            raise NoMember("no member " + names[0])
        return View(self._try(lambda: self.value[names_here[0]]))

    def _has(self, type_, name):
        if type_.code in REFERENCES:
            type_ = type_.target()
        fields = type_.strip_typedefs().fields()
        return any(f.name == name or f.is_base_class and self._has(f.type, name) for f in fields)

    def item(self, index):
        return View(self._try(lambda: self.value[index]))

    def integer(self):
        value = self._try(lambda: self.value)
        try:
            return int(value)
        except (gdb.error, OverflowError) as problem:
            raise Unreadable(str(problem)) from None

    def target_size(self):
        return self.value.type.strip_typedefs().target().sizeof

    def target(self):
        return View(self._try(self.value.dereference))

    def read(self, address, size):
        try:
            return bytes(gdb.selected_inferior().read_memory(address, size))
        except (gdb.error, OverflowError, ValueError):
            raise Unreadable("its memory at %#x is not readable" % address) from None


def let_blocks_be_pasted():
    """Makes each line of a pasted block a command of its own, which neither the pager nor a question takes."""
    gdb.execute("set pagination off")
    try:
        if gdb.parameter("debuginfod enabled") == "ask":
            gdb.execute("set debuginfod enabled off")
    except RuntimeError:  # a gdb older than 12, which does not ask
        pass
    try:
        ctypes.CDLL(None).rl_variable_bind(b"enable-bracketed-paste", b"off")
    except (OSError, AttributeError):  # a gdb with a readline inside
        pass


# --- vocabularies: of a file, or of a frame up the stack

words_chosen = None  # by the command `plainformer vocabulary FILE`


def find_words():
    if words_chosen:
        return words_chosen
    try:
        frame = gdb.selected_frame()
        for _ in range(MAX_FRAMES):
            words = words_in_frame(frame)
            frame = frame.older()
            if words or frame is None:
                return words
    except gdb.error:  # no process, or a broken stack
        pass
    return None


def words_in_frame(frame):
    try:
        block = frame.block()
    except RuntimeError:  # no debug information
        return None
    while block and not (block.is_global or block.is_static):
        for symbol in block:
            if symbol.is_variable or symbol.is_argument:
                try:
                    words = words_in(symbol.value(frame), 3)
                except (gdb.error, RuntimeError):
                    continue
                if words:
                    return words
        block = block.superblock
    return None


def words_in(value, depth):
    """The words of a Vocabulary in this object, at most `depth` members down."""
    type_ = value.type.strip_typedefs()
    if type_.code == gdb.TYPE_CODE_PTR or type_.code in REFERENCES:
        if not str(type_.target().unqualified().strip_typedefs()).startswith("plainformer::"):
            return None
        value = value.referenced_value()
        type_ = value.type.strip_typedefs()
    if type_.code != gdb.TYPE_CODE_STRUCT or not leads_to_vocabulary(type_, depth):
        return None
    if type_.unqualified().name == "plainformer::Vocabulary":
        return memory.words_of_vocabulary(View(value))
    for field in type_.fields():
        words = words_in(value[field], depth - 1) if leads_to_vocabulary(field.type, depth - 1) else None
        if words:
            return words
    return None


known_types = {}


def leads_to_vocabulary(type_, depth):
    """Whether objects of this type have a Vocabulary at most `depth` members down. Looks at types only."""
    type_ = type_.strip_typedefs().unqualified()
    while type_.code == gdb.TYPE_CODE_PTR or type_.code in REFERENCES:
        type_ = type_.target().strip_typedefs().unqualified()
    name = type_.name or ""
    if name == "plainformer::Vocabulary":
        return True
    if depth <= 0 or type_.code != gdb.TYPE_CODE_STRUCT or not name.startswith("plainformer::"):
        return False
    key = (name, depth)
    if key not in known_types:
        known_types[key] = any(leads_to_vocabulary(f.type, depth - 1) for f in type_.fields() if hasattr(f, "bitpos"))
    return known_types[key]


# --- printers

def in_backtrace():
    """Whether this is an argument in a backtrace, which gets a short text. gdb says so since version 13."""
    try:
        return bool(gdb.print_options().get("summary"))
    except AttributeError:
        return False


class Printer:
    def __init__(self, description):
        self.description = description

    def to_string(self):
        return self.description.brief if in_backtrace() else self.description.summary

    def children(self):
        if in_backtrace():
            return
        for name, child in self.description.children:
            yield name, child.value if isinstance(child, View) else child


class EditorsPrinter:
    """One text. An editor would show "{...}" for a printer with children."""

    def __init__(self, description):
        self.description = description

    def to_string(self):
        rows = ["%s %s" % (name, child) for name, child in self.description.children if isinstance(child, str)]
        return "\n".join([self.description.summary] + rows)


def started_by_an_editor():
    """Whether gdb speaks its machine interface: gdb --interpreter=mi."""
    try:
        with open("/proc/self/cmdline", encoding="utf-8", errors="replace") as file:
            return bool(re.search(r"\0--?i(nterpreter)?[=\0]mi", file.read()))
    except OSError:
        return False


def describe_ways(view):
    names = [field.name for field in view.value.type.strip_typedefs().fields()]
    return printers.describe_ways(names, lambda name: view.field(name).integer())


DESCRIPTIONS = {
    "Tensor": printers.describe_tensor,
    "TensorWriter": lambda view: printers.describe_tensor(view, "TensorWriter"),
    "Shape": printers.describe_shape,
    "Parameter": printers.describe_parameter,
    "NamedParameter": printers.describe_named_parameter,
    "AttentionMask": printers.describe_mask,
    "TokenBatch": lambda view: printers.describe_token_batch(view, find_words),
    "Ways": describe_ways,
}


def collection():
    found = gdb.printing.RegexpCollectionPrettyPrinter("plainformer")
    printer = EditorsPrinter if started_by_an_editor() else Printer
    for name, describe in DESCRIPTIONS.items():
        found.add_printer(name, "^plainformer::%s$" % name,
                          lambda value, n=name, d=describe: printer(printers.described(n, d, View(value))))
    return found


# --- commands

class PlainformerCommand(gdb.Command):
    """Commands for the types of plainformer."""

    def __init__(self):
        super().__init__("plainformer", gdb.COMMAND_DATA, prefix=True)


class VocabularyCommand(gdb.Command):
    """plainformer vocabulary FILE: show token batches as the words of this vocabulary.txt.

Without it, a vocabulary in a frame up the stack is used."""

    def __init__(self):
        super().__init__("plainformer vocabulary", gdb.COMMAND_DATA, gdb.COMPLETE_FILENAME)

    def invoke(self, argument, from_tty):
        global words_chosen
        try:
            words_chosen = memory.words_of_file(os.path.expanduser(argument))
        except (OSError, Unreadable) as problem:
            raise gdb.GdbError(str(problem))
        print("%d tokens" % len(words_chosen))


class TensorCommand(gdb.Command):
    """plainformer tensor EXPRESSION [INDEX...]: print a tensor, or its part under these leading indices.

For example, `plainformer tensor scores 0 1` prints all rows of scores[0, 1]."""

    def __init__(self):
        super().__init__("plainformer tensor", gdb.COMMAND_DATA, gdb.COMPLETE_EXPRESSION)

    def invoke(self, argument, from_tty):
        name, indices = printers.split_indices(argument)
        try:
            view = View(gdb.parse_and_eval(name))
        except gdb.error as problem:
            raise gdb.GdbError(str(problem))
        print(printers.part_text(view, name, indices))


class NotFinite(gdb.Function):
    """$not_finite(tensor): how many elements are NaN or infinite.

    break plainformer::softmax_forward if $not_finite(x)"""

    def __init__(self):
        super().__init__("not_finite")

    def invoke(self, tensor):
        try:
            return printers.count_not_finite(View(tensor))
        except Unreadable:
            return 0


gdb.printing.register_pretty_printer(None, collection(), replace=True)
for command in (PlainformerCommand, VocabularyCommand, TensorCommand, NotFinite):
    command()
gdb.execute("set print pretty on")  # a row of a matrix on a line of its own
let_blocks_be_pasted()
