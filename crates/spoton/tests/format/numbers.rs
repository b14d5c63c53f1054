//! Huge and odd numbers, in files and settings.

use crate::format::error_at_mark;
use crate::support::{book, finished, plain_with, problems, problems_of, read};

const TOP: i64 = 1_000_000_000_000_000_000;

#[test]
fn numbers_that_are_taken() {
    for (written, number) in [
        ("1000000000000000000", TOP),
        ("1_000_000_000_000_000_000", TOP),
        ("-1000000000000000000", -TOP),
        ("+30", 30),
        ("-0", 0),
        ("+0", 0),
        ("0x10", 16),
        ("0o17", 15),
        ("0b101", 5),
        ("0xDE0B6B3A7640000", TOP),
    ] {
        assert_eq!(book(&plain_with(&[("target", written)])).target(), Some(number), "{written}");
        // A setting can't change the direction, so start low enough.
        let low = read(&plain_with(&[
            ("start", "-1000000000000000000"),
            ("range", "[-1000000000000000000, 1000000000000000000]"),
        ]));
        if number > -TOP {
            let draft = low.set("--set", &format!("target={written}"));
            assert_eq!(finished(&draft).target(), Some(number), "target={written}");
        }
    }
    assert_eq!(book(&plain_with(&[("start", "-0")])).start(), (0, 0));
}

#[test]
fn numbers_that_are_refused() {
    let million = "9".repeat(60_000);
    for (written, given) in [
        ("1000000000000000001", "1000000000000000001"),
        ("-1000000000000000001", "-1000000000000000001"),
        ("9223372036854775807", "9223372036854775807"),
        ("9223372036854775808", "9223372036854775808"),
        ("0xDE0B6B3A7640001", "DE0B6B3A7640001"),
        ("1e18", "1e18"),
        ("1e999", "1e999"),
        ("-1e999", "-1e999"),
        ("20.0", "20.0"),
        ("inf", "inf"),
        ("-nan", "-nan"),
        (&million, "9999999999999999999999999999999999999999…"),
    ] {
        error_at_mark(&plain_with(&[("target", &format!("¶{written}"))]), &["`target`", "10^18", given]);
        let told = problems_of(&read(&plain_with(&[])).set("--set", &format!("target={written}")));
        assert_eq!(told.len(), 1);
        assert_eq!(told[0].place.to_string(), "--set:1:8");
        assert!(told[0].message.contains("10^18") && told[0].message.contains(given), "{}", told[0]);
    }
}

#[test]
fn a_million_digits_in_a_setting_are_refused_in_a_line() {
    let digits = "9".repeat(1_000_000);
    for setting in [
        format!("target={digits}"),
        format!("target=-{digits}"),
        format!("passes={digits}"),
        format!("start=1,{digits}"),
        format!("winning={digits},3"),
        format!("moves=+{digits}"),
        format!("moves=+1..{digits}"),
        format!("match={{first_to={digits}}}"),
        format!("{digits}=1"),
        format!("title={digits}"),
    ] {
        let told = problems_of(&read(&plain_with(&[])).set("--set", &setting));
        assert_eq!(told.len(), 1, "{told:?}");
        assert!(told[0].to_string().len() < 400, "a long answer to a long number");
    }
    let told = problems_of(&read(&plain_with(&[])).set_target("--target", &digits));
    assert!(told[0].to_string().starts_with("--target:1:1: `target` takes a whole number"), "{}", told[0]);
}

#[test]
fn digits_of_other_scripts_are_not_numbers_here() {
    for digits in ["٢٠", "२०", "２０", "²⁰", "Ⅻ"] {
        let in_file = problems(&plain_with(&[("target", digits)]));
        assert!(in_file[0].place.line_column() == (3, 10), "{in_file:?}");
        let told = problems_of(&read(&plain_with(&[])).set("--set", &format!("target={digits}")));
        assert!(told[0].message.contains(&format!("not the text \"{digits}\"")), "{}", told[0]);
        let told = problems_of(&read(&plain_with(&[])).set("--set", &format!("moves=+{digits}")));
        assert!(told[0].message.contains("plain digits"), "{}", told[0]);
    }
}
