//! Compares our solver with a handwritten loop and other systems in one run, and reports ratios. Generates
//! the page `docs/speed.md`:
//!
//! ```text
//! cargo bench -p spoton --bench peers -- --markdown > docs/speed.md
//! ```
//!
//! Every measurement runs several times, each time in its own process to measure its memory. A system that
//! exceeds the limits on time or memory is stopped and skips larger targets. Options: `--python PROGRAM`,
//! `--seconds N`, `--gigabytes N`, `--runs N`.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::hint::black_box;
use std::io::{Read, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use spoton::engine::position::Player;
use spoton::format::{Rulebook, catalog};
use spoton::solver::{Budget, Solver, Value};

const GAME: &str = "number-maze";
const TARGETS: [i64; 7] =
    [1_000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000, 1_000_000_000_000_000_000];

/// Solutions faster than this run repeatedly for this long, and the mean is reported.
const AT_LEAST: Duration = Duration::from_millis(200);

/// The measured systems. The first is the reference.
const SYSTEMS: [System; 4] = [
    System { name: "handwritten loop", program: Program::Here("straight-line"), needs: "" },
    System { name: "Spot On", program: Program::Here("solver"), needs: "" },
    System {
        name: "plain Python",
        program: Program::Script("retrograde.py"),
        needs: "Python 3, or `--python PROGRAM` to select it",
    },
    System {
        name: "OpenSpiel's minimax",
        program: Program::Script("open_spiel_minimax.py"),
        needs: "`python3 -m pip install open_spiel`, or `--python PROGRAM` for a Python with it",
    },
];

struct System {
    name: &'static str,
    program: Program,
    /// How to install it.
    needs: &'static str,
}

enum Program {
    /// This program, run with this argument.
    Here(&'static str),
    /// A file in `benches/peers`.
    Script(&'static str),
}

struct Options {
    python: String,
    bound: Duration,
    gigabytes: u64,
    runs: usize,
    targets: &'static [i64],
}

/// The output of one process.
struct RunOutput {
    version: String,
    seconds: f64,
    peak_bytes: Option<u64>,
    wins: bool,
    remoteness: Option<u64>,
}

/// The results of several runs.
struct Measured {
    version: String,
    /// Minimum, median and maximum.
    seconds: [f64; 3],
    peak_bytes: Option<u64>,
    wins: bool,
    /// `None` if it isn't reported.
    remoteness: Option<u64>,
}

type Cell = Result<Measured, String>;

fn main() -> std::io::Result<()> {
    let arguments: Vec<String> = std::env::args().collect();
    if let Some(place) = arguments.iter().position(|argument| argument == "--solve") {
        return solve_here(&arguments[place + 1], arguments[place + 2].parse().expect("a target"));
    }
    let after = |name: &str| {
        let place = arguments.iter().position(|argument| argument == name)?;
        arguments.get(place + 1).cloned()
    };
    let number = |name, usual| after(name).map_or(usual, |given| given.parse().expect("a whole number"));
    // Without `--bench`, the argument that `cargo bench` adds, this only tests that everything runs.
    let measure = arguments.iter().any(|argument| argument == "--bench");
    let options = Options {
        python: after("--python").unwrap_or("python3".to_owned()),
        bound: Duration::from_secs(number("--seconds", 60)),
        gigabytes: number("--gigabytes", 4),
        runs: number("--runs", if measure { 5 } else { 1 }) as usize,
        targets: if measure { &TARGETS } else { &TARGETS[..1] },
    };
    let mut rows: Vec<Vec<Cell>> = Vec::new();
    for target in options.targets {
        let row = row(*target, rows.last(), &options);
        assert_agreed(row.iter().filter_map(|cell| cell.as_ref().ok()), *target);
        rows.push(row);
    }
    let page = if arguments.iter().any(|argument| argument == "--markdown") {
        markdown(&rows, &options)
    } else {
        plain(&rows, &options)
    };
    std::io::stdout().lock().write_all(page.as_bytes())
}

/// All answers must agree.
fn assert_agreed<'a>(answers: impl Iterator<Item = &'a Measured> + Clone, target: i64) {
    let wins: BTreeSet<bool> = answers.clone().map(|measured| measured.wins).collect();
    let remoteness: BTreeSet<u64> = answers.filter_map(|measured| measured.remoteness).collect();
    assert!(wins.len() < 2 && remoteness.len() < 2, "at {target}: {wins:?}, in {remoteness:?} moves");
}

/// Whether the first player wins and in how many moves, or why there is no result.
type Found = Result<(bool, Option<u64>), String>;

/// Solves in this process, and reports in the format of the scripts.
fn solve_here(what: &str, target: i64) -> std::io::Result<()> {
    // As with the other systems, reading the rules isn't measured.
    let rulebook = rulebook(target);
    let solve = || match what {
        "solver" => by_solver(black_box(&rulebook)),
        _ => by_straight_line(black_box(target)),
    };
    let (begun, mut times) = (Instant::now(), 0);
    let answer = loop {
        let answer = black_box(solve());
        times += 1;
        if answer.is_err() || begun.elapsed() >= AT_LEAST {
            break answer;
        }
    };
    let seconds = begun.elapsed().as_secs_f64() / f64::from(times);
    let mut told = serde_json::json!({ "version": env!("CARGO_PKG_VERSION"), "peak_bytes": peak_bytes() });
    match answer {
        Ok((wins, remoteness)) => {
            told["seconds"] = seconds.into();
            told["wins"] = wins.into();
            told["remoteness"] = remoteness.into();
        }
        Err(why) => told["failed"] = why.into(),
    }
    writeln!(std::io::stdout(), "{told}")
}

fn rulebook(target: i64) -> Arc<Rulebook> {
    let draft = catalog::draft(GAME).expect("the game is shipped");
    Arc::new(draft.set_target("target", &target.to_string()).build().expect("the target fits"))
}

fn by_solver(rulebook: &Arc<Rulebook>) -> Found {
    let mut keep_going = |_| true;
    let mut budget = Budget::new(4 << 30, &mut keep_going);
    let solver = Solver::new(Arc::clone(rulebook), &mut budget).map_err(|why| why.to_string())?;
    let verdict = solver.verdict(&rulebook.opening(Player::One)).ok_or("no answer")?;
    Ok((verdict.value == Value::Win, verdict.remoteness()))
}

/// The value and remoteness of every number below the target in four bytes, for this game only: the loop one
/// would write by hand. The highest bit marks a loss.
fn by_straight_line(target: i64) -> Found {
    const LOST: u32 = 1 << 31;
    let Some(size) = u32::try_from(target).ok().filter(|target| *target < LOST) else {
        return Err("out of memory: 4 bytes per number".to_owned());
    };
    let (target, mut table) = (size as usize, vec![0_u32; size as usize]);
    // From half the target up, doubling reaches or passes it. So the loops need no checks.
    let half = target.div_ceil(2);
    for (distance, cell) in (1..).zip(table[half..].iter_mut().rev()) {
        *cell = if distance % 2 == 0 { LOST | distance } else { distance };
    }
    if target.is_multiple_of(2) {
        table[half] = 1;
    }
    let mut above = table[half];
    for number in (1..half).rev() {
        let (add, double) = ((above ^ LOST) + 1, (table[2 * number] ^ LOST) + 1);
        above = match (add & LOST != 0, double & LOST != 0) {
            (false, false) => add.min(double),
            (false, true) => add,
            (true, false) => double,
            (true, true) => add.max(double),
        };
        table[number] = above;
    }
    let opening = black_box(&table)[1];
    Ok((opening & LOST == 0, Some(u64::from(opening & !LOST))))
}

/// The peak memory of this process, if the system reports it.
fn peak_bytes() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kilobytes: u64 = line.trim().strip_suffix(" kB")?.parse().ok()?;
    Some(kilobytes * 1024)
}

/// Measures all systems at a target. They take turns, so that other load on the machine affects all of them.
fn row(target: i64, before: Option<&Vec<Cell>>, options: &Options) -> Vec<Cell> {
    // A system that failed on a smaller target isn't tried again.
    let works = |index: usize| before.is_none_or(|cells| cells[index].is_ok());
    let mut told: [Result<Vec<RunOutput>, String>; SYSTEMS.len()] =
        std::array::from_fn(|index| if works(index) { Ok(vec![]) } else { Err("not tried".to_owned()) });
    for _ in 0..options.runs {
        for (system, told) in SYSTEMS.iter().zip(&mut told) {
            let Ok(runs) = told else { continue };
            match run(system, target, options) {
                Ok(run) => runs.push(run),
                Err(why) => *told = Err(why),
            }
        }
    }
    told.into_iter().map(|told| told.map(measured)).collect()
}

fn measured(mut told: Vec<RunOutput>) -> Measured {
    told.sort_by(|one, other| one.seconds.total_cmp(&other.seconds));
    let seconds = [0, told.len() / 2, told.len() - 1].map(|place| told[place].seconds);
    let peak_bytes = told.iter().filter_map(|run| run.peak_bytes).max();
    let RunOutput { version, wins, remoteness, .. } = told.remove(0);
    Measured { version, seconds, peak_bytes, wins, remoteness }
}

/// Runs one process within the limits.
fn run(system: &System, target: i64, options: &Options) -> Result<RunOutput, String> {
    let here = std::env::current_exe().expect("the path of this program is known");
    let scripts = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/peers");
    // The shell limits the memory: the standard library can't.
    let bounded = format!("ulimit -v {}; exec \"$@\"", options.gigabytes << 20);
    let mut command = Command::new("sh");
    command.args(["-c", &bounded, "sh"]).stdout(Stdio::piped()).stderr(Stdio::piped());
    match system.program {
        Program::Here(what) => command.arg(here).args(["--solve", what]),
        Program::Script(script) => command.arg(&options.python).arg(scripts.join(script)),
    };
    let mut child = command.arg(target.to_string()).spawn().map_err(|why| why.to_string())?;
    let begun = Instant::now();
    while child.try_wait().map_err(|why| why.to_string())?.is_none() {
        if begun.elapsed() > options.bound {
            child.kill().and_then(|()| child.wait()).map_err(|why| why.to_string())?;
            return Err(format!("more than {} s", options.bound.as_secs()));
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    let (mut answer, mut complaint) = (String::new(), String::new());
    let told = child.stdout.take().map(|mut out| out.read_to_string(&mut answer));
    let complained = child.stderr.take().map(|mut out| out.read_to_string(&mut complaint));
    told.into_iter().chain(complained).collect::<Result<Vec<_>, _>>().map_err(|why| why.to_string())?;
    let told: serde_json::Value = match serde_json::from_str(&answer) {
        Ok(told) => told,
        Err(_) if complaint.contains("No module named") || complaint.contains("not found") => {
            return Err(format!("missing: {}", system.needs));
        }
        // A process that is killed without a message ran out of memory.
        Err(_) if complaint.is_empty() || complaint.contains("memory") => {
            return Err("out of memory".to_owned());
        }
        Err(_) => return Err(complaint.trim().lines().last().unwrap_or_default().to_owned()),
    };
    if let Some(why) = told["failed"].as_str() {
        return Err(why.to_owned());
    }
    let version = told["version"].as_str().map(str::to_owned);
    let (seconds, wins) = (told["seconds"].as_f64(), told["wins"].as_bool());
    let (Some(version), Some(seconds), Some(wins)) = (version, seconds, wins) else {
        return Err(format!("an invalid answer: {told}"));
    };
    let (peak_bytes, remoteness) = (told["peak_bytes"].as_u64(), told["remoteness"].as_u64());
    Ok(RunOutput { version, seconds, peak_bytes, wins, remoteness })
}

/// The ratio of this median to the first system's, if the first system has an answer.
fn ratio(measured: &Measured, reference: &Cell) -> Option<f64> {
    Some(measured.seconds[1] / reference.as_ref().ok()?.seconds[1])
}

fn time(seconds: f64) -> String {
    match seconds {
        seconds if seconds < 1e-3 => format!("{:.1} µs", seconds * 1e6),
        seconds if seconds < 1.0 => format!("{:.1} ms", seconds * 1e3),
        seconds => format!("{seconds:.2} s"),
    }
}

fn memory(measured: &Measured) -> String {
    measured.peak_bytes.map_or("?".to_owned(), |bytes| format!("{} MB", bytes.div_ceil(1_000_000)))
}

fn power(target: i64) -> String {
    format!("10^{}", target.ilog10())
}

fn ratio_text(ratio: f64) -> String {
    if ratio < 10.0 { format!("{ratio:.2}") } else { format!("{ratio:.0}") }
}

fn plain(rows: &[Vec<Cell>], options: &Options) -> String {
    let mut page = String::new();
    for (target, row) in options.targets.iter().zip(rows) {
        let _ = writeln!(page, "{GAME} to {}", power(*target));
        for (system, cell) in SYSTEMS.iter().zip(row) {
            let _ = match cell {
                Err(why) => writeln!(page, "  {:<20} {why}", system.name),
                Ok(measured) => {
                    let [least, middle, most] = measured.seconds.map(time);
                    let ratio = ratio(measured, &row[0]).map_or("-".to_owned(), ratio_text);
                    let (name, memory) = (system.name, memory(measured));
                    writeln!(
                        page,
                        "  {name:<20} {middle:>12} ({least} to {most}) {memory:>8} {ratio:>9}  {}",
                        measured.version
                    )
                }
            };
        }
    }
    page
}

fn markdown(rows: &[Vec<Cell>], options: &Options) -> String {
    let mut page = format!(
        "# How fast games are solved\n\n\
         <!-- Generated by: cargo bench -p spoton --bench peers -- --markdown > docs/speed.md -->\n\n\
         Number Maze (add 1 or double; going past the target loses): the time to evaluate the opening and count the\n\
         moves, with all the work included. Each cell shows the median of {} runs with the fastest and the slowest in\n\
         brackets, the peak memory of the whole process, and the time relative to **the handwritten loop**. That is a\n\
         Rust loop for this one game. It fills a table with four bytes per number. A system that exceeds {} s or\n\
         {} GB (of address space) is stopped and skips larger targets. All answers agree.\n\n",
        options.runs,
        options.bound.as_secs(),
        options.gigabytes
    );
    let _ = writeln!(page, "| target | {} |", SYSTEMS.each_ref().map(|system| system.name).join(" | "));
    let _ = writeln!(page, "|---|{}", "---|".repeat(SYSTEMS.len()));
    for (target, row) in options.targets.iter().zip(rows) {
        let cells = row.iter().map(|cell| match cell {
            Err(why) => why.clone(),
            Ok(measured) => {
                let [least, middle, most] = measured.seconds.map(time);
                let ratio =
                    ratio(measured, &row[0]).map(|ratio| format!(", **{} times**", ratio_text(ratio)));
                format!("{middle} ({least} to {most}), {}{}", memory(measured), ratio.unwrap_or_default())
            }
        });
        let _ = writeln!(page, "| {} | {} |", power(*target), cells.collect::<Vec<_>>().join(" | "));
    }
    let versions = SYSTEMS.iter().enumerate().map(|(index, system)| {
        let version = rows.iter().find_map(|row| row[index].as_ref().ok()).map(|measured| &measured.version);
        version.map_or(format!("{}: {}", system.name, system.needs), |version| {
            format!("{}: {version}", system.name)
        })
    });
    let _ = writeln!(page, "\nVersions: {}.", versions.skip(1).collect::<Vec<_>>().join("; "));
    let _ = writeln!(page, "Compiler: {}. Processor: {}.{}", compiler(), processor(), load());
    page
}

fn compiler() -> String {
    let told = Command::new("rustc").arg("--version").output();
    told.map_or("unknown".to_owned(), |told| String::from_utf8_lossy(&told.stdout).trim().to_owned())
}

fn processor() -> String {
    let told = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let name = told.lines().find_map(|line| line.strip_prefix("model name")?.split_once(": "));
    name.map_or("unknown".to_owned(), |(_, name)| name.to_owned())
}

/// The load of the machine, which affects times; empty if the system doesn't report it.
fn load() -> String {
    let Ok(told) = std::fs::read_to_string("/proc/loadavg") else { return String::new() };
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    let load = told.split_whitespace().nth(1).unwrap_or("?");
    format!(" Load during the measurement: {load} on {processors} processors.")
}
