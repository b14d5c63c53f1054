#!/bin/sh
# The server with the official client of the protocol: whole rounds over both of its ways.
#
#     crates/spoton-mcp/tests/run.sh [ARGUMENTS OF PYTEST]
#
# Needs python3 from 3.10 on, with venv. The client is installed into an environment of its own under target/, with the
# versions that requirements.txt names. Exits with another status than 0 if a test fails, or if it cannot be run.
set -eu

root=$(cd "$(dirname "$0")/../../.." && pwd)
here=$root/crates/spoton-mcp/tests
target=${CARGO_TARGET_DIR:-$root/target}
work=$target/mcp
mkdir -p "$work"

if ! python3 -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 10))' 2> /dev/null; then
    echo "the client needs python3 from 3.10 on, with venv, such as Debian's python3-venv: apt-get install python3-venv" >&2
    exit 1
fi
# Another version, or one that was only half installed, makes way.
if ! cmp -s "$here/requirements.txt" "$work/installed"; then
    rm -rf "$work/venv" "$work/installed"
    python3 -m venv "$work/venv"
    "$work/venv/bin/pip" install --quiet --disable-pip-version-check -r "$here/requirements.txt"
    cp "$here/requirements.txt" "$work/installed"
fi

# The server, and the program whose answers its own are held against; of the kind that cargo test makes, so that it is not
# made twice.
(cd "$root" && cargo build --quiet --locked --profile test -p spoton-mcp -p spoton-cli)
SPOTON_MCP=$target/debug/spoton-mcp
SPOTON=$target/debug/spoton
export SPOTON_MCP SPOTON
exec "$work/venv/bin/python" -m pytest -o cache_dir="$work/cache" --rootdir "$here" "$here/test_client.py" "$@"
