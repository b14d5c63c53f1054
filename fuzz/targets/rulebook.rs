#![no_main]

#[path = "../../crates/spoton/tests/support/fuzzing.rs"]
#[allow(dead_code)]
mod fuzzing;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| fuzzing::rulebook(bytes));
