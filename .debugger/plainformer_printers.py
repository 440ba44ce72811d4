"""What gdb and LLDB show for the types of plainformer.

Both debuggers use this file, so they show the same text. It reaches the program through a View, which each of
the two defines (plainformer_gdb.py, plainformer_lldb.py):

    view.field(name, ...)   the member with the first of these names that exists, as a View
    view.integer()          the value of an integer, a bool or a pointer
    view.target_size()      for a pointer: the size of its target, in bytes
    view.target()           for a pointer: the target, as a View
    view.item(i)            for an array: element i, as a View
    view.read(address, n)   n bytes of memory

Each raises Unreadable where there is no value, and field() NoMember where there is no such member. Nothing here
calls a function of the program or writes to its memory, so it works on a core file. Every size is checked before
it is used, and the memory read for one value is bounded: a tensor that is not initialized yet shows as that.
"""
import array
import math
import struct

MAX_EXTENT = 1 << 40  # more elements than that are garbage
MAX_STATISTICS = 1 << 18  # elements that min, mean, max and norm look at
MAX_ROWS, MAX_COLUMNS = 16, 16  # beyond, a slice is shown
FEW_COLUMNS = 8
MAX_TOKENS = 1 << 20  # of a batch
MAX_VECTOR_BYTES = 1 << 24
MAX_TOKEN_BYTES = 4096
ALIGNMENT = 64  # of storage; its header takes as many bytes

FLOAT_EPSILON = 2.0 ** -23

GARBAGE = "not initialized yet, or overwritten"


class Unreadable(Exception):
    """There is no such value: optimized out, outside the memory, or garbage. str() says which."""


class NoMember(Unreadable):
    """The type has no such member."""


class Description:
    """One line, and below it children: pairs of a name and either a text or a View."""

    def __init__(self, summary, children=(), brief=None):
        self.summary = summary
        self.children = list(children)
        self.brief = brief or summary  # for an argument in a backtrace


def described(name, describe, view):
    """describe(view), or a line that says why there is nothing to describe."""
    try:
        return describe(view)
    except Unreadable as problem:
        return Description("%s, %s" % (name, problem))


# --- tensors

def extents_of(shape):
    """The extents of a Shape. Unreadable if it cannot be one."""
    rank = shape.field("rank_").integer()
    if not 0 <= rank <= 4:
        raise Unreadable(GARBAGE)
    array_of_dims = shape.field("dims_").field("_M_elems", "__elems_")
    dims = [array_of_dims.item(axis).integer() for axis in range(4)]
    if any(dims[rank:]) or any(not 0 <= dim <= MAX_EXTENT for dim in dims):
        raise Unreadable(GARBAGE)
    if math.prod(dims[:rank]) > MAX_EXTENT:
        raise Unreadable(GARBAGE)
    return dims[:rank]


class Values:
    """The shape of a Tensor, or of Elements, and its memory."""

    def __init__(self, tensor):
        self.view = tensor
        self.extents = extents_of(tensor.field("shape_"))
        self.size = math.prod(self.extents) if self.extents else 0
        try:
            storage = tensor.field("storage_")
        except NoMember:
            storage = None  # Elements have a pointer and no storage
        pointer = (storage or tensor).field("data_")
        self.address = pointer.integer()
        self.width = pointer.target_size()
        if self.size == 0:
            return
        if storage:
            self._check(storage)

    def _check(self, storage):
        block = storage.field("block_").integer()
        if block == 0 or self.address != block + ALIGNMENT or self.address % ALIGNMENT != 0:
            raise Unreadable(GARBAGE)
        references = int.from_bytes(self.view.read(block, 4), "little")
        if references == 0:
            raise Unreadable("destroyed: its memory is free")

    def read(self, first, count):
        """The elements from `first` on, in row-major order."""
        data = self.view.read(self.address + first * self.width, count * self.width)
        return array.array("f" if self.width == 4 else "d", data)

    def part(self, indices):
        """The part under these leading indices: first element and extents."""
        if len(indices) > len(self.extents):
            raise Unreadable("%d indices for %s" % (len(indices), shape_text(self.extents)))
        first = 0
        for index, extent in zip(indices, self.extents):
            if not 0 <= index < extent:
                raise Unreadable("index %d is not below %d in %s" % (index, extent, shape_text(self.extents)))
            first = first * extent + index
        rest = self.extents[len(indices):]
        return first * math.prod(rest), rest or [1]


def shape_text(extents):
    return "[" + ", ".join(str(extent) for extent in extents) + "]"


def number_text(number):
    text = "%.4g" % number
    return "0" if text == "-0" else text


def statistics_text(values, first, size):
    """"min -1, mean 0.5, max 2" of these elements; NaN and infinity are counted apart."""
    count = min(size, MAX_STATISTICS)
    numbers = values.read(first, count)
    finite, others = numbers, []
    if not math.isfinite(sum(numbers)):
        finite = [x for x in numbers if math.isfinite(x)]
        nans = sum(math.isnan(x) for x in numbers)
        infinities = count - len(finite) - nans
        others = ["%d NaN" % nans] * (nans > 0) + ["%d infinite" % infinities] * (infinities > 0)
        if nans == count:
            return "all NaN (a debug build fills new tensors with NaN)"
    parts = []
    if len(finite):
        least, mean, most = min(finite), mean_of(finite), max(finite)
        if abs(mean) < FLOAT_EPSILON * max(-least, most):
            mean = 0  # numbers that cancel: the rest is rounding
        parts = ["min " + number_text(least), "mean " + number_text(mean), "max " + number_text(most)]
    text = ", ".join(parts + others)
    return text if count == size else text + " of the first %d" % count


def mean_of(numbers):
    try:
        return math.fsum(numbers) / len(numbers)
    except OverflowError:  # the sum of doubles near the largest
        return sum(x / len(numbers) for x in numbers)


def row_texts(values, first, extents, max_rows, max_columns):
    """The rows as pairs of a label, "[0, 1]", and a text; the last pair may say how many more there are."""
    columns = extents[-1]
    rows = math.prod(extents[:-1])
    shown_rows = rows if rows <= max_rows else max_rows
    shown_columns = columns if columns <= max_columns else min(FEW_COLUMNS, max_columns)
    table = [[number_text(x) for x in values.read(first + row * columns, shown_columns)] for row in range(shown_rows)]
    width = max(len(text) for row in table for text in row)
    texts = []
    for row, line in enumerate(table):
        text = " ".join(number.rjust(width) for number in line)
        texts.append((row_label(row, extents[:-1]), text + (" ..." if shown_columns < columns else "")))
    if shown_rows < rows:
        texts.append(("...", "%d rows more" % (rows - shown_rows)))
    return texts


def row_label(row, extents):
    indices = []
    for extent in reversed(extents):
        indices.insert(0, row % extent)
        row //= extent
    return shape_text(indices + [":"])


def describe_tensor(view, name="Tensor", indices=(), max_rows=MAX_ROWS, max_columns=MAX_COLUMNS):
    values = Values(view)
    if not values.extents:
        return Description(name + ", empty (never assigned, or moved from)")
    first, extents = values.part(indices)
    head = name + " " + shape_text(extents)
    if math.prod(extents) == 0:
        return Description(head + ", no elements")
    summary = head + ", " + statistics_text(values, first, math.prod(extents))
    return Description(summary, row_texts(values, first, extents, max_rows, max_columns), brief=head)


def describe_shape(view):
    return Description(shape_text(extents_of(view)))


def count_not_finite(view):
    """How many elements of a tensor are NaN or infinite: for the condition of a breakpoint."""
    values = Values(view)
    found = 0
    for first in range(0, min(values.size, MAX_STATISTICS * 64), MAX_STATISTICS):
        numbers = values.read(first, min(MAX_STATISTICS, values.size - first))
        found += sum(not math.isfinite(x) for x in numbers)
    return found


# --- parameters

def gradient_text(view):
    try:
        values = Values(view)
        if values.size == 0:
            return "no gradient yet"
        count = min(values.size, MAX_STATISTICS)
        norm = math.sqrt(sum(x * x for x in values.read(0, count)))
        text = "gradient of norm " + number_text(norm)
        return text if count == values.size else text + " in the first %d elements" % count
    except Unreadable as problem:
        return "gradient %s" % problem


def describe_parameter(view):
    value, grad = view.field("value"), view.field("grad")
    description = described("Parameter", lambda view: describe_tensor(view, "Parameter"), value)
    return Description(description.summary + "; " + gradient_text(grad), [("value", value), ("grad", grad)],
                       brief=description.brief)


def describe_named_parameter(view):
    try:
        name = string_text(view.field("name"))
    except NoMember:  # LLVM's strings are laid out in another way
        name = "?"
    parameter = view.field("parameter")
    description = describe_parameter(parameter.target())
    return Description(name + ": " + description.summary, [("parameter", parameter)],
                       brief=name + ": " + description.brief)


# --- masks and tokens

def vector_bytes(vector):
    """The memory of a std::vector, and the size of an element."""
    try:
        impl = vector.field("_M_impl")
        begin, end = impl.field("_M_start"), impl.field("_M_finish")
    except NoMember:
        begin, end = vector.field("__begin_"), vector.field("__end_")  # LLVM's library
    width = begin.target_size()
    first, size = begin.integer(), end.integer() - begin.integer()
    if not 0 <= size <= MAX_VECTOR_BYTES or size % width != 0:
        raise Unreadable(GARBAGE)
    return (vector.read(first, size) if size else b""), width


def integers(vector):
    """The elements of a vector of integers."""
    data, width = vector_bytes(vector)
    return array.array("q" if width == 8 else "i", data)


def describe_mask(view):
    lengths = integers(view.field("key_lengths"))
    causal = view.field("causal").integer()
    if causal not in (0, 1) or any(not 0 <= length <= MAX_EXTENT for length in lengths):
        raise Unreadable(GARBAGE)
    shown = " ".join(str(length) for length in lengths[:MAX_COLUMNS])
    head = "AttentionMask, %s, visible keys %s" % ("causal" if causal else "not causal", shown or "of no sentence")
    if len(lengths) > MAX_COLUMNS:
        head += " ..."
    return Description(head, mask_rows(lengths, causal))


def mask_rows(lengths, causal):
    """A line for each query, '1' for a visible key and '.' for a masked one."""
    keys = max(lengths, default=0)
    width = min(keys, 4 * MAX_COLUMNS)
    queries = min(keys, MAX_ROWS) if causal else 1  # without causality all queries see the same
    rows = []
    for element, length in enumerate(lengths):
        for query in range(max(queries, 1)):
            if len(rows) == 2 * MAX_ROWS:
                return rows + [("...", "%d sentences more" % (len(lengths) - element))]
            visible = min(length, query + 1) if causal else length
            text = "".join("1" if key < visible else "." for key in range(width)) + ("..." if width < keys else "")
            rows.append(("[%d, %s]" % (element, query if causal else ":"), text or "no key"))
    return rows


def describe_token_batch(view, vocabulary=None):
    """`vocabulary` is a list of tokens, or a function that finds one."""
    batch, length = view.field("batch").integer(), view.field("len").integer()
    if not (0 <= batch <= MAX_TOKENS and 0 <= length <= MAX_TOKENS and batch * length <= MAX_TOKENS):
        raise Unreadable(GARBAGE)
    ids, lengths = integers(view.field("ids")), integers(view.field("lengths"))
    if batch * length > 0 and not ids and not lengths:
        return Description("TokenBatch, moved from")
    if len(ids) != batch * length or len(lengths) != batch or any(not 0 <= n <= length for n in lengths):
        raise Unreadable(GARBAGE)
    if batch == 0:
        return Description("TokenBatch, empty")
    head = "TokenBatch [%d, %d], %d tokens and %d of padding" % (
        batch, length, sum(lengths), batch * length - sum(lengths))
    words = vocabulary() if callable(vocabulary) else vocabulary
    rows = []
    for row in range(min(batch, MAX_ROWS)):
        sentence = ids[row * length:row * length + lengths[row]]
        rows.append(("[%d]" % row, sentence_text(sentence, words)))
    if batch > MAX_ROWS:
        rows.append(("...", "%d sentences more" % (batch - MAX_ROWS)))
    return Description(head, rows, brief="TokenBatch [%d, %d]" % (batch, length))


def sentence_text(ids, words):
    most = 4 * MAX_COLUMNS
    text = " ".join(str(token) for token in ids[:most])
    if words:
        text += " = " + " ".join(words[token] if 0 <= token < len(words) else "?" for token in ids[:most])
    return text + (" ..." if len(ids) > most else "")


# --- vocabularies

def printable(text):
    """Text for a terminal: control characters are spelled out."""
    return "".join(c if c.isprintable() else "\\x%02x" % ord(c) for c in text)


def string_text(view):
    length = view.field("_M_string_length").integer()
    address = view.field("_M_dataplus").field("_M_p").integer()
    if not 0 <= length <= MAX_TOKEN_BYTES:
        raise Unreadable(GARBAGE)
    return printable(view.read(address, length).decode("utf-8", "replace"))


def words_of_vocabulary(view):
    """The tokens of a Vocabulary by id, or None if it is none: the first token must be <pad>.

    A std::string of GCC's library takes 32 bytes: a pointer, the length, and room for a short text. It is read
    as bytes, because a debugger would take seconds for the 37000 members.
    """
    try:
        data, width = vector_bytes(view.field("tokens_"))
        if width != 32:
            return None
        words = []
        for at in range(0, len(data), width):
            address, length = struct.unpack_from("<QQ", data, at)
            if length > MAX_TOKEN_BYTES:
                return None
            text = data[at + 16:at + 16 + length] if length < 16 else view.read(address, length)
            words.append(printable(text.decode("utf-8", "replace")))
            if words[0] != "<pad>":
                return None
        return words or None
    except Unreadable:
        return None


def words_of_file(path):
    """The tokens of vocabulary.txt: one a line, the first has id 0."""
    with open(path, encoding="utf-8", errors="replace", newline="\n") as file:
        words = [printable(line.rstrip("\r\n")) for line in file]
    if not words or words[0] != "<pad>":
        raise Unreadable("%s is no vocabulary.txt: its first line is not <pad>" % path)
    return words


# --- ways

def describe_ways(names, integer_of):
    plain = [name for name in names if integer_of(name) == 1]
    fast = [name for name in names if integer_of(name) == 0]
    if len(plain) + len(fast) < len(names):
        raise Unreadable(GARBAGE)
    if not fast:
        return Description("plain operations: all")
    return Description("plain operations: " + (", ".join(plain) or "none"))


# --- the command `plainformer tensor EXPRESSION [INDEX...]`

def split_indices(argument):
    """"cache.weights 0 1" -> "cache.weights", [0, 1]."""
    words = argument.split()
    indices = []
    while len(words) > 1 and words[-1].isdigit():
        indices.insert(0, int(words.pop()))
    return " ".join(words), indices


def part_text(view, name, indices):
    """A part of a tensor with up to 64 rows and columns, as lines."""
    label = name + shape_text(indices) if indices else name
    description = described("Tensor", lambda tensor: describe_tensor(tensor, "Tensor", indices, 64, 64), view)
    width = max((len(row) for row, _ in description.children), default=0)
    return "\n".join([label + " = " + description.summary] +
                     ["  " + row.ljust(width) + " " + text for row, text in description.children])
