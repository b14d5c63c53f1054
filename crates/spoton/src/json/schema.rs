//! The schemas of the types that write their own JSON. All others derive theirs.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};

use super::position::{Used, Uses};
use super::round::WrittenMove;
use super::{PlayerNumber, Whole};

macro_rules! schemas {
    ($($type:ty, $name:literal: |$generator:ident| $schema:expr;)*) => {$(
        impl JsonSchema for $type {
            fn inline_schema() -> bool {
                true
            }

            fn schema_name() -> Cow<'static, str> {
                $name.into()
            }

            fn json_schema($generator: &mut SchemaGenerator) -> Schema {
                $schema
            }
        }
    )*};
}

schemas! {
    PlayerNumber, "PlayerNumber": |_generator| json_schema!({ "type": "integer", "enum": [1, 2] });
    Whole, "Whole": |_generator| json_schema!({ "type": ["integer", "string"] });
    WrittenMove<'_>, "WrittenMove": |_generator| json_schema!({ "type": "string" });
    Uses, "Uses": |generator| {
        json_schema!({ "type": "object", "additionalProperties": generator.subschema_for::<Used>() })
    };
}
