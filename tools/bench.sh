#!/usr/bin/env bash
# The benchmark of docs/benchmarks.md: steps and pictures of the dam break with 72,000 particles once it moves, on the CPU and on
# the GPU where there is one. Reports go to output/bench/*.json, what a table needs to the terminal.
set -euo pipefail
cd "$(dirname "$0")/.."

scene=scenes/dam_break_72k.yaml
out=output/bench

echo "commit   $(git describe --always --dirty 2>/dev/null || echo 'not a git checkout')"
echo "date     $(date -u +%Y-%m-%d)"
echo "load     $(cut -d' ' -f1-3 /proc/loadavg 2>/dev/null || echo unknown) before the first run (1, 5 and 15 minutes)"
if command -v nvidia-smi >/dev/null; then echo "driver   $(nvidia-smi --query-gpu=name,driver_version --format=csv,noheader 2>/dev/null || echo none)"; fi
build/riffle doctor

# measure COMMAND...: a device or a driver that this machine lacks (exit code 2) is no failure; the program says why.
measure() {
  local code=0
  printf '\n$ %s\n' "$*"
  "$@" || code=$?
  [ $code -eq 0 ] || [ $code -eq 2 ] || exit $code
}

devices=(cpu)
if compgen -G '/dev/nvidia[0-9]*' >/dev/null; then devices+=(cuda); fi
for device in "${devices[@]}"; do
  measure build/riffle bench step $scene --from-time 0.1 --count 200 --device "$device" --json "$out/step_$device.json"
  measure build/riffle bench draw $scene --from-time 0.1 --count 50 --device "$device" --json "$out/draw_$device.json"
done
