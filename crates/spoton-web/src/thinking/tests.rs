//! Priorities between queues, cancellation, and what counts as the same game.

use std::sync::mpsc;

use spoton::format::{Draft, Rulebook};
use spoton::solver::Progress;
use spoton_host::workers::processor_time;
use tokio::task::JoinHandle;

use super::*;
use crate::limits::{MOST_WAITING_OF_AN_ADDRESS, MOST_WAITING_TO_THINK};
use crate::rates::ASKER;

/// Far more than any test takes.
const LONG: Duration = Duration::from_secs(600);

fn who(name: &str) -> Option<Hash> {
    Some(Hash::digest(name))
}

/// A job that runs until it's stopped.
struct Endless<T> {
    asked: JoinHandle<T>,
    ended: mpsc::Receiver<()>,
}

/// Runs until the job is stopped.
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

async fn endless_report(thinking: &Thinking, browser: Option<Hash>) -> Endless<Result<(), NoReport>> {
    let ((begins, begun), (ends, ended)) = (oneshot::channel(), mpsc::channel());
    let thinking = thinking.clone();
    let asked =
        tokio::spawn(async move { thinking.report(browser, LONG, until_stopped(begins, ends)).await });
    begun.await.unwrap();
    Endless { asked, ended }
}

/// A job that blocks a worker until the latch is dropped and ignores cancellation.
fn latched() -> (impl Fn() + Send + Sync + 'static, oneshot::Receiver<()>, mpsc::Sender<()>) {
    let ((begins, begun), (latch, waits)) = (oneshot::channel(), mpsc::channel::<()>());
    let (begins, waits) = (Mutex::new(Some(begins)), Mutex::new(waits));
    let blocks = move || {
        if let Some(begins) = begins.lock().unwrap().take() {
            let _ = begins.send(());
        }
        let _: Result<(), _> = waits.lock().unwrap().recv();
    };
    (blocks, begun, latch)
}

/// Blocks every worker of the lower queues and fills those queues.
async fn everything_slow_is_busy(thinking: &Thinking) -> Vec<mpsc::Sender<()>> {
    let mut latches = Vec::new();
    for queue in [Queue::Questions, Queue::Reports] {
        for number in 0..thinking.idle(queue) {
            let ((blocks, begun, latch), thinking) = (latched(), thinking.clone());
            let game = Hash::digest(format!("slow {number}"));
            tokio::spawn(async move {
                let _ = match queue {
                    Queue::Questions => thinking.question(game, LONG, move |_| blocks()).await,
                    _ => thinking.report(None, LONG, move |_| blocks()).await.map_err(|_| TooBusy),
                };
            });
            begun.await.unwrap();
            latches.push(latch);
        }
        assert_eq!(thinking.idle(queue), 0);
        for number in 0..MOST_WAITING_TO_THINK {
            let thinking = thinking.clone();
            tokio::spawn(async move {
                let game = Hash::digest(format!("waits {number}"));
                let _ = match queue {
                    Queue::Questions => thinking.question(game, LONG, |_| ()).await,
                    _ => thinking.report(None, LONG, |_| ()).await.map_err(|_| TooBusy),
                };
            });
        }
        while thinking.waiting(queue) < MOST_WAITING_TO_THINK {
            tokio::task::yield_now().await;
        }
    }
    latches
}

#[tokio::test]
async fn a_newer_question_of_a_browser_stops_the_older_one() {
    let thinking = Thinking::default();
    let older = endless_report(&thinking, who("ann")).await;
    assert_eq!(thinking.report(who("ann"), LONG, |_| 7).await, Ok(7));
    assert_eq!(older.asked.await.unwrap(), Err(NoReport::Replaced));
    older.ended.recv().unwrap();
    assert!(thinking.wanted().is_empty());
}

#[tokio::test]
async fn an_abandoned_job_is_cancelled() {
    let thinking = Thinking::default();
    let job = endless_report(&thinking, None).await;
    job.asked.abort();
    assert!(job.asked.await.unwrap_err().is_cancelled());
    job.ended.recv().unwrap();
    // Its worker is free again.
    assert_eq!(thinking.report(None, LONG, |_| 7).await, Ok(7));
}

#[tokio::test]
async fn a_slow_job_is_stopped() {
    let thinking = Thinking::default();
    let ((begins, _begun), (ends, ended)) = (oneshot::channel(), mpsc::channel());
    let short = Duration::from_millis(1);
    assert_eq!(thinking.report(None, short, until_stopped(begins, ends)).await, Ok(()));
    ended.recv().unwrap();
}

/// A move starts while the lower queues' workers are busy and their queues are full.
#[tokio::test]
async fn moves_never_queue_behind_questions_and_reports() {
    let thinking = Thinking::default();
    let latches = everything_slow_is_busy(&thinking).await;
    assert_eq!(thinking.moves(Hash::digest("game"), LONG, |_| 7).await, Ok(7));
    assert_eq!(thinking.read(|| 8).await, Err(TooBusy), "questions are refused meanwhile");
    drop(latches);
}

/// A question starts while every report worker is busy.
#[tokio::test]
async fn questions_never_queue_behind_reports() {
    let thinking = Thinking::default();
    let mut jobs = Vec::new();
    for number in 0..thinking.idle(Queue::Reports) {
        jobs.push(endless_report(&thinking, who(&number.to_string())).await);
    }
    assert_eq!(thinking.question(Hash::digest("game"), LONG, |_| 7).await, Ok(7));
    assert_eq!(thinking.read(|| 8).await, Ok(8));
    thinking.end();
    for job in jobs {
        job.ended.recv().unwrap();
        assert_eq!(job.asked.await.unwrap(), Ok(()));
    }
}

/// While one game is being solved and many moves wait for it, other games aren't delayed.
#[tokio::test]
async fn a_game_that_is_being_solved_holds_up_nobody_but_its_own_players() {
    let thinking = Thinking::default();
    let (solves, (begins, begun), (go_on, waits)) = (thinking.clone(), oneshot::channel(), mpsc::channel());
    let slow = book("title = 'Slow'");
    let solved = Arc::clone(&slow);
    let facts = tokio::spawn(async move {
        let solve = move |ahead: &mut Lookahead<'_>| {
            let mut begins = Some(begins);
            // From here on, other callers have to wait for the solution.
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
        solves.report(None, LONG, solve).await
    });
    begun.await.unwrap();
    let mut moves = Vec::new();
    for _ in 0..2 * thinking.idle(Queue::Moves) {
        let (moving, slow) = (thinking.clone(), Arc::clone(&slow));
        moves.push(tokio::spawn(async move {
            let think =
                move |ahead: &mut Lookahead<'_>| ahead.ask(&slow, |game, budget| game.audit(budget)).is_ok();
            moving.moves(Hash::digest("slow"), LONG, think).await
        }));
    }
    while thinking.waiting(Queue::Moves) + 1 < moves.len() {
        tokio::task::yield_now().await;
    }
    assert_eq!(thinking.moves(Hash::digest("other"), LONG, |_| 7).await, Ok(7));
    go_on.send(()).unwrap();
    assert_eq!(facts.await.unwrap(), Ok(true));
    for moved in moves {
        assert_eq!(moved.await.unwrap(), Ok(true));
    }
    assert_eq!(thinking.moves(Hash::digest("slow"), LONG, |_| 7).await, Ok(7));
}

/// Far more than an empty job takes.
const SHORT: Duration = Duration::from_millis(100);

/// Moves soon exceed their budget, questions only with endless work.
fn impatient() -> Thinking {
    Thinking::with_budgets(SHORT, 5 * SHORT)
}

/// Returns the name of the queue whose worker runs this.
fn here() -> String {
    std::thread::current().name().unwrap_or_default().to_owned()
}

/// Uses this much processor time, unless it's stopped before.
fn needs(time: Duration, ahead: &mut Lookahead<'_>) {
    let begun = processor_time();
    while processor_time() - begun <= time && (ahead.keep_going)(Progress { positions: 0, of: None }) {
        std::hint::spin_loop();
    }
}

/// Work over budget moves to a lower queue and starts there the next time, until it fits again.
#[tokio::test]
async fn work_that_exceeds_its_budget_moves_down() {
    let thinking = impatient();
    let tries = Arc::new(Mutex::new(Vec::new()));
    let asks = |time: Duration| {
        let tries = Arc::clone(&tries);
        thinking.moves(Hash::digest("game"), LONG, move |ahead| {
            tries.lock().unwrap().push(here());
            needs(time, ahead);
        })
    };
    let tried_in = async |time: Duration| {
        asks(time).await.unwrap();
        std::mem::take(&mut *tries.lock().unwrap())
    };
    assert_eq!(tried_in(Duration::ZERO).await, ["moves"]);
    assert_eq!(tried_in(2 * SHORT).await, ["moves", "questions"]);
    assert_eq!(tried_in(2 * SHORT).await, ["questions"]);
    assert_eq!(tried_in(6 * SHORT).await, ["questions", "reports"]);
    assert_eq!(tried_in(6 * SHORT).await, ["reports"]);
    assert_eq!(tried_in(Duration::ZERO).await, ["reports"]);
    assert_eq!(tried_in(Duration::ZERO).await, ["moves"]);
}

/// The same applies to jobs that ignore cancellation.
#[tokio::test]
async fn a_job_that_cannot_be_stopped_starts_in_a_lower_queue_next_time() {
    let thinking = impatient();
    let (game, spins) = (Hash::digest("game"), |_: &mut Lookahead<'_>| {
        let begun = processor_time();
        while processor_time() - begun <= SHORT {
            std::hint::spin_loop();
        }
        here()
    });
    assert_eq!(thinking.moves(game, LONG, spins).await, Ok("moves".to_owned()));
    assert_eq!(thinking.moves(game, LONG, spins).await, Ok("questions".to_owned()));
    assert_eq!(thinking.moves(Hash::digest("other"), LONG, |_| here()).await, Ok("moves".to_owned()));
    assert_eq!(thinking.question(game, LONG, |_| here()).await, Ok("questions".to_owned()));
    // This one was quick, so the next one starts in the moves queue again.
    assert_eq!(thinking.moves(game, LONG, |_| here()).await, Ok("questions".to_owned()));
    assert_eq!(thinking.moves(game, LONG, |_| here()).await, Ok("moves".to_owned()));
}

/// A panic ends a job, not its worker.
#[tokio::test]
async fn a_job_that_panics_takes_no_worker_along() {
    let thinking = Thinking::default();
    for _ in 0..2 * thinking.idle(Queue::Moves) {
        assert_eq!(
            thinking.moves(Hash::digest("game"), LONG, |_| panic!("deliberate panic")).await,
            Err::<(), _>(TooBusy)
        );
    }
    assert_eq!(thinking.moves(Hash::digest("game"), LONG, |_| 7).await, Ok(7));
}

/// On a machine with few cores, the scheduler prefers players.
#[cfg(target_os = "linux")]
#[tokio::test]
async fn only_lower_queues_run_in_the_background() {
    let thinking = Thinking::default();
    // The kernel's own record of the thread: its 39th field after the name is the scheduling policy; 5 is `SCHED_IDLE`.
    let is_idle = || {
        let record = std::fs::read_to_string("/proc/thread-self/stat").unwrap();
        let (_, fields) = record.rsplit_once(')').unwrap();
        fields.split_whitespace().nth(38) == Some("5")
    };
    assert!(!thinking.moves(Hash::digest("game"), LONG, move |_| is_idle()).await.unwrap());
    assert!(thinking.question(Hash::digest("game"), LONG, move |_| is_idle()).await.unwrap());
    assert!(thinking.report(None, LONG, move |_| is_idle()).await.unwrap());
}

/// One address asks more than its share. Others still get in.
#[tokio::test]
async fn an_address_fills_at_most_half_of_a_queue() {
    let thinking = Thinking::default();
    let mut latches = Vec::new();
    for number in 0..thinking.idle(Queue::Questions) {
        let (blocks, begun, latch) = latched();
        let asks = thinking.clone();
        let game = Hash::digest(format!("blocks {number}"));
        tokio::spawn(async move { asks.question(game, LONG, move |_| blocks()).await });
        begun.await.unwrap();
        latches.push(latch);
    }
    let from = |last: u8| {
        let asks = thinking.clone();
        let asker = Some(std::net::IpAddr::from([10, 0, 0, last]));
        tokio::spawn(ASKER.scope(asker, async move { asks.read(|| 7).await }))
    };
    let mut greedy: Vec<_> = (0..MOST_WAITING_TO_THINK).map(|_| from(1)).collect();
    while thinking.waiting(Queue::Questions) < MOST_WAITING_OF_AN_ADDRESS {
        tokio::task::yield_now().await;
    }
    let other = from(2);
    while thinking.waiting(Queue::Questions) < MOST_WAITING_OF_AN_ADDRESS + 1 {
        assert!(!other.is_finished(), "the other address is refused");
        tokio::task::yield_now().await;
    }
    drop(latches);
    assert_eq!(other.await.unwrap(), Ok(7));
    let mut answered = 0;
    for job in greedy.drain(..) {
        answered += usize::from(job.await.unwrap() == Ok(7));
    }
    assert!((MOST_WAITING_OF_AN_ADDRESS..MOST_WAITING_TO_THINK).contains(&answered), "{answered}");
}

#[tokio::test]
async fn a_full_queue_refuses_the_next_request() {
    let thinking = Thinking::default();
    let mut working = Vec::new();
    for _ in 0..thinking.idle(Queue::Reports) {
        working.push(endless_report(&thinking, None).await);
    }
    let mut waiting = Vec::new();
    for _ in 0..MOST_WAITING_TO_THINK {
        let asks = thinking.clone();
        waiting.push(tokio::spawn(async move { asks.report(None, LONG, |_| 7).await }));
    }
    while thinking.waiting(Queue::Reports) < MOST_WAITING_TO_THINK {
        tokio::task::yield_now().await;
    }
    assert_eq!(thinking.report(None, LONG, |_| 7).await, Err(NoReport::TooBusy(TooBusy)));
    for job in working {
        job.asked.abort();
    }
    for job in waiting {
        assert_eq!(job.await.unwrap(), Ok(7));
    }
}

#[tokio::test]
async fn a_question_has_a_maximum_size() {
    let thinking = Thinking::default();
    let book = book("title = 'A'");
    let left = thinking.report(None, LONG, move |ahead| ahead.ask(&book, |_, budget| Ok(budget.left())));
    assert_eq!(left.await, Ok(Ok(BYTES_OF_A_JOB)));
}

fn book(words: &str) -> Arc<Rulebook> {
    let text = format!("{words}\nstart = 0\ntarget = 5\nmoves = ['+1', '+2']\n");
    Arc::new(Draft::read("own", &text).build().unwrap())
}

/// The cache distinguishes books with the same fingerprint, which ignores words and claims.
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
    let told = thinking.report(None, LONG, move |ahead| {
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
