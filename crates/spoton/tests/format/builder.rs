//! The builder: the same books as from files, with the same errors.

use spoton::engine::number_kind::{Condition, NumberKind};
use spoton::engine::operation::{Kind, Operation};
use spoton::format::{
    Claim, Draft, MatchForm, Menu, NewEntry, NewItem, NoRepeat, NumberList, Numbers, On, Past, Pool, Problem,
    Reach, Rulebook, RulebookBuilder, Sentence, Stuck, catalog,
};

use crate::random_books::random_book;
use crate::support::{finished, read};

/// The items of a list.
fn items(list: &NumberList) -> Vec<NewItem> {
    let integers = list.integers.iter().map(|number| NewItem::from(*number));
    let spans = list.spans.iter().map(|(low, high)| NewItem::from(*low..=*high));
    integers.chain(spans).chain(list.kinds.iter().map(|kind| NewItem::from(*kind))).collect()
}

/// A builder with all of a book's properties.
fn rebuilt(book: &Rulebook) -> RulebookBuilder {
    let mut builder = RulebookBuilder::new(book.title())
        .summary(book.summary())
        .numbers(book.numbers())
        .winning_list(items(book.winning()))
        .losing_list(items(book.losing()))
        .forbidden_list(items(book.forbidden()))
        .range(book.range().0, book.range().1)
        .no_repeat(book.no_repeat())
        .stuck(book.stuck())
        .repetition(book.repetition().unwrap_or(0));
    builder = match book.start() {
        (one, two) if one == two => builder.start(one),
        (one, two) => builder.starts(one, two),
    };
    if let Some(target) = book.target() {
        builder = builder.target(target).reach(book.reach()).past(book.past());
    }
    for entry in book.moves() {
        let mut new = entry.when.iter().fold(NewEntry::from(entry.op).on(entry.on), NewEntry::when);
        if let Some(uses) = entry.uses {
            new = new.uses(uses.limit).pool(uses.pool);
        }
        if let Some(label) = &entry.label {
            new = new.label(label);
        }
        builder = builder.entry(new);
    }
    if let Some(passes) = book.passes() {
        builder = builder.passes(passes);
    }
    if let Some(turns) = book.turns() {
        builder = builder.turns(turns);
    }
    if let Some(form) = book.match_form() {
        builder = builder.match_form(form);
    }
    builder = book.claims().iter().fold(builder, |builder, claim| builder.claim(*claim));
    book.notes().iter().fold(builder, |builder, note| builder.note(note))
}

fn is_the_same(book: &Rulebook) {
    let built = rebuilt(book).build().unwrap_or_else(|problems| panic!("{problems}\n{}", book.whole_line()));
    assert_eq!((built.rules_line(), built.fingerprint()), (book.rules_line(), book.fingerprint()));
    assert_eq!((built.title(), built.summary(), built.notes()), (book.title(), book.summary(), book.notes()));
    assert_eq!((built.claims(), built.match_form()), (book.claims(), book.match_form()));
}

#[test]
fn every_shipped_game_can_be_built() {
    for id in catalog::ids() {
        let draft = catalog::draft(id).expect("the game is shipped");
        is_the_same(&finished(&draft));
        for variant in draft.variants() {
            is_the_same(&finished(&draft.clone().variant(variant).expect("the variant exists")));
        }
    }
}

#[test]
fn so_can_random_books() {
    let books = (0..300).filter_map(|number| read(&random_book(number).text).build().ok());
    // A title with its placeholders filled in may exceed the limit.
    let books: Vec<Rulebook> = books.filter(|book| book.title().chars().count() <= 64).collect();
    assert!(books.len() > 200, "{}", books.len());
    books.iter().for_each(is_the_same);
}

/// All keys together.
fn everything() -> RulebookBuilder {
    RulebookBuilder::new("To {target}")
        .summary("A \"quoted\" one, with a \\ and an é")
        .suits("nobody")
        .note("From {start}.")
        .note("That is all.")
        .numbers(Numbers::Separate)
        .starts(1, 2)
        .target(20)
        .entries(["+1..2"])
        .entry(Operation::new(Kind::Multiply, 2).expect("the operation is valid"))
        .entry(NewEntry::new("-1").uses(3).pool(Pool::Shared).label("Back"))
        .reach(Reach::Loses)
        .past(Past::Wins)
        .winning([9, 7])
        .losing([8])
        .forbidden([4])
        .range(-3, 25)
        .no_repeat(NoRepeat::Both)
        .passes(2)
        .stuck(Stuck::Skips)
        .repetition(0)
        .claim(Claim::SkillWins)
        .claim(Claim::MovesAtMost(40))
        .match_form(MatchForm::Rounds(4))
        .menu(Menu::Legal)
        .sentence(Sentence::Opening, "Hello,\n{title} {{!}}")
}

#[test]
fn every_builder_key_equals_its_key_in_a_file() {
    let file = r#"
        title = "To {target}"
        summary = 'A "quoted" one, with a \ and an é'
        suits = "nobody"
        notes = ["From {start}.", "That is all."]
        numbers = "separate"
        start = [1, 2]
        target = 20
        moves = ["+1", "+2", "x2", { op = "-1", uses = 3, pool = "shared", label = "Back" }]
        reach = "loses"
        past = "wins"
        winning = [7, 9]
        losing = [8]
        forbidden = [4]
        range = [-3, 25]
        no_repeat = "both"
        passes = 2
        stuck = "skips"
        repetition = 0
        claims = ["skill-wins", "moves <= 40"]
        match = { rounds = 4 }
        [wording]
        menu = "legal"
        opening = """
Hello,
{title} {{!}}"""
    "#;
    let (built, read) = (
        everything().build().expect("the rule book is valid"),
        read(file).build().expect("the rule book is valid"),
    );
    assert_eq!(built, read);
    assert_eq!(Draft::read("kept.toml", &everything().text()).build().as_ref(), Ok(&built));
}

/// The keys of version 2.
fn newer() -> RulebookBuilder {
    RulebookBuilder::new("Strikes")
        .numbers(Numbers::Separate)
        .start(12)
        .target(0)
        .entry("-1..half")
        .entry(NewEntry::new("-3").on(On::Other))
        .entry(
            NewEntry::new("-divisor")
                .least_amount(2)
                .largest_amount(9)
                .when("even")
                .when(Condition::Above(3)),
        )
        .entry(NewEntry::new("+1..2").when("odd").uses(1).pool(Pool::Shared).label("Up {amount}"))
        .winning_list([NewItem::from(7), (3..=5).into(), NumberKind::Square.into()])
        .losing_list(["multiples of 11"])
        .forbidden_list([NumberKind::MultipleOf(13)])
        .stuck(Stuck::Closest)
        .turns(9)
        .sentence(Sentence::MovedOther, "Ouch")
}

#[test]
fn the_builder_keys_of_version_2_equal_those_in_a_file() {
    let file = r#"
        title = "Strikes"
        numbers = "separate"
        start = 12
        target = 0
        moves = [
            "-1..half",
            { op = "-3", on = "other" },
            { op = "-divisor", from = 2, to = 9, when = ["even", "above 3"] },
            { op = "+1", when = "odd", uses = 1, pool = "shared", label = "Up 1" },
            { op = "+2", when = "odd", uses = 1, pool = "shared", label = "Up 2" },
        ]
        winning = [7, "3..5", "square"]
        losing = ["multiples of 11"]
        forbidden = ["multiples of 13"]
        stuck = "closest"
        turns = 9
        [wording]
        moved_other = "Ouch"
    "#;
    let built = newer().build().expect("the rule book is valid");
    assert_eq!(built, read(file).build().expect("the rule book is valid"));
    is_the_same(&built);
    // Plain numbers still work, and replace the list.
    let plain = newer().winning([7]).losing([]).build().expect("the rule book is valid");
    assert_eq!((plain.winning().len(), plain.losing().len()), (1, 0));
}

#[test]
fn a_key_that_is_given_again_is_replaced() {
    let builder = everything().start(3).target(24).summary("Another").numbers(Numbers::Shared);
    let book = builder.sentence(Sentence::Opening, "").build().expect("the rule book is valid");
    assert_eq!((book.start(), book.target(), book.summary()), ((3, 3), Some(24), "Another"));
}

#[test]
fn settings_can_be_laid_over_it() {
    let draft = RulebookBuilder::new("Small").start(1).target(9).entries(["+1", "x2"]).draft();
    assert_eq!(draft.set("--set", "target=12").build().expect("the rule book is valid").target(), Some(12));
}

/// The problems of a small book with one change.
fn told(change: impl FnOnce(RulebookBuilder) -> RulebookBuilder) -> Vec<Problem> {
    let builder = change(RulebookBuilder::new("Small").start(1).target(9).entries(["+1"]));
    let problems = builder.build().expect_err("the book isn't valid");
    let text = builder.text();
    assert!(problems.iter().all(|problem| problem.place.source.name == "builder"), "{problems}");
    assert!(problems.iter().all(|problem| problem.place.source.text == text), "{problems}");
    problems.into_iter().collect()
}

#[test]
fn errors_are_reported_with_their_keys() {
    type Change = fn(RulebookBuilder) -> RulebookBuilder;
    let mistakes: &[(Change, &str)] = &[
        (|book| book.start(i64::MAX), "`start` takes a whole number from -10^18"),
        (|book| book.target(i64::MIN), "`target` takes a whole number"),
        (|book| book.target(1), "`target` and `start` are both 1"),
        (|book| book.starts(1, 2), "`start` takes two numbers only with numbers = \"separate\""),
        (|book| book.entry("*3"), "`moves`: \"*3\": a move starts with"),
        (|book| book.entry("+1"), "`moves` lists +1 twice"),
        (|book| book.entry("+1\"]\nstart = 7"), "`moves`: \"+1\"]\u{fffd}start = 7\""),
        (|book| book.entry("x1..16"), "`moves` has 17 moves"),
        (|book| book.entry(NewEntry::new("x2").uses(0)), "`uses` takes a whole number from 1 to 255"),
        (|book| book.entry(NewEntry::new("x2").pool(Pool::Own)), "`pool` needs `uses`"),
        (|book| book.entry(NewEntry::new("x2").label(" ")), "`label` is empty"),
        (|book| book.entry("-divisors"), "`moves`: \"-divisors\": the sign must be followed by"),
        (
            |book| book.entry(NewEntry::new("-3").on(On::Other)),
            "`on` = \"other\" needs numbers = \"separate\"",
        ),
        (|book| book.entry(NewEntry::new("x2").least_amount(2)), "`from` limits a computed amount"),
        (
            |book| book.entry(NewEntry::new("-digit").largest_amount(0)),
            "`to` takes a whole number from 1 to 9999",
        ),
        (|book| book.entry(NewEntry::new("-2").when("od\"d")), "`when` takes one of"),
        (|book| book.winning_list(["primes"]), "`winning` takes a whole number"),
        (|book| book.losing_list(["5..3"]), "`losing` takes spans from a lower number to a higher one"),
        (|book| book.turns(0), "`turns` takes a whole number from 1 to 255"),
        (|book| book.turns(1), "`turns` needs numbers = \"separate\""),
        (|book| book.stuck(Stuck::Closest), "`stuck = \"closest\"` needs numbers = \"separate\""),
        (|book| book.range(3, 2), "`range` goes from low to high"),
        (|book| book.range(2, 9), "`range` must include the start"),
        (|book| book.winning([9]), "`winning` can't include the target"),
        (|book| book.winning([5]).losing([5]), "5 is in both `winning` and `losing`"),
        (|book| book.repetition(1), "`repetition` takes 0 (never)"),
        (|book| book.match_form(MatchForm::FirstTo(0)), "`first_to` takes a whole number from 1 to 999"),
        (|book| book.claim(Claim::MovesAtMost(u64::MAX)), "`claims` takes \"ends\""),
        (|book| book.summary("a\u{7}b"), "`summary` contains the character U+0007"),
        (|book| book.note(&"long ".repeat(1000)), "`notes` has 5000 bytes"),
        (|book| book.sentence(Sentence::Wins, "{who}"), "`wins` has no placeholder {who}"),
    ];
    for (change, message) in mistakes {
        let problems = told(change);
        assert_eq!(problems.len(), 1, "{message}: {problems:?}");
        assert!(problems[0].message.starts_with(message), "{message}: {:?}", problems[0].message);
    }
    let nothing = RulebookBuilder::new(" ").build().expect_err("the book isn't valid").to_string();
    for key in ["title", "start", "moves", "range"] {
        assert!(nothing.contains(&format!("`{key}`")), "{nothing}");
    }
}
