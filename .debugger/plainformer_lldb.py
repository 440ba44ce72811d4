"""Shows the types of plainformer in LLDB: (lldb) command script import .debugger/plainformer_lldb.py

The text comes from plainformer_printers.py. `help plainformer` lists the commands.
"""
import os
import sys

import lldb

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import plainformer_memory as memory  # noqa: E402
import plainformer_printers as printers  # noqa: E402
from plainformer_memory import NoMember, Unreadable  # noqa: E402

MAX_FRAMES = 64  # that are searched for a vocabulary
NAMESPACE = "plainformer::"


class View:
    """An SBValue as plainformer_memory.py wants it."""

    def __init__(self, value):
        value = value.GetNonSyntheticValue()
        if not value.IsValid():
            raise Unreadable("no value")
        if value.GetError().Fail():
            raise Unreadable(str(value.GetError().GetCString()))
        self.value = value

    def field(self, *names):
        for name in names:
            member = self.value.GetChildMemberWithName(name)
            if member.IsValid():
                return View(member)
        raise NoMember("no member " + names[0])

    def item(self, index):
        return View(self.value.GetChildAtIndex(index))

    def integer(self):
        error = lldb.SBError()
        kind = self.value.GetType().GetCanonicalType()
        if kind.IsPointerType():
            number = self.value.GetValueAsUnsigned(error)
        else:
            number = self.value.GetValueAsSigned(error)
        if error.Fail():
            raise Unreadable(str(error.GetCString()))
        return number

    def target_size(self):
        return self.value.GetType().GetCanonicalType().GetPointeeType().GetByteSize()

    def target(self):
        return View(self.value.Dereference())

    def read(self, address, size):
        if size == 0:
            return b""
        error = lldb.SBError()
        try:
            data = self.value.GetProcess().ReadMemory(address, size, error)
        except (ValueError, OverflowError):  # of numbers that are no address
            data = None
        if error.Fail() or data is None or len(data) != size:
            raise Unreadable("its memory at %#x is not readable" % address)
        return data


# --- vocabularies: of a file, or of a frame up the stack

words_chosen = None  # by the command `plainformer vocabulary FILE`


def find_words(process):
    if words_chosen:
        return words_chosen
    thread = process.GetSelectedThread()
    first = thread.GetSelectedFrame().GetFrameID()
    for index in range(first, min(thread.GetNumFrames(), first + MAX_FRAMES)):
        for variable in thread.GetFrameAtIndex(index).GetVariables(True, True, False, True):
            words = words_in(variable, 3)
            if words:
                return words
    return None


def words_in(value, depth):
    """The words of a Vocabulary in this object, at most `depth` members down."""
    value = value.GetNonSyntheticValue()
    kind = bare_type(value.GetType())
    if not leads_to_vocabulary(kind, depth):
        return None
    if value.GetType().IsPointerType() or value.GetType().IsReferenceType():
        value = value.Dereference()
    if kind.GetName() == NAMESPACE + "Vocabulary":
        try:
            return memory.words_of_vocabulary(View(value))
        except Unreadable:
            return None
    for field in kind.fields:
        if leads_to_vocabulary(bare_type(field.GetType()), depth - 1):
            words = words_in(value.GetChildMemberWithName(field.GetName()), depth - 1)
            if words:
                return words
    return None


def bare_type(kind):
    """Without pointer, reference, const and typedef."""
    kind = kind.GetCanonicalType()
    if kind.IsReferenceType():
        kind = kind.GetDereferencedType()
    elif kind.IsPointerType():
        kind = kind.GetPointeeType()
    return kind.GetCanonicalType().GetUnqualifiedType()


known_types = {}


def leads_to_vocabulary(kind, depth):
    """Whether objects of this type have a Vocabulary at most `depth` members down. Looks at types only."""
    name = kind.GetName() or ""
    if name == NAMESPACE + "Vocabulary":
        return True
    if depth <= 0 or not name.startswith(NAMESPACE):
        return False
    key = (name, depth)
    if key not in known_types:
        known_types[key] = any(leads_to_vocabulary(bare_type(f.GetType()), depth - 1) for f in kind.fields)
    return known_types[key]


# --- summaries and children

def describe_ways(view):
    names = [field.GetName() for field in bare_type(view.value.GetType()).fields]
    return printers.describe_ways(names, lambda name: view.field(name).integer())


DESCRIPTIONS = {
    "Tensor": printers.describe_tensor,
    "TensorWriter": lambda view: printers.describe_tensor(view, "TensorWriter"),
    "Shape": printers.describe_shape,
    "Parameter": printers.describe_parameter,
    "NamedParameter": printers.describe_named_parameter,
    "AttentionMask": printers.describe_mask,
    "TokenBatch": lambda view: printers.describe_token_batch(view, lambda: find_words(view.value.GetProcess())),
    "Ways": describe_ways,
}


def describe(value):
    name = bare_type(value.GetType()).GetName()[len(NAMESPACE):]
    return printers.described(name, lambda found: DESCRIPTIONS[name](View(found)), value)


def summary(value, internal_dict):
    return describe(value).summary


class Children:
    """The children as LLDB wants them. A text becomes an array of characters."""

    def __init__(self, value, internal_dict):
        self.value = value
        self.children = []

    def update(self):
        self.children = describe(self.value).children
        return False

    def has_children(self):
        return bool(self.children)

    def num_children(self):
        return len(self.children)

    def get_child_index(self, name):
        names = [child_name for child_name, _ in self.children]
        return names.index(name) if name in names else -1

    def get_child_at_index(self, index):
        if not 0 <= index < len(self.children):
            return None
        name, child = self.children[index]
        if isinstance(child, View):
            return child.value
        target = self.value.GetTarget()
        # CreateDataFromCString copies the text. (SetData would keep a pointer to it.)
        data = lldb.SBData.CreateDataFromCString(target.GetByteOrder(), target.GetAddressByteSize(), child)
        kind = target.GetBasicType(lldb.eBasicTypeChar).GetArrayType(len(child.encode("utf-8")))
        return self.value.CreateValueFromData(name, data, kind)


# --- commands

def vocabulary_command(debugger, command, result, internal_dict):
    """plainformer vocabulary FILE: show token batches as the words of this vocabulary.txt. Without it, a vocabulary
in a frame up the stack is used."""
    global words_chosen
    try:
        words_chosen = memory.words_of_file(os.path.expanduser(command.strip()))
        result.AppendMessage("%d tokens" % len(words_chosen))
    except (OSError, Unreadable) as problem:
        result.SetError(str(problem))


def tensor_command(debugger, command, exe_ctx, result, internal_dict):
    """plainformer tensor VARIABLE [INDEX...]: print a tensor, or its part under these leading indices. For example,
`plainformer tensor scores 0 1` prints all rows of scores[0, 1]."""
    name, indices = printers.split_indices(command)
    try:
        view = View(exe_ctx.GetFrame().GetValueForVariablePath(name))
        result.AppendMessage(printers.part_text(view, name, indices))
    except Unreadable as problem:
        result.SetError("%s: %s" % (name, problem))


def stop_if_not_finite(frame, location, extra_args, internal_dict):
    """For `breakpoint command add -F plainformer_lldb.stop_if_not_finite -k tensor -v x`."""
    name = extra_args.GetValueForKey("tensor").GetStringValue(256)
    try:
        return printers.count_not_finite(View(frame.GetValueForVariablePath(name))) > 0
    except Unreadable:
        return False


def __lldb_init_module(debugger, internal_dict):
    module = __name__
    for name in DESCRIPTIONS:
        kind = NAMESPACE + name
        debugger.HandleCommand("type summary add -p -e -w plainformer -F %s.summary %s" % (module, kind))
        debugger.HandleCommand("type synthetic add -p -w plainformer -l %s.Children %s" % (module, kind))
    debugger.HandleCommand("type category enable plainformer")
    debugger.HandleCommand("command container add -o -h 'Commands for the types of plainformer.' plainformer")
    for name in ("vocabulary", "tensor"):
        debugger.HandleCommand("command script add -o -f %s.%s_command plainformer %s" % (module, name, name))
