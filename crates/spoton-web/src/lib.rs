//! Spot On on the web: the server, its pages and its JSON API.
//!
//! Invariant: the log is the source of truth. A sitting on the web is the list of its events. A page or the API
//! sends a command to `Tables`, which checks the seat. The single `Writer` asks the pure `Room` for the resulting
//! events and commits them to the `Store`. Only then does the server answer and notify watchers.
//!
//! | file | contents | may use |
//! |---|---|---|
//! | `room.rs`, `room/event.rs` | pure state machine of a web table: events + command → new events, or a refusal | the library |
//! | `store/` | one trait for memory, SQLite and PostgreSQL; no other code knows which | a database |
//! | `tables/writer.rs`, `tables/writer/` | the single writer: checks commands against future rooms, batches them into group commits and settles unknown outcomes | the store, `tables/room_cache.rs`, `room.rs` |
//! | `tables/room_cache.rs` | cache of current sittings and seat holders, so no move waits for a read | the store, `room.rs` |
//! | `tables/nodes.rs`, `live/others.rs` | several servers on one database: they tell each other what changed | the store, `live.rs` |
//! | `tables.rs`, `tables/setting.rs` | operations that pages and API share; computers use them too | all of the above |
//! | `thinking.rs`, `thinking/` | solver queues for moves, questions and reports, each with its threads; one job per game | threads |
//! | `tables/books.rs`, `tables/facts.rs` | players' rule books; reports and maps, cached by SHA-256 of the book | `thinking.rs`, the store |
//! | `live.rs` | subscriptions, presence and event streams | |
//! | `ids.rs`, `seats.rs` | random ids and secrets; the cookie that identifies a browser | entropy |
//! | `clock.rs` | the time: the system's, or the database's if several servers share one | |
//! | `place.rs`, `guard.rs`, `limits.rs` | the server's names; checks host and origin, sets headers; every limit by name | |
//! | `middleware.rs`, `panics.rs` | middleware: client address, timeout, panics, error pages | |
//! | `rates.rs`, `rate.rs`, `open.rs`, `address.rs` | rate limits; open connections per address; the address behind a proxy | |
//! | `routes.rs` | the route table: who may call each route and what it stores, which sets its rate limit | |
//! | `names.rs` | which names are allowed, and which look alike | |
//! | `files.rs` | static files: compressed and cached by content | |
//! | `metrics.rs`, `stop.rs` | counters and their page; the signal to shut down | |
//! | `operation/` | arguments, start and stop, health, cleanup, logs, LAN mode | sockets, signals, standard error |
//! | `api/` | the JSON API | `tables.rs` |
//! | `tables/discovery.rs` | who sees what discovery mode hides | the store, `tables.rs` |
//! | `tables/classes.rs`, `codes.rs` | pairs pupils; names on a shared tablet; join codes, and delays for wrong ones | the store, `tables.rs` |
//! | `tables/daily.rs` | the daily duels, and streaks | the store, `thinking.rs` |
//! | `pages/`, `templates/`, `static/` | a file and a template for each page; the style sheet and the scripts | `tables.rs` |
//! | `picture.rs`, `picture/` | the number line, faces, emblems and icons, as pure functions | a `Round`, a `Rulebook` |
//! | `app.rs`, `serve.rs` | the whole server as a value, testable without a socket; the accept loop | sockets |
//!
//! A route that isn't read-only can't be added without declaring its callers and what it stores.

pub mod address;
pub mod api;
pub mod app;
pub mod clock;
pub mod codes;
pub mod files;
pub mod guard;
pub mod ids;
pub mod limits;
pub mod live;
pub mod metrics;
pub(crate) mod middleware;
pub mod names;
pub mod open;
pub mod operation;
pub mod pages;
pub mod panics;
pub mod picture;
pub mod place;
pub mod rate;
pub mod rates;
pub mod room;
pub mod routes;
pub mod seats;
pub mod serve;
pub mod stop;
pub mod store;
pub mod tables;
pub mod thinking;
