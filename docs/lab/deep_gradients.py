"""Follows a gradient down twelve encoder layers at their initial weights: the opening of 3.1, and its picture.

    python3 docs/lab/deep_gradients.py 1 > docs/pictures/gradient-norms.csv     (1 is the seed; needs numpy)

Ten random positions enter, of d_model 128, and a random gradient of length 1 arrives at the output. Printed are its
length at the input of each layer, and how alike the positions are there: the mean cosine of two of them.
"""

import sys
import numpy as np

POSITIONS, D, D_FF, HEADS, LAYERS = 10, 128, 512, 8, 12
SHAPES = [(D, D)] * 4 + [(D, D_FF), (D_FF, D)]  # W_Q, W_K, W_V, W_O, W_1, W_2
VARIANCE = {"ours": lambda rows, columns: 1 / (3 * rows), "Glorot": lambda rows, columns: 2 / (rows + columns),
            "He": lambda rows, columns: (2 if rows == D_FF else 1) / rows}  # W_2 alone comes after a ReLU.
PARTS = {"bare": (0, 0), "norm": (0, 1), "residual": (1, 0), "both": (1, 1)}


def attention(x, w):
    """Returns the output, and the function from its gradient to that of x. So do network and layer_norm."""
    split = lambda x: x.reshape(POSITIONS, HEADS, -1).swapaxes(0, 1)
    join = lambda x: x.swapaxes(0, 1).reshape(POSITIONS, -1)
    q, k, v = (split(x @ w[i]) for i in range(3))
    scores = q @ k.swapaxes(1, 2) / np.sqrt(D // HEADS)
    e = np.exp(scores - scores.max(2, keepdims=True))
    p = e / e.sum(2, keepdims=True)

    def backward(grad):
        grad = split(grad @ w[3].T)
        grad_p = grad @ v.swapaxes(1, 2)
        s = p * (grad_p - (grad_p * p).sum(2, keepdims=True)) / np.sqrt(D // HEADS)
        return join(s @ k) @ w[0].T + join(s.swapaxes(1, 2) @ q) @ w[1].T + join(p.swapaxes(1, 2) @ grad) @ w[2].T
    return join(p @ v) @ w[3], backward


def network(x, w):
    hidden = np.maximum(x @ w[4], 0)
    return hidden @ w[5], lambda grad: ((grad @ w[5].T) * (hidden > 0)) @ w[4].T


def layer_norm(x):
    r = 1 / np.sqrt(x.var(1, keepdims=True) + 1e-5)
    y = (x - x.mean(1, keepdims=True)) * r
    return y, lambda g: r * (g - g.mean(1, keepdims=True) - y * (g * y).mean(1, keepdims=True))


def descend(variance, residual, norm, seed):
    random = np.random.default_rng(seed)
    x, steps, alike, lengths = random.normal(size=(POSITIONS, D)), [], [], []
    for _ in range(LAYERS):
        w = [random.uniform(-1, 1, shape) * np.sqrt(3 * variance(*shape)) for shape in SHAPES]
        unit = x / np.linalg.norm(x, axis=1, keepdims=True)
        alike.append(((unit @ unit.T).sum() - POSITIONS) / (POSITIONS * (POSITIONS - 1)))
        for f in (attention, network):
            y, backward = f(x, w)
            x, norm_backward = layer_norm(y + residual * x) if norm else (y + residual * x, lambda g: g)
            steps.append((backward, norm_backward))
    grad = random.normal(size=x.shape)
    grad /= np.linalg.norm(grad)
    for backward, norm_backward in reversed(steps):
        grad = norm_backward(grad)
        grad = backward(grad) + residual * grad
        lengths.append(np.linalg.norm(grad))
    return lengths[::-2], alike


print("weights,parts,layer,length,alike")
for weights, parts in [(a, b) for a in VARIANCE for b in PARTS]:
    for layer, numbers in enumerate(zip(*descend(VARIANCE[weights], *PARTS[parts], int(sys.argv[1])))):
        print(f"{weights},{parts},{layer + 1},{numbers[0]:.2g},{numbers[1]:.3f}")
