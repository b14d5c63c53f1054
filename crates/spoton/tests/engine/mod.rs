//! Single turns: what every key of the format does.

mod alphabet;
mod edges;
mod foreign;
mod oracle;
mod position_texts;
mod positions;
mod shortcuts;
mod turns;
