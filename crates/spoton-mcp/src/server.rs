//! The server: tools, resources and prompts.

mod library;

use std::sync::Arc;
use std::time::Instant;

use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ErrorData, GetPromptRequestParams,
    GetPromptResponse, Implementation, JsonObject, ListPromptsResult, ListResourceTemplatesResult,
    ListResourcesResult, ListToolsResult, PaginatedRequestParams, ReadResourceRequestParams,
    ReadResourceResponse, ReadResourceResult, ResourceContents, ServerCapabilities, ServerConfig, Tool,
};
use rmcp::service::RequestContext;
use rmcp::{RoleServer, ServerHandler};
use serde::Serialize;
use spoton::design::invent::{Bounds, Inventor, LEVELS};
use spoton::discovery::View;
use spoton::evaluate::opponent::Opponent;
use spoton::format::{self, BookText, Draft, Listed, Problem};
use spoton::json;
use spoton::sitting::{Cannot, Command};
use spoton::solver::Budget;
use spoton::words::review::{self, Audience};
use spoton::words::{phrases, rules};
use tokio_util::sync::CancellationToken;

use crate::answer::{Answer, Refusal, listed};
use crate::asked::{
    AskedCheck, AskedGame, AskedInvention, AskedMove, AskedRound, AskedStart, Nothing, own_book, read,
};
use crate::exam::{Exam, Progress};
use crate::limits::{
    BYTES_OF_A_JOB, FEW_VARIANTS, MOST_MISTAKES, TIME_TO_CHECK, TIME_TO_INVENT, TIME_TO_THINK,
};
use crate::rounds::{House, Rounds, random};
use crate::table::{Table, Terms};
use crate::thinking::Thinking;
use crate::tools;

/// The server. Clones share all state.
#[derive(Clone)]
pub struct Server(Arc<Shared>);

struct Shared {
    rounds: Rounds,
    thinking: Thinking,
    /// The exam, if this is a grading server. An exam has no hints, no undo and no other rounds.
    exam: Option<Exam>,
}

impl Server {
    pub fn new(house: House, exam: Option<Exam>) -> Server {
        Server(Arc::new(Shared { rounds: Rounds::new(house), thinking: Thinking::default(), exam }))
    }

    pub fn is_graded(&self) -> bool {
        self.0.exam.is_some()
    }

    /// The exam and its progress; `None` if rounds aren't graded.
    pub fn exam(&self) -> Option<Progress<'_>> {
        let finished = self.0.rounds.all().iter().filter(|table| table.is_over()).count();
        Some(self.0.exam.as_ref()?.progress(finished))
    }

    /// Calls a tool. Returns `None` if there is no tool of that name.
    async fn call(
        &self,
        name: &str,
        arguments: JsonObject,
        gone: &CancellationToken,
    ) -> Option<Result<Answer, Refusal>> {
        Some(match name {
            "list_games" => read::<Nothing>(arguments).and_then(|_| list_games()),
            "read_rules" => self.read_rules(arguments, gone).await,
            "check_rulebook" => self.check_rulebook(arguments, gone).await,
            "start_round" => self.start_round(arguments, gone).await,
            "look" => self.look(arguments),
            "move" => self.make_move(arguments, gone).await,
            "take_back" => self.take_back(arguments),
            "give_up" => self.give_up(arguments),
            "hint" => self.hint(arguments, gone).await,
            "review" => self.review(arguments, gone).await,
            "invent" => self.invent(arguments, gone).await,
            _ => return None,
        })
    }

    async fn read_rules(&self, arguments: JsonObject, gone: &CancellationToken) -> Result<Answer, Refusal> {
        let asked: AskedGame = read(arguments)?;
        self.rules(asked, gone).await
    }

    /// A game's rules, without its rule book's notes and claims: they may give the strategy away.
    pub async fn rules(&self, asked: AskedGame, gone: &CancellationToken) -> Result<Answer, Refusal> {
        let told = self.0.thinking.about(TIME_TO_THINK, gone, move |_| {
            let game = asked.find()?;
            let rulebook = game.rulebook()?;
            let told = json::Rules { hidden: vec![], ..json::rules(&game, &rulebook, View::of_player(true)) };
            Answer::new(rules::markdown_without_remarks(&game, &rulebook), &told)
        });
        told.await?
    }

    async fn check_rulebook(
        &self,
        arguments: JsonObject,
        gone: &CancellationToken,
    ) -> Result<Answer, Refusal> {
        let asked: AskedCheck = read(arguments)?;
        let BookText { source_name, text, .. } = own_book(asked.rulebook)?;
        let checked = self.0.thinking.about(TIME_TO_THINK, gone, move |_| check(&source_name, &text));
        checked.await?
    }

    async fn start_round(&self, arguments: JsonObject, gone: &CancellationToken) -> Result<Answer, Refusal> {
        if let Some(exam) = &self.0.exam {
            return self.start_of_exam(exam, &arguments, gone).await;
        }
        let mut asked: AskedStart = read(arguments)?;
        // Fails early; `keep` checks again.
        self.0.rounds.may_think(None)?;
        let opponent = asked.opponent.as_deref().map_or(Ok(Opponent::perfect()), Opponent::parse)?;
        let game = asked.game();
        let terms = Terms {
            opponent,
            you: asked.seat.unwrap_or_default().player(),
            hints: asked.hints,
            take_back: asked.take_back,
            seed: asked.seed.unwrap_or_else(random),
            number: 1,
        };
        let begun = self.0.thinking.about(TIME_TO_THINK, gone, move |ahead| {
            Ok::<_, Refusal>(Table::begin(game.find()?, &terms, ahead)?)
        });
        let (id, table) = self.0.rounds.keep(begun.await??)?;
        table.introduction(&id)
    }

    /// Starts the next round of the exam. The model can't choose anything.
    async fn start_of_exam(
        &self,
        exam: &Exam,
        arguments: &JsonObject,
        gone: &CancellationToken,
    ) -> Result<Answer, Refusal> {
        if !arguments.is_empty() {
            let sentence = "this is an exam; the games, the opponent and the seats are set. Call start_round without \
                            arguments to start the next round";
            return Err(Refusal(sentence.to_owned()));
        }
        self.0.rounds.may_think(None)?;
        let Some((number, game, terms)) = exam.next() else {
            return Err(Refusal(format!("the exam is over: all {} rounds were played", exam.total())));
        };
        let begun = self
            .0
            .thinking
            .about(TIME_TO_THINK, gone, move |ahead| Table::begin(game.clone(), &terms, ahead));
        let table = begun.await??;
        let (id, table) = exam.begin(number, || self.0.rounds.keep(table))?;
        let mut answer = table.introduction(&id)?;
        answer.words = format!("Round {number} of {} of the exam.\n\n{}", exam.total(), answer.words);
        Ok(answer)
    }

    fn look(&self, arguments: JsonObject) -> Result<Answer, Refusal> {
        let AskedRound { round: id } = read(arguments)?;
        self.0.rounds.find(&id)?.answer(&id, "", 0)
    }

    async fn make_move(&self, arguments: JsonObject, gone: &CancellationToken) -> Result<Answer, Refusal> {
        let AskedMove { round: id, written, expected_turn } = read(arguments)?;
        let before = self.0.rounds.find(&id)?;
        if let Some(turn) = expected_turn {
            if turn != before.turn() || before.is_over() {
                return self.answer_again(&id, &before, turn, written, gone).await;
            }
            // A retry: the first answer was lost.
            if let Some(sentence) = before.refused_before(&written) {
                return Err(Refusal(sentence));
            }
        }
        if before.is_over() {
            return Err(Cannot::RoundIsOver.into());
        }
        let choice = match before.read(&written) {
            Ok(choice) => choice,
            Err(no_move) => {
                let mut after = Table::clone(&before);
                let sentence = after.refuse(&written, &no_move)?;
                self.0.rounds.replace(&id, &before, after)?;
                return Err(Refusal(sentence));
            }
        };
        self.0.rounds.may_think(Some(&id))?;
        let known = before.sitting.round().history().len();
        let asked = Arc::clone(&before);
        let played = self.0.thinking.about(TIME_TO_THINK, gone, move |ahead| {
            let mut after = Table::clone(&asked);
            after.play(choice, ahead)?;
            Ok::<_, Cannot>(after)
        });
        let after = played.await??;
        // Checks again: a round may have begun in the meantime.
        self.0.rounds.may_think(Some(&id))?;
        self.0.rounds.replace(&id, &before, after)?.answer(&id, "", known)
    }

    /// Answers a move for a turn other than the next: a retry gets the original answer, anything else the current
    /// state.
    async fn answer_again(
        &self,
        id: &str,
        now: &Arc<Table>,
        turn: u64,
        written: String,
        gone: &CancellationToken,
    ) -> Result<Answer, Refusal> {
        let asked = Arc::clone(now);
        let then =
            self.0.thinking.about(TIME_TO_THINK, gone, move |ahead| asked.after_turn(turn, &written, ahead));
        match then.await?? {
            Some(then) => then.answer(id, "", turn as usize - 1),
            None => Err(Refusal(now.is_another_turn(id, turn)?)),
        }
    }

    fn take_back(&self, arguments: JsonObject) -> Result<Answer, Refusal> {
        self.change(arguments, |table| Command::TakeBackOf(table.you), "Your last move is undone.")
    }

    fn give_up(&self, arguments: JsonObject) -> Result<Answer, Refusal> {
        self.change(arguments, |table| Command::Resign(table.you), "")
    }

    /// Runs a command that needs no solver.
    fn change(
        &self,
        arguments: JsonObject,
        command: impl Fn(&Table) -> Command,
        said: &str,
    ) -> Result<Answer, Refusal> {
        let AskedRound { round: id } = read(arguments)?;
        let before = self.0.rounds.find(&id)?;
        let mut after = Table::clone(&before);
        after.sitting.act(command(&before))?;
        let moves = after.sitting.round().history().len();
        self.0.rounds.replace(&id, &before, after)?.answer(&id, said, moves)
    }

    async fn hint(&self, arguments: JsonObject, gone: &CancellationToken) -> Result<Answer, Refusal> {
        let AskedRound { round: id } = read(arguments)?;
        let before = self.0.rounds.find(&id)?;
        if !before.hints {
            return Err(Refusal("hints are off in this round".to_owned()));
        }
        if before.is_over() {
            return Err(Cannot::RoundIsOver.into());
        }
        self.0.rounds.may_think(None)?;
        let asked = Arc::clone(&before);
        let told = self.0.thinking.about(TIME_TO_THINK, gone, move |ahead| {
            let mut after = Table::clone(&asked);
            let (said, _) = after.sitting.hint(ahead)?;
            Ok::<_, Cannot>((said, after))
        });
        let (said, after) = told.await??;
        // Checks again: a round may have begun in the meantime.
        self.0.rounds.may_think(None)?;
        self.0.rounds.replace(&id, &before, after)?;
        let told = Hint { round: &id, hint: &said };
        Answer::new(said.clone(), &told)
    }

    async fn review(&self, arguments: JsonObject, gone: &CancellationToken) -> Result<Answer, Refusal> {
        let AskedRound { round: id } = read(arguments)?;
        let table = self.0.rounds.find(&id)?;
        if !table.is_over() {
            let sentence = "the round isn't over yet; finish it or call give_up first";
            return Err(Refusal(sentence.to_owned()));
        }
        if let Some(exam) = self.0.exam.as_ref().filter(|exam| !exam.is_all_begun()) {
            let sentence =
                format!("this is an exam of {} rounds; reviews are available when it's over", exam.total());
            return Err(Refusal(sentence));
        }
        self.0.rounds.may_think(None)?;
        let reviewed = self.0.thinking.about(TIME_TO_THINK, gone, move |ahead| {
            let review = table.sitting.review(ahead)?;
            let (record, round) = (table.record(), table.sitting.round());
            let audience = Audience { names: &record.players, you: Some(table.you), discover: false };
            let words = review::page(&review, round, &audience);
            Ok::<_, Cannot>((words, json::review(&record, round, &review)))
        });
        let (words, review) = reviewed.await??;
        // Checks again: a round may have begun in the meantime.
        self.0.rounds.may_think(None)?;
        Answer::new(words, &review)
    }

    async fn invent(&self, arguments: JsonObject, gone: &CancellationToken) -> Result<Answer, Refusal> {
        let asked: AskedInvention = read(arguments)?;
        let bounds = match asked.level {
            None => Bounds::usual(),
            Some(level) => u8::try_from(level).ok().and_then(Bounds::of_level).ok_or_else(|| {
                Refusal(format!("a level is a number from {} to {}", LEVELS.start(), LEVELS.end()))
            })?,
        };
        let seed = asked.seed.unwrap_or_else(random);
        let invented = self.0.thinking.about(TIME_TO_INVENT, gone, move |ahead| {
            let budget = &mut Budget::new(BYTES_OF_A_JOB, ahead.keep_going);
            Inventor::new(seed, bounds.clone()).next(budget)
        });
        let game =
            invented.await??.ok_or_else(|| Refusal("no game was found; try another seed".to_owned()))?;
        let words = format!(
            "{}. To play it, pass this rule book to start_round as rulebook:\n\n{}",
            game.rulebook.title(),
            game.text_without_remarks()
        );
        Answer::new(words, &json::invented_to_play(&game))
    }

    /// A round's record, finished or not.
    pub fn record(&self, id: &str) -> Result<String, Refusal> {
        Ok(self.0.rounds.find(id)?.record().to_string())
    }

    /// The records of all rounds. Unfinished rounds are recorded as forfeited, so leaving a round that looks lost
    /// doesn't help.
    pub fn records(&self) -> String {
        let records = self.0.rounds.all().into_iter().map(|table| table.as_if_left().record().to_string());
        records.collect::<Vec<_>>().join("\n")
    }
}

/// A hint for the player to move.
#[derive(Serialize)]
struct Hint<'a> {
    /// The round's id.
    round: &'a str,
    /// The hint as sentences.
    hint: &'a str,
}

/// The games and the opponents.
#[derive(Serialize)]
struct GamesAndOpponents {
    games: Vec<json::ListedGame>,
    opponents: Vec<json::Opponent>,
}

/// Lists the games and the opponents.
fn list_games() -> Result<Answer, Refusal> {
    let games: Vec<Listed> = Listed::shipped().collect();
    let mut words = "Games:\n".to_owned();
    for game in &games {
        let about =
            game.rulebook.as_ref().map(|rulebook| format!("{}. {}", rulebook.title(), rulebook.summary()));
        words.push_str(&format!("- {}: {}", game.id, about.unwrap_or_default()));
        if !game.variants.is_empty() {
            words.push_str(&format!(" Variants: {}.", game.variants.join(", ")));
        }
        words.push('\n');
    }
    words.push_str("\nOpponents:\n");
    for opponent in Opponent::all() {
        words.push_str(&format!("- {opponent}: {}.\n", opponent.habit()));
    }
    Answer::new(words, &GamesAndOpponents { games: json::games(&games), opponents: json::opponents() })
}

/// Checks a rule book.
fn check(name: &str, text: &str) -> Result<Answer, Refusal> {
    let begun = Instant::now();
    let draft = Draft::read(name, text);
    let mut variants = 0;
    let mut keep_going = || {
        variants += 1;
        // The first few are always checked, so even a busy machine never rejects an ordinary book.
        variants <= FEW_VARIANTS || begun.elapsed() < TIME_TO_CHECK
    };
    let problems = format::check_while(&draft, &mut keep_going).ok_or_else(|| {
        Refusal("checking this rule book takes too long here: it has too many variants".to_owned())
    })?;
    let mut told = json::check(name, &problems[..problems.len().min(MOST_MISTAKES)]);
    // The list above is truncated; the result isn't.
    told.valid = !problems.iter().any(Problem::is_error);
    let mut words = listed(&problems);
    if let (true, Ok(rulebook)) = (told.valid, draft.build()) {
        told.unplayable = rulebook.unplayable();
        let valid = phrases::is_valid(&rulebook, draft.variants().count() as u64);
        words = if words.is_empty() { valid } else { format!("{valid} Warnings:\n{words}") };
    }
    Answer::new(words, &told)
}

impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        let capabilities =
            ServerCapabilities::builder().enable_tools().enable_resources().enable_prompts().build();
        let name =
            Implementation::new(env!("CARGO_PKG_NAME"), env!("CARGO_PKG_VERSION")).with_title("Spot On");
        ServerConfig::new(capabilities)
            .with_server_info(name)
            .with_instructions(tools::instructions(self.is_graded()))
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(tools::all(self.is_graded())))
    }

    fn get_tool(&self, name: &str) -> Option<Tool> {
        tools::all(self.is_graded()).into_iter().find(|tool| tool.name == name)
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let arguments = request.arguments.unwrap_or_default();
        let is_there = self.get_tool(&request.name).is_some();
        let called = match is_there {
            true => self.call(&request.name, arguments, &context.ct).await,
            false => None,
        };
        let done = called.ok_or_else(|| {
            let names = phrases::and_list(tools::all(self.is_graded()).iter().map(|tool| &tool.name));
            ErrorData::invalid_params(format!("there is no such tool; the tools are {names}"), None)
        })?;
        let result: CallToolResult = done.map_or_else(Into::into, Into::into);
        Ok(result.into())
    }

    async fn list_resources(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        Ok(ListResourcesResult::with_all_items(library::resources(self.is_graded())))
    }

    async fn list_resource_templates(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        Ok(ListResourceTemplatesResult::with_all_items(library::templates()))
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        let uri = request.uri;
        let read = library::read(self, &uri, &context.ct).await;
        let (kind, text) = read.map_err(|Refusal(why)| ErrorData::resource_not_found(why, None))?;
        let contents = ResourceContents::text(text, uri).with_mime_type(kind);
        Ok(ReadResourceResult::new(vec![contents]).into())
    }

    async fn list_prompts(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, ErrorData> {
        Ok(ListPromptsResult::with_all_items(library::prompts(self.is_graded())))
    }

    async fn get_prompt(
        &self,
        request: GetPromptRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<GetPromptResponse, ErrorData> {
        let arguments = request.arguments.unwrap_or_default();
        let prompt = library::prompt(self, &request.name, arguments, &context.ct).await;
        Ok(prompt.map_err(|Refusal(why)| ErrorData::invalid_params(why, None))?.into())
    }
}
