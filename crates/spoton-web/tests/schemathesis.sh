#!/bin/sh
# W7: the interface matches its description, and its only 5xx answer is 503 with Retry-After. Generates thousands of
# requests from the description and sends them to a real server, in the order of its links.
#
#     crates/spoton-web/tests/schemathesis.sh [SECONDS]
#
# Needs python3 3.10 or later with venv. Installs schemathesis under target/, in the version of requirements.txt. Uses a
# fixed seed. Exits with a status other than 0 if it finds anything or can't run.
set -eu

root=$(cd "$(dirname "$0")/../../.." && pwd)
here=$root/crates/spoton-web/tests/schemathesis
seconds=${1:-60}
. "$root/crates/spoton-py/tests/environment.sh"
environment schemathesis "$here/requirements.txt"

# The workspace's tests have usually built this already.
(cd "$root" && cargo test --quiet --workspace --locked --no-run --test browser)
folder=$(mktemp -d)
# Rate limits would hide other errors.
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

# Excluded checks: that every body outside its schema is refused and every other one accepted. The server ignores
# unknown keys, and most texts aren't moves. Other tests cover permissions: the hooks add tokens to requests without
# one.
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
