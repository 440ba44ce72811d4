"""The text that gdb and LLDB show for the types of plainformer.

A describe_ function takes a View (see plainformer_memory.py). It raises Unreadable where there is no such value.
"""
import math

from plainformer_memory import GARBAGE, MAX_EXTENT, NoMember, Unreadable, Values
from plainformer_memory import extents_of, integers, shape_text, string_text

MAX_STATISTICS = 1 << 18  # elements that enter min, mean, max and norm
MAX_ROWS, MAX_COLUMNS = 16, 16  # beyond, a slice is shown
FEW_COLUMNS = 8
MAX_TOKENS = 1 << 20  # of a batch
FLOAT_EPSILON = 2.0 ** -23


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
    queries = min(keys, MAX_ROWS) if causal else 1  # without causality all queries see the same keys
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
