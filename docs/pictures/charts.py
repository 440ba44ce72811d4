#!/usr/bin/env python3
"""Draws the charts of recorded data: what runs of the program, and docs/lab/deep_gradients.py, wrote into docs.

  charts.py [NAME ...]         draws all of them, or those named, into this folder; needs matplotlib (pip install matplotlib)
  charts.py --check            says which picture was drawn from other numbers than the records have; needs Python alone

Each picture carries the numbers that it shows, as a comment. The other pictures of this folder are diagrams, and charts of
what the program of commit f60156e1 computed while it drew them; they are kept as they are.
"""
import argparse
import csv
import html
import json
import pathlib
import re
import statistics
import sys
import textwrap

FOLDER = pathlib.Path(__file__).resolve().parent
RECORDS = FOLDER.parent / "measurements"
COLORS = ["#0969da", "#cf4a00", "#1a7f37", "#8250df", "#bf3989", "#7d6100", "#59636e"]
DARK = {"#0969da": "#58a6ff", "#cf4a00": "#ff9b50", "#1a7f37": "#56d364", "#8250df": "#bc8cff", "#bf3989": "#ff7bc0",
        "#7d6100": "#e3b341", "#59636e": "#9198a1", "#1f2328": "#e6edf3", "#ffffff": "#0d1117", "#e4e8ec": "#2d333b"}


def tables(name):
    """The tables of a record: lists of rows, each a dictionary."""
    return [table["rows"] for table in json.loads((RECORDS / name / f"{name}.json").read_text())["tables"]]


def lines(rows, by, x, y):
    """A line for each value of the column `by`: points of x, the mean of y, and its lowest and highest where recorded."""
    series = {}
    for row in rows:
        low, high = row.get(f"{y}_lowest", row[y]), row.get(f"{y}_highest", row[y])
        series.setdefault(str(row[by]), []).append([row[x], row[y], low, high])
    return series


def panel(y, x, series, **options):
    return {"y": y, "x": x, "series": series, **options}


def loss_and_exact(name, by, x, x_label, log_x=False):
    rows = tables(name)[0]
    return [panel("held-out loss (nats per token)", x_label, lines(rows, by, x, "loss"), log_y=True, log_x=log_x),
            panel("exact match (%)", x_label, lines(rows, by, x, "exact"), log_x=log_x)]


def warm_up():
    return [panel(f"held-out loss, {layers} layers", "steps", lines(tables(name)[0], "setting", "steps", "loss"), log_y=True,
                  legend="lower left")
            for layers, name in (("2 + 2", "warm-up"), ("6 + 6", "warm-up-six-layers"))]


def positions():
    longer, moved = tables("positions")[:2]
    return [panel("exact match (%)", "words of the sentence (trained on at most 10)", lines(longer, "positions", "words", "exact")),
            panel("exact match (%)", "end of a sentence of 10 words, moved", lines(moved, "positions", "end", "exact"))]


def translators():
    rows = tables("translators")[0]
    return [panel("exact match (%)", "steps", lines(rows, "model", "steps", "exact")),
            panel("BLEU", "steps", lines(rows, "model", "steps", "bleu")),
            panel("exact match (%)", "seconds on one core", lines(rows, "model", "seconds", "exact"))]


def verb_distance():
    names = {"transformer_right": "Transformer", "recurrent_right": "chain with attention", "chain_right": "chain without"}
    return [panel("exact match (%)", f"{x} (in parentheses: sentences)",
                  {name: [[f"{row[by]}\n({row['sentences']})"] + 3 * [100 * row[key]] for row in rows]
                   for key, name in names.items()}, from_zero=True, legend="lower left")
            for x, by, rows in zip(["words of the English sentence", "places that a verb moves, 12 to 14 words"], ["words", "places"],
                                   tables("translators")[1::2])]


def label_of(row, variation):
    """A row of Table 3 in words: `A`, `h 1` becomes "A: 1 head"."""
    words = re.sub(r"^h (\d+)$", r"\1 heads", re.sub(r"^N (\d+)$", r"\1 layers", variation))
    words = re.sub(r"^1 (\w+)s$", r"1 \1", words).replace("P_drop", "dropout").replace("eps_ls", "smoothing")
    return f"{row}: {words}" if len(row) == 1 else words if words and row in ("beyond", "big") else f"{row} {words}".strip()


def variations(name, kinds=""):
    """For each row and seed, the difference to the base with the same seed; only the rows of `kinds`, if any are named."""
    rows = [row for row in csv.DictReader((RECORDS / name / "variations.csv").open())
            if not kinds or row["row"] in ("base", *kinds)]
    base = {row["seed"]: row for row in rows if row["row"] == "base"}
    found = []
    for column in ("perplexity", "bleu"):
        series = {}
        for row in rows:
            if row["row"] != "base" and row["seed"] in base:
                label = label_of(row["row"], row["variation"])
                difference = float(row[column]) - float(base[row["seed"]][column])
                series.setdefault(label, []).append(round(difference, 4))
        found.append(panel(f"{column if column == 'perplexity' else 'BLEU'}, minus that of the base", "", series, dots=True))
    return found


# Some of each kind: below the correct curves, far above, a little above, among them.
SHOWN_BUGS = {("target-not-shifted", 4), ("decoder-not-causal", 4), ("gradients-not-zeroed", 4), ("residual-missing", 4),
              ("attention-no-scale", 1), ("dropout-mask-differs", 4), ("memory-gradient-lost", 4),
              ("layer-norm-mean-as-a-constant", 4), ("query-and-key-exchanged", 4)}


def gradient_norms():
    """Two panels, by what docs/lab/deep_gradients.py printed: a line for each kind of layer."""
    rows = list(csv.DictReader((FOLDER / "gradient-norms.csv").open()))
    kinds = {"bare, our weights": ("ours", "bare"), "bare, Glorot's": ("Glorot", "bare"), "bare, He's": ("He", "bare"),
             "norm only, ours": ("ours", "norm"), "residual and norm, ours": ("ours", "both")}
    return [panel(label, "layer", {kind: [[int(row["layer"])] + [float(row[column])] * 3 for row in rows
                                          if (row["weights"], row["parts"]) == chosen] for kind, chosen in kinds.items()}, **options)
            for label, column, options in (("length of the gradient", "length", {"log_y": True, "decades": [1e-15, 10]}),
                                           ("mean cosine of two positions", "alike", {"legend": "center"}))]


def break_it():
    """A panel for each shown bug and number of heads: the losses of its seeds over those of the correct program."""
    runs = json.loads((FOLDER / "break-it.json").read_text())["runs"]
    kinds = {}
    for run in runs:
        kinds.setdefault((run["bug"], run["heads"]), []).append(run)
    return [panel("", f"{bug}{', 1 head' if heads == 1 else ''}: {statistics.mean(run['exact_match'] for run in mine):.0f} %",
                  {"correct": [run["valid_loss"] for run in kinds["sound", heads]],
                   "broken": [run["valid_loss"] for run in mine]}, curves=True)
            for (bug, heads), mine in kinds.items() if (bug, heads) in SHOWN_BUGS]


CHARTS = {
    "experiment-warm-up": ("With and without a warm-up", warm_up),
    "experiment-rates": ("Several times the largest rate",
                         lambda: loss_and_exact("rates", "norm", "factor", "times the largest rate", log_x=True)),
    "experiment-norms": ("Layer norm and batch norm", lambda: loss_and_exact("norms", "setting", "steps", "steps")),
    "experiment-positions": ("Beyond the trained length", positions),
    "experiment-mask": ("Translating without the causal mask",
                        lambda: [panel("exact match (%)", "decoder layers",
                                       lines(tables("mask")[0], "mask", "decoder_layers", "exact"))]),
    "translators": ("The Transformer and two chains", translators),
    "verb-distance": ("Length and distance", verb_distance),
    "variations-toy": ("Table 3 on the toy", lambda: variations("toy")),
    "variations-multi30k": ("Table 3 on Multi30k", lambda: variations("multi30k", "ABDE")),
    "variations-little": ("Table 3 on little text", lambda: variations("little")),
    "gradient-norms": ("Input of each of twelve untrained layers", gradient_norms),
    "break-it": ("Validation loss (logarithmic) in 800 steps, and exact match in %", break_it),
}


def draw_panel(axes, spec):
    from matplotlib.ticker import LogLocator, MaxNLocator
    if spec.get("curves"):
        for color, (label, runs) in zip(["#59636e", COLORS[1]], spec["series"].items()):
            steps = [step for run in runs for step in [*range(100, 100 * len(run) + 1, 100), 100 * len(run)]]
            axes.plot(steps, [loss for run in runs for loss in [*run, float("nan")]],
                      color=color, linewidth=1, label=label)
        axes.set(yscale="log", ylim=(0.88, 10), yticks=[1, 2, 5], yticklabels=["1", "2", "5"], xticks=[])
        axes.minorticks_off()
        axes.set_title(spec["x"], fontsize=8, loc="left")
        highest = max(loss for runs in spec["series"].values() for run in runs for loss in run)
        if highest > 10:
            axes.text(0.97, 0.7, f"off the scale, up to {highest:.1f}", transform=axes.transAxes, ha="right", va="top", fontsize=8)
        return
    for color, (label, points) in zip(COLORS * 9, spec["series"].items()):
        if spec.get("dots"):
            axes.plot(points, [label] * len(points), "o", color=COLORS[0], markersize=4)
            axes.plot([statistics.mean(points)], [label], "|", color=COLORS[1], markersize=11, markeredgewidth=2)
            continue
        x, mean = [str(p[0]) if isinstance(p[0], str) else p[0] for p in points], [p[1] for p in points]
        axes.plot(x, mean, marker="o", color=color, label=label, linewidth=2, markersize=5)
        axes.vlines(x, [p[2] for p in points], [p[3] for p in points], color=color, linewidth=1)
    if spec.get("dots"):
        axes.axvline(0, color="#59636e", linewidth=1)
        axes.invert_yaxis()
        axes.xaxis.set_major_locator(MaxNLocator(steps=[1, 2, 5, 10]))
        axes.set_xlabel(spec["y"])
        return
    axes.set(xlabel=spec["x"], ylabel=spec["y"], ylim=(0 if spec.get("from_zero") else None, None))
    for name, axis in ("x", axes.xaxis), ("y", axes.yaxis):
        if spec.get(f"log_{name}"):
            axes.set(**{f"{name}scale": "log"})
            axis.set_major_locator(LogLocator(subs=(1, 2, 5)))
            axis.set_major_formatter("{x:g}")
    if spec.get("decades"):
        axes.set(ylim=spec["decades"], yticks=[10.0 ** n for n in range(-14, 1, 2)])
    axes.minorticks_off()
    if isinstance(points[0][0], int) and len(points) < 9:
        axes.set_xticks([point[0] for point in points])
    if len(spec["series"]) > 1:
        axes.legend(frameon=False, fontsize=9, loc=spec.get("legend", "best"))


def draw(name):
    import matplotlib
    matplotlib.use("svg")
    matplotlib.rcParams.update({
        "svg.fonttype": "none", "svg.hashsalt": name, "font.family": "sans-serif", "font.size": 10, "axes.grid": True,
        "grid.color": "#e4e8ec", "axes.edgecolor": "#59636e", "text.color": "#1f2328", "axes.labelcolor": "#1f2328",
        "xtick.color": "#59636e", "ytick.color": "#59636e", "axes.spines.top": False, "axes.spines.right": False,
        "axes.axisbelow": True})
    import matplotlib.pyplot as plot
    title, panels = CHARTS[name][0], CHARTS[name][1]()
    columns = 3 if panels[0].get("curves") else 1
    rows = -(-len(panels) // columns)
    lines_of_dots = max(len(spec["series"]) for spec in panels) if panels[0].get("dots") else 0
    height = 0.25 * lines_of_dots + 0.8 if lines_of_dots else 1.3 if columns > 1 else 3
    figure, grid = plot.subplots(rows, columns, figsize=(7, 0.5 + height * rows), layout="constrained", squeeze=False)
    for axes, spec in zip(grid.flat, panels):
        draw_panel(axes, spec)
    if panels[0].get("curves"):
        grid.flat[0].legend(frameon=False, fontsize=8)
    for axes in grid.flat[len(panels):]:
        axes.remove()
    figure.suptitle(title, x=0.01, ha="left", fontweight="bold")
    path = FOLDER / f"{name}.svg"
    figure.savefig(path, metadata={"Date": None, "Creator": None, "Title": title})
    plot.close(figure)
    dark = "".join(f'[style*="{kind}: {light}"]{{{kind}:{dark}!important}}' for light, dark in DARK.items()
                   for kind in ("fill", "stroke"))
    style = f"<style>@media (prefers-color-scheme:dark){{{dark}}}</style>\n"
    text = re.sub(r"(\d\.\d\d)\d+(?![^<>]*</text)", r"\1", "\n".join(line.strip() for line in path.read_text().splitlines()) + "\n")
    path.write_text(text.replace("</svg>", f"{style}<!-- data: {json.dumps(panels)} -->\n</svg>"))

SHOWN_STEPS = 50, 100, 200, 1000


def attention_steps():
    """SVG: where the toy's decoder looks as it learns, by docs/pages/frames.jsonl."""
    sentence, *frames = map(json.loads, (FOLDER.parent / "pages" / "frames.jsonl").read_text().splitlines())
    frames = {frame["step"]: frame for frame in frames}
    parts = []

    def text(kind, x, y, words, place=""):
        parts.append(f'<text class="{kind}" x="{x}" y="{y}"{place}>{html.escape(words)}</text>')

    text("title", 12, 28, "A Transformer learns where to look")
    text("soft", 12, 50, "Rows: the German word to write. Columns: where the decoder looks.")
    text("soft", 12, 67, "Below: the translation that the model writes by itself.")
    size, columns, rows = 15, len(sentence["source"]), len(sentence["target"])
    for i, step in enumerate(SHOWN_STEPS):
        left, top = 12 + 236 * (i % 2), 98 + 306 * (i // 2)
        x, y = left + 50, top + 52
        text("heading", left, top, f"{step:,} steps")
        for row in range(rows):
            text("small", x - 5, y + size * row + 11, sentence["target"][row], ' text-anchor="end"')
            for column in range(columns):
                weight = statistics.mean(head[row][column] for head in frames[step]["attention"]) / 1000
                if weight >= 0.05:
                    parts.append(f'<rect class="cell" x="{x + size * column}" y="{y + size * row}" opacity="{weight:.1f}"/>')
        for column, word in enumerate(sentence["source"]):
            at = x + size * column + 10, y - 4
            text("small", *at, word, f' transform="rotate(-45 {at[0]} {at[1]})"')
        parts.append(f'<rect class="frame" x="{x}" y="{y}" width="{size * columns}" height="{size * rows}"/>')
        written = textwrap.wrap(frames[step]["translation"] or "(nothing)", 32)
        for line, words in enumerate(written[:2]):
            text("soft small", left, y + size * rows + 18 + 15 * line, words + (" ..." if line == 1 and written[2:] else ""))
    summary = (f'Four heat maps of encoder-decoder attention, the mean of the heads of the last layer, for {sentence["source_text"]}: '
               "at first all weights are alike; in the end each row is one dark cell, and kauft looks back at buys.")
    style = ("text{font-family:system-ui,sans-serif;font-size:12px;fill:#1f2328}.title{font-size:16px;font-weight:600}"
             ".heading{font-size:13px;font-weight:600}.small{font-size:11px}.soft{fill:#59636e}.paper{fill:#ffffff}.cell{fill:#0969da;"
             f"width:{size}px;height:{size}px;shape-rendering:crispEdges}}.frame{{fill:none;stroke:#59636e}}"
             "@media (prefers-color-scheme:dark){text{fill:#e6edf3}.soft{fill:#9198a1}.paper{fill:#0d1117}.cell{fill:#58a6ff}}")
    return "\n".join(['<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 480 694" width="480" height="694" role="img">',
                      "<title>A Transformer learns where to look</title>", f"<desc>{summary}</desc>", f"<style>{style}</style>",
                      '<rect class="paper" width="100%" height="100%"/>', *parts, "</svg>", ""])


def drawn_data(name):
    """The numbers that the picture was drawn from, or None."""
    for line in (FOLDER / f"{name}.svg").read_text().splitlines():
        if line.startswith("<!-- data: "):
            return json.loads(line[len("<!-- data: "):-len(" -->")])
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join([*CHARTS, "attention-steps"]))
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    names = options.names or [*CHARTS, "attention-steps"]
    if unknown := set(names) - set(CHARTS) - {"attention-steps"}:
        parser.error(f"no such chart: {', '.join(sorted(unknown))}")
    learning = FOLDER / "attention-steps.svg"
    if not options.check:
        for name in names:
            learning.write_text(attention_steps()) if name == "attention-steps" else draw(name)
        return 0
    old = [name for name in names if (learning.read_text() != attention_steps() if name == "attention-steps" else
                                      drawn_data(name) != CHARTS[name][1]())]
    for name in old:
        print(f"docs/pictures/{name}.svg shows other numbers than its record (hint: run docs/pictures/charts.py {name})")
    return 1 if old else 0


if __name__ == "__main__":
    sys.exit(main())
