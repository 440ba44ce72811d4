"""Takes heads out of the trained toy, by zeros in their rows of W^O: the table of docs/attention-visualizations.md.

    cmake --build build/toy --target toy_text && build/toy/examples/toy_text test > test.tsv
    python3 docs/lab/without_heads.py build/toy/plainformer build/toy/toy-model test.tsv

prints the share of exact translations without each head. With an attention and a head behind, as in

    python3 docs/lab/without_heads.py ... test.tsv decoder.1.encoder_decoder_attention 1

it prints the wrong translations without this head, and counts those in which only one kind of word is wrong. The model
without the head stays in the folder `without`.
"""

import difflib
import json
import re
import shutil
import struct
import subprocess
import sys

program, model, pairs = sys.argv[1:4]
shutil.copytree(model, "without", ignore=shutil.ignore_patterns("checkpoints"), dirs_exist_ok=True)
weights = open(model + "/model.safetensors", "rb").read()
begin = 8 + struct.unpack("<Q", weights[:8])[0]
header = json.loads(weights[8:begin])
heads = int(header["__metadata__"]["heads"])
source, target = zip(*(line.rstrip("\n").split("\t") for line in open(pairs, encoding="utf-8")))


def translations_without(attention, gone):
    data = bytearray(weights)
    first, last = header[attention + ".w_o"]["data_offsets"]
    size = (last - first) // heads  # bytes: a head has d_v of the rows
    for head in gone:
        at = begin + first + head * size
        data[at : at + size] = bytes(size)
    # The checksum no longer holds. Blanks in its place keep the header's length.
    data = re.sub(rb', "checksum": "[^"]*"', lambda found: b" " * len(found[0]), data, count=1)
    with open("without/model.safetensors", "wb") as file:
        file.write(data)
    return subprocess.run([program, "translate", "--model", "without"], input="\n".join(source) + "\n", text=True,
                          encoding="utf-8", stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True
                          ).stdout.splitlines()


VERBS = """schlafe schläft schlafen, tanze tanzt tanzen, kaufe kauft kaufen, stehe steht stehen, sehe sieht sehen, suche sucht
suchen, schreibe schreibt schreiben, esse isst essen, mache macht machen, rufe ruft rufen, helfe hilft helfen, gebe gibt
geben, weiß wissen, sage sagt sagen, kann können, will wollen, muss müssen"""
VERB_OF = {form: verb for verb in VERBS.split(",") for form in verb.split()}
AGREES = r"(der|die|das|den|dem|dies(e|er|es|en|em)|k?ein(e|er|en|em|es)?|(alt|klein|groß|schön|jung|rot|neu)(e|er|es|en|em)?)"


def verb(word):
    return VERB_OF.get(re.sub(r"^(auf|zu|ein|an)(?=.{4})", "", word.lower()))


def kind_of_mistake(output, right):
    """What alone is wrong in a translation, if it is one of three kinds."""
    output, right = output.split(), right.split()
    spans = [span for span in difflib.SequenceMatcher(None, right, output, autojunk=False).get_opcodes() if span[0] != "equal"]
    lost = [word for _, i, j, _, _ in spans for word in right[i:j]]
    new = [word for _, _, _, i, j in spans for word in output[i:j]]
    negations = [sum(word == "nicht" or word.startswith("kein") for word in words) for words in (lost, new)]
    agree = all(word == "nicht" or re.fullmatch(AGREES, word.lower()) for word in lost + new)
    if agree and negations[0] and not negations[1]:
        return "a negation is lost"
    if agree and len(lost) == len(new) and negations[0] == negations[1]:
        return "articles and adjectives"
    if len(output) == len(right) and all(verb(o) and verb(o) == verb(r) for o, r in zip(output, right) if o != r):
        return "the form of a verb"
    return "other"


def right(output):
    return 100 * sum(o == t for o, t in zip(output, target)) / len(target)


if len(sys.argv) > 4:
    output = translations_without(sys.argv[4], [int(sys.argv[5])])
    print(*(f"{t}\n  {o}" for o, t in zip(output, target) if o != t), sep="\n")
    kinds = [kind_of_mistake(o, t) for o, t in zip(output, target) if o != t]
    print(f"{right(output):.1f} % are right;", *(f"{kind}: {kinds.count(kind)}" for kind in sorted(set(kinds))))
else:
    for attention in [name[:-4] for name in header if name.endswith("attention.w_o")]:
        each = [right(translations_without(attention, [head])) for head in range(heads)]
        none = right(translations_without(attention, range(heads)))
        print(f"{attention:36s}", *(f"{share:5.1f}" for share in each), f" without all: {none:.1f}")
