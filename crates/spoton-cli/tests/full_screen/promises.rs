//! Promises T3, T4, T5 and T6 on the full screen, and its processor time.

use std::process::Command;
use std::time::{Duration, Instant};

use crate::full_screen::Terminal;
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

/// Starts a round from Home and makes a move.
fn play_a_move(terminal: &mut Terminal) {
    terminal.send("\r");
    terminal.shows(PLAYING);
    terminal.send("1");
    terminal.shows("Moves: ");
}

/// T3: every way to end the program restores the terminal and saves the round.
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
                // The save loads, and is removed when the round is over.
                terminal.send("clear; spoton play --resume; echo STATUS=$?\r");
                terminal.shows(" resumed. ");
                terminal.shows("(1 or 2):");
                terminal.send("resign\r");
                terminal.shows("r: review)");
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

/// T3: this also works with another screen above the board.
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
            terminal.shows("Saved to ");
            assert_eq!(terminal.folder.saves().len(), 1, "{signal:?} {keys}");
        }
    }
}

/// T3: the program reports a round that it can't save, whatever ended it.
#[test]
fn t3_a_round_that_cannot_be_saved_is_reported() {
    for signal in ["TERM", "\x03"] {
        let mut terminal = Terminal::new(80, 24, &[]);
        terminal.folder.write("spoton", "not a folder");
        terminal.send("clear; spoton --no-motion --screen-seed 7; echo STATUS=$?\r");
        terminal.shows("Play now");
        play_a_move(&mut terminal);
        end(&mut terminal, signal);
        terminal.shows("STATUS=1");
        terminal.shows("create the folder");
    }
}

/// T3: a terminal that disappears ends the program, and the round is saved.
#[test]
fn t3_a_lost_terminal() {
    let mut terminal = Terminal::new(80, 24, &[]);
    // In its own session, the program gets no signal.
    terminal.send("clear; setsid -w spoton --no-motion --screen-seed 7\r");
    terminal.shows("Play now");
    terminal.send("\r");
    terminal.shows(PLAYING);
    terminal.send("1");
    terminal.shows("Moves: ");
    let folder = terminal.hang_up();
    wait_for("the round to be saved", || !folder.saves().is_empty());
}

/// T3: a signal while drawing.
#[test]
fn t3_a_signal_while_drawing() {
    for pause in 0..12 {
        let mut terminal = Terminal::new(200, 60, &[]);
        let before = terminal.settings();
        terminal.start();
        let program = terminal.program();
        // Every resize redraws.
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

/// T4: a panic restores the terminal before it is reported.
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
        terminal.shows("test panic requested by SPOTON_PANIC");
        terminal.is_given_back();
        assert_eq!(terminal.settings(), before, "{place}");
    }
}

/// T5: suspending restores the terminal, and the round continues where it was.
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
        terminal.shows("Moves: ");
        terminal.send("\x1b");
        terminal.shows("Round saved.");
        terminal.send("q");
        terminal.is_given_back();
    }
}

/// T5: any size and any number of resizes.
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
    // The last picture is complete.
    terminal.waits("the keys on the last line", |screen| {
        screen.contents().lines().last().is_some_and(|line| line.contains("h hint"))
    });
    terminal.send("\x03");
    terminal.is_given_back();
}

/// T5: NO_COLOR turns colours off, and a dumb terminal gets line mode.
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

/// A large burst of keys is handled completely, without waiting for another key.
#[test]
fn many_keys_in_one_burst() {
    let mut terminal = Terminal::new(80, 24, &[]);
    terminal.start();
    // Enough keys for many reads. The last one quits.
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
        // Leave out the bytes that stop or leave the program as they should.
        if !matches!(byte, 0x03 | 0x1a | 0x1c | 0x04 | 0x11 | 0x13 | b'\r' | b'\n' | b'q') {
            garbage.push(byte);
        }
    }
    terminal.send_bytes(&garbage);
    // The letters end any started escape sequence. When the program stops, it has read everything before; unread bytes
    // would go to the shell.
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

/// The processor time that the program has used, in ticks of a hundredth of a second.
fn ticks(program: &str) -> u64 {
    let stat = std::fs::read_to_string(format!("/proc/{program}/stat")).unwrap();
    let fields: Vec<&str> = stat.rsplit(')').next().unwrap().split_whitespace().collect();
    fields[11].parse::<u64>().unwrap() + fields[12].parse::<u64>().unwrap()
}

/// When idle, the program uses no processor time. The limit of a quarter is generous.
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

/// A win shows sparks, and then nothing moves.
#[test]
fn idle_after_a_win_as_well() {
    let mut terminal = Terminal::new(200, 60, &[]);
    terminal.send("clear; spoton --screen-seed 7\r");
    terminal.shows("Take turns changing a number.");
    terminal.send("\r");
    // Pip doubles to 8, then overshoots from 16.
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

/// The latency from a key press to the screen. The goal is 16 ms. A busy machine delays some keys, so the test allows
/// ten times the goal for the fastest of many keys, and for the processor time of all of them.
#[test]
fn a_key_is_answered_immediately() {
    let mut terminal = Terminal::new(200, 60, &[]);
    terminal.start();
    answers_at_once(&mut terminal, [("\x1b[B", "Today's duel"), ("\x1b[A", "Play now")]);
    // Also on the board.
    terminal.send("\r");
    terminal.shows(PLAYING);
    terminal.press("2");
    answers_at_once(&mut terminal, [("\x1b[D", "Add 1"), ("\x1b[C", "Multiply by 2")]);
    terminal.send("\x1b");
    terminal.shows("Play now");
    terminal.send("q");
    terminal.is_given_back();
}

/// Presses two keys repeatedly and waits for the cursor each time.
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
