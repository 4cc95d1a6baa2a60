# What the machine needs, and how to get it: system packages by apt, Rust and Node by their
# official installers. Nothing is touched that is there and new enough. Sourced by ./dev.
# shellcheck shell=bash
# shellcheck disable=SC2034  # ./dev uses the lists below

YES=${YES:-}

# To build any part; to build and show the window; to test it.
readonly BUILD_PACKAGES=(build-essential pkg-config curl ca-certificates)
readonly WINDOW_PACKAGES=(libwebkit2gtk-4.1-dev)
readonly TEST_PACKAGES=(xvfb xauth webkit2gtk-driver xdotool dbus fonts-noto-cjk fonts-noto-color-emoji
  desktop-file-utils libglib2.0-bin)
# What the benchmarks compare with.
readonly BENCH_PACKAGES=(ripgrep unzip)

readonly RUSTUP_INSTALLER=https://sh.rustup.rs
readonly NODE_DOWNLOADS=https://nodejs.org/dist
readonly MACHETE_VERSION=0.9.2
readonly NODE_VERSION=v20.20.2
# The oldest Node the page's tools run on.
readonly NODE_AT_LEAST=20.19.0

# Tools installed for this repository alone.
TOOLS=$PWD/.tools

export PATH="$TOOLS/node/bin:$PATH:${CARGO_HOME:-$HOME/.cargo}/bin:$TOOLS/bin"

target_folder() { printf '%s' "${CARGO_TARGET_DIR:-target}"; }

# True when version $1 is $2 or newer.
at_least() { [ "$(printf '%s\n%s\n' "$2" "$1" | sort -V | head -n 1)" = "$2" ]; }

# Says what will be done and, on a terminal, asks. A git hook installs nothing.
agree() {
  say "$1"
  [ -z "${INSTALL_NOTHING:-}" ] || fail "Stopped: a git hook installs nothing. Run ./dev check."
  if [ -n "$YES" ] || [ ! -t 0 ]; then return 0; fi
  local answer
  read -r -p "Go on? [Y/n] " answer
  case "$answer" in
    "" | y | Y | yes) ;;
    *) fail "Stopped: nothing was installed. ${2:-}" ;;
  esac
}

# ---- system packages -------------------------------------------------------------------------

as_root() {
  if [ "$(id -u)" -eq 0 ]; then
    "$@"
  elif have sudo; then
    sudo "$@"
  else
    fail "This needs root, and sudo is not here. As root, run: $*"
  fi
}

installed() { [ "$(dpkg-query -W -f='${db:Status-Status}' "$1" 2>/dev/null)" = installed ]; }

apt_install() {
  as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "$@"
}

need_packages() {
  if ! have apt-get || ! have dpkg-query; then
    fail "Only Debian and Ubuntu are set up by this script. Install what these Debian packages hold
by your system's own means, then use cargo and npm as CONTRIBUTING.md says:
  $*"
  fi
  local missing=() package
  for package in "$@"; do
    installed "$package" || missing+=("$package")
  done
  if [ ${#missing[@]} -eq 0 ]; then
    say "all there"
    return 0
  fi
  agree "Installing with apt-get: ${missing[*]}"
  # A list that is there and complete saves the update; a missing or an old one does not.
  if ! apt_lists_there || ! apt_install "${missing[@]}"; then
    as_root apt-get update
    apt_install "${missing[@]}" || fail "apt-get could not install: ${missing[*]}
Its own lines above say why. On Ubuntu these may need the universe component:
  sudo add-apt-repository universe"
  fi
}

apt_lists_there() { compgen -G '/var/lib/apt/lists/*_Packages*' >/dev/null; }

chromium_program() {
  local program
  for program in chromium chromium-browser google-chrome; do
    if have "$program"; then
      command -v "$program"
      return 0
    fi
  done
  return 1
}

need_chromium() {
  if chromium_program >/dev/null; then return 0; fi
  # Ubuntu names it chromium-browser.
  local package=chromium
  apt_lists_there || as_root apt-get update
  apt-cache show chromium >/dev/null 2>&1 || package=chromium-browser
  need_packages "$package"
}

# ---- Rust ------------------------------------------------------------------------------------

wanted_rust() { sed -n 's/^channel = "\(.*\)"/\1/p' rust-toolchain.toml; }

need_rust() {
  local wanted
  wanted=$(wanted_rust)
  if ! have rustup && ! rust_is_new_enough "$wanted"; then
    install_rustup "$wanted"
  fi
  # With rustup the first call installs the toolchain that rust-toolchain.toml names.
  cargo --version || fail "Rust $wanted could not be installed. With a connection to the internet, run:
  rustup toolchain install $wanted --profile minimal --component rustfmt --component clippy"
  if ! cargo fmt --version >/dev/null 2>&1 || ! cargo clippy --version >/dev/null 2>&1; then
    fail "Rust is here, but rustfmt or clippy is not. Run:
  rustup component add rustfmt clippy"
  fi
}

rust_is_new_enough() {
  have cargo && have rustc && at_least "$(rustc --version | cut -d ' ' -f 2)" "$1"
}

install_rustup() {
  agree "Installing Rust $1 with rustup, from $RUSTUP_INSTALLER, into ${CARGO_HOME:-$HOME/.cargo}"
  local installer
  installer=$(mktemp)
  if ! curl --proto '=https' --tlsv1.2 -fsSL "$RUSTUP_INSTALLER" -o "$installer" \
    || ! sh "$installer" -y --profile minimal --default-toolchain none --no-modify-path; then
    rm -f "$installer"
    fail "Rust could not be fetched. Where there is a connection to the internet, run
  curl --proto '=https' --tlsv1.2 -sSf $RUSTUP_INSTALLER | sh
and then ./dev again. Without one, install Rust $1 with rustfmt and clippy by other means, so that
cargo is on the PATH."
  fi
  rm -f "$installer"
  hash -r
}

# Built without optimisation, which takes half a minute on two cores, once.
need_machete() {
  if have cargo-machete; then return 0; fi
  agree "Installing cargo-machete $MACHETE_VERSION from crates.io into .tools, for this repository alone"
  cargo install --quiet --locked --debug --root "$TOOLS" "cargo-machete@$MACHETE_VERSION" ||
    fail "cargo-machete could not be installed. With a connection to the internet, run:
  cargo install --locked cargo-machete"
  hash -r
}

# ---- Node ------------------------------------------------------------------------------------

node_is_new_enough() {
  have node && have npm && at_least "$(node --version | tr -d v)" "$NODE_AT_LEAST"
}

need_node() {
  if ! node_is_new_enough; then install_node; fi
  say "node $(node --version), npm $(npm --version)"
}

install_node() {
  local machine name
  case "$(uname -m)" in
    x86_64) machine=x64 ;;
    aarch64) machine=arm64 ;;
    *) fail "There is no official Node for this machine ($(uname -m)). Install Node $NODE_AT_LEAST or
newer with npm by your system's means, then run ./dev again." ;;
  esac
  name=node-$NODE_VERSION-linux-$machine
  agree "Installing Node $NODE_VERSION from $NODE_DOWNLOADS into .tools, for this repository alone"
  have xz || need_packages xz-utils
  local folder
  folder=$(mktemp -d)
  if ! (cd "$folder" \
    && curl -fsSLO "$NODE_DOWNLOADS/$NODE_VERSION/$name.tar.xz" \
    && curl -fsSLO "$NODE_DOWNLOADS/$NODE_VERSION/SHASUMS256.txt" \
    && grep " $name.tar.xz\$" SHASUMS256.txt | sha256sum -c --quiet - \
    && tar -xJf "$name.tar.xz"); then
    rm -rf "$folder"
    fail "Node could not be fetched. Where there is a connection to the internet, run ./dev again.
Without one, install Node $NODE_AT_LEAST or newer with npm by other means, so that node and npm are
on the PATH."
  fi
  rm -rf "$TOOLS/node"
  mkdir -p "$TOOLS"
  mv "$folder/$name" "$TOOLS/node"
  rm -rf "$folder"
  hash -r
}

# ---- the page --------------------------------------------------------------------------------

in_page() { npm --prefix ui --no-update-notifier --no-fund "$@"; }

# npm's packages, when the lock file says something else than what is there.
page_packages() {
  local mark=ui/node_modules/.locked now
  now=$(sha256sum <ui/package-lock.json)
  if [ "$(cat "$mark" 2>/dev/null)" = "$now" ]; then
    say "packages: all there"
    return 0
  fi
  in_page ci --no-audit
  printf '%s' "$now" >"$mark"
}

build_page() {
  page_packages
  in_page run build
}

# ---- the display -----------------------------------------------------------------------------

# True when a window could be shown: a Wayland display, or an X display that is really there.
has_display() {
  if [ -n "${WAYLAND_DISPLAY:-}" ]; then return 0; fi
  local display=${DISPLAY:-}
  case "$display" in
    "") return 1 ;;
    :*)
      local number=${display#:}
      [ -S "/tmp/.X11-unix/X${number%%.*}" ]
      ;;
    *) return 0 ;;
  esac
}
