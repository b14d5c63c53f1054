//! Version 2 of the format: values at and past every limit, the place that each error reports, and the effects of the
//! keys.

use spoton::engine::position::Player;
use spoton::engine::written::On;
use spoton::format::{Draft, Pool};

use crate::format::error_at_mark;
use crate::support::{book, finished, legal, plain_with, read};

const TOP: &str = "1000000000000000000";
const PAST_TOP: &str = "1000000000000000001";

/// A climb from 1 to 20 with these moves.
fn moves(moves: &str) -> String {
    plain_with(&[("moves", moves)])
}

/// The same with separate numbers.
fn apart(keys: &[(&str, &str)]) -> String {
    plain_with(&[&[("numbers", "'separate'")], keys].concat())
}

#[test]
fn every_computed_operation_is_read_and_written() {
    for op in
        ["-divisor", "+divisor", "/divisor", "-prime", "+prime", "/prime", "-digit", "+digit", "-1..half"]
    {
        for written in [format!("'{op}'"), format!("{{ op = '{op}' }}")] {
            assert_eq!(book(&moves(&format!("[{written}]"))).moves()[0].to_string(), op);
        }
    }
}

#[test]
fn a_mistyped_operation_is_answered_with_the_one_that_was_meant() {
    for (given, meant) in [
        ("-divisors", "-divisor"),
        ("+devisor", "+divisor"),
        ("/primes", "/prime"),
        ("-digits", "-digit"),
        ("-1..halve", "-1..half"),
        ("-2..half", "-1..half"),
        ("-Prime", "-prime"),
        ("divisor", "-divisor"),
    ] {
        let help = format!("(did you mean \"{meant}\"?)");
        let quoted = format!("`moves`: \"{given}\": ");
        error_at_mark(&moves(&format!("['+1', ¶'{given}']")), &[&quoted, &help]);
        let quoted = format!("`op`: \"{given}\": ");
        error_at_mark(&moves(&format!("['+1', {{ uses = 1, op = ¶'{given}' }}]")), &[&quoted, &help]);
    }
    let all = "computed amounts are written \"-divisor\", \"+divisor\", \"/divisor\", \"-prime\", \"+prime\", \"/prime\", \
               \"-digit\", \"+digit\", \"-1..half\"";
    for given in ["+ones", "-square"] {
        error_at_mark(&moves(&format!("[¶'{given}']")), &["`moves`", given, all]);
    }
    for (given, op) in [("@-3", "-3"), ("@ - 3", "-3"), ("@*2", "x2"), ("@ -prime", "-prime")] {
        let help = format!("starts with +, -, x or / (write {{ op = \"{op}\", on = \"other\" }})");
        error_at_mark(&moves(&format!("['+1', ¶'{given}']")), &["`moves`", given, &help]);
    }
    // For an unknown operation, the error suggests the nearest one.
    for given in ["xdivisor", "/digit", "+1..half"] {
        error_at_mark(&moves(&format!("[¶'{given}']")), &["`moves`", given, "did you mean"]);
    }
    // Without words, the errors are as before.
    for given in ["+0", "+x", "7"] {
        let (text, _) = crate::support::marked(&moves(&format!("['{given}']")));
        assert!(read(&text).build().unwrap_err()[0].help.is_none(), "{given}");
    }
}

#[test]
fn amounts_are_bounded_from_1_to_9999() {
    for key in ["from", "to"] {
        for fine in ["1", "9999"] {
            book(&moves(&format!("[{{ op = '-divisor', {key} = {fine} }}]")));
        }
        for wrong in ["0", "10000", "-1"] {
            let text = moves(&format!("['+1', {{ op = '-divisor', {key} = ¶{wrong} }}]"));
            let given = format!("not the number {wrong}");
            error_at_mark(&text, &[&format!("`{key}`"), "a whole number from 1 to 9999", &given]);
        }
        error_at_mark(
            &moves(&format!("[{{ op = '-divisor', {key} = ¶'2' }}]")),
            &[&format!("`{key}`"), "the text \"2\""],
        );
    }
    let bounded = book(&moves("[{ op = '-divisor', from = 3, to = 3 }]"));
    assert_eq!(
        bounded.rules_line(),
        "{start = 1, target = 20, moves = [{op = '-divisor', from = 3, to = 3}]}"
    );
    error_at_mark(
        &moves("[{ op = '-divisor', from = ¶4, to = 3 }]"),
        &["`from` must not be above `to`, but 4 is above 3"],
    );
}

#[test]
fn bounds_belong_to_computed_amounts_alone() {
    for op in ["+1", "x2", "+1..4"] {
        for key in ["from", "to"] {
            let first = op.split("..").next().unwrap();
            let told =
                format!("`{key}` limits a computed amount, as in \"-divisor\", but {first} has a fixed one");
            error_at_mark(&moves(&format!("[{{ op = '{op}', {key} = ¶2 }}]")), &[&told]);
        }
    }
    for op in ["-divisor", "+prime", "-digit", "-1..half"] {
        book(&moves(&format!("[{{ op = '{op}', from = 2, to = 5 }}]")));
    }
}

#[test]
fn conditions_are_read_and_written() {
    for (given, written) in [
        ("'even'", "'even'"),
        ("'odd'", "'odd'"),
        ("'prime'", "'prime'"),
        ("'square'", "'square'"),
        ("'multiple of 7'", "'multiple of 7'"),
        ("'multiples of 7'", "'multiple of 7'"),
        ("'below -3'", "'below -3'"),
        ("'above 0'", "'above 0'"),
        ("'from -2 to 9'", "'from -2 to 9'"),
        ("'from 4 to 4'", "'from 4 to 4'"),
        ("['odd']", "'odd'"),
        ("['odd', 'odd']", "'odd'"),
        ("['below 9', 'odd', 'above 3']", "['odd', 'below 9', 'above 3']"),
    ] {
        let line = book(&moves(&format!("[{{ op = '+1', when = {given} }}]"))).rules_line();
        assert!(line.contains(&format!("{{op = '+1', when = {written}}}")), "{given}: {line}");
        let again = Draft::read_line("line", &line.replacen('{', "{title = 'T', ", 1)).build().unwrap();
        assert_eq!(again.rules_line(), line);
    }
}

#[test]
fn an_unknown_condition_is_reported_with_the_known_ones() {
    let forms = "`when` takes one of \"even\", \"odd\", \"prime\", \"square\", \"multiple of K\", \"below K\", \"above K\", \
                 \"from A to B\", or a list of them, not";
    for (given, help) in [
        ("evn", Some("even")),
        ("primes", Some("prime")),
        ("Odd", Some("odd")),
        ("squares", Some("square")),
        ("bellow 10", Some("below 10")),
        ("abov -3", Some("above -3")),
        ("multipel of 7", Some("multiple of 7")),
        ("multiple 7", None),
        ("from 3 till 9", Some("from 3 to 9")),
        ("below", Some("below K")),
        ("from 3", None),
        ("divisible by 7", None),
        ("", None),
    ] {
        for text in ["['+2', { op = '+1', when = ¶'#' }]", "['+2', { op = '+1', when = ['odd', ¶'#'] }]"] {
            let quoted = format!("{forms} \"{given}\"");
            let help = help.map(|help| format!("(did you mean \"{help}\"?)")).unwrap_or_default();
            error_at_mark(&moves(&text.replace('#', given)), &[&quoted, &help]);
        }
    }
    for (given, type_of) in [("3", "the number 3"), ("true", "true"), ("['odd', 3]", "the number 3")] {
        let marked = if given.contains("3]") { given.replace('3', "¶3") } else { format!("¶{given}") };
        let text = moves(&format!("[{{ op = '+1', when = {marked} }}]"));
        error_at_mark(&text, &[forms.trim_end_matches(", not"), &format!("not {type_of}")]);
    }
    let empty = "`when` is an empty list; leave it out if any number will do";
    error_at_mark(&moves("[{ op = '+1', when = ¶[] }]"), &[empty]);
}

#[test]
fn numbers_in_conditions_have_bounds() {
    for fine in [
        format!("multiple of {TOP}"),
        "multiple of 1".to_owned(),
        format!("below {TOP}"),
        format!("below -{TOP}"),
        format!("above {TOP}"),
        format!("above -{TOP}"),
        format!("from -{TOP} to {TOP}"),
    ] {
        book(&moves(&format!("['+1', {{ op = '+2', when = '{fine}' }}]")));
    }
    let allowed = "`when` takes numbers in plain digits from -10^18 to 10^18, \
                   with K at least 1 in \"multiple of K\", not";
    for wrong in [
        "multiple of 0".to_owned(),
        "multiple of -7".to_owned(),
        "multiple of 07".to_owned(),
        "multiple of seven".to_owned(),
        format!("multiple of {PAST_TOP}"),
        format!("below {PAST_TOP}"),
        format!("below -{PAST_TOP}"),
        format!("above {PAST_TOP}"),
        format!("from 1 to {PAST_TOP}"),
        format!("from -{PAST_TOP} to 1"),
        "below ten".to_owned(),
        "below 2.5".to_owned(),
        "above +3".to_owned(),
        "below -0".to_owned(),
    ] {
        let quoted = format!("{allowed} \"{}\"", spoton::format::quotable(&wrong));
        error_at_mark(&moves(&format!("[{{ op = '+1', when = ¶'{wrong}' }}]")), &[&quoted]);
    }
    let down = "`when` takes \"from A to B\" with B not below A, not \"from 3 to 2\"";
    error_at_mark(&moves("[{ op = '+1', when = ¶'from 3 to 2' }]"), &[down]);
}

#[test]
fn entries_differ_by_op_on_and_when() {
    let fine = "['+1', { op = '+1', when = 'odd' }, { op = '+1', when = ['odd', 'below 9'] }, \
                { op = '+1', on = 'other' }, { op = '+1', on = 'other', when = 'odd' }, '-divisor', \
                { op = '-divisor', when = 'even' }]";
    assert_eq!(book(&apart(&[("moves", fine)])).moves().len(), 7);
    for (twice, name) in [
        ("['+1', ¶{ op = '+1', uses = 3 }]", "+1"),
        ("['+1', ¶{ op = '+1', on = 'own' }]", "+1"),
        ("['+1..3', ¶{ op = '+3..5', uses = 3 }]", "+3"),
        ("[{ op = '+1', when = 'odd' }, ¶{ op = '+1', when = ['odd'], label = 'One' }]", "+1 when odd"),
        (
            "[{ op = '+1', when = ['odd', 'below 9'] }, ¶{ op = '+1', when = ['below 9', 'odd'] }]",
            "+1 when odd and below 9",
        ),
        ("[{ op = '+1', on = 'other' }, ¶{ op = '+1', on = 'other', uses = 3 }]", "@+1"),
        ("['-divisor', ¶'-divisor']", "-divisor"),
    ] {
        let told = format!("`moves` lists {name} twice");
        error_at_mark(&apart(&[("moves", twice)]), &[&told]);
    }
    let bounded = "[{ op = '-divisor', to = 3 }, ¶{ op = '-divisor', from = 4 }]";
    error_at_mark(
        &moves(bounded),
        &[
            "`moves` lists -divisor twice",
            "two entries must differ in `op`, `on` or `when`; `from` and `to` don't count",
        ],
    );
}

#[test]
fn a_book_has_1_to_16_entries_and_a_computed_one_is_one() {
    book(&moves("['-divisor', '+1..15']"));
    book(&moves("[{ op = '+1..16', uses = 1 }]"));
    error_at_mark(
        &moves("¶['-divisor', '+1..16']"),
        &["`moves` has 17 moves, counting every move of a span; it needs 1 to 16"],
    );
    error_at_mark(&moves("[{ op = ¶'+1..17', uses = 1 }]"), &["`op`", "17 moves", "the limit is 16"]);
    error_at_mark(
        &moves("[{ op = ¶'+3..2' }]"),
        &["`op`", "write the smaller amount of a span first: +2..3"],
    );
}

#[test]
fn a_span_in_a_table_is_spelled_out_with_its_own_uses_and_labels() {
    let text = "[{ op = '+1..3', uses = 1, pool = 'shared', label = 'Take {amount}, leave {amount}' }]";
    let spelled_out = book(&moves(text));
    let labels: Vec<String> = spelled_out.moves().iter().map(|entry| entry.label()).collect();
    assert_eq!(labels, ["Take 1, leave 1", "Take 2, leave 2", "Take 3, leave 3"]);
    let of_each = |entry: &spoton::format::Entry| entry.uses.map(|uses| (uses.limit, uses.pool));
    assert!(spelled_out.moves().iter().all(|entry| of_each(entry) == Some((1, Pool::Shared))));
    assert!(!spelled_out.needs_version_2());
    let by_hand = "[{ op = '+1', uses = 1, pool = 'shared' }, { op = '+2', uses = 1, pool = 'shared' }, \
                   { op = '+3', uses = 1, pool = 'shared' }]";
    assert_eq!(spelled_out.fingerprint(), book(&moves(by_hand)).fingerprint());

    let label_of = |moves: &str| {
        let book = book(&self::moves(moves));
        book.moves().iter().map(|entry| entry.label()).collect::<Vec<_>>()
    };
    assert_eq!(label_of("[{ op = '+1..2', label = 'Take' }]"), ["Take (1)", "Take (2)"]);
    assert_eq!(label_of("[{ op = '+2..2', label = '{amount}!' }]"), ["2!"]);
    // Other labels are plain text.
    assert_eq!(label_of("[{ op = '+2', label = 'Take {amount}' }]"), ["Take {amount}"]);
}

#[test]
fn the_label_of_a_computed_entry_holds_its_amount() {
    let labels = |moves: &str| {
        let book = book(&plain_with(&[("start", "12"), ("target", "0"), ("moves", moves)]));
        let opening = book.opening(Player::One);
        book.legal(&opening).iter().map(|choice| book.label(&opening, choice)).collect::<Vec<_>>()
    };
    assert_eq!(
        labels("[{ op = '-prime', label = 'Take {amount} of it' }]"),
        ["Take 2 of it", "Take 3 of it"]
    );
    assert_eq!(labels("[{ op = '-prime', label = 'Take away' }]"), ["Take away (2)", "Take away (3)"]);
    assert_eq!(labels("['-prime']"), ["Subtract 2", "Subtract 3"]);
}

#[test]
fn labels_are_short_enough_with_their_amounts_as_well() {
    let long = |rest: usize| format!("{{amount}}{}", "a".repeat(rest));
    book(&moves(&format!("[{{ op = '+98..99', label = '{}' }}]", long(4088))));
    book(&moves(&format!("[{{ op = '+98..99', label = '{}' }}]", "a".repeat(4091))));
    let text = moves(&format!("[{{ op = '+98..99', label = ¶'{}' }}]", "a".repeat(4092)));
    error_at_mark(&text, &["`label` has 4097 bytes with the amount 98; the limit is 4096"]);
    let text = moves(&format!("[{{ op = '+{TOP}..{TOP}', label = ¶'{}' }}]", long(4088)));
    error_at_mark(&text, &["`label` has 4107 bytes"]);
    // A computed amount isn't filled in when reading, so it can't exceed the limit.
    book(&moves(&format!("[{{ op = '-divisor', label = '{}' }}]", "a".repeat(4096))));
    let text = moves(&format!("[{{ op = '-divisor', label = ¶'{}' }}]", "a".repeat(4097)));
    error_at_mark(&text, &["`label` has 4097 bytes; the limit is 4096"]);
}

#[test]
fn moves_on_the_other_number_need_separate_numbers() {
    let other = "['+1', { op = '-3', on = 'other' }]";
    let book = book(&apart(&[("moves", other)]));
    assert_eq!((book.moves()[0].on, book.moves()[1].on), (On::Own, On::Other));
    let needs = "`on` = \"other\" needs numbers = \"separate\"";
    error_at_mark(&moves("['+1', ¶{ op = '-3', on = 'other' }]"), &[needs]);
    error_at_mark(
        &plain_with(&[("numbers", "'shared'"), ("moves", "[¶{ op = '-3', on = 'other' }]")]),
        &[needs],
    );
    let words = "`on` takes one of \"own\", \"other\", not";
    error_at_mark(
        &apart(&[("moves", "[{ op = '-3', on = ¶'others' }]")]),
        &[words, "\"others\" (did you mean \"other\"?)"],
    );
    error_at_mark(
        &apart(&[("moves", "[{ op = '-3', on = ¶2 }]")]),
        &["`on` takes one of \"own\", \"other\", not the number 2"],
    );
    let own = "[{ op = '-3', on = 'own' }]";
    assert!(!crate::support::book(&moves(own)).needs_version_2(), "the default needs nothing new");
    let questions = [("moves", other), ("wording", "{ menu = ¶'questions' }")];
    error_at_mark(
        &apart(&questions),
        &["`menu` = \"questions\" doesn't work with moves on the other number"],
    );
    crate::support::book(&apart(&[("moves", "['+1', '-1..half']"), ("wording", "{ menu = 'questions' }")]));
}

#[test]
fn turns_and_closeness_need_a_number_each_and_a_target() {
    for (key, value, name) in [("turns", "5", "turns"), ("stuck", "'closest'", "stuck = \"closest\"")] {
        let marked = format!("¶{value}");
        book(&apart(&[(key, value)]));
        let separate = format!("`{name}` needs numbers = \"separate\"");
        error_at_mark(&plain_with(&[(key, &marked)]), &[&separate]);
        let endless = format!(
            "title = 'T'\nnumbers = 'separate'\nstart = 1\nrange = [0, 9]\nmoves = ['+1']\n{key} = {marked}\n"
        );
        error_at_mark(&endless, &[&format!("`{name}` needs a `target`")]);
    }
    // A wrong value isn't also reported as missing.
    error_at_mark(
        &plain_with(&[("numbers", "¶'seperate'"), ("turns", "5")]),
        &["did you mean \"separate\"?"],
    );
    error_at_mark(&apart(&[("target", "¶'far'"), ("turns", "5")]), &["`target` takes a whole number"]);
    let told = finished(&read(&apart(&[("turns", "5")]))).rules_line();
    assert!(told.ends_with(", turns = 5}"), "{told}");
}

#[test]
fn turns_go_from_1_to_255() {
    for fine in ["1", "255"] {
        book(&apart(&[("turns", fine)]));
    }
    for wrong in ["0", "256", "-1"] {
        let given = format!("not the number {wrong}");
        let text = apart(&[("turns", &format!("¶{wrong}"))]);
        error_at_mark(&text, &["`turns` takes a whole number from 1 to 255", &given]);
    }
    error_at_mark(&apart(&[("turns", "¶'five'")]), &["`turns`", "not the text \"five\""]);
}

#[test]
fn stuck_knows_closest() {
    error_at_mark(
        &apart(&[("stuck", "¶'closet'")]),
        &[
            "\"loses\", \"wins\", \"draws\", \"skips\", \"closest\", not \"closet\"",
            "did you mean \"closest\"?",
        ],
    );
}

#[test]
fn divisors_and_primes_need_a_range_up_to_9999() {
    for op in ["-divisor", "+divisor", "/divisor", "-prime", "+prime", "/prime"] {
        let given = format!("['{op}']");
        for keys in [
            [("start", "1"), ("target", "9999")],
            [("start", "9999"), ("target", "0")],
            [("start", "9999"), ("target", "-9999")],
            [("start", "-9999"), ("target", "9999")],
        ] {
            book(&plain_with(&[&keys[..], &[("moves", &given)]].concat()));
        }
        let marked = format!("['+1', ¶'{op}']");
        for (keys, end) in [
            ([("start", "1"), ("target", "10000")], "10000"),
            ([("start", "10000"), ("target", "0")], "10000"),
            ([("start", "5"), ("target", "-10000")], "-10000"),
            ([("start", "-10000"), ("target", "5")], "-10000"),
        ] {
            let told = format!("`{op}` needs a `range` within -9999 to 9999, but this one goes to {end}");
            error_at_mark(&plain_with(&[&keys[..], &[("moves", &marked)]].concat()), &[&told]);
        }
        let whole = [("moves", given.as_str()), ("range", "[-9999, 9999]")];
        book(&plain_with(&whole));
        let far = [("moves", given.as_str()), ("range", "¶[-10000, 20]")];
        error_at_mark(&plain_with(&far), &["but this one goes to -10000"]);
        // Numbers past the target don't count.
        book(&plain_with(&[("moves", &given), ("range", "[1, 1000000]")]));
        book(&plain_with(&[
            ("moves", &given),
            ("start", "20"),
            ("target", "2"),
            ("range", "[-1000000, 20]"),
        ]));
    }
    for op in ["-digit", "+digit"] {
        book(&plain_with(&[("target", TOP), ("moves", &format!("['{op}']"))]));
    }
    let by_option = read(&moves("['-divisor']")).set_target("--target", "10000");
    let told = crate::support::problems_of(&by_option);
    assert_eq!(told[0].place.to_string(), "--target:1:1");
}

/// Checks the full message about too many moves.
fn too_many(text: &str, told: &str) {
    let told = format!("`moves` offers {told}; the limit is 64 (limit the amounts with `from` and `to`)");
    error_at_mark(text, &[&told]);
}

#[test]
fn a_number_has_at_most_64_moves() {
    let climb = |target: &str, moves: &str| plain_with(&[("target", target), ("moves", moves)]);
    // n has n/2 moves.
    book(&climb("129", "['-1..half']"));
    too_many(&climb("130", "[¶'-1..half']"), "65 moves at 130");
    too_many(&climb("1000", "[¶'-1..half']"), "65 moves at 130");
    let by_option = read(&climb("129", "['-1..half']")).set_target("--target", "130");
    assert_eq!(crate::support::problems_of(&by_option)[0].place.to_string(), "--target:1:1");
    too_many(&climb(TOP, "¶['+1', '-1..half']"), "65 moves at 128");
    too_many(&climb(TOP, "[¶{ op = '-1..half', from = 5 }]"), "65 moves at 138");
    book(&climb(TOP, "[{ op = '-1..half', to = 64 }]"));
    book(&climb(TOP, "[{ op = '-1..half', from = 9936 }]"));
    too_many(&climb(TOP, "[¶{ op = '-1..half', from = 9935 }]"), "65 moves at 19998");
    too_many(&climb(TOP, "[¶{ op = '-1..half', to = 65 }]"), "65 moves at 130");
    // 7,560 is the first number with 64 divisors, 63 of them below itself.
    book(&climb("9999", "['+divisor', '+7560']"));
    book(&climb("7559", "['+divisor', '+7559', 'x2']"));
    too_many(&climb("9999", "¶['+divisor', '+7560', 'x2']"), "65 moves at 7560");
    // A move of two entries counts once.
    book(&climb("9999", "['-divisor', '-prime', '-digit', { op = '-1..half', to = 1 }]"));
    book(&climb("9999", "['-1', '-2', '-divisor', { op = '-divisor', when = 'even' }]"));
    book(&climb(TOP, "[{ op = '-1..half', to = 64 }, '-1', '-64', '-digit']"));
    too_many(&climb(TOP, "¶[{ op = '-1..half', to = 64 }, '-65']"), "65 moves at 128");
    // Numbers past the target or below 1 don't count.
    let range = [("range", "[-1000, 1000]"), ("target", "100"), ("moves", "['-1..half']")];
    book(&plain_with(&range));
}

#[test]
fn only_compatible_moves_are_counted() {
    let with = |target: &str, moves: &str| plain_with(&[("target", target), ("moves", moves)]);
    let halves = |one: &str, other: &str| {
        format!("[{{ op = '-1..half', to = 40, when = {one} }}, {{ op = '+1..half' }}]").replace(
            "{ op = '+1..half' }",
            &format!("{{ op = '-1..half', from = 41, to = 80, when = {other} }}"),
        )
    };
    for target in ["500", "100000", TOP] {
        for (one, other) in [
            ("'even'", "'odd'"),
            ("'below 200'", "'above 199'"),
            ("'prime'", "'square'"),
            ("['prime', 'above 2']", "'even'"),
            ("'from 1 to 300'", "'from 301 to 1000000000000'"),
        ] {
            book(&with(target, &halves(one, other)));
        }
    }
    for target in ["500", "100000", TOP] {
        for (one, other, at) in [
            ("'even'", "'multiple of 3'", "132"),
            ("'square'", "'odd'", "169"),
            ("'odd'", "'prime'", "131"),
            ("'below 200'", "'above 198'", "199"),
        ] {
            let text = with(target, &format!("¶{}", halves(one, other)));
            error_at_mark(&text, &["`moves` offers ", &format!(" moves at {at};"), "the limit is 64"]);
        }
    }
    // Also for large numbers.
    for (one, other, at) in [
        ("'above 1000000'", "'even'", "1000002"),
        ("'multiple of 1000000'", "'multiple of 999999'", "999999000000"),
        ("['square', 'above 1000000']", "'multiple of 7'", "1002001"),
        ("['prime', 'above 1000000']", "'odd'", "1000003"),
        ("'above 999999999999999997'", "'odd'", "999999999999999999"),
    ] {
        let text = with(TOP, &format!("¶{}", halves(one, other)));
        error_at_mark(&text, &["`moves` offers ", &format!(" moves at {at};"), "the limit is 64"]);
    }
    // The first number with nine distinct digits is large.
    let digits = "[{ op = '-1..half', to = 50 }, '+digit', 'x2..7']";
    book(&with("99999999", digits));
    error_at_mark(
        &with("10000000000000000", &format!("¶{digits}")),
        &["`moves` offers 65 moves at 123456789"],
    );
}

#[test]
fn moves_on_both_numbers_are_counted_together() {
    let with = |target: &str, moves: &str| apart(&[("target", target), ("moves", moves)]);
    book(&with("66", "['-1..half', { op = '-1..half', on = 'other', to = 31 }]"));
    too_many(
        &with("66", "¶['-1..half', { op = '-1..half', on = 'other', to = 32 }]"),
        "65 moves at 66 when the other number is 64",
    );
    too_many(
        &with("200", "['+1', ¶{ op = '-1..half', on = 'other' }]"),
        "65 moves when the other number is 130",
    );
    book(&with(TOP, "[{ op = '-1..half', to = 32 }, { op = '-1..half', on = 'other', to = 32 }]"));
    too_many(
        &with(TOP, "¶[{ op = '-1..half', to = 32 }, '+1', { op = '-1..half', on = 'other', to = 32 }]"),
        "65 moves at 64 when the other number is 64",
    );
}

#[test]
fn lists_take_spans_and_kinds() {
    for key in ["winning", "losing", "forbidden"] {
        let text = "['odd', 9, 'multiples of 7', '15..16', 3, '-5..-2', 'prime', '4..4', 'even', 'square', \
                    'multiple of 2', 9, 'odd', '4..4']";
        let line = book(&plain_with(&[(key, text)])).rules_line();
        let sorted = "[3, 9, '-5..-2', '4..4', '15..16', 'even', 'odd', 'prime', 'square', 'multiples of 2', \
                      'multiples of 7']";
        assert!(line.ends_with(&format!("{key} = {sorted}}}")), "{line}");
        let again = Draft::read_line("line", &line.replacen('{', "{title = 'T', ", 1)).build().unwrap();
        assert_eq!(again.rules_line(), line);
    }
}

#[test]
fn an_unknown_item_is_reported_with_the_known_ones() {
    let allowed = "a whole number from -10^18 to 10^18, a span such as \"30..39\", \
                   or one of \"even\", \"odd\", \"prime\", \"square\", \"multiples of K\", not";
    for key in ["winning", "losing", "forbidden"] {
        for (given, help) in [
            ("evn", "did you mean \"even\"?"),
            ("primes", "did you mean \"prime\"?"),
            ("Squares", "did you mean \"square\"?"),
            ("multiplse of 7", "did you mean \"multiples of 7\"?"),
            ("30-39", "write \"30..39\""),
            ("below 3", ""),
            ("7", "write numbers without quotation marks"),
            ("", ""),
        ] {
            let told = format!("`{key}` takes {allowed} the text \"{given}\"");
            error_at_mark(&plain_with(&[(key, &format!("[3, 'odd', ¶'{given}']"))]), &[&told, help]);
        }
        for (given, type_of) in [("true", "true"), ("2.5", "2.5"), ("[3]", "a list")] {
            let told = format!("`{key}` takes {allowed} {type_of}");
            error_at_mark(&plain_with(&[(key, &format!("[3, ¶{given}]"))]), &[&told]);
        }
    }
}

#[test]
fn numbers_in_lists_have_bounds() {
    for fine in [
        format!("'-{TOP}..{TOP}'"),
        "'4..4'".to_owned(),
        format!("'multiples of {TOP}'"),
        "'multiples of 1'".to_owned(),
    ] {
        book(&plain_with(&[("losing", &format!("[{fine}]"))]));
    }
    let allowed = "`losing` takes numbers in plain digits from -10^18 to 10^18, spans such as \
                   \"30..39\", and \"multiples of K\" with K at least 1, not the text";
    for wrong in [
        format!("1..{PAST_TOP}"),
        format!("-{PAST_TOP}..1"),
        "1..".to_owned(),
        "..3".to_owned(),
        "1..+3".to_owned(),
        "01..3".to_owned(),
        "1...3".to_owned(),
        "1..=3".to_owned(),
        "a..b".to_owned(),
        "multiples of 0".to_owned(),
        "multiples of -2".to_owned(),
        "multiples of seven".to_owned(),
        format!("multiples of {PAST_TOP}"),
    ] {
        let quoted = format!("{allowed} \"{}\"", spoton::format::quotable(&wrong));
        error_at_mark(&plain_with(&[("losing", &format!("[7, ¶'{wrong}']"))]), &[&quoted]);
    }
    error_at_mark(
        &plain_with(&[("losing", "[7, ¶'9..3']")]),
        &["`losing` takes spans from a lower number to a higher one, not the text \"9..3\""],
    );
}

#[test]
fn integers_must_not_overlap_but_spans_and_kinds_may() {
    error_at_mark(
        &plain_with(&[("winning", "['even', 7]"), ("losing", "¶['odd', 7]")]),
        &["7 is in both `winning` and `losing`"],
    );
    error_at_mark(
        &plain_with(&[("forbidden", "¶['even', 20]")]),
        &["`forbidden` can't include the target 20"],
    );
    let keys =
        [("winning", "['even', 7, '5..9']"), ("losing", "['odd', 8, '5..9']"), ("forbidden", "['1..30']")];
    book(&plain_with(&keys));
}

#[test]
fn the_rules_about_a_number_apply_in_order() {
    // Precedence: the target first, integers before kinds, and forbidden before winning before losing.
    let keys = [
        ("start", "1"),
        ("target", "9"),
        ("moves", "['+1..8']"),
        ("forbidden", "['square', 8]"),
        ("winning", "['even', 3, '1..9']"),
        ("losing", "['1..9', 4]"),
    ];
    let book = book(&plain_with(&keys));
    // From 1: 2 (even), 3 (listed), 4 (listed although a square), 5 to 7, not 8 (listed), and the target.
    assert_eq!(legal(&book, &book.opening(Player::One)), "+1 +2 +3 +4 +5 +6 +8");
    let ended = |written: &str| crate::support::ended(&crate::support::played(&book, written));
    assert_eq!(
        ["+1", "+2", "+3", "+4", "+8"].map(ended),
        ["1 landed", "1 landed", "2 landed", "1 landed", "1 reached"]
    );
}

#[test]
fn fingerprints_know_the_new_keys() {
    let apart_with = |keys: &[(&str, &str)]| book(&apart(keys)).fingerprint();
    let plain = apart_with(&[]);
    for keys in [
        &[("turns", "5")][..],
        &[("stuck", "'closest'")],
        &[("moves", "['+1', { op = 'x2', on = 'other' }]")],
        &[("moves", "['+1', { op = 'x2', when = 'odd' }]")],
        &[("moves", "['+1', 'x2', '-divisor']")],
        &[("moves", "['+1', 'x2', { op = '-divisor', from = 2 }]")],
        &[("moves", "['+1', 'x2', { op = '-divisor', to = 2 }]")],
        &[("winning", "['even']")],
        &[("losing", "['3..3']")],
        &[("losing", "[3]")],
    ] {
        assert_ne!(apart_with(keys), plain, "{keys:?}");
    }
    let label =
        |label: &str| apart_with(&[("moves", &format!("[{{ op = '-divisor', label = '{label}' }}]"))]);
    assert_eq!(label("One"), label("{amount}"));
}

#[test]
fn settings_take_what_files_take() {
    let with = |settings: &[&str]| {
        let draft =
            settings.iter().fold(read(&plain_with(&[])), |draft, setting| draft.set("--set", setting));
        finished(&draft).rules_line()
    };
    let plain = "{start = 1, target = 20, moves = ";
    for (setting, rules) in [
        ("moves=-divisor", "['-divisor']}"),
        ("moves=-1..half, +digit,/prime", "['-1..half', '+digit', '/prime']}"),
        ("moves={op='-divisor',from=2,to=9},+1", "[{op = '-divisor', from = 2, to = 9}, '+1']}"),
        (
            "moves=+1,{ op = \"+1\", when = [\"odd\", 'below 9'] }",
            "['+1', {op = '+1', when = ['odd', 'below 9']}]}",
        ),
        ("moves={op='+1..2',uses=1}", "[{op = '+1', uses = 1}, {op = '+2', uses = 1}]}"),
        ("winning=even,30..39", "['+1', 'x2'], winning = ['30..39', 'even']}"),
        ("winning=even", "['+1', 'x2'], winning = ['even']}"),
        ("losing=multiples of 7, 5, -5..-2", "['+1', 'x2'], losing = [5, '-5..-2', 'multiples of 7']}"),
        ("forbidden=['prime', 4]", "['+1', 'x2'], forbidden = [4, 'prime']}"),
        ("forbidden='prime', \"4..5\"", "['+1', 'x2'], forbidden = ['4..5', 'prime']}"),
    ] {
        assert_eq!(with(&[setting]), format!("{plain}{rules}"), "{setting}");
    }
    let apart = ["numbers=separate", "moves=+1,{op='-1..half',on='other'}", "stuck=closest", "turns=9"];
    assert_eq!(
        with(&apart),
        "{numbers = 'separate', start = 1, target = 20, moves = ['+1', {op = '-1..half', on = 'other'}], \
         stuck = 'closest', turns = 9}"
    );
}

#[test]
fn errors_in_settings_are_reported_with_their_place() {
    for (setting, needle) in [
        ("moves=+1, ¶-divisors", "did you mean \"-divisor\"?"),
        ("moves={op='-divisor',from=¶0}", "`from` takes a whole number from 1 to 9999"),
        ("moves=+1,{ op = '+1', when = ['odd', ¶'evn'] }", "did you mean \"even\"?"),
        ("moves=+1,¶{ op = '+2', on = 'other' }", "`on` = \"other\" needs numbers"),
        ("moves=¶-1..half", "`moves` offers"),
        ("winning=even,¶od", "did you mean \"odd\"?"),
        ("winning=even, ¶9..3", "takes spans from a lower number to a higher one"),
        ("turns=¶5", "`turns` needs numbers = \"separate\""),
        ("turns=¶0", "`turns` takes a whole number from 1 to 255"),
        ("stuck=¶closest", "`stuck = \"closest\"` needs numbers = \"separate\""),
    ] {
        let (setting, places) = crate::support::marked(setting);
        let wide = plain_with(&[("target", "200")]);
        let told = crate::support::problems_of(&read(&wide).set("--set", &setting));
        assert_eq!(told.len(), 1, "{setting}: {told:#?}");
        assert_eq!(told[0].place.source.name, "--set");
        assert_eq!(vec![told[0].place.line_column()], places, "{}", told[0]);
        assert!(told[0].to_string().contains(needle), "{needle:?} is missing in: {}", told[0]);
    }
    let shared = read(&apart(&[("turns", "5")])).set("--set", "numbers=shared");
    assert_eq!(crate::support::problems_of(&shared)[0].place.to_string(), "--set:1:9");
}
