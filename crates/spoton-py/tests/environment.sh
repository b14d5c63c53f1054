# Creates the virtual environments of all Python tests. Source it with $root set to the top of the repository:
#
#     . "$root/crates/spoton-py/tests/environment.sh"
#     environment NAME REQUIREMENTS
#
# creates target/NAME/venv with the versions in the file REQUIREMENTS, and sets $target and $work (target/NAME).

environment() {
    target=${CARGO_TARGET_DIR:-$root/target}
    work=$target/$1
    if ! python3 -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 10))' 2> /dev/null; then
        echo "the Python tests need Python 3.10 or later with venv; on Debian: apt-get install python3-venv" >&2
        exit 1
    fi
    mkdir -p "$work"
    # Replaces an environment with other versions or an incomplete installation.
    if ! cmp -s "$2" "$work/installed"; then
        rm -rf "$work/venv" "$work/installed"
        python3 -m venv "$work/venv"
        "$work/venv/bin/pip" install --quiet --disable-pip-version-check -r "$2"
        cp "$2" "$work/installed"
    fi
}
