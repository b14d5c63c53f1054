//! Editing a rule book in the player's editor.

use crate::full_screen::Terminal;

/// Opens Your own rules and creates a rule book.
fn own_rules(terminal: &mut Terminal) {
    terminal.start();
    terminal.click("Your own rules");
    terminal.shows("You haven't written a game yet.");
    terminal.send("n");
    terminal.shows("New game");
    terminal.send("\r");
    terminal.shows("Created ");
    terminal.shows("my-game.toml");
}

#[test]
fn e_opens_a_rule_book_in_the_editor_and_shows_what_was_saved() {
    // An editor with options: it takes the terminal, waits for a line and changes the file.
    let editor = "sh -c 'echo EDITING; read line; sed -i \"s/My Game/$line/\" \"$0\"'";
    let mut terminal = Terminal::new(80, 24, &[("EDITOR", editor), ("VISUAL", "")]);
    let before = terminal.settings();
    own_rules(&mut terminal);
    terminal.send("e");
    terminal.shows("EDITING");
    assert!(!terminal.screen().alternate_screen(), "the terminal is the editor's:\n{}", terminal.picture());
    terminal.send("Hop and Skip\r");
    terminal.shows("Hop and Skip");
    terminal.shows("No problems found.");
    assert!(terminal.screen().alternate_screen());
    terminal.click("Esc back");
    terminal.click("Quit");
    terminal.is_given_back();
    assert_eq!(terminal.settings(), before);
}

#[test]
fn an_interrupt_goes_to_the_editor_and_its_failure_is_reported() {
    let editor = "sh -c 'echo EDITING; exec sleep 600'";
    let mut terminal = Terminal::new(80, 24, &[("VISUAL", editor)]);
    own_rules(&mut terminal);
    terminal.send("e");
    terminal.shows("EDITING");
    terminal.send("\x03");
    terminal.shows("The editor sh -c");
    terminal.shows("No problems found.");
}

#[test]
fn without_an_editor_it_says_what_to_do() {
    let mut terminal = Terminal::new(80, 24, &[("EDITOR", ""), ("VISUAL", "")]);
    own_rules(&mut terminal);
    terminal.send("e");
    terminal.shows("Set EDITOR to your editor's name.");
}
