//! The daily duel: playing and saving it.
//!
//! Midnight may pass during a test, so everything that depends on the day runs within one day and is checked afterwards.

mod support;

use serde_json::Value;
use spoton::day::Day;
use spoton::design::today::Duel;
use spoton::engine::play::Move;
use spoton::records;
use spoton::sitting::{Command, Lookahead, Setup, Sitting};
use spoton::solved::SolvedGames;
use spoton::solver::Budget;
use support::{Folder, Ran, spoton};

fn today() -> Day {
    let told: Value = serde_json::from_str(&spoton(["today", "--json"]).run().success()).unwrap();
    told["date"].as_str().unwrap().parse().unwrap()
}

/// Runs something within one day, in a temporary folder.
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

/// The person's answers that win a day's duel, and how many moves that takes.
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
        sitting.act(Command::Play(choice)).unwrap();
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

/// Stores a streak, as if the player had earned it.
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
    assert!(won.stderr.contains("This one counts: hints are recorded"), "{}", won.stderr);

    let made = if duel(day).person_goes_first() { "0 moves" } else { "1 move" };
    let practice =
        format!("Spot On {} · {title} · gave up after {made}, no hints (practice)", day.in_words());
    assert_eq!(last_lines(&lost), ["That was practice and doesn't count.", practice.as_str()]);
    assert!(lost.stderr.contains(&format!("You've already played this duel:\n{line}\n")), "{}", lost.stderr);

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
    assert_eq!(last_lines(&ran)[0], "No streak right now. Your best: 7 days.");
    assert!(last_lines(&ran)[1].ends_with(", 1 hint"), "{}", ran.stdout);
}

#[test]
fn an_unfinished_duel_continues_instead_of_restarting() {
    let (folder, _, (left, again, saves, over)) = within_a_day(|folder, _| {
        // Leave before the first move: the used hint still counts.
        let left = play(folder, &[], "hint\nwhy\nundo\nidea leave 5\n");
        let again = play(folder, &[], "hint\n");
        let saves = folder.saves().len();
        (left, again, saves, play(folder, &[], "resign\n"))
    });
    assert!(left.stdout.contains("Undo is off in this round."), "{}", left.stdout);
    assert!(left.stdout.contains("You can't test ideas while today's duel counts"), "{}", left.stdout);
    assert!(again.stderr.contains(" resumed. "), "{}", again.stderr);
    assert!(left.stderr.contains("Resume with: spoton today\n"), "{}", left.stderr);
    assert_eq!(saves, 1);
    let remembered = folder.read("spoton/progress.spoton");
    assert!(remembered.contains(" gave-up ") && remembered.contains(" 3 0 0\n"), "{remembered}");
    assert!(over.stdout.contains("gave up after") && !over.stdout.contains("practice"), "{}", over.stdout);
    assert_eq!(folder.saves().len(), 0);
}

/// The help lists only commands that work in the duel, and no advice leads in circles.
#[test]
fn help_offers_what_works() {
    let (_, _, (plain, discovering, practice)) = within_a_day(|folder, _| {
        let plain = play(folder, &[], "help\nidea leave 5\n");
        spoton(["config", "discovery", "on"]).folder(folder).run().success();
        let discovering = play(folder, &[], "help\nwhy\nidea leave 5\n");
        (plain, discovering, play(folder, &["--date", "2020-02-29"], "help\n"))
    });
    let offers = |ran: &Ran, command: &str| ran.stdout.contains(&format!("\n  {command} "));
    assert!(!offers(&plain, "undo") && !offers(&plain, "idea"), "{}", plain.stdout);
    assert!(offers(&plain, "hint") && offers(&plain, "why"), "{}", plain.stdout);
    assert!(
        plain.stdout.contains("You can't test ideas while today's duel counts. hint and why work"),
        "{}",
        plain.stdout
    );
    assert!(!offers(&discovering, "why") && !offers(&discovering, "hint"), "{}", discovering.stdout);
    // The notice may wrap inside the command.
    let unwrapped = discovering.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(unwrapped.contains("spoton config discovery off"), "{}", discovering.stdout);
    assert!(
        discovering.stdout.contains("You can't test ideas while today's duel counts."),
        "{}",
        discovering.stdout
    );
    assert!(offers(&practice, "undo") && offers(&practice, "idea"), "{}", practice.stdout);
}

/// Writes the save of another day's duel, as if the player had left it then.
fn leave(folder: &Folder, day: Day) -> String {
    let games = SolvedGames::new(16 << 20);
    let ahead = &mut Lookahead { games: &games, keep_going: &mut |_| true };
    let (mut sitting, _) = Sitting::begin(Setup::today(&duel(day), true).unwrap(), ahead).unwrap();
    let choice = sitting.rulebook().legal(sitting.round().position()).get(0).unwrap();
    sitting.act(Command::Play(choice)).unwrap();
    let name = format!("spoton/saves/0001-today-{day}.spoton");
    folder.write(&name, &records::seal(&sitting.unfinished().unwrap().text()));
    name
}

#[test]
fn a_duel_that_was_left_on_an_earlier_day_is_not_forgotten() {
    let (_, day, (told, resumed, after)) = within_a_day(|folder, day| {
        // Resume by name: if the computer starts today's duel, that duel already has a move, so leaving it also creates
        // a save.
        let resume = format!("--resume={}", leave(folder, before(day)));
        let told = play(folder, &[], "");
        let resumed = spoton(["play", &resume]).folder(folder).input("").run();
        remember(folder, &format!("{day} won 9 1 3 7"));
        (told, resumed, spoton(["play", &resume]).folder(folder).input("resign\n").run())
    });
    let earlier = before(day).in_words_on(day);
    let unwrapped = told.stderr.split_whitespace().collect::<Vec<_>>().join(" ");
    let expected = format!(
        "You left the duel of {earlier} unfinished. Finish it before today's duel and it still counts"
    );
    assert!(unwrapped.contains(&expected) && unwrapped.contains("spoton play --resume"), "{unwrapped}");
    let which = format!("This is the duel of {earlier}. ");
    assert!(resumed.stderr.contains(&format!("{which}It counts if you finish it")), "{}", resumed.stderr);
    assert!(after.stderr.contains(&format!("{which}It doesn't count")), "{}", after.stderr);
    assert!(after.stdout.contains("(practice)"), "{}", after.stdout);
}

#[test]
fn a_corrupted_duel_save_is_reported() {
    let (folder, _, (name, ran)) = within_a_day(|folder, day| {
        let name = leave(folder, day);
        folder.write(&name, "; spoton save 1 5 0000000000000000\ntoday\n");
        (name, play(folder, &[], "resign\n"))
    });
    assert!(ran.stderr.contains("starts over"), "{}", ran.stderr);
    assert_eq!(ran.status, 0);
    assert!(folder.read(&name).ends_with("\ntoday\n"), "it is left as it is");
}

/// Another day's duel doesn't count, and doesn't affect the streak.
#[test]
fn another_day_is_practice() {
    let folder = Folder::new();
    let ran = play(&folder, &["--date", "2020-02-29"], &winning("2020-02-29".parse().unwrap()).0);
    assert_eq!(last_lines(&ran)[0], "That was practice and doesn't count.");
    assert!(last_lines(&ran)[1].ends_with(", no hints (practice)"), "{}", ran.stdout);
    assert!(last_lines(&ran)[1].starts_with("Spot On 29 Feb 2020 · "), "{}", ran.stdout);
    assert!(!folder.file("spoton/progress.spoton").exists());
    // The player already played tomorrow's duel, on the other side of the world.
    remember(&folder, "9999-12-30 won 9 1 3 7");
    let ran = play(&folder, &[], "resign\n");
    assert!(ran.stderr.contains("You've finished a later duel"), "{}", ran.stderr);
    assert_eq!(json(&folder, &[])["counts"], false);
    assert!(folder.read("spoton/progress.spoton").contains("9999-12-30 won 9 1 3 7"));
}

/// Records refer to a duel by its id. Anyone can use the id to see its rules or to play on from one of its positions.
#[test]
fn its_game_has_a_name() {
    let rules = spoton(["rules", "today-2026-11-18"]).run().success();
    assert!(rules.starts_with("+2 +3 +4 +8 to 49, no multiples of 4\n"), "{rules}");
    let played = ["play", "today-2026-11-18", "--moves", "+4 +3", "--vs", "otto", "--first", "2"];
    assert!(spoton(played).answers(&["resign"]).run().success().contains("Otto chose to"));
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
    assert!(ran.stdout.contains("Your streak couldn't be saved."), "{}", ran.stdout);
    assert!(ran.stderr.contains("Delete the file to start over"), "{}", ran.stderr);
    assert!(
        !ran.stderr.contains("This one counts") && ran.stderr.contains("It can't be saved"),
        "{}",
        ran.stderr
    );
    assert!(std::fs::read_to_string(damaged).unwrap().ends_with("\ntoday\n"), "it is left as it is");
    assert_eq!(json(&folder, &["--date", "2026-11-15"])["streak"]["days"], 0);
}

/// The JSON shows the game but never who wins, in discovery mode or not.
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
    spoton(["config", "discovery", "on"]).folder(&folder).run().success();
    assert_eq!(json(&folder, &["--date", "2026-11-18"]), told);
    let ran = play(&folder, &["--date", "2026-11-18"], "why\nhint\nhint\nresign\n");
    assert!(ran.stdout.contains("Discovery mode is on: no hints or answers."), "{}", ran.stdout);
    assert!(!ran.stdout.contains("leaves"), "{}", ran.stdout);
}
