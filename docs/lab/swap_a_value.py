"""Gives a source word another word's value, in one head of the decoder: the table of 3.2.3, "kauft".

    python3 docs/lab/swap_a_value.py

This is the small model of docs/page-model once more, in plain Python. "as it is" prints what plainformer trace
prints.
"""

import json
import math
import pathlib
import struct

FOLDER = pathlib.Path(__file__).parent.parent / "page-model"
D_MODEL, HEADS, D_K = 6, 2, 3


def read_weights(path):
    data = path.read_bytes()
    start = 8 + struct.unpack("<Q", data[:8])[0]
    weights = {}
    for name, entry in json.loads(data[8:start]).items():
        if name != "__metadata__":
            begin, end = (start + offset for offset in entry["data_offsets"])
            numbers = struct.unpack(f"<{(end - begin) // 4}f", data[begin:end])
            width = entry["shape"][-1]
            rows = [list(numbers[i:i + width]) for i in range(0, len(numbers), width)]
            weights[name] = rows if len(entry["shape"]) == 2 else rows[0]
    return weights


WEIGHTS = read_weights(FOLDER / "model.safetensors")
LINES = (FOLDER / "vocabulary.txt").read_text(encoding="utf-8").splitlines()
WORDS = [line.split()[0] for line in LINES if line]


def dot(x, y):
    return sum(a * b for a, b in zip(x, y))


def times(rows, matrix):
    return [[dot(row, column) for column in zip(*matrix)] for row in rows]


def plus(x, y):
    return [[a + b for a, b in zip(*rows)] for rows in zip(x, y)]


def softmax(scores):
    powers = [math.exp(s - max(scores)) for s in scores]
    return [p / sum(powers) for p in powers]


def embed(tokens):
    def position(pos, column):
        angle = pos / 10000 ** (2 * (column // 2) / D_MODEL)
        return math.cos(angle) if column % 2 else math.sin(angle)
    rows = [WEIGHTS["embedding"][token] for token in tokens]
    return [[math.sqrt(D_MODEL) * x + position(pos, column) for column, x in enumerate(row)]
            for pos, row in enumerate(rows)]


def norm(rows, name):
    result = []
    for row in rows:
        mean = sum(row) / D_MODEL
        root = math.sqrt(sum((x - mean) ** 2 for x in row) / D_MODEL + 1e-6)
        result.append([g * (x - mean) / root + b
                       for x, g, b in zip(row, WEIGHTS[name + ".gain"], WEIGHTS[name + ".bias"])])
    return result


def attention(asking, answering, name, causal=False, change=lambda head, values: None):
    """Equation (1) in both heads; change may alter a head's values before they are weighted."""
    q = times(asking, WEIGHTS[name + ".w_q"])
    k, v = (times(answering, WEIGHTS[name + w]) for w in (".w_k", ".w_v"))
    concat = [[] for _ in asking]
    for head in range(HEADS):
        columns = slice(head * D_K, (head + 1) * D_K)
        values = [row[columns] for row in v]
        weights = []
        for i, query in enumerate(q):
            keys = k[:i + 1] if causal else k
            visible = softmax([dot(query[columns], key[columns]) / math.sqrt(D_K) for key in keys])
            weights.append(visible + [0] * (len(k) - len(visible)))
        change(head, values)
        for row, output in zip(concat, times(weights, values)):
            row += output
    return times(concat, WEIGHTS[name + ".w_o"])


def feed_forward(x, name):
    b_1, b_2 = ([WEIGHTS[name + b]] * len(x) for b in (".b_1", ".b_2"))
    hidden = [[max(0, u) for u in row] for row in plus(times(x, WEIGHTS[name + ".w_1"]), b_1)]
    return plus(times(hidden, WEIGHTS[name + ".w_2"]), b_2)


def encode(source):
    layer = "encoder.0."
    x = embed([WORDS.index(word) for word in source.split()] + [WORDS.index("</s>")])
    y = norm(plus(x, attention(x, x, layer + "self_attention")), layer + "self_attention_norm")
    return norm(plus(y, feed_forward(y, layer + "feed_forward")), layer + "feed_forward_norm")


def decode(target, memory, change):
    """The probabilities of all words after each word of the target."""
    layer = "decoder.0."
    x = embed([WORDS.index(word) for word in target])
    y = norm(plus(x, attention(x, x, layer + "self_attention", causal=True)), layer + "self_attention_norm")
    looked = attention(y, memory, layer + "encoder_decoder_attention", change=change)
    z = norm(plus(y, looked), layer + "encoder_decoder_attention_norm")
    output = norm(plus(z, feed_forward(z, layer + "feed_forward")), layer + "feed_forward_norm")
    return [softmax([dot(y, row) for row in WEIGHTS["embedding"]]) for y in output]


VERB = 3  # its place in both clauses
buys, sees = encode("that the queen buys a book"), encode("that the queen sees a book")
values_of_sees = times(sees, WEIGHTS["decoder.0.encoder_decoder_attention.w_v"])


def swap(in_head):
    def change(head, values):
        if head == in_head:
            values[VERB] = values_of_sees[VERB][head * D_K:(head + 1) * D_K]
    return change


TARGET = ["<s>", "dass", "die", "Königin", "ein", "Buch", "kauft"]
for title, change in (("as it is", lambda *_: None), ("head 0 gets the value of sees", swap(0)),
                      ("head 1 gets the value of sees", swap(1))):
    print(title)
    for word, probabilities in zip(TARGET, decode(TARGET, buys, change)):
        if word in ("Königin", "Buch", "kauft"):
            best = sorted(range(len(WORDS)), key=lambda w: -probabilities[w])[:3]
            print(f"  {word:8}", *(f"{WORDS[w]:>8} {probabilities[w]:.3f}" for w in best))
