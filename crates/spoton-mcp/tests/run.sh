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
. "$root/crates/spoton-py/tests/environment.sh"
environment mcp "$here/requirements.txt"

# The server, and the program whose answers its own are held against; of the kind that cargo test makes, so that it is not
# made twice.
(cd "$root" && cargo build --quiet --locked --profile test -p spoton-mcp -p spoton-cli)
SPOTON_MCP=$target/debug/spoton-mcp
SPOTON=$target/debug/spoton
export SPOTON_MCP SPOTON
exec "$work/venv/bin/python" -m pytest -o cache_dir="$work/cache" --rootdir "$here" "$here/test_client.py" "$@"
