#!/usr/bin/env bash
# Builds the image of the autograder. Needs Debian or Ubuntu with CMake 3.25 or later, and this repository, zipped with
# setup.sh and run_autograder beside it: /autograder/source/plainformer.
set -euo pipefail
root=${AUTOGRADER:-/autograder}  # another folder, to try it

apt-get update -q
apt-get install -y -q --no-install-recommends g++ cmake make libgtest-dev
cd "$root/source/plainformer"
cmake --workflow --preset course
