//! The OpenAPI description matches the interface: every route, method, status and body. `tests/schemathesis.sh` tests
//! it with generated requests.

use std::collections::BTreeSet;

use axum::http::StatusCode;
use serde_json::{Value as Json, json};
use spoton_web::api;
use spoton_web::limits::Limits;

use crate::operation::support::{Answer, Ask, Server, get, post};

const METHODS: [&str; 5] = ["GET", "POST", "PUT", "PATCH", "DELETE"];

async fn description(server: &Server) -> Json {
    let answer = server.ask(get("/api/v1/openapi.json")).await;
    assert_eq!(answer.header("content-type"), "application/json");
    answer.json()
}

#[tokio::test]
async fn every_address_and_method_is_described_and_nothing_else() {
    let server = Server::start(Limits::default());
    let paths = description(&server).await["paths"].clone();
    let described: BTreeSet<&str> = paths.as_object().unwrap().keys().map(String::as_str).collect();
    let routes: BTreeSet<&str> = api::routes().into_iter().map(|route| route.path).collect();
    assert_eq!(described, routes);
    for path in routes {
        for method in METHODS {
            let filled = path.replace("{id}", "x").replace("{name}", "x");
            let answer = server.ask(Ask { method, ..get(&format!("/api/v1{filled}")) }).await;
            let is_described = paths[path].get(method.to_lowercase()).is_some();
            let is_taken = answer.status != StatusCode::METHOD_NOT_ALLOWED;
            assert_eq!(is_taken, is_described, "{method} {path}: {answer:?}");
        }
    }
}

/// Its schemas come from the types of requests and answers. `SPOTON_UPDATE=1` writes them.
#[test]
fn its_schemas_are_those_of_the_types() {
    let old: Json = serde_json::from_str(api::description::TEXT).unwrap();
    let mut new = old.clone();
    new["components"]["schemas"].as_object_mut().unwrap().extend(api::description::schemas());
    if std::env::var_os("SPOTON_UPDATE").is_some() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/src/api/openapi.json");
        std::fs::write(path, laid_out(&new, 0) + "\n").unwrap();
        return;
    }
    let schemas = |whole: &Json| whole["components"]["schemas"].as_object().unwrap().clone();
    for (name, schema) in schemas(&new) {
        assert_eq!(old["components"]["schemas"][&name], schema, "{name} has changed; update openapi.json");
    }
    // Records have a format of their own.
    let generated = api::description::schemas();
    let by_hand: Vec<String> =
        schemas(&old).keys().filter(|name| !generated.contains_key(*name)).cloned().collect();
    assert_eq!(by_hand, ["Record"]);
}

/// JSON with one value per line, unless all of them fit on one line.
fn laid_out(value: &Json, indent: usize) -> String {
    let line = on_one_line(value);
    let (open, items, close) = match value {
        Json::Object(object) => ("{", object.iter().map(|(key, value)| (Some(key), value)).collect(), "}"),
        Json::Array(array) => ("[", array.iter().map(|value| (None, value)).collect::<Vec<_>>(), "]"),
        _ => return line,
    };
    if indent + line.len() < 120 {
        return line;
    }
    let item = |(key, value): &(Option<&String>, &Json)| {
        let key = key.map(|key| format!("{key:?}: ")).unwrap_or_default();
        format!("{:indent$}  {key}{}", "", laid_out(value, indent + 2))
    };
    let lines: Vec<String> = items.iter().map(item).collect();
    format!("{open}\n{}\n{:indent$}{close}", lines.join(",\n"), "")
}

fn on_one_line(value: &Json) -> String {
    match value {
        Json::Object(object) => {
            let items = object.iter().map(|(key, value)| format!("{key:?}: {}", on_one_line(value)));
            format!("{{{}}}", items.collect::<Vec<_>>().join(", "))
        }
        Json::Array(array) => {
            format!("[{}]", array.iter().map(on_one_line).collect::<Vec<_>>().join(", "))
        }
        plain => plain.to_string(),
    }
}

#[tokio::test]
async fn whatever_it_refers_to_is_there() {
    let server = Server::start(Limits::default());
    let whole = description(&server).await;
    let mut referred = BTreeSet::new();
    let mut left = vec![&whole];
    while let Some(json) = left.pop() {
        match json {
            Json::Object(object) => {
                referred.extend(object.get("$ref").and_then(Json::as_str));
                left.extend(object.values());
            }
            Json::Array(array) => left.extend(array),
            _ => {}
        }
    }
    for reference in &referred {
        let pointer = reference.strip_prefix('#').unwrap();
        assert!(whole.pointer(pointer).is_some(), "{reference}");
    }
    let schemas = whole["components"]["schemas"].as_object().unwrap();
    for name in schemas.keys() {
        assert!(referred.contains(format!("#/components/schemas/{name}").as_str()), "{name} is never used");
    }
}

/// A whole round with all its commands: each answer has a described status and exactly the keys of its schema.
#[tokio::test]
async fn a_round_keeps_to_its_description() {
    let server = Server::start(Limits { commands_at_once: 100_000, ..Limits::default() });
    let whole = description(&server).await;
    let check = |path: &str, method: &str, answer: &Answer| {
        let operation = &whole["paths"][path][method];
        let status = answer.status.as_u16().to_string();
        let mut told = &operation["responses"][&status];
        assert!(told.is_object(), "{method} {path}: {status} isn't described: {answer:?}");
        if let Some(reference) = told["$ref"].as_str() {
            told = whole.pointer(reference.strip_prefix('#').unwrap()).unwrap();
        }
        let kind = answer.header("content-type").split(';').next().unwrap();
        let schema = &told["content"][kind]["schema"];
        assert!(schema.is_object(), "{method} {path} {status}: {kind} isn't described");
        if kind.ends_with("json") {
            keeps_to(&whole, schema, &answer.json(), &format!("{method} {path} {status}"));
        }
    };
    let games = server.ask(get("/api/v1/games")).await;
    check("/games", "get", &games);
    for game in games.json().as_array().unwrap() {
        let game = game["game"].as_str().unwrap();
        check("/games/{name}", "get", &server.ask(get(&format!("/api/v1/games/{game}"))).await);
        for path in ["/check", "/solve", "/audit"] {
            check(path, "post", &server.ask(post(path, &json!({ "game": game }))).await);
        }
        let asked = json!({ "game": game, "terms": { "hints": true } });
        let set = server.ask(post("/rounds", &asked)).await;
        check("/rounds", "post", &set);
        let set = set.json();
        let (id, one) = (set["id"].as_str().unwrap(), set["tokens"]["1"].as_str().unwrap());
        let seats = format!("/rounds/{id}/seats");
        let secret = json!({ "secret": set["invitation"]["secret"] });
        let taken = server.ask(post(&seats, &secret)).await;
        check("/rounds/{id}/seats", "post", &taken);
        check("/rounds/{id}/seats", "post", &server.ask(post(&seats, &secret)).await);
        let taken = taken.json();
        let tokens = [one, taken["token"].as_str().unwrap()];
        let mut state = taken["state"].clone();
        while state["outcome"].is_null() {
            let token = tokens[state["turn"].as_u64().unwrap() as usize - 1];
            for (what, asked) in [
                ("hint", json!({})),
                ("moves", json!({ "move": state["legal"][0], "expected_seq": 0 })),
                ("take-back", json!({})),
                ("rematch", json!({})),
                ("abandon", json!({})),
                ("cancel", json!({})),
            ] {
                let answer = server.ask(post(&format!("/rounds/{id}/{what}"), &asked).token(token)).await;
                check(&format!("/rounds/{{id}}/{what}"), "post", &answer);
            }
            state = server.ask(get(&format!("/api/v1/rounds/{id}"))).await.json();
            let asked = json!({ "move": state["legal"][0], "expected_seq": state["seq"] });
            let moved = server.ask(post(&format!("/rounds/{id}/moves"), &asked).token(token)).await;
            check("/rounds/{id}/moves", "post", &moved);
            state = moved.json()["state"].clone();
        }
        for (path, query) in [
            ("", ""),
            ("/events", "?wait=0"),
            ("/record", ""),
            ("/record.txt", ""),
            ("/review", ""),
            ("/record", "?round=9"),
        ] {
            let answer = server.ask(get(&format!("/api/v1/rounds/{id}{path}{query}"))).await;
            check(&format!("/rounds/{{id}}{path}"), "get", &answer);
        }
    }
}

/// Checks a value's type and keys against a schema.
fn keeps_to(whole: &Json, schema: &Json, value: &Json, what: &str) {
    if let Some(reference) = schema["$ref"].as_str() {
        return keeps_to(whole, whole.pointer(reference.strip_prefix('#').unwrap()).unwrap(), value, what);
    }
    if let Some(any) = schema["anyOf"].as_array() {
        let fitting = any.iter().find(|schema| fits(schema, value));
        return keeps_to(whole, fitting.unwrap_or_else(|| panic!("{what}: {value}")), value, what);
    }
    assert!(fits(schema, value), "{what}: {value} is no {}", schema["type"]);
    if let (Some(object), Some(known)) = (value.as_object(), schema["properties"].as_object()) {
        for wanted in schema["required"].as_array().into_iter().flatten() {
            assert!(object.contains_key(wanted.as_str().unwrap()), "{what}: {wanted} is missing");
        }
        for (key, value) in object {
            match known.get(key) {
                Some(schema) => keeps_to(whole, schema, value, &format!("{what} {key}")),
                None => assert_ne!(schema["additionalProperties"], false, "{what}: {key} isn't described"),
            }
        }
    }
    for (value, schema) in value.as_array().into_iter().flatten().zip(std::iter::repeat(&schema["items"])) {
        if schema.is_object() {
            keeps_to(whole, schema, value, what);
        }
    }
}

fn fits(schema: &Json, value: &Json) -> bool {
    let is = |name: &str| match name {
        "null" => value.is_null(),
        "string" => value.is_string(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        "boolean" => value.is_boolean(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        other => panic!("{other} isn't a type"),
    };
    let mut required = schema["required"].as_array().into_iter().flatten();
    let has = |key: &Json| value.as_object().is_none_or(|object| object.contains_key(key.as_str().unwrap()));
    if !required.all(has) {
        return false;
    }
    let one_of = schema["enum"].as_array().is_none_or(|values| values.contains(value));
    one_of
        && match &schema["type"] {
            Json::String(name) => is(name),
            Json::Array(names) => names.iter().any(|name| is(name.as_str().unwrap())),
            // A reference to an object, or a plain list of values.
            _ => schema["$ref"].is_null() || value.is_object(),
        }
}

/// Creating a round twice with one key creates one round and repeats the answer.
#[tokio::test]
async fn a_round_is_set_up_once_for_each_key() {
    let server = Server::start(Limits { new_of_an_address: 4, ..Limits::default() });
    let asked = json!({ "game": "number-maze" });
    let key = "0b9a5c1e-6c0a-4a39-9be0-3d4e7b0f1a11";
    let create = || post("/rounds", &asked).with("idempotency-key", key).from("10.0.0.1");
    let first = server.ask(create()).await;
    assert_eq!(first.status, StatusCode::CREATED, "{first:?}");
    let set = first.json();
    let (id, token) = (set["id"].as_str().unwrap(), set["tokens"]["1"].as_str().unwrap());
    // The round changes in between, and a retry still works.
    let seat = || {
        let secret = json!({ "secret": set["invitation"]["secret"], "name": "Ben" });
        post(&format!("/rounds/{id}/seats"), &secret).with("idempotency-key", "the key of Ben's program")
    };
    let taken = server.ask(seat()).await;
    assert_eq!(taken.status, StatusCode::OK, "{taken:?}");
    for _ in 0..10 {
        let again = server.ask(create()).await;
        assert_eq!((again.status, again.json()), (StatusCode::CREATED, set.clone()));
    }
    // The same goes for joining twice with the same key.
    let again = server.ask(seat()).await;
    assert_eq!((again.status, &again.json()["token"]), (StatusCode::OK, &taken.json()["token"]), "{again:?}");
    let other = server.ask(seat().with("idempotency-key", "another key")).await;
    assert_eq!(other.json()["token"], taken.json()["token"], "the first of two headers counts");
    let eve = post(&format!("/rounds/{id}/seats"), &json!({ "secret": set["invitation"]["secret"] }));
    assert_eq!(
        server.ask(eve.with("idempotency-key", "the key of Eve's program")).await.status,
        StatusCode::GONE
    );
    // The returned token is the valid one.
    let moved = post(&format!("/rounds/{id}/moves"), &json!({ "move": "+1", "expected_seq": 2 }));
    assert_eq!(server.ask(moved.token(token)).await.status, StatusCode::OK);
    let different = post("/rounds", &json!({ "game": "race-to-23" })).with("idempotency-key", key);
    assert_eq!(server.ask(different).await.status, StatusCode::UNPROCESSABLE_ENTITY);
    // A guessable key would give the seat to anyone who guesses it.
    for weak in ["1", "a short key 123"] {
        let refused = server.ask(post("/rounds", &asked).with("idempotency-key", weak)).await;
        assert_eq!(refused.status, StatusCode::BAD_REQUEST, "{weak}: {refused:?}");
    }
}

/// Many concurrent requests with one key create one round.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn simultaneous_requests_with_one_key_create_one_round() {
    let server = Server::start(Limits::default());
    let mut asking = Vec::new();
    for _ in 0..50 {
        let server = server.clone();
        let asked = post("/rounds", &json!({ "game": "number-maze" }));
        asking.push(tokio::spawn(async move {
            server.ask(asked.with("idempotency-key", "one key for all of these")).await
        }));
    }
    let mut told = BTreeSet::new();
    for asked in asking {
        let answer = asked.await.unwrap();
        assert_eq!(answer.status, StatusCode::CREATED, "{answer:?}");
        told.insert(answer.text);
    }
    assert_eq!(told.len(), 1);
}
