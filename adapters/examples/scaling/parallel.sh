#!/bin/sh
# Plays a match with several runners by GNU parallel, and merges their batches: parallel.sh CONFIG RUNNERS DIR
# After an interruption, run the same command again: it finishes the match, and repeats no finished batches.
set -eu
config=$1 runners=$2 dir=$3
seq "$runners" | parallel -N0 --jobs "$runners" --halt soon,fail=1 \
  leap match --config "$config" --lease "$dir/shared" --quiet
rm -rf "$dir/whole"
leap merge --out "$dir/whole" "$dir/shared"
