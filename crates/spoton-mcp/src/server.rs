//! The server: tools, resources and prompts over the rounds that are kept.

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
use serde_json::{Value as Json, json};
use spoton::format::{self, BookText, Draft, Listed, Problem};
use spoton::json;
use spoton::people::invent::{Bounds, Inventor, LEVELS};
use spoton::people::opponent::Opponent;
use spoton::people::review::{self, Audience};
use spoton::sitting::discovery::View;
use spoton::sitting::{Cannot, Command};
use spoton::solver::Budget;
use spoton::words::{phrases, rules};
use tokio_util::sync::CancellationToken;

use crate::answer::{Answer, Refusal, listed};
use crate::asked::{
    AskedCheck, AskedGame, AskedInvention, AskedMove, AskedRound, AskedStart, Nothing, own_book, read,
};
use crate::exam::Exam;
use crate::limits::{
    BYTES_OF_A_JOB, FEW_VARIANTS, MOST_MISTAKES, TIME_TO_CHECK, TIME_TO_INVENT, TIME_TO_THINK,
};
use crate::rounds::{House, Rounds, random};
use crate::table::{Table, Terms};
use crate::thinking::Thinking;
use crate::{library, tools};

/// The server. A copy shares everything.
#[derive(Clone)]
pub struct Server(Arc<Shared>);

struct Shared {
    rounds: Rounds,
    thinking: Thinking,
    /// What a model is graded on, if it is: then there is no help, and no other round.
    exam: Option<Exam>,
}

impl Server {
    pub fn new(house: House, exam: Option<Exam>) -> Server {
        Server(Arc::new(Shared { rounds: Rounds::new(house), thinking: Thinking::default(), exam }))
    }

    pub fn is_graded(&self) -> bool {
        self.0.exam.is_some()
    }

    /// The exam, and how far it has come; `None` if rounds are not graded.
    pub fn exam(&self) -> Option<Json> {
        let finished = self.0.rounds.all().iter().filter(|table| table.is_over()).count();
        Some(self.0.exam.as_ref()?.to_json(finished))
    }

    /// Calls a tool; `None` if there is none of that name.
    async fn call(
        &self,
        name: &str,
        arguments: JsonObject,
        gone: &CancellationToken,
    ) -> Option<Result<Answer, Refusal>> {
        Some(match name {
            "list_games" => read::<Nothing>(arguments).map(|_| list_games()),
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

    /// The rules of a game. The notes and the claims of its book are left out, since they may tell how to win.
    pub async fn rules(&self, asked: AskedGame, gone: &CancellationToken) -> Result<Answer, Refusal> {
        let told = self.0.thinking.about(TIME_TO_THINK, gone, move |_| {
            let game = asked.find()?;
            let rulebook = game.rulebook()?;
            let mut data = json::rules(&game, &rulebook, View::of_player(true));
            if let Some(data) = data.as_object_mut() {
                data.remove("hidden");
            }
            Ok(Answer { words: rules::markdown_without_remarks(&game, &rulebook), data })
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
        // It is looked at again when the round is kept; here it spares the thinking.
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

    /// Starts the next round of the exam. The model has no say in it.
    async fn start_of_exam(
        &self,
        exam: &Exam,
        arguments: &JsonObject,
        gone: &CancellationToken,
    ) -> Result<Answer, Refusal> {
        if !arguments.is_empty() {
            let sentence = "this is an exam: its games, opponents and seats are set. Call start_round without arguments, and it \
                            starts the next round";
            return Err(Refusal(sentence.to_owned()));
        }
        self.0.rounds.may_think(None)?;
        let Some((number, game, terms)) = exam.next() else {
            return Err(Refusal(format!("the exam is over: all of its {} rounds were played", exam.total())));
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
            // Its answer got lost, and the same call came again.
            if let Some(sentence) = before.refused_before(&written) {
                return Err(Refusal(sentence));
            }
        }
        if before.is_over() {
            return Err(Cannot::RoundIsOver.into());
        }
        let a_move = match before.read(&written) {
            Ok(a_move) => a_move,
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
            after.play(a_move, ahead)?;
            Ok::<_, Cannot>(after)
        });
        let after = played.await??;
        // A round may have begun meanwhile.
        self.0.rounds.may_think(Some(&id))?;
        self.0.rounds.replace(&id, &before, after)?.answer(&id, "", known)
    }

    /// Answers a move for a turn that is not the next: as before if it was made then, else with how the round stands.
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
        self.change(arguments, |table| Command::TakeBackOf(table.you), "Your last move is taken back.")
    }

    fn give_up(&self, arguments: JsonObject) -> Result<Answer, Refusal> {
        self.change(arguments, |table| Command::Resign(table.you), "")
    }

    /// Does something in a round that nobody has to think about.
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
        // A round may have begun meanwhile.
        self.0.rounds.may_think(None)?;
        self.0.rounds.replace(&id, &before, after)?;
        Ok(Answer { data: json!({ "round": id, "hint": said }), words: said })
    }

    async fn review(&self, arguments: JsonObject, gone: &CancellationToken) -> Result<Answer, Refusal> {
        let AskedRound { round: id } = read(arguments)?;
        let table = self.0.rounds.find(&id)?;
        if !table.is_over() {
            let sentence = "the round is not over yet; review judges it once it is. give_up ends it at once";
            return Err(Refusal(sentence.to_owned()));
        }
        if let Some(exam) = self.0.exam.as_ref().filter(|exam| !exam.is_all_begun()) {
            let sentence =
                format!("this is an exam of {} rounds: reviews are available when it is over", exam.total());
            return Err(Refusal(sentence));
        }
        self.0.rounds.may_think(None)?;
        let reviewed = self.0.thinking.about(TIME_TO_THINK, gone, move |ahead| {
            let review = table.sitting.review(ahead)?;
            let (record, round) = (table.record(), table.sitting.round());
            let audience = Audience { names: &record.players, you: Some(table.you), discover: false };
            let words = review::page(&review, round, &audience);
            Ok::<_, Cannot>(Answer { words, data: json::review(&record, round, &review) })
        });
        let answer = reviewed.await??;
        // A round may have begun meanwhile.
        self.0.rounds.may_think(None)?;
        Ok(answer)
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
            "{}. Hand this rule book to start_round as rulebook:\n\n{}",
            game.rulebook.title(),
            game.text_without_remarks()
        );
        Ok(Answer { words, data: json::invented_to_play(&game) })
    }

    /// The record of a round, as far as it was played.
    pub fn record(&self, id: &str) -> Result<String, Refusal> {
        Ok(self.0.rounds.find(id)?.record().to_string())
    }

    /// The records of all rounds that are kept, one after another. One that is not over counts as if it was left, so that
    /// nobody does better by leaving what looks lost.
    pub fn records(&self) -> String {
        let records = self.0.rounds.all().into_iter().map(|table| table.as_if_left().record().to_string());
        records.collect::<Vec<_>>().join("\n")
    }
}

/// The games there are, and who can be played against.
fn list_games() -> Answer {
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
    Answer { words, data: json!({ "games": json::games(&games), "opponents": json::opponents() }) }
}

/// Looks a rule book through.
fn check(name: &str, text: &str) -> Result<Answer, Refusal> {
    let begun = Instant::now();
    let draft = Draft::read(name, text);
    let mut variants = 0;
    let mut keep_going = || {
        variants += 1;
        // A machine that has much to do makes no book too large.
        variants <= FEW_VARIANTS || begun.elapsed() < TIME_TO_CHECK
    };
    let problems = format::check_while(&draft, &mut keep_going)
        .ok_or_else(|| Refusal("this rule book has too many variants to be checked here".to_owned()))?;
    let mut data = json::check(name, &problems[..problems.len().min(MOST_MISTAKES)]);
    let is_valid = !problems.iter().any(Problem::is_error);
    // A mistake may be among those that are left out.
    data["valid"] = json!(is_valid);
    let mut words = listed(&problems);
    if let (true, Ok(rulebook)) = (is_valid, draft.build()) {
        let valid = phrases::is_valid(&rulebook, draft.variants().count() as u64);
        words = if words.is_empty() { valid } else { format!("{valid} But look at this:\n{words}") };
    }
    Ok(Answer { words, data })
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
            ErrorData::invalid_params(format!("there is no such tool; there are {names}"), None)
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
