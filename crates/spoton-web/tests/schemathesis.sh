#!/bin/sh
# W7: the interface keeps its description, and never answers 5xx but 503 with Retry-After. Thousands of requests are made
# up from the description and sent to a real server, one after another as its links say.
#
#     crates/spoton-web/tests/schemathesis.sh [SECONDS]
#
# Needs python3 from 3.10 on, with venv; schemathesis itself is installed under target/, in the version that requirements.txt names. What
# it makes up comes from one seed. Exits with another status than 0 if anything was found, or if it cannot be run.
set -eu

root=$(cd "$(dirname "$0")/../../.." && pwd)
here=$root/crates/spoton-web/tests/schemathesis
seconds=${1:-60}
. "$root/crates/spoton-py/tests/environment.sh"
environment schemathesis "$here/requirements.txt"

# The program that the tests of the whole workspace have built: after them there is nothing to do here.
(cd "$root" && cargo test --quiet --workspace --locked --no-run --test server)
folder=$(mktemp -d)
# What is refused for coming too often says nothing about the rest.
"$target/debug/spoton-web" --listen 127.0.0.1:0 --data "$folder/data.db" --log warn \
    --limit commands-of-a-seat=1000000 --limit commands-at-once=1000000 \
    --limit new-of-an-address=1000000 --limit new-of-a-browser=1000000 \
    --limit commands-of-an-address=1000000000 --limit new-bytes-of-an-address=4000000000 \
    > "$folder/out" 2> "$folder/err" &
server=$!
trap 'kill $server 2>/dev/null || true; rm -rf "$folder"' EXIT INT TERM
tries=0
until [ -s "$folder/out" ]; do
    tries=$((tries + 1))
    if [ $tries -gt 300 ]; then
        cat "$folder/err" >&2
        exit 1
    fi
    sleep 0.1
done
address=$(head -n 1 "$folder/out")

# Left out are the checks that every body which does not keep to its schema is refused, and every other one taken: keys
# that nobody knows are passed over, and most texts are no moves. Who may command what has tests of its own: the hooks
# bring tokens where none would be sent.
status=0
cd "$folder"
SCHEMATHESIS_HOOKS="$here/hooks.py" "$work/venv/bin/schemathesis" \
    --config-file "$here/schemathesis.toml" \
    run "${address}api/v1/openapi.json" \
    --checks all --exclude-checks negative_data_rejection,positive_data_acceptance,missing_required_header,ignored_auth \
    --seed 1 --max-time "$seconds" --request-timeout 20 --continue-on-failure || status=$?
if grep -E 'panic|ERROR' "$folder/err"; then
    echo "the server's log has errors" >&2
    status=1
fi
exit $status
