//! The operator's pages document every limit and metric.

use std::time::Duration;

use spoton_web::limits::{Limits, OtherLimit};
use spoton_web::metrics::Metrics;

const PAGE: &str = include_str!("../../../../docs/server-options.md");
const WATCHING: &str = include_str!("../../../../docs/watching.md");

/// Every limit has a row with its default.
#[test]
fn every_limit_is_documented_with_its_number() {
    for name in Limits::NAMES {
        let row = PAGE.lines().find(|line| line.starts_with(&format!("| `{name}` |")));
        let number = row.and_then(|row| row.split('|').nth(2)).unwrap_or_else(|| panic!("{name} has no row"));
        let as_documented: OtherLimit = format!("{name}={}", number.trim()).parse().unwrap();
        assert_eq!(Limits::default().with(&as_documented), Limits::default(), "{name}");
    }
}

/// Every metric is documented on both pages, and every documented one exists.
#[test]
fn every_metric_is_documented() {
    let metrics = Metrics::default();
    metrics.answered("GET", "/".to_owned(), 200);
    metrics.committed(1, Duration::from_millis(1));
    let text = metrics.text();
    for page in [PAGE, WATCHING] {
        let helped = text.lines().filter_map(|line| line.strip_prefix("# HELP ")?.split(' ').next());
        for name in helped {
            assert!(page.contains(&format!("`{name}")), "{name} isn't documented");
        }
        for name in page.split('`').filter(|word| word.starts_with("spoton_")) {
            assert!(text.contains(&format!("\n{name}")), "{name} isn't a metric:\n{text}");
        }
    }
}
