#!/bin/sh
# Plays a match in parts by GNU parallel and merges them: parallel.sh CONFIG PARTS DIR
# What was stopped in the middle is finished by the same command; what is finished is not played again.
set -eu
config=$1 parts=$2 dir=$3
mkdir -p "$dir"
seq "$parts" | parallel --halt soon,fail=1 \
  leap match --config "$config" --shard "{}/$parts" --out "$dir/part-{}" --resume --quiet
rm -rf "$dir/whole"
leap merge --out "$dir/whole" "$dir"/part-*
