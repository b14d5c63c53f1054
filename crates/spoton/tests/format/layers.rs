//! Layers: the extended book, the file, one variant, then settings. Defaults come last.

use spoton::discovery::View;
use spoton::format::{BookText, Changes, Draft, Game, MatchForm, Past, Sentence, catalog};
use spoton::words::rules;

use crate::format::error_at_mark;
use crate::support::{finished, plain_with, problems_of, read};

fn sentence(draft: &Draft, sentence: Sentence) -> String {
    finished(draft).wording().sentence(sentence).fill(|name| format!("<{name}>"))
}

#[test]
fn an_extended_book_supplies_every_key_the_file_leaves_out() {
    let draft = read("extends = 'double-or-add'\ntarget = 25\n");
    let (ours, theirs) = (finished(&draft), finished(&catalog::draft("double-or-add").unwrap()));
    assert_eq!(ours.title(), "Double or Add: The Race to 25");
    assert_eq!((ours.start(), ours.moves(), ours.past()), (theirs.start(), theirs.moves(), theirs.past()));
    assert_eq!((ours.claims(), ours.match_form()), (theirs.claims(), Some(MatchForm::Rounds(5))));
    assert_eq!(ours.notes().len(), theirs.notes().len());
    assert_eq!((ours.target(), ours.range()), (Some(25), (1, 25)));
    assert!(draft.variants().eq(catalog::draft("double-or-add").unwrap().variants()));
}

#[test]
fn a_later_layer_replaces_a_key_whole() {
    let text = "extends = 'double-or-add'\ntitle = 'Mine'\nmoves = ['+3']\nnotes = ['One']\nclaims = []\n\
                match = { first_to = 2 }\n";
    let ours = finished(&read(text));
    assert_eq!((ours.title(), ours.moves().len(), ours.notes()), ("Mine", 1, &["One".to_owned()][..]));
    assert_eq!((ours.claims(), ours.match_form()), (&[][..], Some(MatchForm::FirstTo(2))));
}

#[test]
fn variants_merge_by_name() {
    let text = "extends = 'double-or-add'\n[variants.race-to-31]\nstart = 2\n[variants.mine]\ntarget = 9\n";
    let draft = read(text);
    let names: Vec<&str> = draft.variants().collect();
    assert_eq!(names, ["race-to-31", "subtract", "three-subtractions", "three-doublings", "mine"]);
    let replaced = finished(&draft.clone().variant("race-to-31").unwrap());
    assert_eq!((replaced.start().0, replaced.target()), (2, Some(20)), "the whole variant is the file's own");
    assert_eq!(finished(&draft.clone().variant("mine").unwrap()).target(), Some(9));
    assert_eq!(finished(&draft.variant("subtract").unwrap()).moves().len(), 3);
}

#[test]
fn wording_merges_by_sentence() {
    let text = "extends = 'number-maze'\n[wording]\nprompt = 'File {keys}'\nseparator = 'File'\n\
                [variants.a.wording]\nseparator = 'Variant'\nmenu = 'legal'\n";
    let file = read(text);
    assert_eq!(sentence(&file, Sentence::Prompt), "File <keys>");
    assert_eq!(sentence(&file, Sentence::Separator), "File");
    let theirs = sentence(&catalog::draft("number-maze").unwrap(), Sentence::Turn);
    assert_eq!(sentence(&file, Sentence::Turn), theirs, "from the extended book");
    assert_eq!(sentence(&file, Sentence::Drawn), Sentence::Drawn.info().default, "from nobody");
    let variant = file.variant("a").unwrap();
    assert_eq!(sentence(&variant, Sentence::Prompt), "File <keys>");
    assert_eq!(sentence(&variant, Sentence::Separator), "Variant");
    assert_eq!(finished(&variant).wording().menu().word(), "legal");
    let set = variant.set("--set", "wording.separator=Setting").set("--set", "wording.menu=all");
    assert_eq!(sentence(&set, Sentence::Separator), "Setting");
    assert_eq!(sentence(&set, Sentence::Turn), theirs);
    assert_eq!(finished(&set).wording().menu().word(), "all");
}

#[test]
fn layers_apply_in_order_extended_book_file_variant_settings() {
    let base = catalog::draft("number-maze").unwrap();
    assert_eq!(finished(&base).target(), Some(20));
    let file = read("extends = 'number-maze'\ntarget = 21\npast = 'wins'\n[variants.a]\ntarget = 22\n");
    assert_eq!(finished(&file).target(), Some(21));
    let variant = file.variant("a").unwrap();
    assert_eq!((finished(&variant).target(), finished(&variant).past()), (Some(22), Past::Wins));
    let set = variant.set("--set", "target=23").set_target("--target", "24");
    assert_eq!(finished(&set).target(), Some(24));
    assert_eq!(finished(&set.set("--set", "target=25")).target(), Some(25));
}

#[test]
fn defaults_are_filled_in_last() {
    let draft =
        read("title = 'To {target}'\nstart = 1\ntarget = 20\nmoves = ['+1']\n[variants.far]\ntarget = 50\n");
    assert_eq!(finished(&draft).range(), (1, 20));
    let far = draft.variant("far").unwrap();
    assert_eq!((finished(&far).range(), finished(&far).title()), ((1, 50), "To 50"));
    let set = far.set("--set", "start=-9");
    assert_eq!((finished(&set).range(), finished(&set).title()), ((-9, 50), "To 50"));
    let fixed = read(&plain_with(&[("range", "[0, 30]")]));
    assert_eq!(
        finished(&fixed.clone().set_target("--target", "25")).range(),
        (0, 30),
        "a range that is given stays"
    );
    let told = problems_of(&fixed.set_target("--target", "31"));
    assert!(told[0].message.contains("`range` must include the target, but 31"), "{}", told[0]);
}

#[test]
fn a_layer_may_complete_what_the_one_before_lacks() {
    let draft = read("title = 'T'\nmoves = ['+1']\n[variants.a]\nstart = 1\n");
    assert!(draft.build().is_err());
    let variant = draft.variant("a").unwrap();
    assert!(variant.build().is_err());
    assert_eq!(finished(&variant.set("--set", "target=5")).target(), Some(5));
}

#[test]
fn an_error_in_an_earlier_layer_is_reported_even_if_a_later_one_replaces_it() {
    let draft = read(&plain_with(&[("target", "'20'")])).set("--set", "target=20");
    let told = problems_of(&draft);
    assert_eq!(told.len(), 1);
    assert!(told[0].to_string().starts_with("book.toml:3:10: `target` takes"), "{}", told[0]);
}

#[test]
fn a_mistake_in_a_variant_is_a_mistake_of_the_file() {
    let text = format!("{}[variants.a]\ntarget = ¶'x'\n[variants.b]\npast = ¶7\n", plain_with(&[]));
    assert_eq!(crate::format::errors_at_marks(&text).len(), 2);
    error_at_mark(&format!("{}[variants.a.wording]\nprompt = '¶{{you}}'\n", plain_with(&[])), &["{you}"]);
}

#[test]
fn an_unknown_variant_is_answered_with_the_known_names() {
    let draft = catalog::draft("number-maze").unwrap();
    let unknown = draft.clone().variant("to-51").unwrap_err();
    assert_eq!(unknown.to_string(), "there is no variant \"to-51\"; did you mean \"to-15\"?");
    assert_eq!(unknown.known, ["to-15", "to-50", "to-100", "to-34"]);
    let unknown = draft.variant("fast").unwrap_err().to_string();
    assert_eq!(unknown, "there is no variant \"fast\"; choose from: to-15, to-50, to-100, to-34");
    let unknown = read(&plain_with(&[])).variant("fast").unwrap_err().to_string();
    assert_eq!(unknown, "there is no variant \"fast\"; this game has none");
}

#[test]
fn another_game_does_not_inherit_the_summary() {
    let summary = |draft: &Draft| finished(draft).summary().to_owned();
    let theirs = catalog::draft("number-maze").unwrap();
    let told = summary(&theirs);
    assert!(told.contains("Add 1 or double") && told.contains("20"), "{told}");
    let at_50 = summary(&theirs.clone().set_target("--target", "50"));
    assert_eq!(at_50, told.replace("20", "50"), "the same game at another number");
    assert_eq!(summary(&read("extends = 'number-maze'\nmoves = ['+1', '+2']\n")), "");
    assert_eq!(summary(&read("extends = 'number-maze'\nmoves = ['+1', '+2']\nsummary = 'Mine'\n")), "Mine");
    assert_eq!(summary(&theirs.set("--set", "past=wins")), "");
    let variants = "extends = 'number-maze'\n[variants.a]\npast = 'forbidden'\n[variants.b]\ntarget = 30\n";
    assert_eq!(summary(&read(variants).variant("a").unwrap()), "");
    assert_eq!(summary(&read(variants).variant("b").unwrap()), told.replace("20", "30"));
    // The same for notes, except with a book's own variants.
    let notes = |draft: &Draft| finished(draft).notes().len();
    let maze = catalog::draft("number-maze").unwrap();
    assert!(notes(&maze) > 0 && notes(&maze.clone().set("--set", "target=30")) == notes(&maze));
    assert_eq!(notes(&maze.set("--set", "past=forbidden")), 0);
    assert_eq!(notes(&read("extends = 'number-maze'\nmoves = ['+1', '+2']\n")), 0);
}

#[test]
fn the_list_of_variants_says_what_each_changes() {
    let text = "title = 'T'\nsummary = 'From {start} to {target} by ones'\nstart = 0\ntarget = 9\nmoves = ['+1']\nlosing = [7]\n\
                [variants.farther]\ntarget = 12\n\
                [variants.from-3]\nstart = 3\nno_repeat = 'own'\nmoves = ['+1', '+2']\n\
                [variants.told]\nsummary = 'In its own words'\npast = 'wins'\n\
                [variants.safe]\nlosing = []\n";
    let book = BookText { text: text.to_owned(), ..BookText::shipped("take-away").unwrap() };
    let game = Game::new(book, "t".to_owned(), &Changes::default()).unwrap();
    let page = rules::markdown(&game, &game.rulebook().unwrap(), View::of_everything());
    let (_, variants) = page.split_once("## Variants\n\n").unwrap();
    let variants: Vec<&str> = variants.lines().collect();
    assert_eq!(variants[0], "- farther: From 0 to 12 by ones");
    assert!(variants[1].starts_with("- from-3: You share one number. It starts at 3."), "{variants:?}");
    assert!(variants[1].contains("+2") && variants[1].contains("your own last move"), "{variants:?}");
    assert_eq!(variants[2], "- told: In its own words");
    assert_eq!(variants[3], "- safe: This replaces: If you land on 7, you lose.");
}
