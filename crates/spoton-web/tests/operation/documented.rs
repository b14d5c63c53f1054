//! The page for whoever runs a server says how things are.

use std::time::Duration;

use spoton_web::limits::{Limits, OtherLimit};
use spoton_web::operation::metrics::Metrics;

const PAGE: &str = include_str!("../../../../docs/running-it.md");

/// Every limit stands there with its name, and the number beside it is the one that holds.
#[test]
fn every_limit_is_documented_with_its_number() {
    for name in Limits::NAMES {
        let row = PAGE.lines().find(|line| line.starts_with(&format!("| `{name}` |")));
        let number = row.and_then(|row| row.split('|').nth(2)).unwrap_or_else(|| panic!("{name} has no row"));
        let as_documented: OtherLimit = format!("{name}={}", number.trim()).parse().unwrap();
        assert_eq!(Limits::default().with(&as_documented), Limits::default(), "{name}");
    }
}

/// Every metric stands there, and every one that stands there is one.
#[test]
fn every_metric_is_documented() {
    let metrics = Metrics::default();
    metrics.answered("GET", "/".to_owned(), 200);
    metrics.committed(1, Duration::from_millis(1));
    let text = metrics.text();
    let helped = text.lines().filter_map(|line| line.strip_prefix("# HELP ")?.split(' ').next());
    for name in helped {
        assert!(PAGE.contains(&format!("`{name}")), "{name} is not documented");
    }
    for name in PAGE.split('`').filter(|word| word.starts_with("spoton_")) {
        assert!(text.contains(&format!("\n{name}")), "{name} is no metric:\n{text}");
    }
}
