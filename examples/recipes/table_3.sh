#!/bin/sh
# Table 3 in miniature (6.2 Model Variations): trains the preset toy and its variations, each a few options of
# `plainformer train`, with several seeds. Prints a table of validation losses, minus that of the base with the same seed.
#
#   examples/recipes/table_3.sh [--rows "A C"] [--seeds N] [--out DIR] [--program PLAINFORMER] [-- options of train]
#
# The options after -- hold for every run: `-- --steps 500`, or a text and a preset of your own. A run that is done is not
# made again, and one that was stopped goes on. (docs/6.2-model-variations.md)
set -eu

program=build/toy/plainformer seeds=3 out=table-3 rows="A B C D E"
say() { echo "table_3.sh: $*" >&2; }
while [ $# -gt 0 ]; do
  case $1 in
    --rows | --seeds | --out | --program)
      [ $# -ge 2 ] || { say "$1 takes a value"; exit 2; }
      case $1 in
        --rows) rows=$2 ;;
        --seeds) seeds=$2 ;;
        --out) out=$2 ;;
        --program) program=$2 ;;
      esac
      shift 2 ;;
    --) shift; break ;;
    *) say "no such option: $1 (hint: see the head of this file)"; exit 2 ;;
  esac
done
case $seeds in
  '' | *[!0-9]* | 0) say "--seeds $seeds: choose a number from 1 on"; exit 2 ;;
esac

# Row, name, and options. The preset has 2 + 2 layers, d_model 128, d_ff 256 and 4 heads.
variations() {
  cat <<'END'
base base
A heads-1 --heads 1
A heads-2 --heads 2
A heads-8 --heads 8
A heads-16 --heads 16
B d_k-8 --d-k 8
B d_k-16 --d-k 16
C N-1 --encoder-layers 1 --decoder-layers 1
C N-3 --encoder-layers 3 --decoder-layers 3
C d_model-64 --d-model 64
C d_model-256 --d-model 256
C d_ff-128 --d-ff 128
C d_ff-512 --d-ff 512
D P_drop-0.0 --dropout 0
D P_drop-0.2 --dropout 0.2
D eps_ls-0.0 --label-smoothing 0
D eps_ls-0.2 --label-smoothing 0.2
E learned-positions --positions learned
END
}

# The last validation loss in a run's log.
loss_of() { sed -n 's/.*"valid_loss": *\([0-9.]*\).*/\1/p' "$out/$1/log.jsonl" | tail -n 1; }

mkdir -p "$out"
trap 'rm -f "$out/variations" "$out/rows.part"' EXIT
variations > "$out/variations"
while read -r row name options; do
  case " base $rows " in *" $row "*) ;; *) continue ;; esac
  for seed in $(seq "$seeds"); do
    run=$name-seed-$seed
    if [ ! -e "$out/$run.done" ]; then
      say "$run"
      resume=--overwrite
      [ ! -e "$out/$run/checkpoints/training_state.safetensors" ] || resume=--resume
      # shellcheck disable=SC2086  # several options in one variable
      "$program" train --preset toy --out "$out/$run" --seed "$seed" $options "$@" $resume < /dev/null >&2
      : > "$out/$run.done"
    fi
    echo "$row $name $seed $(loss_of "$run")"
  done
done < "$out/variations" > "$out/rows.part"

awk '
  $2 == "base" { base[$3] = $4 }
  { key = $1 " " $2
    if (!(key in runs)) order[++keys] = key
    runs[key]++
    loss[key] += $4
    difference = $4 - base[$3]
    sum[key] += difference
    if (runs[key] == 1 || difference < low[key]) low[key] = difference
    if (runs[key] == 1 || difference > high[key]) high[key] = difference }
  END {
    print "| row | variation | validation loss | minus the base | lowest | highest |\n|---|---|---|---|---|---|"
    for (i = 1; i <= keys; ++i) {
      split(order[i], word, " "); key = order[i]; n = runs[key]
      printf "| %s | %s | %.4f | %+.4f | %+.4f | %+.4f |\n", word[1], word[2], loss[key] / n, sum[key] / n, low[key], high[key] } }
' "$out/rows.part" | tee "$out/table.md"
