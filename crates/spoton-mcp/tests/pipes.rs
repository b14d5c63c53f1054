//! The program over pipes, with raw lines that no decent client sends.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use serde_json::{Value as Json, json};

/// Far longer than anything takes here, so that a busy machine doesn't fail the tests.
const PATIENCE: Duration = Duration::from_secs(60);

/// The program, with threads that read all its output.
struct Program {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
    complaints: Receiver<String>,
}

impl Program {
    fn start(arguments: &[&str]) -> Program {
        let mut child = Command::new(env!("CARGO_BIN_EXE_spoton-mcp"))
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let (output, mut errors) = (child.stdout.take().unwrap(), child.stderr.take().unwrap());
        let (said, lines) = channel();
        std::thread::spawn(move || {
            for line in BufReader::new(output).lines() {
                let _ = said.send(line.unwrap());
            }
        });
        let (complains, complaints) = channel();
        std::thread::spawn(move || {
            let mut text = String::new();
            errors.read_to_string(&mut text).unwrap();
            let _ = complains.send(text);
        });
        let input = child.stdin.take();
        Program { child, input, lines, complaints }
    }

    /// The program after initialization.
    fn begun() -> Program {
        Program::begun_with(&[])
    }

    fn begun_with(arguments: &[&str]) -> Program {
        let mut program = Program::start(arguments);
        let client = json!({ "name": "test", "version": "1" });
        let asked = json!({ "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client });
        let told = program.ask(0, "initialize", asked);
        assert_eq!(told["result"]["serverInfo"]["name"], "spoton-mcp");
        assert_eq!(told["result"]["protocolVersion"], "2025-06-18");
        program.say(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#);
        program
    }

    fn say(&mut self, line: &str) {
        self.send(format!("{line}\n").as_bytes());
    }

    fn send(&mut self, bytes: &[u8]) {
        self.input.as_mut().unwrap().write_all(bytes).unwrap();
    }

    /// The program's next line, which must be a message of the protocol.
    fn hear(&self) -> Json {
        let line = self.lines.recv_timeout(PATIENCE).unwrap();
        let message: Json = serde_json::from_str(&line).unwrap();
        assert_eq!(message["jsonrpc"], "2.0", "{line}");
        message
    }

    /// Sends a request and returns its answer, which must come next.
    fn ask(&mut self, id: u64, method: &str, params: Json) -> Json {
        self.say(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }).to_string());
        let told = self.hear();
        assert_eq!(told["id"], id, "{told}");
        told
    }

    fn call(&mut self, id: u64, tool: &str, arguments: Json) -> Json {
        self.ask(id, "tools/call", json!({ "name": tool, "arguments": arguments }))["result"].take()
    }

    /// Closes the input. The program must exit successfully without further output.
    fn end(mut self) {
        drop(self.input.take());
        // The program closes its output when it exits.
        assert!(self.lines.recv_timeout(PATIENCE).is_err(), "unexpected output");
        assert!(self.child.wait().unwrap().success());
        assert_eq!(self.complaints.recv_timeout(PATIENCE).unwrap(), "");
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn lines_without_json_are_skipped() {
    let mut program = Program::begun();
    program.say("hello?");
    program.say("");
    program.say("{\"jsonrpc\":");
    program.send(b"\xff\xfe\x00\x1b[2J\r\n");
    let tools = program.ask(1, "tools/list", json!({}));
    assert!(tools["result"]["tools"].as_array().is_some_and(|tools| tools.len() == 11));
    program.end();
}

#[test]
fn json_that_is_no_message_is_refused_and_the_connection_stays_open() {
    let mut program = Program::begun();
    program.say("[1, 2]");
    assert_eq!(program.hear()["error"]["code"], -32600);
    program.say(r#"{"jsonrpc":"1.0","id":5,"method":"ping"}"#);
    let refused = program.hear();
    assert_eq!((&refused["id"], &refused["error"]["code"]), (&json!(5), &json!(-32600)));
    assert_eq!(program.ask(6, "no/such/method", json!({}))["error"]["code"], -32601);
    let unknown = program.ask(7, "tools/call", json!({ "name": "solve", "arguments": {} }));
    assert_eq!(unknown["error"]["code"], -32602);
    assert!(unknown["error"]["message"].as_str().unwrap().contains("start_round"), "{unknown}");
    assert_eq!(program.ask(8, "ping", json!({}))["result"], json!({}));
    program.end();
}

#[test]
fn a_line_of_more_than_a_mebibyte_is_refused_and_the_connection_goes_on() {
    let mut program = Program::begun();
    let head = r#"{"jsonrpc":"2.0","id":1,"method":"ping","params":{"_meta":{"x":""#;
    program.say(&format!("{head}{}\"}}}}}}", "x".repeat(1 << 20)));
    let refused = program.hear();
    assert_eq!(refused["error"]["code"], -32600);
    assert!(refused["error"]["message"].as_str().unwrap().contains("1 MiB"), "{refused}");
    assert_eq!(program.ask(2, "ping", json!({}))["result"], json!({}));
    // A longer line is reported once, even before it ends.
    for _ in 0..64 {
        program.send(&[b'x'; 1 << 20]);
    }
    assert_eq!(program.hear()["error"]["code"], -32600);
    program.say("");
    assert_eq!(program.ask(3, "ping", json!({}))["result"], json!({}));
    // A line of exactly the maximum length is accepted.
    let text = "x".repeat((1 << 20) - head.len() - 4);
    program.say(&format!("{head}{text}\"}}}}}}"));
    assert_eq!(program.hear()["result"], json!({}));
    program.end();
}

#[test]
fn a_request_before_initialize_gets_an_error_and_the_connection_goes_on() {
    let mut program = Program::start(&[]);
    program.say(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#);
    let call = json!({ "name": "list_games", "arguments": {} });
    for (id, method, params) in
        [(1, "tools/list", json!({})), (2, "tools/call", call), (3, "no/such", json!({}))]
    {
        let told = program.ask(id, method, params);
        assert_eq!(told["error"]["code"], -32600, "{told}");
        assert!(told["error"]["message"].as_str().unwrap().contains("initialize"), "{told}");
    }
    assert_eq!(program.ask(4, "ping", json!({}))["result"], json!({}), "ping is always allowed");
    let client = json!({ "name": "test", "version": "1" });
    let asked = json!({ "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": client });
    assert!(program.ask(5, "initialize", asked)["result"]["instructions"].is_string());
    assert!(program.ask(6, "tools/list", json!({}))["result"]["tools"].is_array());
    program.end();
}

#[test]
fn from_2026_on_every_request_introduces_its_client() {
    let mut program = Program::start(&[]);
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    let found = program.ask(1, "server/discover", json!({ "_meta": meta }));
    assert!(found["result"]["capabilities"]["tools"].is_object(), "{found}");
    let call = json!({ "name": "list_games", "arguments": {}, "_meta": meta });
    assert!(program.ask(2, "tools/call", call)["result"]["structuredContent"]["games"].is_array());
    assert!(program.ask(3, "tools/list", json!({}))["error"].is_object(), "no introduction here");
    program.end();
}

#[test]
fn it_ends_with_its_client() {
    // Before the first message, in the middle of a line, and during a solver job.
    Program::start(&[]).end();
    let mut program = Program::start(&[]);
    program.send(br#"{"jsonrpc":"2.0","id":1,"#);
    program.end();
    let mut program = Program::begun();
    program.say(r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"invent","arguments":{"level":5}}}"#);
    drop(program.input.take());
    while program.lines.recv_timeout(PATIENCE).is_ok() {}
    assert!(program.child.wait().unwrap().success());
}

#[test]
fn a_client_that_reads_no_answers_is_dropped() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_spoton-mcp"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    let (wrote, written) = channel();
    std::thread::spawn(move || {
        let line = b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\"}\n";
        let mut sent = 0_usize;
        while input.write_all(line).is_ok() {
            sent += line.len();
            let _ = wrote.send(sent);
        }
    });
    // The pipe fills up, because the server stops reading, and the writer blocks.
    let mut sent = 0;
    while let Ok(more) = written.recv_timeout(Duration::from_secs(5)) {
        sent = more;
        assert!(sent < 4 << 20, "the server keeps reading");
    }
    assert!(sent > 0);
    child.kill().unwrap();
    child.wait().unwrap();
}

#[test]
fn a_whole_round_by_hand() {
    let mut program = Program::begun();
    let book = "title = \"Nine\"\nstart = 1\ntarget = 9\nmoves = [\"+1\", \"x2\"]\n";
    let begun = program.call(1, "start_round", json!({ "rulebook": book, "opponent": "careful", "seed": 1 }));
    assert_eq!(begun["isError"], false);
    let state = &begun["structuredContent"];
    assert_eq!((&state["numbers"], &state["legal"]), (&json!([1]), &json!(["+1", "x2"])));
    assert!(begun["content"][0]["text"].as_str().unwrap().contains("Your legal moves: +1, x2"), "{begun}");
    let round = state["round"].as_str().unwrap().to_owned();
    let mut id = 2;
    let mut state = state.clone();
    while state["outcome"].is_null() {
        let moved = program.call(id, "move", json!({ "round": round, "move": state["legal"][0] }));
        assert_eq!(moved["isError"], false, "{moved}");
        state = moved["structuredContent"].clone();
        id += 1;
    }
    assert!(["won", "lost"].contains(&state["result"].as_str().unwrap()), "{state}");
    let review = program.call(id, "review", json!({ "round": round }));
    let judged = review["structuredContent"]["moves"].as_array().map(Vec::len);
    assert_eq!(judged, state["history"].as_array().map(Vec::len), "{review}");
    program.end();
}

/// The server's host sets the exam. The model chooses nothing.
#[test]
fn the_server_operator_sets_an_exam() {
    let mut program = Program::begun_with(&[
        "--graded",
        "--game",
        "number-maze",
        "--opponent",
        "careful",
        "--rounds",
        "2",
        "--seed",
        "5",
    ]);
    let tools = program.ask(1, "tools/list", json!({}));
    let tools = tools["result"]["tools"].as_array().unwrap().clone();
    let names: Vec<&str> = tools.iter().map(|tool| tool["name"].as_str().unwrap()).collect();
    assert!(!names.contains(&"hint") && !names.contains(&"take_back"), "{names:?}");
    let start = tools.iter().find(|tool| tool["name"] == "start_round").unwrap();
    assert_eq!(start["inputSchema"]["properties"].as_object().map_or(0, |arguments| arguments.len()), 0);
    for chosen in [
        json!({ "game": "race-to-23" }),
        json!({ "game": "number-maze" }),
        json!({ "opponent": "random" }),
        json!({ "seat": "second" }),
        json!({ "seed": 1 }),
        json!({ "hints": true }),
        json!({ "rulebook": "title = \"Nine\"\nstart = 1\ntarget = 9\nmoves = [\"+1\", \"x2\"]\n" }),
    ] {
        let refused = program.call(2, "start_round", chosen);
        assert!(refused["isError"] == true && said(&refused).contains("this is an exam"), "{refused}");
    }
    assert!(
        program.ask(3, "tools/call", json!({ "name": "hint", "arguments": { "round": "x" } }))["error"]
            .is_object()
    );
    let mut id = 10;
    for (number, you) in [(1, 1), (2, 2)] {
        let begun = program.call(id, "start_round", json!({}));
        assert!(said(&begun).starts_with(&format!("Round {number} of 2 of the exam.")), "{begun}");
        let mut state = begun["structuredContent"].clone();
        assert_eq!((&state["game"], &state["opponent"]), (&json!("number-maze"), &json!("careful")));
        assert_eq!(
            (&state["you"], &state["hints"], &state["take_back"]),
            (&json!(you), &json!(false), &json!(false))
        );
        let round = state["round"].as_str().unwrap().to_owned();
        assert_eq!(program.call(id + 1, "start_round", json!({}))["isError"], true, "one at a time");
        while state["outcome"].is_null() {
            id += 2;
            let asked =
                json!({ "round": round, "move": state["legal"][0], "expected_turn": state["expected_turn"] });
            let moved = program.call(id, "move", asked);
            assert_eq!(moved["isError"], false, "{moved}");
            state = moved["structuredContent"].clone();
        }
        id += 2;
        let reviewed = program.call(id, "review", json!({ "round": round }));
        assert_eq!(
            reviewed["isError"],
            number == 1,
            "reviews are available when the exam is over: {reviewed}"
        );
        id += 2;
    }
    let over = program.call(id, "start_round", json!({}));
    assert!(said(&over).contains("the exam is over"), "{over}");
    let exam = program.ask(id + 1, "resources/read", json!({ "uri": "spoton://exam" }));
    let exam: Json = serde_json::from_str(exam["result"]["contents"][0]["text"].as_str().unwrap()).unwrap();
    let told =
        ["game", "opponent", "seat", "seed", "rounds", "begun", "finished"].map(|key| exam[key].clone());
    assert_eq!(json!(told), json!(["number-maze", "careful", "both", 5, 2, 2, 2]), "{exam}");
    assert_eq!(exam["prompt_fingerprint"], spoton::words::prompt::fingerprint(), "{exam}");
    program.end();
}

/// The model also reads the instructions and the tools. Results with different ones aren't comparable.
#[test]
fn the_exam_has_a_fingerprint_of_the_instructions_and_the_tools() {
    let mut program = Program::start(&["--graded", "--game", "number-maze"]);
    let client = json!({ "name": "test", "version": "1" });
    let asked = json!({ "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client });
    let instructions = program.ask(1, "initialize", asked)["result"]["instructions"].take();
    program.say(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#);
    let tools = program.ask(2, "tools/list", json!({}))["result"]["tools"].take();
    let read = json!({ "instructions": instructions, "tools": tools }).to_string();
    let exam = program.ask(3, "resources/read", json!({ "uri": "spoton://exam" }));
    let exam: Json = serde_json::from_str(exam["result"]["contents"][0]["text"].as_str().unwrap()).unwrap();
    let fingerprint = format!("{:016x}", spoton::format::fingerprint(read.as_bytes()));
    assert_eq!(exam["tools_fingerprint"], fingerprint, "{exam}");
    program.end();
}

#[test]
fn an_exam_must_be_requested() {
    for (args, why) in [
        (&["--graded"][..], "--graded needs --game or --set"),
        (&["--graded", "--game", "none-such"], "there is no game"),
        (&["--graded", "--game", "number-maze", "--opponent", "nobody"], "nobody"),
        (&["--graded", "--set", "2026-02-30"], "--set takes \"fixed\" or a day"),
        (&["--graded", "--set", "fixed", "--rounds", "30"], "at most 1000 rounds"),
        (&["--game", "number-maze"], "--graded"),
        (&["--seed", "3"], "--graded"),
        (&["--graded", "--game", "number-maze", "--set", "fixed"], "cannot be used with"),
    ] {
        let mut program = Command::new(env!("CARGO_BIN_EXE_spoton-mcp"));
        let ran = program.args(args).stdin(Stdio::null()).output().unwrap();
        let told = String::from_utf8(ran.stderr).unwrap();
        assert!(!ran.status.success() && told.contains(why), "{args:?}: {told}");
        assert!(ran.stdout.is_empty());
    }
}

/// With the number of its turn, a call can be repeated safely: nothing happens twice.
#[test]
fn a_retry_is_free() {
    let mut program = Program::begun();
    let book = "title = \"Far\"\nstart = 1\ntarget = 40\nmoves = [\"+1\", \"+2\", \"+3\"]\n";
    let begun = program.call(1, "start_round", json!({ "rulebook": book, "opponent": "random", "seed": 3 }));
    let round = begun["structuredContent"]["round"].as_str().unwrap().to_owned();
    assert_eq!(begun["structuredContent"]["expected_turn"], 1);
    assert!(said(&begun).contains("expected_turn 1"), "{begun}");
    let play = |program: &mut Program, id, a_move: &str, turn: u64| {
        program.call(id, "move", json!({ "round": round, "move": a_move, "expected_turn": turn }))
    };
    let look = |program: &mut Program| {
        program.call(99, "look", json!({ "round": round }))["structuredContent"].clone()
    };
    // A repeated rejected answer is counted once, even after another one.
    let refused = play(&mut program, 2, "+7", 1);
    assert_eq!((&refused["isError"], &play(&mut program, 3, "+7", 1)), (&json!(true), &refused));
    let other = play(&mut program, 3, "+8", 1);
    assert_eq!((play(&mut program, 3, "+7", 1), play(&mut program, 3, "+8", 1)), (refused, other));
    assert_eq!(
        look(&mut program)["refused"]["unreadable"].as_u64().unwrap()
            + look(&mut program)["refused"]["illegal"].as_u64().unwrap(),
        2
    );
    // A move is made once, and its answer stays the same after later moves.
    let first = play(&mut program, 4, "+1", 1);
    assert_eq!((&first["isError"], &first["structuredContent"]["expected_turn"]), (&json!(false), &json!(3)));
    assert_eq!(play(&mut program, 5, "+1", 1), first);
    let second = play(&mut program, 6, "+1", 3);
    assert_eq!(second["structuredContent"]["history"].as_array().unwrap().len(), 4);
    assert_eq!((play(&mut program, 7, "+1", 1), play(&mut program, 8, "+1", 3)), (first, second));
    // A different move for that turn, or a move for a future turn, gets an error with the current state.
    let now = look(&mut program);
    for (a_move, turn) in [("+2", 1), ("+2", 3), ("+1", 2), ("+1", 7), ("+1", 4), ("+1", u64::MAX)] {
        let refused = play(&mut program, 9, a_move, turn);
        assert_eq!(refused["isError"], true, "{turn}: {refused}");
        assert!(
            said(&refused).contains("Nothing has changed") && said(&refused).contains("expected_turn 5"),
            "{refused}"
        );
        assert_eq!(look(&mut program), now);
    }
    // The same holds for the last move.
    let mut state = now;
    let mut last = Json::Null;
    while state["outcome"].is_null() {
        let turn = state["expected_turn"].as_u64().unwrap();
        last = play(&mut program, 10, "+3", turn);
        if last["isError"] == true {
            last = play(&mut program, 11, state["legal"][0].as_str().unwrap(), turn);
        }
        assert_eq!(last["isError"], false, "{last}");
        let made = last["structuredContent"]["history"][turn as usize - 1].as_str().unwrap().to_owned();
        assert_eq!(play(&mut program, 12, &made, turn), last);
        state = last["structuredContent"].clone();
    }
    let over = play(&mut program, 13, "+1", 1000);
    assert!(over["isError"] == true && said(&over).contains("The round is over"), "{over}");
    assert_eq!(look(&mut program), last["structuredContent"]);
    program.end();
}

fn said(answer: &Json) -> &str {
    answer["content"][0]["text"].as_str().unwrap()
}
