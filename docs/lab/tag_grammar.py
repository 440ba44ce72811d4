# Writes the most probable tree of a sentence's tags by a grammar counted in bank/train.trees (docs/lab/tag-grammar.md).
# With `above`, each label also carries the label above it.
import re
import sys
from collections import Counter, defaultdict
from math import log


def parse(text):  # "(NP (DT the) (NN cat))" -> [["NP", ["DT", "the"], ["NN", "cat"]]]
    stack = [[]]
    for token in re.findall(r"[()]|[^\s()]+", text):
        if token == "(": stack.append([])
        elif token == ")": stack[-2].append(stack.pop())
        else: stack[-1].append(token)
    return stack[0]

def line(tree):
    return tree if isinstance(tree, str) else "(" + " ".join(map(line, tree)) + ")"

def words(tree):  # [["DT", "the"], ["NN", "cat"]]
    return [tree] if isinstance(tree[1], str) else [word for part in tree[1:] for word in words(part)]

rules = defaultdict(Counter)  # how often a label has these parts, one or two

def count(tree, above=""):
    if isinstance(tree[1], str): return tree[0]
    label = tree[0] + above
    parts = [count(part, "^" + tree[0] if "above" in sys.argv else "") for part in tree[1:]]
    left = label
    while len(parts) > 2:  # S -> NP VP . becomes S -> NP rest and rest -> VP .
        rest = f"{label}@{' '.join(parts[1:])}"
        rules[left][parts[0], rest] += 1
        left, parts = rest, parts[1:]
    rules[left][tuple(parts)] += 1
    return label

roots = {count(tree) for tree in parse(open("bank/train.trees").read())}
ways_up = defaultdict(list)  # parts -> labels that have them, and log p
for label, counts in rules.items():
    for parts, times in counts.items():
        ways_up[parts].append((label, log(times / sum(counts.values()))))

def put(cell, label, score, text):
    if label in cell and cell[label][0] >= score: return
    cell[label] = score, text
    join(cell, (label,), score, text)

def join(cell, parts, score, text):
    for label, log_p in ways_up[parts]:
        put(cell, label, score + log_p, text if "@" in label else f"({label.split('^')[0]} {text})")

def best_tree(tree):  # the CKY algorithm
    leaves = words(tree)
    cells = defaultdict(dict)  # of the words i to j: the best tree of each label
    for j, leaf in enumerate(leaves, 1):
        put(cells[j - 1, j], leaf[0], 0, line(leaf))
        for i in range(j - 2, -1, -1):
            for k in range(i + 1, j):
                for left, (left_score, left_text) in cells[i, k].items():
                    for right, (right_score, right_text) in cells[k, j].items():
                        if (left, right) in ways_up:
                            join(cells[i, j], (left, right), left_score + right_score, f"{left_text} {right_text}")
    return max(cells[0, len(leaves)][root] for root in roots if root in cells[0, len(leaves)])[1]

for tree in parse(sys.stdin.read()): print(best_tree(tree))
