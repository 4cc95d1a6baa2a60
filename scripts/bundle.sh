# Packages for the system's package manager. Sourced by ./dev.
# shellcheck shell=bash

# Where the bundler finds the programs, and where it puts the packages of each kind.
bundle_folder() { printf '%s/package/release' "$(target_folder)"; }

# What a package holds: the command line, and the window.
readonly PROGRAMS=(crewagent crewagent-desktop)

# The Debian packages that hold the libraries the programs are linked with, from which version on, as
# a JSON list: the bundler itself names two, of any version.
debian_libraries() {
  local folder needed
  folder=$(mktemp -d)
  # As the tool wants them: among the files of a package that is being made.
  mkdir -p "$folder/debian/crewagent/DEBIAN"
  printf 'Source: crewagent\n\nPackage: crewagent\nArchitecture: any\n' >"$folder/debian/control"
  ln -s "$(realpath "$(bundle_folder)")" "$folder/debian/crewagent/bin"
  needed=$(cd "$folder" && dpkg-shlibdeps -O "${PROGRAMS[@]/#/-edebian/crewagent/bin/}") ||
    fail "The libraries that the programs need could not be found out; the lines above say why."
  rm -rf "$folder"
  needed=${needed#shlibs:Depends=}
  printf '["%s"]' "${needed//, /\",\"}"
}

# Makes packages of the programs in a folder, of each kind that follows: deb, rpm. The bundler writes
# into the window's program which kind it came by, so it is given copies.
make_packages() {
  local programs=$1 folder program files config
  shift
  folder=$(bundle_folder)
  rm -rf "$folder"
  mkdir -p "$folder"
  for program in "${PROGRAMS[@]}"; do strip -o "$folder/$program" "$programs/$program"; done
  files="\"files\":{\"/usr/bin/crewagent\":\"$folder/crewagent\"}"
  config="{\"bundle\":{\"linux\":{\"deb\":{\"depends\":$(debian_libraries),$files},\"rpm\":{$files}}}}"
  CARGO_TARGET_DIR="$(target_folder)/package" \
    ui/node_modules/.bin/tauri bundle --ci --bundles "$@" --config "$config"
  # Unpacked, they take several times the room.
  find "$folder" -mindepth 3 -maxdepth 3 -type d -exec rm -r {} +
  for program in "${PROGRAMS[@]}"; do rm "$folder/$program"; done
}

# The packages of these kinds that were made, a line each.
packages_made() {
  local kind
  for kind; do find "$(bundle_folder)/bundle/$kind" -maxdepth 1 -name "*.$kind"; done
}

run_bundle() {
  steps 6
  step "system packages"
  need_packages "${BUILD_PACKAGES[@]}" "${WINDOW_PACKAGES[@]}"
  step "Rust"
  need_rust
  step "Node"
  need_node
  step "the page"
  build_page
  step "the programs, as they ship (a first build takes some minutes)"
  cargo build --release -p crewagent-cli -p crewagent-desktop \
    --features crewagent-desktop/custom-protocol --locked
  step "packages: $*"
  make_packages "$(target_folder)/release" "$@"
  finish_steps
  packages_made "$@"
}
