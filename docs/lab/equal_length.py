"""Scores parsed trees by depth, at equal length: the numbers of 6.3, "It closes too few brackets".

    cat bank/test.trees bank/deeper.trees > gold.trees
    plainformer treebank sentences < gold.trees | plainformer parse --model parser > out.trees
    python3 docs/lab/equal_length.py plainformer gold.trees out.trees
"""

import re
import subprocess
import sys
import tempfile

program, gold, out = sys.argv[1:]


def depth(tree):
    """The most clauses (S) that are open at once."""
    open_labels, most = [], 0
    for token in re.findall(r"\([^() ]*|\)", tree):
        if token == ")":
            open_labels.pop()
        else:
            open_labels.append(token)
            most = max(most, open_labels.count("(S"))
    return most


pairs = [(g, o) for g, o in zip(open(gold), open(out)) if 30 <= len(re.findall(r"[^()]\)", g)) <= 34]
for level in range(1, 6):
    chosen = [(g, o) for g, o in pairs if depth(g) == level]
    if chosen:
        with tempfile.NamedTemporaryFile("w", suffix=".trees") as file:
            file.writelines(g for g, _ in chosen)
            file.flush()
            score = subprocess.run([program, "f1", "--gold", file.name], input="".join(o for _, o in chosen),
                                   text=True, capture_output=True, check=True).stdout
        print(f"depth {level}: {score.strip()}")
