"""Adds up where each head of the trained toy looks: the shares of docs/attention-visualizations.md.

    cmake --build build/toy --target toy_text && build/toy/examples/toy_text test > test.tsv
    python3 docs/lab/where_heads_look.py build/toy/plainformer build/toy/toy-model test.tsv

prints shares of a head's weight over 200 sentences, in percent, and then how often its largest weight goes from an
article to a noun, from `nicht` to `not`, and from a modal verb to a noun or pronoun before it.
"""

import collections
import json
import re
import subprocess
import sys

NOUNS = set("""man men king kings woman women queen queens child children girl girls dog dogs cat cats horse horses door doors window
windows novel novels book books apple apples tomato tomatoes garden gardens church churches house houses""".split())
PRONOUNS, MODALS = {"I", "we", "they", "he", "she"}, {"can", "cannot", "must", "want"}
ARTICLE = r"der|die|das|den|dem|dies(e|er|es|en|em)|ein(e|er|en|em|es)?"

program, model, pairs = sys.argv[1:]
shares, largest = collections.defaultdict(collections.Counter), collections.defaultdict(collections.Counter)
for line in list(open(pairs, encoding="utf-8"))[:200]:
    page = subprocess.run([program, "attention", "--model", model, "--source", line.split("\t")[0], "--html", "-"], text=True,
                          encoding="utf-8", stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True).stdout
    for kind in json.JSONDecoder().raw_decode(page[page.rindex("[", 0, page.index('"left_text"')):])[0]:
        rows, columns = kind["left_text"], kind["right_text"]
        first = 1 if columns[0] == "<s>" else 0  # `<s>` counts as nothing else
        for layer, heads in enumerate(kind["attn"]):
            for head, weights in enumerate(heads):
                name = f"{kind['name']}, {layer}, head {head}"
                for i, row in enumerate(weights):
                    place = {i: "itself", i - 1: "before", i + 1: "after"}
                    for j, weight in enumerate(row):
                        shares[name]["all"] += weight
                        shares[name][place.get(j, "") if j >= first else "<s>"] += weight
                        shares[name][columns[j]] += weight if columns[j] in (",", "</s>") else 0
                    at = row.index(max(row))
                    if kind["name"].startswith("Encoder-decoder"):
                        if re.fullmatch(ARTICLE, rows[i].lower()):
                            largest[name]["article", columns[at] in NOUNS] += 1
                        if rows[i] == "nicht":
                            largest[name]["nicht", columns[at] in ("not", "cannot")] += 1
                    elif rows[i] in MODALS:
                        largest[name]["modal", at < i and columns[at] in NOUNS | PRONOUNS] += 1

for name, share in shares.items():
    print(f"{name:36s}", *(f"{what} {100 * share[what] / share['all']:.0f}" for what in
                           ("before", "itself", "after", "<s>", ",", "</s>") if share[what]),
          *(f" {what}: {n} of {n + largest[name][what, False]}" for (what, yes), n in largest[name].items() if yes))
