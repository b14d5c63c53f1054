//! A rule book opened in the player's own editor, and the screen afterwards.

use crate::Terminal;

/// Opens Your own rules with a new rule book in it.
fn own_rules(terminal: &mut Terminal) {
    terminal.start();
    terminal.click("Your own rules");
    terminal.shows("You have not written a game yet.");
    terminal.send("n");
    terminal.shows("A new game");
    terminal.send("\r");
    terminal.shows("Wrote ");
    terminal.shows("my-game.toml");
}

#[test]
fn e_opens_a_rule_book_in_the_editor_and_shows_what_was_saved() {
    // An editor with options; it takes the terminal, waits for a line, and changes the file.
    let editor = "sh -c 'echo EDITING; read line; sed -i \"s/My Game/$line/\" \"$0\"'";
    let mut terminal = Terminal::new(80, 24, &[("EDITOR", editor), ("VISUAL", "")]);
    let before = terminal.settings();
    own_rules(&mut terminal);
    terminal.send("e");
    terminal.shows("EDITING");
    assert!(!terminal.screen().alternate_screen(), "the terminal is the editor's:\n{}", terminal.picture());
    terminal.send("Hop and Skip\r");
    terminal.shows("Hop and Skip");
    terminal.shows("Nothing is wrong with it.");
    assert!(terminal.screen().alternate_screen());
    terminal.click("Esc back");
    terminal.click("Leave");
    terminal.is_given_back();
    assert_eq!(terminal.settings(), before);
}

#[test]
fn an_interrupt_is_for_the_editor_and_its_failure_is_told() {
    let editor = "sh -c 'echo EDITING; exec sleep 600'";
    let mut terminal = Terminal::new(80, 24, &[("VISUAL", editor)]);
    own_rules(&mut terminal);
    terminal.send("e");
    terminal.shows("EDITING");
    terminal.send("\x03");
    terminal.shows("the editor sh -c");
    terminal.shows("Nothing is wrong with it.");
}

#[test]
fn without_an_editor_it_says_what_to_do() {
    let mut terminal = Terminal::new(80, 24, &[("EDITOR", ""), ("VISUAL", "")]);
    own_rules(&mut terminal);
    terminal.send("e");
    terminal.shows("Set EDITOR to the name of your editor");
}
