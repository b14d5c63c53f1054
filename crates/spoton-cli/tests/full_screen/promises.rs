//! What must hold under faults: T3, T4, T5 and T6 of the promises, in the full screen; and what it costs.

use std::process::Command;
use std::time::{Duration, Instant};

use crate::Terminal;
use crate::support::wait_for;

const PLAYING: &str = "Your turn";

fn kill(signal: &str, program: &str) {
    assert!(Command::new("kill").args(["-s", signal, program]).status().unwrap().success());
}

/// Ends the program by a signal or by a key.
fn end(terminal: &mut Terminal, how: &str) {
    match how {
        "\x03" => terminal.send(how),
        signal => kill(signal, &terminal.program()),
    }
}

/// From Home into a round, and one move in it.
fn play_a_move(terminal: &mut Terminal) {
    terminal.send("\r");
    terminal.shows(PLAYING);
    terminal.send("1");
    terminal.shows("So far: ");
}

/// T3: whatever ends it, on any screen, leaves the terminal as it was and the round kept.
#[test]
fn t3_signals_leave_the_terminal_and_the_round_whole() {
    let mut terminal = Terminal::new(80, 24, &[]);
    let before = terminal.settings();
    for (signal, status) in [("INT", 130), ("TERM", 143), ("HUP", 129), ("\x03", 130)] {
        for playing in [false, true] {
            terminal.start();
            assert!(terminal.screen().alternate_screen() && terminal.screen().hide_cursor());
            if playing {
                play_a_move(&mut terminal);
            }
            end(&mut terminal, signal);
            terminal.is_given_back();
            assert_eq!(terminal.settings(), before, "{signal:?}");
            assert_eq!(terminal.folder.saves().len(), usize::from(playing), "{signal:?}");
            if playing {
                // The round that was kept loads, and is gone when it is over.
                terminal.send("clear; spoton play --resume; echo STATUS=$?\r");
                terminal.shows("taken up again");
                terminal.shows("(1 or 2):");
                terminal.send("resign\r");
                terminal.shows("r looks back)");
                terminal.send("n\r");
                terminal.shows("STATUS=0");
                assert_eq!(terminal.folder.saves().len(), 0, "{signal:?}");
            } else {
                terminal.send("clear; spoton --no-motion; echo STATUS=$?\r");
                terminal.shows("Play now");
                end(&mut terminal, signal);
                terminal.shows(&format!("STATUS={status}"));
            }
        }
    }
}

/// T3: also where another screen lies over the board, and between two rounds.
#[test]
fn t3_signals_on_other_screens() {
    for signal in ["TERM", "\x03"] {
        for keys in ["m", "i", "?"] {
            let mut terminal = Terminal::new(80, 24, &[]);
            terminal.start();
            play_a_move(&mut terminal);
            terminal.send(keys);
            terminal.shows("Esc back");
            end(&mut terminal, signal);
            terminal.is_given_back();
            terminal.shows("Kept as ");
            assert_eq!(terminal.folder.saves().len(), 1, "{signal:?} {keys}");
        }
    }
}

/// T3: where the round cannot be kept, that is told, whatever ended it.
#[test]
fn t3_a_round_that_cannot_be_kept_is_told() {
    for signal in ["TERM", "\x03"] {
        let mut terminal = Terminal::new(80, 24, &[]);
        terminal.folder.write("spoton", "not a folder");
        terminal.send("clear; spoton --no-motion --screen-seed 7; echo STATUS=$?\r");
        terminal.shows("Play now");
        play_a_move(&mut terminal);
        end(&mut terminal, signal);
        terminal.shows("STATUS=1");
        terminal.shows("cannot make the folder");
    }
}

/// T3: a terminal that goes away without a word is the end too, and the round is kept.
#[test]
fn t3_a_terminal_that_is_gone() {
    let mut terminal = Terminal::new(80, 24, &[]);
    // In a session of its own it is sent no signal.
    terminal.send("clear; setsid -w spoton --no-motion --screen-seed 7\r");
    terminal.shows("Play now");
    terminal.send("\r");
    terminal.shows(PLAYING);
    terminal.send("1");
    terminal.shows("So far: ");
    let folder = terminal.hang_up();
    wait_for("the round to be kept", || !folder.saves().is_empty());
}

/// T3: a signal while it draws all the time.
#[test]
fn t3_a_signal_while_drawing() {
    for pause in 0..12 {
        let mut terminal = Terminal::new(200, 60, &[]);
        let before = terminal.settings();
        terminal.start();
        let program = terminal.program();
        // Every change of size is drawn anew.
        for change in 0..40 + pause as u16 {
            terminal.resize(200 - change % 7, 60);
            terminal.look();
        }
        kill("TERM", &program);
        terminal.is_given_back();
        terminal.resize(200, 60);
        assert_eq!(terminal.settings(), before);
    }
}

/// T4: a panic gives the terminal back before it is told.
#[test]
fn t4_a_panic_restores_the_terminal() {
    for place in ["draw", "read"] {
        let mut terminal = Terminal::new(80, 24, &[]);
        let before = terminal.settings();
        terminal.send(&format!("clear; SPOTON_PANIC={place} spoton; echo STATUS=$?\r"));
        if place == "read" {
            terminal.shows("Play now");
            terminal.send("x");
        }
        terminal.shows("STATUS=101");
        terminal.shows("asked for, to see what happens");
        terminal.is_given_back();
        assert_eq!(terminal.settings(), before, "{place}");
    }
}

/// T5: suspended it gives the terminal back, and goes on where it was.
#[test]
fn t5_suspend_and_resume() {
    for by_key in [true, false] {
        let mut terminal = Terminal::new(80, 24, &[]);
        let before = terminal.settings();
        terminal.start();
        terminal.send("\r");
        terminal.shows(PLAYING);
        if by_key {
            terminal.send("\x1a");
        } else {
            kill("TSTP", &terminal.program());
        }
        terminal.shows("Stopped");
        terminal.is_given_back();
        assert_eq!(terminal.settings(), before);
        terminal.send("clear; fg\r");
        terminal.shows(PLAYING);
        assert!(terminal.screen().alternate_screen());
        terminal.send("1");
        terminal.shows("So far: ");
        terminal.send("\x1b");
        terminal.shows("Your round is kept");
        terminal.send("q");
        terminal.is_given_back();
    }
}

/// T5: any size, and any number of changes of it.
#[test]
fn t5_any_size() {
    let mut terminal = Terminal::new(80, 24, &[]);
    terminal.start();
    terminal.send("\r");
    terminal.shows(PLAYING);
    for (columns, rows) in [(1, 1), (2, 3), (59, 40), (60, 18), (500, 200)] {
        terminal.resize(columns, rows);
        if columns >= 60 {
            terminal.shows(PLAYING);
        } else if columns == 59 {
            terminal.shows("Spot On needs 60 x 18");
        }
    }
    for change in 0..1000_u16 {
        terminal.resize(1 + change * 7 % 500, 1 + change * 3 % 200);
        terminal.look();
    }
    terminal.resize(80, 24);
    terminal.shows(PLAYING);
    // The last picture is a whole one.
    terminal.waits("the keys on the last line", |screen| {
        screen.contents().lines().last().is_some_and(|line| line.contains("h hint"))
    });
    terminal.send("\x03");
    terminal.is_given_back();
}

/// T5: without colours there are none, and a dumb terminal gets lines.
#[test]
fn t5_no_colours_and_dumb_terminals() {
    let mut terminal = Terminal::new(80, 24, &[("NO_COLOR", "1")]);
    terminal.start();
    terminal.send("\r");
    terminal.shows(PLAYING);
    for row in 0..24 {
        for column in 0..80 {
            let cell = terminal.screen().cell(row, column).unwrap();
            assert_eq!((cell.fgcolor(), cell.bgcolor()), (vt100::Color::Default, vt100::Color::Default));
        }
    }
    terminal.send("\x03");
    terminal.is_given_back();
    terminal.send("clear; TERM=dumb spoton\r");
    terminal.shows("What would you like to play?");
    assert!(!terminal.screen().alternate_screen());
    terminal.send("q\r");
    terminal.shows("READY> ");
    terminal.send("clear; spoton --ascii --no-motion\r");
    terminal.shows("Play now");
    assert!(terminal.picture().is_ascii(), "{}", terminal.picture());
    terminal.send("q");
    terminal.is_given_back();
}

/// However much is typed at once, all of it is heeded, and not only when another key comes.
#[test]
fn many_keys_at_once() {
    let mut terminal = Terminal::new(80, 24, &[]);
    terminal.start();
    // Enough to be read in many parts. The last of them leaves.
    terminal.send(&("\x1b[B".repeat(1200) + "q"));
    terminal.is_given_back();
}

/// T6: garbage does no harm.
#[test]
fn t6_garbage_is_refused() {
    let mut terminal = Terminal::new(80, 24, &[]);
    terminal.start();
    terminal.send("\r");
    terminal.shows(PLAYING);
    let mut garbage = Vec::new();
    let mut state = 1_u32;
    while garbage.len() < 100_000 {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let byte = (state >> 24) as u8;
        // What would rightly end, stop or leave it is left out: on Home, with Enter and q.
        if !matches!(byte, 0x03 | 0x1a | 0x1c | 0x04 | 0x11 | 0x13 | b'\r' | b'\n' | b'q') {
            garbage.push(byte);
        }
    }
    terminal.send_bytes(&garbage);
    // The letters end whatever the garbage has begun. When it stops, it has dealt with everything before; what it had not
    // read would go to the shell.
    terminal.send("MMMMMMMM\x1a");
    terminal.shows("Stopped");
    terminal.is_given_back();
    let program = terminal.program();
    let status = std::fs::read_to_string(format!("/proc/{program}/status")).unwrap();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    let kilobytes: u64 = peak.trim().trim_end_matches(" kB").parse().unwrap();
    assert!(kilobytes < 200_000, "{peak}");
    terminal.send("clear; fg\r");
    terminal.waits("the full screen", vt100::Screen::alternate_screen);
    kill("TERM", &program);
    terminal.is_given_back();
}

/// Processor time that the program has used, in ticks of a hundredth of a second.
fn ticks(program: &str) -> u64 {
    let stat = std::fs::read_to_string(format!("/proc/{program}/stat")).unwrap();
    let fields: Vec<&str> = stat.rsplit(')').next().unwrap().split_whitespace().collect();
    fields[11].parse::<u64>().unwrap() + fields[12].parse::<u64>().unwrap()
}

/// Idle, it waits for the player and does nothing else. A quarter of the time would be far too much; it takes none.
#[track_caller]
fn is_idle(terminal: &Terminal) {
    let program = terminal.program();
    let (begun, before) = (Instant::now(), ticks(&program));
    std::thread::sleep(Duration::from_secs(2));
    let used = Duration::from_millis(10) * (ticks(&program) - before) as u32;
    assert!(used < begun.elapsed() / 4, "{used:?}");
}

#[test]
fn idle_it_uses_no_processor_time() {
    let mut terminal = Terminal::new(200, 60, &[]);
    terminal.start();
    is_idle(&terminal);
    terminal.send("q");
    terminal.is_given_back();
}

/// Whoever wins sees sparks, and when they are over, nothing moves any more.
#[test]
fn idle_after_a_win_as_well() {
    let mut terminal = Terminal::new(200, 60, &[]);
    terminal.send("clear; spoton --screen-seed 7\r");
    terminal.shows("Number duels for two:");
    terminal.send("\r");
    // Pip, who means well, doubles up to 8, and then goes past from 16.
    for _ in 0..2 {
        terminal.shows(PLAYING);
        terminal.send("2");
        terminal.shows_no_more(PLAYING);
    }
    terminal.shows("You win!");
    std::thread::sleep(Duration::from_secs(2));
    terminal.shows_no_more("✦");
    is_idle(&terminal);
    terminal.send("\x1b");
    terminal.shows("Play now");
    terminal.send("q");
    terminal.is_given_back();
}

/// From a key to the screen. The aim is 16 ms; ten times that are allowed: for the fastest of many, since a busy machine may
/// keep any of them waiting, and in processor time for all of them.
#[test]
fn a_key_is_answered_at_once() {
    let mut terminal = Terminal::new(200, 60, &[]);
    terminal.start();
    answers_at_once(&mut terminal, [("\x1b[B", "Today's duel"), ("\x1b[A", "Play now")]);
    // On the board as well, with its arcs.
    terminal.send("\r");
    terminal.shows(PLAYING);
    terminal.press("2");
    answers_at_once(&mut terminal, [("\x1b[D", "Add 1"), ("\x1b[C", "Multiply by 2")]);
    terminal.send("\x1b");
    terminal.shows("Play now");
    terminal.send("q");
    terminal.is_given_back();
}

/// Two keys, again and again, and where the cursor goes by them.
fn answers_at_once(terminal: &mut Terminal, keys: [(&str, &str); 2]) {
    const KEYS: u32 = 40;
    const ALLOWED: Duration = Duration::from_millis(160);
    let program = terminal.program();
    let before = ticks(&program);
    let mut took = Vec::new();
    for press in 0..KEYS {
        let (key, item) = keys[press as usize % 2];
        let begun = Instant::now();
        terminal.send(key);
        terminal.waits(item, |screen| {
            screen.contents().lines().any(|line| line.replace("▸  ", "▸ ").contains(&format!("▸ {item}")))
        });
        took.push(begun.elapsed());
    }
    assert!(took.iter().any(|took| *took < ALLOWED), "{took:?}");
    let used = Duration::from_millis(10) * (ticks(&program) - before) as u32;
    assert!(used < ALLOWED * KEYS, "{used:?}");
}
