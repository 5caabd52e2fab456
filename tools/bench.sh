#!/usr/bin/env bash
# The benchmark of docs/benchmarks.md: 400 steps of the dam break with 72,000 particles, on the CPU and on the GPU where there is
# one. Reports go to output/bench/*.json, what a table needs to the terminal.
set -euo pipefail
cd "$(dirname "$0")/.."

scene=scenes/dam_break_72k.yaml
steps=400
out=output/bench
mkdir -p "$out"

commit=$(git describe --always --dirty 2>/dev/null || echo 'not a git checkout')
echo "commit   $commit"
echo "date     $(date -u +%Y-%m-%d)"
build/riffle doctor | sed -n '1p; /processor\|CUDA/p'
echo "load     $(cut -d' ' -f1-3 /proc/loadavg 2>/dev/null || echo unknown) before the first run (1, 5 and 15 minutes)"

devices=(cpu)
if compgen -G '/dev/nvidia[0-9]*' >/dev/null; then devices+=(cuda); fi
for device in "${devices[@]}"; do
  command=(build/riffle run "$scene" --steps "$steps" --device "$device" --out "$out/$device" --json "$out/$device.json")
  printf '\n$ %s\n' "${command[*]}"
  code=0
  "${command[@]}" || code=$?
  # A GPU that this build cannot use is no failure of the benchmark; the program has said why.
  if [ $code -eq 2 ] && [ "$device" = cuda ]; then continue; fi
  [ $code -eq 0 ] || exit $code
done
