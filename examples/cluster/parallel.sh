#!/usr/bin/env bash
# The same ensemble by GNU parallel, on this machine or, with --sshloginfile, on several:
#
#   SEEDS=100000 OUT=out SHARDS=100 bash parallel.sh [ENSEMBLE OPTIONS]
#
# A shard that fails is tried three times. Run again, it does what is missing, and joins all.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
shards=${SHARDS:-100}
seq 0 $((shards - 1)) |
  parallel --will-cite --retries 3 --env SEEDS --env OUT --env SFC_BENCH \
    bash "$here/shard.sh" {} "$shards" "$@"
"${SFC_BENCH:-sfc-bench}" merge "$OUT"/shard-*.json --json > "$OUT/all.json.part"
mv "$OUT/all.json.part" "$OUT/all.json"
