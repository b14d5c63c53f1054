//! Who waits for whom, who is stopped, and what is taken for the same game.

use std::sync::mpsc;

use spoton::format::{Draft, Rulebook};
use tokio::task::JoinHandle;

use super::*;

/// Far more than anything here ever takes.
const LONG: Duration = Duration::from_secs(600);

fn who(name: &str) -> Option<Hash> {
    Some(Hash::of(name))
}

/// A job that has begun and goes on until it is stopped.
struct Endless<T> {
    asked: JoinHandle<T>,
    ended: mpsc::Receiver<()>,
}

/// Thinks until nobody wants it any more.
fn until_stopped(
    begun: tokio::sync::oneshot::Sender<()>,
    ended: mpsc::Sender<()>,
) -> impl FnOnce(&mut Lookahead<'_>) {
    move |ahead| {
        let _ = begun.send(());
        while (ahead.keep_going)(Progress { positions: 0, of: None }) {
            std::thread::yield_now();
        }
        let _ = ended.send(());
    }
}

async fn endless_facts(thinking: &Thinking, browser: Option<Hash>) -> Endless<Result<(), NoFacts>> {
    let ((begins, begun), (ends, ended)) = (oneshot::channel(), mpsc::channel());
    let thinking = thinking.clone();
    let asked = tokio::spawn(async move { thinking.facts(browser, LONG, until_stopped(begins, ends)).await });
    begun.await.unwrap();
    Endless { asked, ended }
}

fn workers(queue: &Queue) -> usize {
    queue.workers.available_permits()
}

#[tokio::test]
async fn a_newer_question_of_a_browser_stops_the_older_one() {
    let thinking = Thinking::default();
    let older = endless_facts(&thinking, who("ann")).await;
    assert_eq!(thinking.facts(who("ann"), LONG, |_| 7).await, Ok(7));
    assert_eq!(older.asked.await.unwrap(), Err(NoFacts::Replaced));
    older.ended.recv().unwrap();
    assert!(thinking.wanted().is_empty());
}

#[tokio::test]
async fn what_nobody_waits_for_any_more_is_stopped() {
    let thinking = Thinking::default();
    let job = endless_facts(&thinking, None).await;
    job.asked.abort();
    assert!(job.asked.await.unwrap_err().is_cancelled());
    job.ended.recv().unwrap();
    // Its worker is free for others.
    assert_eq!(thinking.facts(None, LONG, |_| 7).await, Ok(7));
}

#[tokio::test]
async fn what_takes_too_long_is_stopped() {
    let thinking = Thinking::default();
    let ((begins, _begun), (ends, ended)) = (oneshot::channel(), mpsc::channel());
    let short = Duration::from_millis(1);
    assert_eq!(thinking.facts(None, short, until_stopped(begins, ends)).await, Ok(()));
    ended.recv().unwrap();
}

/// Other browsers are not hindered by one, and players are not hindered by anybody.
#[tokio::test]
async fn what_is_found_in_a_moment_does_not_wait_for_what_takes_long() {
    let thinking = Thinking::default();
    let mut jobs = Vec::new();
    for number in 0..workers(&thinking.facts) {
        jobs.push(endless_facts(&thinking, who(&number.to_string())).await);
    }
    let mut at_tables = Vec::new();
    for _ in 0..workers(&thinking.table) {
        let ((begins, begun), (ends, ended)) = (oneshot::channel(), mpsc::channel());
        let talks = thinking.clone();
        let asked = tokio::spawn(async move { talks.about(LONG, until_stopped(begins, ends)).await });
        begun.await.unwrap();
        at_tables.push(Endless { asked, ended });
    }
    assert_eq!((workers(&thinking.facts), workers(&thinking.table)), (0, 0));
    assert_eq!(thinking.soon(Hash::of("game"), LONG, |_| 7).await, Ok(7));
    assert_eq!(thinking.at_once(|| 8).await, Ok(8));
    thinking.end();
    for job in jobs {
        job.ended.recv().unwrap();
        assert_eq!(job.asked.await.unwrap(), Ok(()));
    }
    for job in at_tables {
        job.ended.recv().unwrap();
        assert_eq!(job.asked.await.unwrap(), Ok(()));
    }
}

/// Somebody is at work on a game, and many want to move in it: other games are not hindered.
#[tokio::test]
async fn a_game_that_is_being_solved_holds_up_nobody_but_its_own_players() {
    let thinking = Thinking::default();
    let (solves, (begins, begun), (go_on, waits)) = (thinking.clone(), oneshot::channel(), mpsc::channel());
    let slow = book("title = 'Slow'");
    let solved = Arc::clone(&slow);
    let facts = tokio::spawn(async move {
        let solve = move |ahead: &mut Lookahead<'_>| {
            let mut begins = Some(begins);
            // Whoever asks for the solution now has to wait for it.
            let mut keep_going = |_: Progress| {
                if let Some(begins) = begins.take() {
                    let _ = begins.send(());
                    let _: Result<(), _> = waits.recv();
                }
                true
            };
            let mut ahead = Lookahead { games: ahead.games, keep_going: &mut keep_going };
            ahead.ask(&solved, |game, budget| game.audit(budget)).is_ok()
        };
        solves.facts(None, LONG, solve).await
    });
    begun.await.unwrap();
    let mut moves = Vec::new();
    for _ in 0..2 * workers(&thinking.soon) {
        let (moving, slow) = (thinking.clone(), Arc::clone(&slow));
        moves.push(tokio::spawn(async move {
            let think =
                move |ahead: &mut Lookahead<'_>| ahead.ask(&slow, |game, budget| game.audit(budget)).is_ok();
            moving.soon(Hash::of("slow"), LONG, think).await
        }));
    }
    while thinking.soon.waiting.available_permits() + moves.len() > MOST_WAITING_TO_THINK + 1 {
        tokio::task::yield_now().await;
    }
    assert_eq!(thinking.soon(Hash::of("other"), LONG, |_| 7).await, Ok(7));
    go_on.send(()).unwrap();
    assert_eq!(facts.await.unwrap(), Ok(true));
    for moved in moves {
        assert_eq!(moved.await.unwrap(), Ok(true));
    }
    assert!(thinking.turns.all().is_empty());
}

/// A move that takes longer than a moment is found all the same.
#[tokio::test]
async fn what_turns_out_to_take_long_is_begun_anew_among_its_like() {
    let thinking = Thinking::default();
    let tries = Arc::new(std::sync::atomic::AtomicUsize::new(0));
    let counted = Arc::clone(&tries);
    let found =
        thinking.soon(Hash::of("game"), LONG, move |ahead| match counted.fetch_add(1, Ordering::SeqCst) {
            0 => {
                while (ahead.keep_going)(Progress { positions: 0, of: None }) {
                    std::thread::yield_now();
                }
                "stopped"
            }
            _ => "found",
        });
    assert_eq!((found.await, tries.load(Ordering::SeqCst)), (Ok("found"), 2));
}

#[tokio::test]
async fn so_many_may_wait_and_one_more_is_told_to_come_back() {
    let thinking = Thinking::default();
    let mut working = Vec::new();
    for _ in 0..workers(&thinking.facts) {
        working.push(endless_facts(&thinking, None).await);
    }
    let mut waiting = Vec::new();
    for _ in 0..MOST_WAITING_TO_THINK {
        let asks = thinking.clone();
        waiting.push(tokio::spawn(async move { asks.facts(None, LONG, |_| 7).await }));
    }
    while thinking.facts.waiting.available_permits() > 0 {
        tokio::task::yield_now().await;
    }
    assert_eq!(thinking.facts(None, LONG, |_| 7).await, Err(NoFacts::TooBusy(TooBusy)));
    for job in working {
        job.asked.abort();
    }
    for job in waiting {
        assert_eq!(job.await.unwrap(), Ok(7));
    }
}

#[tokio::test]
async fn a_question_may_hold_so_much_and_no_more() {
    let thinking = Thinking::default();
    let book = book("title = 'A'");
    let left = thinking.facts(None, LONG, move |ahead| ahead.ask(&book, |_, budget| Ok(budget.left())));
    assert_eq!(left.await, Ok(Ok(BYTES_OF_A_JOB)));
}

fn book(words: &str) -> Arc<Rulebook> {
    let text = format!("{words}\nstart = 0\ntarget = 5\nmoves = ['+1', '+2']\n");
    Arc::new(Draft::read("own", &text).build().unwrap())
}

/// Books with the same fingerprint, which leaves words and claims out, are not taken for each other.
#[tokio::test]
async fn the_same_rules_in_other_words_are_another_game() {
    let thinking = Thinking::default();
    let books = [
        book("title = 'A'"),
        book("title = 'B'"),
        book("title = 'A'\nclaims = ['ends']"),
        book("title = 'A'\nclaims = ['first-wins', 'ends']"),
    ];
    assert!(books.iter().all(|book| book.fingerprint() == books[0].fingerprint()));
    let asked = books.clone();
    let told = thinking.facts(None, LONG, move |ahead| {
        asked.map(|book| {
            let found = ahead.ask(&book, |game, budget| {
                Ok((game.rulebook().title().to_owned(), game.audit(budget)?.claims.len()))
            });
            found.unwrap()
        })
    });
    let told = told.await.unwrap();
    let told: Vec<(&str, usize)> = told.iter().map(|(title, claims)| (title.as_str(), *claims)).collect();
    assert_eq!(told, [("A", 0), ("B", 0), ("A", 1), ("A", 2)]);
}
