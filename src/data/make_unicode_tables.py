#!/usr/bin/env python3
"""Makes unicode_tables.h, which unicode.cpp searches.

    python3 make_unicode_tables.py      (writes beside itself; the same bytes every time with the same Unicode)

The source is Python itself, because sacreBLEU asks Python. The categories are those of the module unicodedata. The small
letters are those of str.lower(), one character at a time. The writing systems without spaces are found by the names of
their characters.
"""

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

namespace plainformer::unicode {{

struct CharacterRange {{
  char32_t first, last;
}};

struct CapitalRange {{
  char32_t first, last;
  int step;    // 1: all of them are capitals; 2: every other one
  int offset;  // from the capital to its small letter
}};

// clang-format off
"""


def ranges_of(belongs):
    """[first, last] of each run of characters that belong."""
    ranges = []
    for c in map(ord, filter(belongs, CHARACTERS)):
        if ranges and ranges[-1][1] == c - 1:
            ranges[-1][1] = c
        else:
            ranges.append([c, c])
    return ranges


def category(*names):
    return ranges_of(lambda c: unicodedata.category(c).startswith(names))


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


def table(comment, kind, name, ranges):
    rows = [f"// {comment}", f"inline constexpr {kind} {name}[] = {{", "   "]
    for numbers in ranges:
        entry = " {" + ", ".join([hex(n) if i < 2 else str(n) for i, n in enumerate(numbers)]) + "},"
        if len(rows[-1] + entry) > WIDTH:
            rows.append("   ")
        rows[-1] += entry
    return "\n".join(rows + ["};", "", ""])


def main():
    text = HEAD
    text += table("Capitals. U+0130 is left out, because its small letter is two characters.", "CapitalRange", "kCapitals",
                  small_letter_ranges())
    for comment, name, ranges in (
            ("Punctuation and symbols: the general categories P and S.", "kSymbols", category("P", "S")),
            ("Numbers: the general categories N.", "kNumbers", category("N")),
            ("Combining marks: the general categories M.", "kMarks", category("M")),
            ("Opening brackets and quotes: the general categories Ps and Pi.", "kOpening", category("Ps", "Pi")),
            ("White space, controls and formats: the general categories Z, Cc and Cf.", "kInvisible",
             category("Z", "Cc", "Cf")),
            ("Letters and punctuation of writing systems without spaces: Han, kana, Thai, Khmer, ...", "kUnspaced",
             ranges_of(is_unspaced))):
        text += table(comment, "CharacterRange", name, ranges)
    text += "// clang-format on\n\n}  // namespace plainformer::unicode\n"
    pathlib.Path(__file__).with_name("unicode_tables.h").write_text(text, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
