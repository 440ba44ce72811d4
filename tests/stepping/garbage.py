"""Looks at each word of the stack as if a value of each type began there. Nothing may be raised.

(gdb) source tests/stepping/garbage.py
(lldb) command script import tests/stepping/garbage.py
"""
WORDS = 200
TYPES = ("Tensor", "Shape", "Parameter", "NamedParameter", "AttentionMask", "TokenBatch", "Ways")


def in_gdb():
    import gdb
    first = int(gdb.selected_frame().read_register("sp"))
    for name in TYPES:
        pointer = gdb.lookup_type("plainformer::" + name).pointer()
        for word in range(WORDS):
            yield gdb.Value(first + 8 * word).cast(pointer).dereference().format_string()


def in_lldb(debugger):
    import lldb
    import plainformer_lldb
    target = debugger.GetSelectedTarget()
    first = target.GetProcess().GetSelectedThread().GetFrameAtIndex(0).GetSP()
    for name in TYPES:
        kind = target.FindFirstType("plainformer::" + name)
        for word in range(WORDS):
            value = target.CreateValueFromAddress("garbage", lldb.SBAddress(first + 8 * word, target), kind)
            yield plainformer_lldb.describe(value).summary


def report(texts):
    texts = list(texts)
    assert all(texts)
    print("%d values" % len(texts))


def __lldb_init_module(debugger, internal_dict):
    report(in_lldb(debugger))


try:
    import gdb  # noqa: F401
except ImportError:
    pass
else:
    report(in_gdb())
