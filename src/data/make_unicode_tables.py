#!/usr/bin/env python3
"""Makes unicode_tables.h, which unicode.cpp searches.

    python3 make_unicode_tables.py      (writes beside itself; the same bytes every time with the same Unicode)

The classes follow from the categories of the module unicodedata. The small letters are those of str.lower(), one character at a
time. The writing systems without spaces are found by the names of their characters.
"""

import itertools
import pathlib
import sys
import unicodedata

CHARACTERS = [chr(c) for c in range(sys.maxunicode + 1) if not 0xD800 <= c <= 0xDFFF]
WIDTH = 110
DOTTED_CAPITAL_I = "\u0130"  # the only character whose small letter is two characters
UNSPACED_NAMES = ("CJK UNIFIED IDEOGRAPH", "CJK COMPATIBILITY IDEOGRAPH", "CJK RADICAL", "KANGXI RADICAL",
                  "IDEOGRAPHIC", "HIRAGANA", "KATAKANA", "HALFWIDTH KATAKANA", "BOPOMOFO", "YI SYLLABLE", "TANGUT",
                  "NUSHU", "THAI", "LAO", "KHMER", "MYANMAR", "TAI LE", "NEW TAI LUE", "TAI THAM", "TAI VIET",
                  "JAVANESE", "BALINESE", "TIBETAN")

HEAD = f"""\
// Unicode {unicodedata.unidata_version}: the characters that lower case and the cutting of words must know.
// Made by make_unicode_tables.py from Python {sys.version.split()[0]}. A newer Unicode needs the script, not an editor.
#pragma once

#include <string_view>

namespace plainformer::unicode {{

// Runs of equal class, from U+0000 on: the letter of the CharacterClass, and the number of characters.
inline constexpr std::string_view kClassRuns =
"""

CAPITALS = """
struct CapitalRange {
  char32_t first, last;
  int step;    // 1: all of them are capitals; 2: every other one
  int offset;  // from the capital to its small letter
};

// Capitals. U+0130 is left out, because its small letter is two characters.
// clang-format off
inline constexpr CapitalRange kCapitals[] = {
"""


def small_letter_ranges():
    """[first, last, step, offset] of each run of capitals, whose distance is 1 or 2 and whose offset is equal."""
    ranges = []
    for capital in filter(lambda c: c.lower() != c and c != DOTTED_CAPITAL_I, CHARACTERS):
        c, offset = ord(capital), ord(capital.lower()) - ord(capital)
        first, last, step, same = ranges[-1] if ranges else (0, 0, 0, 0)
        fits = c - last == step or (first == last and c - last in (1, 2))
        if same == offset and fits:
            ranges[-1] = [first, c, c - last, offset]
        else:
            ranges.append([c, c, 1, offset])
    return ranges


def is_unspaced(c):
    """Letters and punctuation of the writing systems that put no space between words; their digits and marks are not.
    The punctuation of Han and kana, U+3001 and on, and its wide forms such as U+FF0C belong to them."""
    is_wide = "\u3001" <= c <= "\u303f" or "\uff01" <= c <= "\uff65"
    letters, others = ("L", "Nl"), ("P", "S")
    kind = unicodedata.category(c)
    if is_wide and kind.startswith(others):
        return True
    return kind.startswith(letters + others) and unicodedata.name(c, "").startswith(UNSPACED_NAMES)


def class_of(c):
    """The letter of CharacterClass (unicode.h)."""
    kind = unicodedata.category(c)
    if kind.startswith("M"):
        return "m"
    if is_unspaced(c):
        return "u"
    if kind.startswith("N"):
        return "n"
    if kind in ("Ps", "Pi"):
        return "o"
    if kind.startswith(("P", "S")):
        return "s"
    return "i" if kind.startswith("Z") or kind in ("Cc", "Cf") else "l"


def class_runs():
    classes = map(class_of, map(chr, range(sys.maxunicode + 1)))
    return [letter + str(len(list(run))) for letter, run in itertools.groupby(classes)]


def filled(words, before, after):
    """The words, as many as fit, in lines that begin and end with these texts."""
    lines = [before]
    for word in words:
        if len(lines[-1] + word + after) > WIDTH:
            lines[-1] += after
            lines.append(before)
        lines[-1] += word
    return "\n".join(lines) + after


def main():
    ranges = [f" {{{first:#x}, {last:#x}, {step}, {offset}}}," for first, last, step, offset in small_letter_ranges()]
    text = HEAD + filled(class_runs(), '    "', '"') + ";\n" + CAPITALS + filled(ranges, "   ", "")
    text += "\n};\n// clang-format on\n\n}  // namespace plainformer::unicode\n"
    pathlib.Path(__file__).with_name("unicode_tables.h").write_text(text, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
