"""Reads the values of plainformer out of the memory of a program, for the printers of gdb and LLDB.

It reaches the program through a View, which each of the two defines (plainformer_gdb.py, plainformer_lldb.py):

    view.field(name, ...)   the member with the first of these names that exists, as a View
    view.integer()          the value of an integer, a bool or a pointer
    view.target_size()      for a pointer: the size of its target, in bytes
    view.target()           for a pointer: the target, as a View
    view.item(i)            for an array: element i, as a View
    view.read(address, n)   n bytes of memory

Each raises Unreadable where there is no value, and field() NoMember where there is no such member. Nothing here
calls a function of the program or writes to its memory, so it works on a core file. Every size is checked before
it is used, and the memory read for one value is bounded, so garbage does no harm.
"""
import array
import math
import struct

MAX_EXTENT = 1 << 40  # a tensor with more elements is garbage
MAX_VECTOR_BYTES = 1 << 24
MAX_TOKEN_BYTES = 4096
ALIGNMENT = 64  # of storage; its header takes as many bytes

GARBAGE = "not initialized yet, or overwritten"


class Unreadable(Exception):
    """The value cannot be read: optimized out, outside the memory, or garbage. str() says which."""


class NoMember(Unreadable):
    """The type has no such member."""


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
            storage = None  # TensorWriter have a pointer and no storage
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


# --- vectors, strings and vocabularies

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
    """The tokens of a Vocabulary by id, or None if it is not one: the first token must be <pad>.

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
    """The tokens of vocabulary.txt: one on each line, the first with id 0."""
    with open(path, encoding="utf-8", errors="replace", newline="\n") as file:
        words = [printable(line.rstrip("\r\n")) for line in file]
    if not words or words[0] != "<pad>":
        raise Unreadable("%s is not a vocabulary.txt: its first line is not <pad>" % path)
    return words
