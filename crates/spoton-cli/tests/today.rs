//! The duel of a day, as the program plays and remembers it.
//!
//! Midnight may come while a test runs: whatever depends on the day is run within one, and looked at after that.

mod support;

use serde_json::Value;
use spoton::engine::play::Move;
use spoton::people::day::Day;
use spoton::people::solved_game::SolvedGames;
use spoton::people::today::Duel;
use spoton::records;
use spoton::sitting::{Command, Lookahead, Setup, Sitting};
use spoton::solver::Budget;
use support::{Folder, Ran, spoton};

fn today() -> Day {
    let told: Value = serde_json::from_str(&spoton(["today", "--json"]).run().success()).unwrap();
    told["date"].as_str().unwrap().parse().unwrap()
}

/// Runs something that begins and ends on the same day, in a folder of its own.
fn within_a_day<T>(run: impl Fn(&Folder, Day) -> T) -> (Folder, Day, T) {
    loop {
        let folder = Folder::new();
        let day = today();
        let result = run(&folder, day);
        if today() == day {
            return (folder, day, result);
        }
    }
}

fn duel(day: Day) -> Duel {
    Duel::of(day, &mut Budget::patient(16 << 20)).unwrap()
}

/// The person's answers by which the duel of a day is won, and how many moves that takes.
fn winning(day: Day) -> (String, usize) {
    let games = SolvedGames::new(16 << 20);
    let ahead = &mut Lookahead { games: &games, keep_going: &mut |_| true };
    let (mut sitting, _) = Sitting::begin(Setup::today(&duel(day), true).unwrap(), ahead).unwrap();
    let mut answers = String::new();
    while sitting.round().outcome().is_none() {
        let choice = match sitting.computer() {
            Some(_) => sitting.computers_choice(ahead).unwrap().unwrap(),
            None => {
                let best = sitting.outlook(ahead).unwrap().unwrap().best().next().unwrap();
                answers += &format!("{}\n", sitting.rulebook().write(Move::Operation(best)));
                best
            }
        };
        sitting.act(Command::Play(Move::Operation(choice))).unwrap();
    }
    (answers, sitting.round().history().len())
}

fn play(folder: &Folder, args: &[&str], input: &str) -> Ran {
    spoton([&["today"], args].concat()).folder(folder).input(input).run()
}

fn json(folder: &Folder, args: &[&str]) -> Value {
    let args = [&["today", "--json"], args].concat();
    serde_json::from_str(&spoton(args).folder(folder).run().success()).unwrap()
}

/// Remembers a streak, as if it had been played.
fn remember(folder: &Folder, streak: &str) {
    folder.write("spoton/progress.spoton", &records::seal(&format!("today = {streak}\n")));
}

fn before(day: Day) -> Day {
    (20_000..).map(Day::since_1970).find(|before| before.next() == day).unwrap()
}

fn last_lines(ran: &Ran) -> Vec<&str> {
    ran.stdout.lines().rev().take(2).collect()
}

#[test]
fn a_day_that_is_won_counts_once_and_the_next_tries_are_practice() {
    let (folder, day, (won, lost, told)) = within_a_day(|folder, day| {
        remember(folder, &format!("{} won 9 1 3 7", before(day)));
        let won = play(folder, &[], &winning(day).0);
        let lost = play(folder, &[], "resign\n");
        (won, lost, json(folder, &[]))
    });
    let (title, moves) = (duel(day).title().to_owned(), winning(day).1);
    let line = format!("Spot On {} · {title} · won in {moves}, no hints", day.in_words());
    assert_eq!(last_lines(&won), ["Your streak: 4 days. Your best: 7 days.", line.as_str()]);
    assert_eq!(won.status, 0);
    assert!(won.stderr.contains("It counts: hints are counted too"), "{}", won.stderr);

    let made = if duel(day).person_goes_first() { "0 moves" } else { "1 move" };
    let practice =
        format!("Spot On {} · {title} · gave up after {made}, no hints (practice)", day.in_words());
    assert_eq!(last_lines(&lost), ["This was practice, and counts for nothing.", practice.as_str()]);
    assert!(lost.stderr.contains(&format!("You have played it:\n{line}\n")), "{}", lost.stderr);

    assert_eq!(told["result"]["line"], line.as_str());
    assert_eq!((&told["streak"]["days"], &told["streak"]["best"]), (&4.into(), &7.into()));
    let remembered = folder.read("spoton/progress.spoton");
    assert!(remembered.contains(&format!("\ntoday = {day} won {moves} 0 4 7\n")), "{remembered}");
}

#[test]
fn giving_up_ends_the_streak() {
    let (_, _, ran) = within_a_day(|folder, day| {
        remember(folder, &format!("{} won 9 1 3 7", before(day)));
        play(folder, &[], "hint\nresign\n")
    });
    assert_eq!(last_lines(&ran)[0], "No streak just now. Your best: 7 days.");
    assert!(last_lines(&ran)[1].ends_with(", 1 hint"), "{}", ran.stdout);
}

#[test]
fn what_was_left_goes_on_instead_of_beginning_anew() {
    let (folder, _, (left, again, saves, over)) = within_a_day(|folder, _| {
        // Before the first move: a hint is not lost by leaving either.
        let left = play(folder, &[], "hint\nwhy\nundo\nidea leave 5\n");
        let again = play(folder, &[], "hint\n");
        let saves = folder.saves().len();
        (left, again, saves, play(folder, &[], "resign\n"))
    });
    assert!(left.stdout.contains("Taking back is off in this round."), "{}", left.stdout);
    assert!(left.stdout.contains("Not while today's duel counts"), "{}", left.stdout);
    assert!(again.stderr.contains("taken up again"), "{}", again.stderr);
    assert!(left.stderr.contains("Go on with: spoton today\n"), "{}", left.stderr);
    assert_eq!(saves, 1);
    let remembered = folder.read("spoton/progress.spoton");
    assert!(remembered.contains(" gave-up ") && remembered.contains(" 3 0 0\n"), "{remembered}");
    assert!(over.stdout.contains("gave up after") && !over.stdout.contains("practice"), "{}", over.stdout);
    assert_eq!(folder.saves().len(), 0);
}

/// Only what works in it is offered, and nothing sends anybody in circles.
#[test]
fn help_offers_what_works() {
    let (_, _, (plain, discovering, practice)) = within_a_day(|folder, _| {
        let plain = play(folder, &[], "help\nidea leave 5\n");
        spoton(["discover", "on"]).folder(folder).run().success();
        let discovering = play(folder, &[], "help\nwhy\nidea leave 5\n");
        (plain, discovering, play(folder, &["--date", "2020-02-29"], "help\n"))
    });
    let offers = |ran: &Ran, command: &str| ran.stdout.contains(&format!("\n  {command} "));
    assert!(!offers(&plain, "undo") && !offers(&plain, "idea"), "{}", plain.stdout);
    assert!(offers(&plain, "hint") && offers(&plain, "why"), "{}", plain.stdout);
    assert!(plain.stdout.contains("Not while today's duel counts: hint and why help"), "{}", plain.stdout);
    assert!(!offers(&discovering, "why") && !offers(&discovering, "hint"), "{}", discovering.stdout);
    assert!(
        discovering.stdout.contains("no hints or answers. spoton discover off"),
        "{}",
        discovering.stdout
    );
    assert!(discovering.stdout.contains("Not while today's duel counts."), "{}", discovering.stdout);
    assert!(offers(&practice, "undo") && offers(&practice, "idea"), "{}", practice.stdout);
}

/// The save of a duel of another day, as if it had been left then.
fn leave(folder: &Folder, day: Day) -> String {
    let games = SolvedGames::new(16 << 20);
    let ahead = &mut Lookahead { games: &games, keep_going: &mut |_| true };
    let (mut sitting, _) = Sitting::begin(Setup::today(&duel(day), true).unwrap(), ahead).unwrap();
    let choice = sitting.rulebook().legal(sitting.round().position()).get(0).unwrap();
    sitting.act(Command::Play(Move::Operation(choice))).unwrap();
    let name = format!("spoton/saves/0001-today-{day}.spoton");
    folder.write(&name, &records::seal(&sitting.unfinished().unwrap().text()));
    name
}

#[test]
fn a_duel_that_was_left_on_an_earlier_day_is_not_forgotten() {
    let (_, day, (told, resumed, after)) = within_a_day(|folder, day| {
        // By its name: if the computer starts today's duel, that is left with a move and saved, too.
        let resume = format!("--resume={}", leave(folder, before(day)));
        let told = play(folder, &[], "");
        let resumed = spoton(["play", &resume]).folder(folder).input("").run();
        remember(folder, &format!("{day} won 9 1 3 7"));
        (told, resumed, spoton(["play", &resume]).folder(folder).input("resign\n").run())
    });
    let earlier = before(day).in_words_on(day);
    let unwrapped = told.stderr.split_whitespace().collect::<Vec<_>>().join(" ");
    let expected =
        format!("You left the duel of {earlier} unfinished. It still counts if you finish it before today's");
    assert!(unwrapped.contains(&expected) && unwrapped.contains("spoton play --resume"), "{unwrapped}");
    let which = format!("This is the duel of {earlier}. ");
    assert!(resumed.stderr.contains(&format!("{which}It counts if you finish it")), "{}", resumed.stderr);
    assert!(after.stderr.contains(&format!("{which}It counts for nothing")), "{}", after.stderr);
    assert!(after.stdout.contains("(practice)"), "{}", after.stdout);
}

#[test]
fn a_damaged_save_of_it_is_told() {
    let (folder, _, (name, ran)) = within_a_day(|folder, day| {
        let name = leave(folder, day);
        folder.write(&name, "; spoton save 1 5 0000000000000000\ntoday\n");
        (name, play(folder, &[], "resign\n"))
    });
    assert!(ran.stderr.contains("begins anew"), "{}", ran.stderr);
    assert_eq!(ran.status, 0);
    assert!(folder.read(&name).ends_with("\ntoday\n"), "it is left as it is");
}

/// It counts for nothing, and stays out of the streak's way.
#[test]
fn another_day_is_practice() {
    let folder = Folder::new();
    let ran = play(&folder, &["--date", "2020-02-29"], &winning("2020-02-29".parse().unwrap()).0);
    assert_eq!(last_lines(&ran)[0], "This was practice, and counts for nothing.");
    assert!(last_lines(&ran)[1].ends_with(", no hints (practice)"), "{}", ran.stdout);
    assert!(last_lines(&ran)[1].starts_with("Spot On 29 Feb 2020 · "), "{}", ran.stdout);
    assert!(!folder.file("spoton/progress.spoton").exists());
    // Tomorrow was played already, on the other side of the world.
    remember(&folder, "9999-12-30 won 9 1 3 7");
    let ran = play(&folder, &[], "resign\n");
    assert!(ran.stderr.contains("You have played the duel of a later day"), "{}", ran.stderr);
    assert_eq!(json(&folder, &[])["counts"], false);
    assert!(folder.read("spoton/progress.spoton").contains("9999-12-30 won 9 1 3 7"));
}

/// Its records call it by its id, and so can anybody: for its rules, or to play on from a point of it.
#[test]
fn its_game_has_a_name() {
    let rules = spoton(["rules", "today-2026-11-18"]).run().success();
    assert!(rules.starts_with("+2 +3 +4 +8 to 49, no multiples of 4\n"), "{rules}");
    let played = ["play", "today-2026-11-18", "--moves", "+4 +3", "--vs", "otto", "--first", "2"];
    assert!(spoton(played).answers(&["resign"]).run().success().contains("The number is now"));
    spoton(["rules", "today-2026-11-31"]).run().fails(2, &["there is no game"]);
}

#[test]
fn what_is_no_day_is_refused() {
    for date in ["2026-02-30", "today", "15.11.2026", ""] {
        play(&Folder::new(), &["--date", date], "").fails(2, &["there is no such day", "2026-11-15"]);
    }
}

#[test]
fn a_damaged_file_of_progress_keeps_nobody_from_playing() {
    let folder = Folder::new();
    let damaged = folder.write("spoton/progress.spoton", "; spoton save 1 5 0000000000000000\ntoday\n");
    let ran = play(&folder, &[], "resign\n");
    assert_eq!(ran.status, 0);
    assert!(ran.stdout.contains("Your streak could not be kept."), "{}", ran.stdout);
    assert!(ran.stderr.contains("Take the file away to begin anew"), "{}", ran.stderr);
    assert!(!ran.stderr.contains("It counts") && ran.stderr.contains("It cannot be kept"), "{}", ran.stderr);
    assert!(std::fs::read_to_string(damaged).unwrap().ends_with("\ntoday\n"), "it is left as it is");
    assert_eq!(json(&folder, &["--date", "2026-11-15"])["streak"]["days"], 0);
}

/// The game is told, and who wins it is not, whether or not discovery is on.
#[test]
fn the_answer_for_programs_spoils_nothing() {
    let folder = Folder::new();
    let told = json(&folder, &["--date", "2026-11-18"]);
    assert_eq!(told["title"], "+2 +3 +4 +8 to 49, no multiples of 4");
    assert_eq!((&told["date"], &told["you_go"]), (&"2026-11-18".into(), &"second".into()));
    let text = told["text"].as_str().unwrap();
    assert!(text.starts_with("title = ") && !text.contains('#'), "{text}");
    let certificate = told["certificate"].as_object().unwrap();
    assert_eq!(
        certificate["subtle"],
        duel("2026-11-18".parse().unwrap()).invented.certificate.figures.subtle
    );
    assert!(!certificate.contains_key("value") && !certificate.contains_key("remoteness"));
    spoton(["discover", "on"]).folder(&folder).run().success();
    assert_eq!(json(&folder, &["--date", "2026-11-18"]), told);
    let ran = play(&folder, &["--date", "2026-11-18"], "why\nhint\nhint\nresign\n");
    assert!(ran.stdout.contains("Discovery is on: no hints or answers."), "{}", ran.stdout);
    assert!(!ran.stdout.contains("leaves"), "{}", ran.stdout);
}
