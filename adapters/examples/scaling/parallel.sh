#!/bin/sh
# Plays a match in parts with GNU parallel, and merges the parts: parallel.sh CONFIG PARTS DIR
# After an interruption, run the same command again: it finishes the match, and repeats no finished games.
set -eu
config=$1 parts=$2 dir=$3
mkdir -p "$dir"
seq "$parts" | parallel --halt soon,fail=1 \
  leap match --config "$config" --shard "{}/$parts" --out "$dir/part-{}" --resume --quiet
rm -rf "$dir/whole"
leap merge --out "$dir/whole" "$dir"/part-*
