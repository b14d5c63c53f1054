#!/bin/sh
# Tests the Python package as users install it.
#
#     crates/spoton-py/tests/run.sh [ARGUMENTS OF PYTEST]
#
# Needs Python 3.10 or later with venv. Installs the package into a virtual environment under target/, with the versions in
# requirements.txt. Exits with a nonzero status if a test fails or can't run.
set -eu

root=$(cd "$(dirname "$0")/../../.." && pwd)
here=$root/crates/spoton-py
. "$here/tests/environment.sh"
environment python "$here/tests/requirements.txt"
PATH=$work/venv/bin:$PATH
export PATH

pip install --quiet --disable-pip-version-check --no-build-isolation --no-deps --force-reinstall "$here"
# The program to compare with.
(cd "$root" && cargo build --quiet --locked -p spoton-cli && cargo build --quiet --locked -p spoton --example random_books)
# Leaves the source folder, so that the tests import the installed package.
cd "$work"
exec python -m pytest -c "$here/pyproject.toml" --rootdir "$here" -o cache_dir="$work/cache" "$here/tests" "$@"
