// The load client's work (examples/load/) with boardgame.io: two players take turns changing a number until the target,
// each over a separate socket. A move counts when the opponent has seen it. The server keeps everything in memory,
// which is its default.
//
//     node boardgame.mjs serve
//     node boardgame.mjs play PORT ROUNDS-AT-ONCE SECONDS PID-OF-THE-SERVER

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { io } from "socket.io-client";

const require = createRequire(import.meta.url);
const TARGET = 200;
const NAME = "number-maze";

const game = {
  name: NAME,
  setup: () => ({ number: 1, last: null }),
  turn: { minMoves: 1, maxMoves: 1 },
  moves: {
    change: ({ G }, written) => {
      const amount = Number(written.slice(1));
      const number = written[0] === "+" ? G.number + amount : G.number * amount;
      if (!["+1", "x2"].includes(written) || number > TARGET) return "INVALID_MOVE";
      G.number = number;
      G.last = written;
    },
  },
  endIf: ({ G, ctx }) => (G.number === TARGET ? { winner: ctx.currentPlayer } : undefined),
};

async function serve() {
  const { Server } = require("boardgame.io/server");
  const { appServer } = await Server({ games: [game], origins: ["*"] }).run(0);
  console.log(`ready on ${appServer.address().port}`);
}

/** The processor time of a process, in seconds. The system counts in hundredths. */
function processorTime(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(")").pop().trim().split(" ");
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

async function post(port, path, body) {
  const answer = await fetch(`http://127.0.0.1:${port}/games/${NAME}${path}`, {
    method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${path} was answered ${answer.status}`);
  return answer.json();
}

/** One player's socket and its messages. */
function sit(port, matchID, playerID, credentials) {
  const socket = io(`http://127.0.0.1:${port}/${NAME}`, { transports: ["websocket"], forceNew: true, reconnection: false });
  const player = { socket, credentials, playerID, id: -1, waits: null };
  const hear = (state) => {
    player.id = state._stateID;
    player.state = state;
    if (player.waits && player.id >= player.waits.id) { player.waits.done(); player.waits = null; }
  };
  socket.on("sync", (_, { state }) => hear(state));
  socket.on("update", (_, state) => hear(state));
  socket.on("connect", () => socket.emit("sync", matchID, playerID, credentials, 2));
  socket.on("disconnect", () => player.waits?.fail(new Error("a socket closed")));
  player.hears = (id) => player.id >= id ? Promise.resolve() : new Promise((done, fail) => { player.waits = { id, done, fail }; });
  return player;
}

/** The two players of a round. `time.counts`: whether a move sent now counts. `time.over`: whether to stop. */
async function round(port, time, seen, begun) {
  const { matchID } = await post(port, "/create", { numPlayers: 2 });
  const players = [];
  for (const playerID of ["0", "1"]) {
    const { playerCredentials } = await post(port, `/${matchID}/join`, { playerID, playerName: playerID });
    players.push(sit(port, matchID, playerID, playerCredentials));
  }
  await Promise.all(players.map((player) => player.hears(0)));
  while (!players[0].state.ctx.gameover && !time.over) {
    const { ctx, _stateID } = players[0].state;
    const [own, other] = ctx.currentPlayer === "0" ? players : [players[1], players[0]];
    const action = { type: "MAKE_MOVE", payload: { type: "change", args: ["+1"], playerID: own.playerID, credentials: own.credentials } };
    const counts = time.counts;
    const sent = performance.now();
    own.socket.emit("update", action, _stateID, matchID, own.playerID);
    await Promise.all([own.hears(_stateID + 1), other.hears(_stateID + 1)]);
    if (counts) seen.push(performance.now() - sent);
    begun();
  }
  for (const player of players) player.socket.disconnect();
}

const sleep = (seconds) => new Promise((done) => setTimeout(done, seconds * 1000));

async function play(port, atOnce, seconds, pid) {
  const time = { counts: false, over: false };
  const seen = [];
  let errors = 0;
  const all = Array.from({ length: atOnce }, () => {
    let begun;
    const hasBegun = new Promise((done) => { begun = done; });
    const plays = async () => {
      while (!time.over) {
        try { await round(port, time, seen, begun); } catch { errors += 1; await sleep(0.1); }
      }
    };
    return { hasBegun, ends: plays() };
  });
  const allBegin = Promise.all(all.map(({ hasBegun }) => hasBegun)).then(() => true);
  if (!(await Promise.race([allBegin, sleep(120).then(() => false)]))) errors += 1;
  await sleep(2);
  const [before, from] = [processorTime(pid), performance.now()];
  time.counts = true;
  await sleep(seconds);
  time.counts = false;
  time.over = true;
  const [spent, lasted] = [processorTime(pid) - before, (performance.now() - from) / 1000];
  const allEnd = Promise.all(all.map(({ ends }) => ends)).then(() => true);
  // A player without news would wait forever.
  if (!(await Promise.race([allEnd, sleep(30).then(() => false)]))) errors += 1;
  seen.sort((a, b) => a - b);
  const part = (share) => seen[Math.min(seen.length - 1, Math.floor(seen.length * share))];
  console.log(JSON.stringify({
    moves_a_second: seen.length / lasted, p50_ms: part(0.5), p99_ms: part(0.99),
    processor_us_a_move: (spent * 1e6) / seen.length, errors,
  }));
  process.exit(seen.length > 0 ? 0 : 1);
}

const [what, ...rest] = process.argv.slice(2);
if (what === "serve") await serve();
else if (what === "play") await play(...rest.map(Number));
else { console.error("node boardgame.mjs serve, or play PORT ROUNDS-AT-ONCE SECONDS PID"); process.exit(2); }
