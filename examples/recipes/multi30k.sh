#!/bin/sh
# Multi30k, English to German, from the text to the table of docs/6.1-results.md. For each seed it trains,
# averages the last checkpoints, translates test 2016 once, and scores it. Stopped at any moment, the same command goes on.
set -eu

usage() {
  cat << END
Usage: examples/recipes/multi30k.sh --data DIR --out DIR [options] [-- options of train]

  --data DIR      the text: train.en, train.de, val.en, val.de, test_2016_flickr.en, test_2016_flickr.de
  --out DIR       the results: a model folder, the translations and the scores of each seed, and table.md
  --seeds N       train with the seeds 1 to N [5]
  --raw           the text is raw: cut it into words and marks, and score it as sacreBLEU does. Without it, the text
                  is tokenized, and the score is that of multi-bleu.perl
  --program FILE  plainformer [build/toy/plainformer]

What follows -- goes to each training: --r-drop 5, for example, or --precision bf16.
END
}

fail() {
  echo "multi30k.sh: $1" >&2
  exit 2
}

data='' out='' seeds=5 program=build/toy/plainformer words=spaces count=--tokenized
while [ $# -gt 0 ]; do
  case $1 in
    --raw) words=marks count='' ;;
    --help) usage; exit 0 ;;
    --) shift; break ;;
    --data | --out | --seeds | --program)
      [ $# -ge 2 ] || fail "$1 needs a value"
      case $1 in --data) data=$2 ;; --out) out=$2 ;; --seeds) seeds=$2 ;; --program) program=$2 ;; esac
      shift ;;
    *) usage >&2; fail "unknown option $1" ;;
  esac
  shift
done

if [ -z "$data" ] || [ -z "$out" ]; then
  usage >&2
  fail "--data and --out are needed"
fi
case $seeds in '' | *[!0-9]* | 0*) fail "--seeds $seeds is not a number from 1" ;; esac
[ -x "$program" ] || fail "there is no program $program: build it with  cmake --workflow --preset toy, or give --program"
for text in train val test_2016_flickr; do
  for language in en de; do
    [ -r "$data/$text.$language" ] || fail "$data/$text.$language is missing: see github.com/multi30k/dataset, data/task1"
  done
done

source_text=$data/test_2016_flickr.en reference=$data/test_2016_flickr.de
mkdir -p "$out"

# Writes the output of a command to a file, which is there only if the command has succeeded.
write() {
  file=$1
  shift
  "$@" > "$file.part"
  mv "$file.part" "$file"
}

train() {
  if [ -e "$model/checkpoints/training_state.safetensors" ]; then
    "$program" train --resume --out "$model"
  else
    "$program" train --out "$model" --overwrite --preset tiny --words "$words" --seed "$seed" \
      --source "$data/train.en" --target "$data/train.de" \
      --valid-source "$data/val.en" --valid-target "$data/val.de" "$@"
  fi
  : > "$result.trained"
}

# The last value of a member in the log of a training.
logged() {
  sed -n "s/.*\"$1\": \([0-9.e+-]*\).*/\1/p" "$model/log.jsonl" | tail -n 1
}

# The number behind a name in a score.
scored() {
  sed -n "s/^$1 = \([0-9.]*\).*/\1/p" "$result.score"
}

row() {
  interval=$(sed -n 's/^95 % interval: \([0-9.]*\) to \([0-9.]*\).*/\1 to \2/p' "$result.score" | head -n 1)
  printf '| %s | %s | %s | %s (%s) | %s |\n' \
    "$seed" "$(logged valid_perplexity)" "$(logged valid_bleu)" "$(scored BLEU)" "$interval" "$(scored chrF2)"
}

for seed in $(seq 1 "$seeds"); do
  result=$out/seed-$seed model=$out/seed-$seed
  [ -e "$result.trained" ] || train "$@" >&2
  [ -e "$result.de" ] || write "$result.de" "$program" translate --model "$model" --beam 5 --length-penalty 1.4 < "$source_text"
  [ -e "$result.score" ] ||
    write "$result.score" "$program" bleu $count --chrf --interval --reference "$reference" < "$result.de"
  row
done > "$out/rows.part"

# Rounds the figures of the rows, and adds their mean and standard deviation.
awk -F ' *[|] *' '
  BEGIN {
    print "| `--seed` | validation: perplexity | BLEU | test 2016: BLEU | chrF2 |"
    print "|---|---|---|---|---|"
  }
  {
    split($5, bleu, " ")
    value[1] = $3; value[2] = $4; value[3] = bleu[1]; value[4] = $6
    for (i = 1; i <= 4; ++i) { sum[i] += value[i]; squares[i] += value[i] ^ 2 }
    printf "| %s | %.2f | %.2f | %s | %s |\n", $2, $3, $4, $5, $6
  }
  END {
    printf "| mean |"
    for (i = 1; i <= 4; ++i) printf " %.2f |", sum[i] / NR
    printf "\n"
    if (NR > 1) {
      printf "| standard deviation |"
      for (i = 1; i <= 4; ++i) {
        variance = (squares[i] - sum[i] ^ 2 / NR) / (NR - 1)
        printf " %.2f |", (variance > 0 ? sqrt(variance) : 0)
      }
      printf "\n"
    }
  }' "$out/rows.part" > "$out/table.md"
rm "$out/rows.part"
cat "$out/table.md"
