//! The OpenAPI description. `openapi.json` is checked in: its paths are written by hand, and its schemas come from the types
//! of requests and answers. A test compares them and updates the file on request.

use schemars::generate::SchemaSettings;
use schemars::transform::RecursiveTransform;
use schemars::{JsonSchema, Schema};
use serde_json::{Map, Value as Json};
use spoton::json;

use super::event::Event;
use super::problem;
use super::rounds::{AskedSeat, AskedTable, Done, Events, Hint, NewRound, Seat};
use super::state::TableState;
use super::truth::{AskedGame, AskedPosition, WholeGame};

/// The description, as it's served.
pub const TEXT: &str = include_str!("openapi.json");

/// A sitting: two players and their rounds.
#[derive(JsonSchema)]
#[schemars(extend("pattern" = "^[0-9a-hjkmnp-tv-z]{26}$"))]
#[expect(dead_code, reason = "only its schema is used")]
pub struct Id(String);

/// Proves that a seat is yours. Keep it secret.
#[derive(JsonSchema)]
#[schemars(extend("pattern" = "^[0-9a-hjkmnp-tv-z]{52}$"))]
#[expect(dead_code, reason = "only its schema is used")]
pub struct Token(String);

/// 1 to 32 visible characters: no invisible, unassigned or private-use ones. It mustn't look like the opponent's name.
#[derive(JsonSchema)]
#[expect(dead_code, reason = "only its schema is used")]
pub struct Name(String);

/// The schemas of requests and answers, by name. Leaves out records: their format is described by hand.
pub fn schemas() -> Map<String, Json> {
    let settings = SchemaSettings::draft2020_12().with(|settings| {
        settings.definitions_path = "/components/schemas".into();
        settings.meta_schema = None;
    });
    let requests = settings.clone().for_deserialize();
    let mut requests = requests.with_transform(RecursiveTransform(one_of_words)).into_generator();
    requests.subschema_for::<AskedGame>();
    requests.subschema_for::<AskedPosition>();
    requests.subschema_for::<AskedTable>();
    requests.subschema_for::<AskedSeat>();
    let answers = settings.for_serialize().with_transform(RecursiveTransform(one_of_words));
    let mut answers = answers.with_transform(RecursiveTransform(closed)).into_generator();
    answers.subschema_for::<problem::ProblemBody>();
    answers.subschema_for::<json::ListedGame>();
    answers.subschema_for::<WholeGame>();
    answers.subschema_for::<json::Check>();
    answers.subschema_for::<json::Solution>();
    answers.subschema_for::<json::Audit>();
    answers.subschema_for::<TableState>();
    answers.subschema_for::<NewRound>();
    answers.subschema_for::<Seat>();
    answers.subschema_for::<Done>();
    answers.subschema_for::<Hint>();
    answers.subschema_for::<Event>();
    answers.subschema_for::<Events>();
    answers.subschema_for::<json::Review>();
    let mut schemas = requests.take_definitions(true);
    schemas.extend(answers.take_definitions(true));
    schemas
}

/// Answers have no other keys than these, and a key that may be missing is never `null`.
fn closed(schema: &mut Schema) {
    let required = schema.get("required").cloned().unwrap_or_default();
    let is_required =
        |key: &str| required.as_array().is_some_and(|keys| keys.iter().any(|required| required == key));
    let Some(Json::Object(properties)) = schema.get_mut("properties") else { return };
    for (_, property) in properties.iter_mut().filter(|(key, _)| !is_required(key)) {
        never_null(property);
    }
    if schema.get("additionalProperties").is_none() {
        schema.insert("additionalProperties".to_owned(), false.into());
    }
}

fn never_null(property: &mut Json) {
    if let Some(Json::Array(types)) = property.get_mut("type") {
        types.retain(|kind| kind != "null");
        if let [only] = &types[..] {
            property["type"] = only.clone();
        }
    }
    if let Some(Json::Array(values)) = property.get_mut("enum") {
        values.retain(|value| !value.is_null());
    }
    if let Some(Json::Array(any)) = property.get_mut("anyOf") {
        any.retain(|schema| schema["type"] != "null");
        if let [only] = &mut any[..]
            && let (Json::Object(only), Json::Object(property)) = (only.take(), property)
        {
            property.remove("anyOf");
            property.extend(only);
        }
    }
}

/// Writes a choice of words as a list.
fn one_of_words(schema: &mut Schema) {
    let Some(Json::Array(choices)) = schema.get("oneOf") else { return };
    let words: Option<Vec<Json>> = choices.iter().map(|choice| choice.get("const").cloned()).collect();
    if let Some(words) = words {
        schema.remove("oneOf");
        schema.insert("type".to_owned(), "string".into());
        schema.insert("enum".to_owned(), words.into());
    }
}
