//! Settings: `key=value` as on a command line, with unquoted text and lists.

use spoton::format::{Draft, Problem, Rulebook, catalog};

use crate::support::{finished, marked, plain_with, problems_of, read};

fn with(settings: &[&str]) -> Draft {
    settings.iter().fold(read(&plain_with(&[])), |draft, setting| draft.set("--set", setting))
}

#[test]
fn values_may_be_written_as_on_a_command_line() {
    for (settings, rules) in [
        (&["past=wins"][..], "start = 1, target = 20, moves = ['+1', 'x2'], past = 'wins'"),
        (&["past='wins'"], "start = 1, target = 20, moves = ['+1', 'x2'], past = 'wins'"),
        (&["past = \"wins\""], "start = 1, target = 20, moves = ['+1', 'x2'], past = 'wins'"),
        (&[" target = 31 "], "start = 1, target = 31, moves = ['+1', 'x2']"),
        (&["target=+31"], "start = 1, target = 31, moves = ['+1', 'x2']"),
        (&["moves=+1..3,x2"], "start = 1, target = 20, moves = ['+1', '+2', '+3', 'x2']"),
        (&["moves= +1 , x2 "], "start = 1, target = 20, moves = ['+1', 'x2']"),
        (&["moves=-1"], "start = 1, target = 20, moves = ['-1']"),
        (&["moves=x3"], "start = 1, target = 20, moves = ['x3']"),
        (&["moves=['+4', 'x3']"], "start = 1, target = 20, moves = ['+4', 'x3']"),
        (&["moves=\"+4\",'x3'"], "start = 1, target = 20, moves = ['+4', 'x3']"),
        (&["moves=+1,{op=\"x2\",uses=3}"], "start = 1, target = 20, moves = ['+1', {op = 'x2', uses = 3}]"),
        (
            &["moves={ op = 'x2', uses = 3, pool = 'shared', label = 'A, b' }, +1"],
            "start = 1, target = 20, moves = [{op = 'x2', uses = 3, pool = 'shared', label = 'A, b'}, '+1']",
        ),
        (&["start=3"], "start = 3, target = 20, moves = ['+1', 'x2']"),
        (&["start=-3"], "start = -3, target = 20, moves = ['+1', 'x2']"),
        (
            &["numbers=separate", "start=1,3"],
            "numbers = 'separate', start = [1, 3], target = 20, moves = ['+1', 'x2']",
        ),
        (
            &["start=[-1, 3]", "numbers=separate"],
            "numbers = 'separate', start = [-1, 3], target = 20, moves = ['+1', 'x2']",
        ),
        (&["range=1,30"], "start = 1, target = 20, moves = ['+1', 'x2'], range = [1, 30]"),
        (&["range=[-5, 20]"], "start = 1, target = 20, moves = ['+1', 'x2'], range = [-5, 20]"),
        (&["range=-5,20"], "start = 1, target = 20, moves = ['+1', 'x2'], range = [-5, 20]"),
        (&["forbidden=5"], "start = 1, target = 20, moves = ['+1', 'x2'], forbidden = [5]"),
        (&["winning=-5"], "start = 1, target = 20, moves = ['+1', 'x2'], winning = [-5]"),
        (&["losing=5, 4"], "start = 1, target = 20, moves = ['+1', 'x2'], losing = [4, 5]"),
        (&["forbidden=5", "forbidden="], "start = 1, target = 20, moves = ['+1', 'x2']"),
        (&["forbidden=5", "forbidden=[]"], "start = 1, target = 20, moves = ['+1', 'x2']"),
        (
            &["passes=0", "repetition=0"],
            "start = 1, target = 20, moves = ['+1', 'x2'], passes = 0, repetition = 0",
        ),
        (
            &["reach=loses", "no_repeat=both", "stuck=skips"],
            "start = 1, target = 20, moves = ['+1', 'x2'], reach = 'loses', no_repeat = 'both', stuck = 'skips'",
        ),
    ] {
        assert_eq!(finished(&with(settings)).rules_line(), format!("{{{rules}}}"), "{settings:?}");
    }
}

#[test]
fn words_may_be_set_too() {
    let words = |book: &Rulebook| format!("{} | {} | {:?}", book.title(), book.summary(), book.suits());
    let book =
        finished(&with(&["title=My game to {target}", "summary=It's \"mine\", really", "suits='me, you'"]));
    assert_eq!(words(&book), "My game to 20 | It's \"mine\", really | Some(\"me, you\")");
    assert_eq!(finished(&with(&["title=21"])).title(), "21");
    assert_eq!(finished(&with(&["notes=One, Two"])).notes(), ["One", "Two"]);
    assert_eq!(finished(&with(&["notes=['One, Two']"])).notes(), ["One, Two"]);
    let claims: Vec<String> =
        finished(&with(&["claims=ends, moves <= 30"])).claims().iter().map(ToString::to_string).collect();
    assert_eq!(claims, ["ends", "moves <= 30"]);
    let whole = |setting| finished(&with(&[setting])).whole_line();
    assert!(whole("match={first_to=3}").contains("match = {first_to = 3}"));
    assert!(whole("match={ rounds = 7 }").contains("match = {rounds = 7}"));
    assert!(whole("wording.prompt=Go on ({keys}): ").contains("wording = {prompt = 'Go on ({keys}): '}"));
    assert!(whole("wording.prompt=\"Go \\\"on\\\": \"").contains("wording = {prompt = 'Go \"on\": '}"));
    assert!(whole("wording.menu=legal").contains("wording = {menu = 'legal'}"));
    assert!(
        whole("wording={ menu = 'legal', none = '-' }").contains("wording = {menu = 'legal', none = '-'}")
    );
}

/// A setting's only problem, which must be at its mark `¶`.
fn error_at(setting: &str) -> Problem {
    let (setting, places) = marked(setting);
    let mut problems = problems_of(&with(&[&setting]));
    assert_eq!(problems.len(), 1, "{setting}: {problems:#?}");
    let problem = problems.remove(0);
    assert_eq!(problem.place.source.name, "--set");
    assert_eq!(vec![problem.place.line_column()], places, "{problem}");
    problem
}

#[test]
fn errors_point_into_the_setting() {
    for (setting, needle) in [
        ("¶target", "--set takes KEY=VALUE (for example, target=31)"),
        ("¶", "--set takes KEY=VALUE"),
        ("¶=5", "unknown key ``"),
        ("¶tagret=3", "unknown key `tagret` (did you mean `target`?)"),
        ("¶extends=number-maze", "`extends` is only allowed at the top level of a rule book file"),
        ("¶variants.a.target=3", "unknown key `variants.a.target`"),
        ("¶variants={}", "`variants` is only allowed at the top level of a rule book file"),
        ("¶wording.promt=x", "unknown sentence `promt` (did you mean `prompt`?)"),
        ("wording.prompt=Go {keys} ¶{playr}", "`prompt` has no placeholder {playr} (did you mean {player}?)"),
        ("wording={ prompt = 'x', ¶foo = 'y' }", "unknown sentence `foo`"),
        ("wording.menu=¶lega", "`menu` takes one of"),
        ("wording=¶x", "`wording` takes a table of sentences, not the text \"x\""),
        ("target=¶twenty", "`target` takes a whole number from -10^18 to 10^18, not the text \"twenty\""),
        ("target = ¶2.5", "not 2.5"),
        ("target=¶\"21\"", "not the text \"21\""),
        ("target=¶", "not the text \"\""),
        ("target=¶[21]", "not a list"),
        ("past=¶win", "(did you mean \"wins\"?)"),
        ("start=¶one", "not the text \"one\""),
        ("start=¶1,2", "`start` takes two numbers only with numbers = \"separate\""),
        ("start=1,¶x", "not the text \"x\""),
        ("range=1,¶x", "`range` takes a whole number"),
        ("range=¶1", "two whole numbers, not of 1"),
        ("range=¶20,1", "20 is above 1"),
        ("winning=3, ¶x", "`winning` takes a whole number"),
        ("winning=¶20", "`winning` can't include the target 20"),
        ("moves=¶", "`moves` has 0 moves"),
        ("moves=+1, ¶+x", "\"+x\""),
        ("moves=+1,¶*2", "\"*2\": a move starts with +, -, x or /"),
        ("moves=+1,¶+1", "+1 twice"),
        ("moves=+1,{op=\"x2\", uses=¶999}", "`uses` takes a whole number from 1 to 255, not the number 999"),
        ("moves= +1, { op = 'x2', ¶pol = 'own' }", "unknown move key `pol` (did you mean `pool`?)"),
        ("moves=['+1', { op = 'x2', uses = ¶0 }]", "`uses` takes"),
        ("passes=¶256", "from 0 to 255, not the number 256"),
        ("repetition=¶1", "`repetition` takes 0 (never)"),
        ("match=¶first_to 3", "`match` takes"),
        ("match={first_to=¶0}", "from 1 to 999, not the number 0"),
        ("match={¶first=3}", "unknown `match` key `first`"),
        ("claims=ends,¶fun", "not \"fun\""),
        ("title=¶", "`title` is empty"),
        ("title=¶a\nb", "a line break"),
        ("reach=¶", "`reach` takes one of"),
    ] {
        let problem = error_at(setting);
        assert!(problem.to_string().contains(needle), "{needle:?} is missing in: {problem}");
    }
}

#[test]
fn an_error_in_the_target_points_at_the_target_option() {
    let draft = read(&plain_with(&[]));
    assert_eq!(finished(&draft.clone().set_target("--target", " 31")).target(), Some(31));
    for (target, told) in [
        ("x", "--target:1:1: `target` takes a whole number from -10^18 to 10^18, not the text \"x\""),
        ("1", "--target:1:1: `target` and `start` are both 1; choose another target"),
        ("-5", "--target:1:1: a setting can't turn a climb into a countdown: the start is 1, the target -5"),
    ] {
        let problems = problems_of(&draft.clone().set_target("--target", target));
        assert_eq!(problems.iter().map(ToString::to_string).collect::<Vec<_>>(), [told]);
        // `in_words` leaves the option out.
        let in_words = told.replace("--target:1:1", &format!("target {target}"));
        assert_eq!(problems[0].in_words(), in_words);
    }
    let told = problems_of(&draft.clone().set("--set", "target=1"));
    assert_eq!(told[0].in_words(), "target=1: `target` and `start` are both 1; choose another target");
    let told = problems_of(&read("title = 'T'"));
    assert_eq!(told[0].in_words(), told[0].to_string());
}

#[test]
fn a_setting_cannot_turn_a_climb_into_a_countdown_or_back() {
    let climb = read(&plain_with(&[]));
    let told = |draft: &Draft| problems_of(draft).iter().map(ToString::to_string).collect::<Vec<_>>();
    let turned = "a setting can't turn a climb into a countdown";
    assert_eq!(
        told(&climb.clone().set("--set", "target=0")),
        [format!("--set:1:8: {turned}: the start is 1, the target 0")]
    );
    assert_eq!(
        told(&climb.clone().set("--set", "start=30")),
        [format!("--set:1:7: {turned}: the start is 30, the target 20")]
    );
    let both = climb.clone().set("--set", "start=30").set_target("--target", "25");
    assert_eq!(told(&both), [format!("--target:1:1: {turned}: the start is 30, the target 25")]);
    let both = climb.clone().set_target("--target", "25").set("--set", "start=30");
    assert_eq!(told(&both), [format!("--set:1:7: {turned}: the start is 30, the target 25")]);
    assert_eq!(finished(&climb.set("--set", "start=30").set("--set", "target=40")).target(), Some(40));

    let down = catalog::draft("take-away").unwrap();
    let told = problems_of(&down.clone().set_target("--target", "30"));
    assert!(told[0].message.starts_with("a setting can't turn a countdown into a climb"), "{}", told[0]);
    assert_eq!(finished(&down.set_target("--target", "-3")).target(), Some(-3));

    // A variant may change the direction, because it belongs to the book. So may settings that give a book
    // its first target.
    let text = format!("{}[variants.down]\ntarget = -5\nmoves = ['-1']\n", plain_with(&[]));
    let variant = read(&text).variant("down").unwrap();
    assert_eq!(finished(&variant).target(), Some(-5));
    let told = problems_of(&variant.set_target("--target", "20"));
    assert!(told[0].message.starts_with("a setting can't turn a countdown into a climb"), "{}", told[0]);
    let open = read("title = 'T'\nstart = 5\nrange = [0, 9]\nmoves = ['+1', '-1']\n");
    for settings in [["target=8", "start=9"], ["start=9", "target=8"]] {
        let draft = settings.iter().fold(open.clone(), |draft, setting| draft.set("--set", setting));
        assert_eq!(finished(&draft).target(), Some(8), "{settings:?}");
    }
}

#[test]
fn the_errors_of_all_settings_are_reported() {
    let told = problems_of(&with(&["target=x", "past=y", "colour=z"]));
    let told: Vec<String> = told.iter().map(|problem| problem.place.source.text.clone()).collect();
    assert_eq!(told, ["target=x", "past=y", "colour=z"]);
}
