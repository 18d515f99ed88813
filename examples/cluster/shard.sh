#!/usr/bin/env bash
# One shard of an ensemble: seeds AT of COUNT equal parts of 0..SEEDS, into OUT/shard-AT.json.
#
#   SEEDS=100000 OUT=out bash shard.sh AT COUNT [ENSEMBLE OPTIONS]
#
# What is done is kept seed by seed in OUT/shard-AT.d: run again after it was killed, it goes on from there,
# and a shard that is whole is not run again. No two shards write the same file.
set -euo pipefail

at=$1 count=$2
shift 2
seeds=${SEEDS:?how many seeds in all}
out=${OUT:?the folder of the results, which all nodes see}
first=$((seeds * at / count)) end=$((seeds * (at + 1) / count))
whole=$out/shard-$(printf '%06d' "$at").json

mkdir -p "$out"
if [[ -e $whole ]]; then exit 0; fi
"${SFC_BENCH:-sfc-bench}" ensemble "$@" --seed-range "$first..$end" \
  --checkpoint "${whole%.json}.d" --resume --json > "$whole.part"
mv "$whole.part" "$whole"
