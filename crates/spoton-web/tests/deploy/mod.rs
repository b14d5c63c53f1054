//! The files in `deploy/`, used as they are: nginx, systemd units, PostgreSQL with a standby, backups, and the replacement
//! of nodes. Only addresses, ports and folders are replaced.

mod behind_nginx;
mod database;
#[path = "../fixtures/nginx/mod.rs"]
mod nginx;
mod pages;
mod replaced;
mod server;
mod support;
mod units;
