#!/usr/bin/env bash
#SBATCH --job-name=sfc-ensemble
#SBATCH --array=0-99
#SBATCH --cpus-per-task=1
#SBATCH --time=01:00:00
#SBATCH --requeue
#SBATCH --open-mode=append
# An ensemble as a Slurm array, a shard a task:
#
#   SEEDS=100000 OUT=$PWD/out sbatch --export=ALL slurm.sh
#
# A task that was killed goes on where it was when it is queued again. When all are done:
#
#   sfc-bench merge out/shard-*.json --json > all.json
set -euo pipefail

# Slurm runs a copy of this file from elsewhere.
here=${SLURM_SUBMIT_DIR:-$(dirname "$0")}
exec bash "$here/shard.sh" "$SLURM_ARRAY_TASK_ID" "$SLURM_ARRAY_TASK_COUNT" "$@"
