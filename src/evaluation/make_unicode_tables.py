#!/usr/bin/env python3
"""Makes unicode_tables.h, which unicode.cpp searches.

    python3 make_unicode_tables.py      (writes beside itself; the same bytes every time with the same Unicode)

The source is Python itself, because sacreBLEU asks Python. The categories are those of the module unicodedata. The small
letters are those of str.lower(), one character at a time. str.lower() also tells which characters have case and which may
stand inside a word, by the sigma that it writes: a capital sigma becomes a final one if, apart from characters that it
ignores, a character with case precedes it and none follows.
"""

import pathlib
import sys
import unicodedata

CHARACTERS = [chr(c) for c in range(sys.maxunicode + 1) if not 0xD800 <= c <= 0xDFFF]
WIDTH = 110
DOTTED_CAPITAL_I = "\u0130"  # the only character whose small letter is two characters; lowercase.cpp writes them


def decides_for_final_sigma(before):
    return (before + "\u03a3").lower().endswith("\u03c2")


def is_cased(c):
    return decides_for_final_sigma(c)


def is_case_ignorable(c):
    return decides_for_final_sigma("A" + c) and not decides_for_final_sigma(c)


def ranges_of(belongs):
    """[first, last] of each run of characters that belong."""
    ranges = []
    for c in map(ord, filter(belongs, CHARACTERS)):
        if ranges and ranges[-1][1] == c - 1:
            ranges[-1][1] = c
        else:
            ranges.append([c, c])
    return ranges


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


def table(comment, kind, name, ranges):
    rows = [f"// {comment}", f"inline constexpr {kind} {name}[] = {{", "   "]
    for numbers in ranges:
        entry = " {" + ", ".join([hex(n) if i < 2 else str(n) for i, n in enumerate(numbers)]) + "},"
        if len(rows[-1] + entry) > WIDTH:
            rows.append("   ")
        rows[-1] += entry
    return "\n".join(rows + ["};", "", ""])


def category(letter):
    return ranges_of(lambda c: unicodedata.category(c)[0] == letter)


def main():
    text = f"""\
// Unicode {unicodedata.unidata_version}: the characters that lower case and the tokenizers of BLEU must know.
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
    text += table("Capitals. U+0130 is left out, because its small letter is two characters.", "CapitalRange", "kCapitals",
                  small_letter_ranges())
    text += table("Letters with case, and other characters that have it.", "CharacterRange", "kCased", ranges_of(is_cased))
    text += table("Characters that may stand inside a word and do not show where it ends, such as accents.",
                  "CharacterRange", "kCaseIgnorable", ranges_of(is_case_ignorable))
    text += table("Punctuation: the general categories P.", "CharacterRange", "kPunctuation", category("P"))
    text += table("Symbols: the general categories S.", "CharacterRange", "kSymbols", category("S"))
    text += table("Numbers: the general categories N.", "CharacterRange", "kNumbers", category("N"))
    text += "// clang-format on\n\n}  // namespace plainformer::unicode\n"
    pathlib.Path(__file__).with_name("unicode_tables.h").write_text(text, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
