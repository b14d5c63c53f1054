//! All tests of the built program in one binary, because linking many takes longer than running them.

mod arena;
mod bench;
mod command_line;
mod commands;
mod dependencies;
mod design;
mod discovery;
mod engine;
mod foreign_texts;
mod full_screen;
mod golden;
mod hostile;
mod house_rules;
mod looking_ahead;
mod memory;
mod people;
mod play;
mod playthroughs;
mod promises;
mod prompts;
mod puzzle;
#[path = "../../spoton/tests/support/random_books.rs"]
mod random_books;
mod readme;
mod saves;
mod support;
mod terminal;
mod today;
mod voice;
