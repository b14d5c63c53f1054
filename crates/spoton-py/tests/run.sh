#!/bin/sh
# The tests of the Python package, as whoever installs it gets it.
#
#     crates/spoton-py/tests/run.sh [ARGUMENTS OF PYTEST]
#
# Needs python3 from 3.10 on, with venv. The package is built into an environment of its own under target/, with the versions
# of everything else that requirements.txt names. Exits with another status than 0 if a test fails, or if it cannot be run.
set -eu

root=$(cd "$(dirname "$0")/../../.." && pwd)
here=$root/crates/spoton-py
. "$here/tests/environment.sh"
environment python "$here/tests/requirements.txt"
PATH=$work/venv/bin:$PATH
export PATH

pip install --quiet --disable-pip-version-check --no-build-isolation --no-deps --force-reinstall "$here"
# What its answers are held against.
(cd "$root" && cargo build --quiet --locked -p spoton-cli && cargo build --quiet --locked -p spoton --example random_books)
# From elsewhere, so that it is the installed package that is tested.
cd "$work"
exec python -m pytest -c "$here/pyproject.toml" --rootdir "$here" -o cache_dir="$work/cache" "$here/tests" "$@"
