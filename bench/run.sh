#!/usr/bin/env bash
# The benchmark of docs/benchmarks.md: steps and pictures of the dam break with 72,000 particles once it moves, on the CPU and on
# the GPU if there is one. Reports go to output/bench/*.json, the figures for a table to the terminal.
set -euo pipefail
cd "$(dirname "$0")/.."

scene=scenes/library/dam_break_72k.yaml
out=output/bench

echo "commit   $(git describe --always --dirty 2>/dev/null || echo 'not a git checkout')"
echo "date     $(date -u +%Y-%m-%d)"
echo "load     $(cut -d' ' -f1-3 /proc/loadavg 2>/dev/null || echo unknown) before the first run (1, 5 and 15 minutes)"
if command -v nvidia-smi >/dev/null; then echo "driver   $(nvidia-smi --query-gpu=name,driver_version --format=csv,noheader 2>/dev/null || echo none)"; fi
build/riffle doctor

# measure DEVICE WHAT COUNT
measure() {
  local code=0
  local command=(build/riffle bench "$2" "$scene" --from-time 0.1 --count "$3" --device "$1" --json "$out/$2_$1.json")
  printf '\n$ %s\n' "${command[*]}"
  "${command[@]}" || code=$?
  # Without a usable GPU or OpenGL the program says why, with exit code 2; steps on the CPU run everywhere.
  if [ $code -ne 0 ] && { [ $code -ne 2 ] || [ "$1 $2" = 'cpu step' ]; }; then exit $code; fi
}

devices=(cpu)
if compgen -G '/dev/nvidia[0-9]*' >/dev/null; then devices+=(cuda); fi
for device in "${devices[@]}"; do
  measure "$device" step 200
  measure "$device" draw 50
done
