"""A player on the web: creates a round on a spoton-web server and prints the invitation, or joins a round.

    python3 examples/web_client.py http://127.0.0.1:8080
    python3 examples/web_client.py "http://127.0.0.1:8080/j/ID#SECRET"
"""
import http.client, json, random, sys, time, urllib.error, urllib.parse, urllib.request, uuid


def ask(path, body=None, token=""):
    """Sends a request until it is answered. The idempotency key makes retries safe."""
    headers = {"Content-Type": "application/json", "Idempotency-Key": str(uuid.uuid4()), "Authorization": f"Bearer {token}"}
    request = urllib.request.Request(f"{server}/api/v1{path}", body and json.dumps(body).encode(), headers)
    for _ in range(30):
        try:
            return json.load(urllib.request.urlopen(request, timeout=60))
        except urllib.error.HTTPError as error:
            problem = json.load(error)
            if "state" in problem:  # someone was faster; this is the current state
                return problem
            if error.code not in (429, 503):
                sys.exit(problem["detail"])
            time.sleep(int(error.headers["Retry-After"]))
        except (OSError, http.client.HTTPException):  # connection lost: retries
            time.sleep(1)
    sys.exit("no answer from the server; try again later")


link = urllib.parse.urlsplit(sys.argv[1])
server, id = f"{link.scheme}://{link.netloc}", link.path.split("/")[-1]
mine = ask(f"/rounds/{id}/seats", {"secret": link.fragment}) if link.fragment else ask("/rounds", {"game": "race-to-23"})
state, seat, token = mine["state"], mine.get("seat", 1), mine.get("token") or mine["tokens"]["1"]
print(server + mine["invitation"]["url"] if "invitation" in mine else f"player {seat}", flush=True)
while state["outcome"] is None:
    if state["turn"] == seat and all(player["taken"] for player in state["players"]):
        asked = {"move": random.choice(state["legal"]), "expected_seq": state["seq"]}
        state = ask(f"/rounds/{state['id']}/moves", asked, token)["state"]
    else:
        ask(f"/rounds/{state['id']}/events?after={state['seq']}&wait=30", token=token)
        state = ask(f"/rounds/{state['id']}")
print(json.dumps(state["outcome"]))
