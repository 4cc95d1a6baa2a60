# The inner loop: what is checked while somebody works, within a minute. Sourced by ./dev.
# shellcheck shell=bash

# The commit that the work began from: where it left main, as the remote has it if there is one.
work_began_at() {
  git merge-base origin/main HEAD 2>/dev/null || git merge-base main HEAD 2>/dev/null ||
    git rev-parse HEAD
}

# Every file that differs from that commit, also those that git does not know yet.
changed_files() {
  git diff --name-only --no-renames "$1"
  git ls-files --others --exclude-standard
}

# The packages whose own files are among those on standard input, those that they compile included:
# the kernel makes functions of the catalogues of words and holds the layers of the prompts, and the
# command line reads that of its help.
changed_packages() {
  local file
  while read -r file; do
    case "$file" in
      templates/locales/*/help.json) echo crewagent-cli ;;
      templates/prompts/*) printf 'crewagent-kernel\ncrewagent-host\n' ;;
      src-tauri/kernel/* | templates/locales/*) echo crewagent-kernel ;;
      src-tauri/import-electron/*) echo crewagent-import-electron ;;
      src-tauri/import-skills/*) echo crewagent-import-skills ;;
      src-tauri/host/* | templates/*) echo crewagent-host ;;
      src-tauri/cli/*) echo crewagent-cli ;;
      src-tauri/* | tauri.conf.json) echo crewagent-desktop ;;
    esac
  done | sort -u
}

# Those of the changed files that match an extended regular expression.
any_changed() { grep -qE "$1" <<<"$CHANGED"; }

check_shell() {
  local scripts=(dev .ci/run scripts/*.sh tests/e2e/*.sh .githooks/*) script
  for script in "${scripts[@]}"; do bash -n "$script"; done
  if have shellcheck; then shellcheck -x "${scripts[@]}"; fi
}

# The fuzz targets, too: without their feature nobody compiles them.
lint_rust() {
  cargo clippy "$@" "${ALL[@]}" --features crewagent-fuzz/targets -- -D warnings
}

check_rust() {
  step "Rust: format"
  need_rust
  cargo fmt --all --check
  step "Rust: types and lint"
  lint_rust --quiet
  local packages
  mapfile -t packages < <(changed_packages <<<"$CHANGED")
  [ ${#packages[@]} -eq 0 ] || unit_tests "${packages[@]}"
}

# The unit tests of some packages. Cargo chooses the features of libraries by the packages that are
# selected, so those that have no library are selected, too: then all libraries have the features that
# `ALL` gives them, and none is compiled a second time.
unit_tests() {
  local package lib="" selected=(-p crewagent-desktop -p crewagent-cli -p crewagent-tests)
  for package; do
    case "$package" in
      crewagent-cli) selected+=(--bin crewagent) ;;
      crewagent-desktop) selected+=(--bin crewagent-desktop) ;;
      *) selected+=(-p "$package") lib=--lib ;;
    esac
  done
  step "unit tests of $*"
  selected+=(${lib:+"$lib"} --features crewagent-desktop/custom-protocol --locked)
  if have cargo-nextest; then
    cargo nextest run "${selected[@]}" --test-threads $((2 * $(nproc))) --show-progress none
  else
    cargo test --quiet "${selected[@]}"
  fi
}

check_page() {
  step "page: format and lint"
  need_node
  page_packages
  in_page run lint
  step "page: types"
  in_page run typecheck
  step "page: tests of what changed"
  in_page test -- --changed "$1" --passWithNoTests --reporter dot
}

check() {
  local base
  base=$(work_began_at)
  CHANGED=$(changed_files "$base")
  if [ -z "$CHANGED" ]; then
    say "Nothing differs from $(git log -1 --format='%h (%s)' "$base"): there is nothing to check."
    return 0
  fi
  if any_changed '(^dev|\.sh|^\.ci/run|^\.githooks/.*)$'; then
    step "scripts"
    check_shell
  fi
  # Schemas, migrations and snapshots are compiled, too.
  if any_changed '^(src-tauri|tests|templates|fuzz)/|^[^/]*\.(toml|lock|conf\.json)$'; then
    check_rust
  fi
  # The page imports the words as they are, those that only it says too.
  if any_changed '^(ui|templates/locales)/'; then
    check_page "$base"
  fi
  finish_steps
  step_times
}

fix() {
  step "Rust"
  need_rust
  # First, because clippy mends nothing that does not compile.
  cargo fmt --all
  cargo clippy --quiet --fix --allow-dirty --allow-staged "${ALL[@]}" --features crewagent-fuzz/targets
  cargo fmt --all
  step "page"
  need_node
  page_packages
  in_page run format
  finish_steps
}

# A digest of every file that could be committed. It is looked at again and again rather than told
# by the system, so that nothing has to be installed; reading all of them takes some milliseconds.
tree_digest() {
  # A file that was deleted is told on standard error, which is a part of the digest.
  { git ls-files --cached --others --exclude-standard -z | xargs -0 cksum 2>&1 || true; } | cksum
}

watch() {
  local checked now
  while :; do
    checked=$(tree_digest)
    # A process of its own, so that a failed check ends neither the watch nor its step counter.
    ./dev check || true
    say ""
    say "Waiting for a change. Ctrl+C ends."
    while now=$(tree_digest) && [ "$now" = "$checked" ]; do sleep 1; done
  done
}

hooks() {
  git config core.hooksPath .githooks
  say "Git runs .githooks from now on: format before a commit, ./dev check before a push.
git commit --no-verify and git push --no-verify pass them by; without them again:
  git config --unset core.hooksPath"
}
