#!/usr/bin/env python3
"""Makes unicode_tables.h and word_tables.h, which unicode.cpp searches, and composition_tables.h and
decomposition_tables.h, which composition.cpp searches.

    python3 make_unicode_tables.py      (writes beside itself; the same bytes every time with the same Unicode)

The source is Python itself, because sacreBLEU asks Python. The categories are those of the module unicodedata. The small
letters are those of str.lower(), one character at a time. str.lower() also tells which characters have case and which may
stand inside a word, by the sigma that it writes: a capital sigma becomes a final one if, apart from characters that it
ignores, a character with case precedes it and none follows. The writing systems without spaces are found by the names
of their characters. Decompositions, combining classes and the pairs that compose are those of unicodedata.
"""

import pathlib
import sys
import unicodedata

CHARACTERS = [chr(c) for c in range(sys.maxunicode + 1) if not 0xD800 <= c <= 0xDFFF]
WIDTH = 110
DOTTED_CAPITAL_I = "\u0130"  # the only character whose small letter is two characters; lowercase.cpp writes them
UNSPACED_NAMES = ("CJK UNIFIED IDEOGRAPH", "CJK COMPATIBILITY IDEOGRAPH", "CJK RADICAL", "KANGXI RADICAL",
                  "IDEOGRAPHIC", "HIRAGANA", "KATAKANA", "HALFWIDTH KATAKANA", "BOPOMOFO", "YI SYLLABLE", "TANGUT",
                  "NUSHU", "THAI", "LAO", "KHMER", "MYANMAR", "TAI LE", "NEW TAI LUE", "TAI THAM", "TAI VIET",
                  "JAVANESE", "BALINESE", "TIBETAN")


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


def category(*names):
    return ranges_of(lambda c: unicodedata.category(c).startswith(names))


def numbers(comment, name, values):
    rows = [f"// {comment}", f"inline constexpr char32_t {name}[] = {{", "   "]
    for value in values:
        entry = f" {value:#x},"
        if len(rows[-1] + entry) > WIDTH:
            rows.append("   ")
        rows[-1] += entry
    return "\n".join(rows + ["};", "", ""])


def head(subject):
    return f"""\
// Unicode {unicodedata.unidata_version}: {subject}.
// Made by make_unicode_tables.py from Python {sys.version.split()[0]}. A newer Unicode needs the script, not an editor.
#pragma once
"""


def canonical_decomposition(c):
    """[c, its one or two parts]; nothing for characters without one. Hangul's are computed."""
    parts = unicodedata.decomposition(c)
    return [] if not parts or parts.startswith("<") else [ord(c)] + [int(part, 16) for part in parts.split()]


def combining_class_ranges():
    """[first, last, class] of each run of characters whose class is equal and not 0."""
    ranges = []
    for c in filter(unicodedata.combining, CHARACTERS):
        if ranges and ranges[-1][1] == ord(c) - 1 and ranges[-1][2] == unicodedata.combining(c):
            ranges[-1][1] = ord(c)
        else:
            ranges.append([ord(c), ord(c), unicodedata.combining(c)])
    return ranges


def singleton_runs(singletons):
    """[first, last, index of first] of each run of characters; the index is that of its part in the other table."""
    runs = []
    for index, (c, _) in enumerate(singletons):
        if runs and runs[-1][1] == c - 1:
            runs[-1][1] = c
        else:
            runs.append([c, c, index])
    return runs


END = "// clang-format on\n\n}  // namespace plainformer::unicode\n"


def decompositions():
    """Those into one character, those of composed characters, and those of characters that do not compose again."""
    found = [d for d in map(canonical_decomposition, CHARACTERS) if d]
    singletons, pairs = [d for d in found if len(d) == 2], [d for d in found if len(d) == 3]
    composes = lambda d: unicodedata.normalize("NFC", chr(d[0])) == chr(d[0])
    return singletons, list(filter(composes, pairs)), [d for d in pairs if not composes(d)]


def composition_tables():
    text = head("characters that are composed of two, and the combining classes that order the marks of a letter") + """
namespace plainformer::unicode {

struct CombiningClassRange {
  char32_t first, last;
  int value;
};

struct CharacterPair {
  char32_t character, first, second;
};

// clang-format off
"""
    text += table("Characters whose combining class is not 0.", "CombiningClassRange", "kCombiningClasses",
                  combining_class_ranges())
    return text + pair_table("Characters that are composed of two.", "kCompositions", decompositions()[1]) + END


def decomposition_tables():
    singletons, _, never_composed = decompositions()
    text = head("canonical decompositions into one character, or into two that do not compose again") + """
#include "core/composition_tables.h"

namespace plainformer::unicode {

struct SingletonRun {
  char32_t first, last;
  int index;  // of the first one's decomposition in kSingletonDecompositions
};

// clang-format off
"""
    text += pair_table("Characters that decompose into two, which do not compose.", "kDecompositionsOnly", never_composed)
    text += table("Characters that stand for one other character.", "SingletonRun", "kSingletonRuns",
                  singleton_runs(singletons))
    return text + numbers("These other characters.", "kSingletonDecompositions", [d[1] for d in singletons]) + END


def word_tables():
    text = head("the characters that the cutting of words must know") + """
#include "core/unicode_tables.h"

namespace plainformer::unicode {

// clang-format off
"""
    text += table("Combining marks: the general categories M.", "CharacterRange", "kMarks", category("M"))
    text += table("Opening brackets and quotes: the general categories Ps and Pi.", "CharacterRange", "kOpening",
                  category("Ps", "Pi"))
    text += table("White space, controls and formats: the general categories Z, Cc and Cf.", "CharacterRange",
                  "kInvisible", category("Z", "Cc", "Cf"))
    return text + table("Letters and punctuation of writing systems without spaces: Han, kana, Thai, Khmer, ...",
                        "CharacterRange", "kUnspaced", ranges_of(is_unspaced)) + END


def pair_table(comment, name, pairs):
    rows = [f"// {comment}", f"inline constexpr CharacterPair {name}[] = {{", "   "]
    for pair in pairs:
        entry = " {" + ", ".join(map(hex, pair)) + "},"
        if len(rows[-1] + entry) > WIDTH:
            rows.append("   ")
        rows[-1] += entry
    return "\n".join(rows + ["};", "", ""])


def main():
    text = head("the characters that lower case and the tokenizers of BLEU must know") + f"""
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
    text += END
    for name, tables in (("unicode_tables.h", text), ("word_tables.h", word_tables()),
                         ("composition_tables.h", composition_tables()),
                         ("decomposition_tables.h", decomposition_tables())):
        pathlib.Path(__file__).with_name(name).write_text(tables, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
