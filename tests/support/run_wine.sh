#!/usr/bin/env bash
# Runs a program under Wine: run_wine.sh PROGRAM [ARGUMENTS]
# On a busy machine, Wine 8 sometimes fails before the program begins, and says nothing. Then it is tried again. Once the
# program has printed anything, it is not: every test program prints before it tests.
printed=$(mktemp)
trap 'rm -f "$printed"' EXIT
for try in {1..10}; do
  wine "$@" | tee "$printed"
  exit_code=${PIPESTATUS[0]}
  if ((exit_code == 0)) || [ -s "$printed" ]; then break; fi
done
exit "$exit_code"
