//! The program over its pipes, by raw lines: what no decent client sends.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use serde_json::{Value as Json, json};

/// Far longer than anything takes here, so that a busy machine is no failure.
const PATIENCE: Duration = Duration::from_secs(60);

/// The program with somebody who reads all that it says.
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

    /// The program after its client has introduced itself.
    fn begun() -> Program {
        let mut program = Program::start(&[]);
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

    /// The next line of the program, which must be a message of the protocol.
    fn hear(&self) -> Json {
        let line = self.lines.recv_timeout(PATIENCE).unwrap();
        let message: Json = serde_json::from_str(&line).unwrap();
        assert_eq!(message["jsonrpc"], "2.0", "{line}");
        message
    }

    /// Asks something, and hears the answer to it and nothing before it.
    fn ask(&mut self, id: u64, method: &str, params: Json) -> Json {
        self.say(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }).to_string());
        let told = self.hear();
        assert_eq!(told["id"], id, "{told}");
        told
    }

    fn call(&mut self, id: u64, tool: &str, arguments: Json) -> Json {
        self.ask(id, "tools/call", json!({ "name": tool, "arguments": arguments }))["result"].take()
    }

    /// Closes the input: the program ends well, and has said nothing else, to nobody.
    fn end(mut self) {
        drop(self.input.take());
        // Its output is closed when it ends.
        assert!(self.lines.recv_timeout(PATIENCE).is_err(), "something was said that nobody asked for");
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
fn lines_that_are_no_json_are_skipped() {
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
fn json_that_is_no_message_is_refused_and_the_connection_goes_on() {
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
    // However long it is, and whether or not it ever ends, it is told of once.
    for _ in 0..64 {
        program.send(&[b'x'; 1 << 20]);
    }
    assert_eq!(program.hear()["error"]["code"], -32600);
    program.say("");
    assert_eq!(program.ask(3, "ping", json!({}))["result"], json!({}));
    // One that is just short enough is read.
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
    assert_eq!(program.ask(4, "ping", json!({}))["result"], json!({}), "that is allowed at any time");
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
    assert!(program.ask(3, "tools/list", json!({}))["error"].is_object(), "this one does not");
    program.end();
}

#[test]
fn it_ends_with_its_client() {
    // Before the client has said anything, in the middle of a line, and while something is thought about.
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
fn a_client_that_takes_no_answers_is_not_served_for_ever() {
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
    // The pipe is full soon, since nothing more is read: then nobody writes any more.
    let mut sent = 0;
    while let Ok(more) = written.recv_timeout(Duration::from_secs(5)) {
        sent = more;
        assert!(sent < 4 << 20, "it goes on reading");
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
