# Progress lines, and one clear line when something fails. Sourced by ./dev.
# shellcheck shell=bash

STEPS=0
STEP=0
STEP_NAME=""
STEP_BEGAN=0
TIMES=()

say() { printf '%s\n' "$*"; }

# A failure of our own making: what is wrong, and what to do.
fail() {
  printf '\n%s\n' "$*" >&2
  exit 1
}

have() { command -v "$1" >/dev/null 2>&1; }

steps() { STEPS=$1; }

# "3/16", or "3" where nobody said how many there will be.
step_number() { if [ "$STEPS" -gt 0 ]; then printf '%d/%d' "$STEP" "$STEPS"; else printf '%d' "$STEP"; fi; }

clock() { printf '%d:%02d' $(($1 / 60)) $(($1 % 60)); }

close_step() {
  [ -n "$STEP_NAME" ] || return 0
  TIMES+=("$(clock $((SECONDS - STEP_BEGAN)))  $STEP_NAME")
  STEP_NAME=""
}

step() {
  close_step
  STEP=$((STEP + 1))
  STEP_NAME=$1
  STEP_BEGAN=$SECONDS
  printf '\n[%s] %s (%s)\n' "$(step_number)" "$1" "$(clock "$SECONDS")"
}

finish_steps() {
  close_step
  printf '\nAll %d steps done in %s.\n' "$STEP" "$(clock "$SECONDS")"
}

step_times() { printf '  %s\n' "${TIMES[@]}"; }

at_end() {
  local code=$?
  if [ "$code" -ne 0 ] && [ -n "$STEP_NAME" ]; then
    printf '\nFAILED in step %s: %s, after %s. The lines above say why.\n' \
      "$(step_number)" "$STEP_NAME" "$(clock $((SECONDS - STEP_BEGAN)))" >&2
  fi
}
trap at_end EXIT
