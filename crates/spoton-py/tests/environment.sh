# What the tests in Python have in common, wherever they are: an environment of their own under target/. To be sourced, with
# $root set to the top of the repository:
#
#     . "$root/crates/spoton-py/tests/environment.sh"
#     environment NAME REQUIREMENTS
#
# makes target/NAME/venv with the versions that the file REQUIREMENTS names, and sets $target and $work (target/NAME).

environment() {
    target=${CARGO_TARGET_DIR:-$root/target}
    work=$target/$1
    if ! python3 -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 10))' 2> /dev/null; then
        echo "the tests in Python need python3 from 3.10 on, with venv, such as Debian's python3-venv: apt-get install python3-venv" >&2
        exit 1
    fi
    mkdir -p "$work"
    # Another version, or one that was only half installed, makes way.
    if ! cmp -s "$2" "$work/installed"; then
        rm -rf "$work/venv" "$work/installed"
        python3 -m venv "$work/venv"
        "$work/venv/bin/pip" install --quiet --disable-pip-version-check -r "$2"
        cp "$2" "$work/installed"
    fi
}
