#!/usr/bin/env bash
# Runs a program under Wine: run_wine.sh PROGRAM [ARGUMENTS]
# On a busy machine, Wine 8 sometimes fails before the program begins, and says nothing. Then it is tried again. Once the
# program has printed anything, it is not: every test program prints before it tests. But sometimes Wine itself fails after
# the program's end, in the dynamic linker, and the exit code is the linker's. Then it is tried again, too.
printed=$(mktemp) complained=$(mktemp)
trap 'rm -f "$printed" "$complained"' EXIT
for try in {1..10}; do
  wine "$@" 2>"$complained" | tee "$printed"
  exit_code=${PIPESTATUS[0]}
  cat "$complained" >&2
  if ((exit_code == 0)); then break; fi
  if [ -s "$printed" ] && ! grep -q '^Inconsistency detected by ld.so: dl-fini.c' "$complained"; then break; fi
done
exit "$exit_code"
