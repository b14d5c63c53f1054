"""Gives generated requests what they need to reach the handlers: tokens of created rounds, and sometimes a legal move. Most
requests stay as generated."""

import random

import schemathesis

tokens = {}  # by round
states = {}  # by round
secrets = {}  # by round
GAMES = ["number-maze", "race-to-23", "take-away"]
chance = random.Random(1)


@schemathesis.hook
def before_call(context, case, kwargs):
    path = case.operation.path
    parameters = case.path_parameters if isinstance(case.path_parameters, dict) else {}
    if path.endswith("/events"):
        # A stream has no end, so request a list.
        query = case.query if isinstance(case.query, dict) else {}
        case.query = {**query, "wait": query.get("wait") if query.get("wait") in ("x", -1) else 0}
    if path == "/games/{name}" and chance.random() < 0.5:
        case.path_parameters = {"name": chance.choice(GAMES)}
    if path in ("/rounds", "/solve", "/audit", "/check") and isinstance(case.body, dict):
        if chance.random() < 0.6:
            body = {"game": chance.choice(GAMES), "terms": {"hints": True}}
            if path == "/rounds":
                body["seats"] = chance.choice([["me", "friend"], ["me", "me"], ["me", "pip"], ["sage", "me"]])
            case.body = body
    if "{id}" not in path or not tokens:
        return
    if chance.random() < 0.6:
        case.path_parameters = {**parameters, "id": chance.choice(list(tokens))}
    known = (case.path_parameters or {}).get("id")
    if known not in tokens:
        return
    # The authentication check omits tokens on purpose.
    if case.method == "POST" and case.meta is not None and chance.random() < 0.8:
        case.headers["Authorization"] = "Bearer " + chance.choice(tokens[known])
    if path.endswith("/moves") and chance.random() < 0.7 and states[known]["legal"]:
        case.body = {"move": chance.choice(states[known]["legal"]), "expected_seq": states[known]["seq"]}
    if path.endswith("/seats") and chance.random() < 0.7 and known in secrets:
        case.body = {"secret": secrets[known]}


@schemathesis.hook
def after_call(context, case, response):
    if response.status_code not in (200, 201) or case.method not in ("POST", "post"):
        return
    answer = response.json()
    if not isinstance(answer, dict) or "state" not in answer:
        return
    known = answer["state"]["id"]
    states[known] = answer["state"]
    if "tokens" in answer and answer["tokens"]:
        tokens[known] = list(answer["tokens"].values())
    if "token" in answer:
        tokens.setdefault(known, []).append(answer["token"])
    if "invitation" in answer:
        secrets[known] = answer["invitation"]["secret"]
