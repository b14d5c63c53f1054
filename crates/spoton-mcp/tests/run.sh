#!/bin/sh
# Tests the server with the official client of the protocol: whole rounds over both transports.
#
#     crates/spoton-mcp/tests/run.sh [ARGUMENTS OF PYTEST]
#
# Needs Python 3.10 or later with venv. Installs the client into a virtual environment under target/, with the versions in
# requirements.txt. Exits with a nonzero status if a test fails or can't run.
set -eu

root=$(cd "$(dirname "$0")/../../.." && pwd)
here=$root/crates/spoton-mcp/tests
. "$root/crates/spoton-py/tests/environment.sh"
environment mcp "$here/requirements.txt"

# The server, and the program that its answers are compared with. The test profile avoids a second build after cargo test.
(cd "$root" && cargo build --quiet --locked --profile test -p spoton-mcp -p spoton-cli)
SPOTON_MCP=$target/debug/spoton-mcp
SPOTON=$target/debug/spoton
export SPOTON_MCP SPOTON
exec "$work/venv/bin/python" -m pytest -o cache_dir="$work/cache" --rootdir "$here" "$here/test_client.py" "$@"
