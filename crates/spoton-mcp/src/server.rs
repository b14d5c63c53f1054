//! The server: tools, resources and prompts.

mod library;

use std::sync::Arc;

use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ErrorData, GetPromptRequestParams,
    GetPromptResponse, Implementation, ListPromptsResult, ListResourceTemplatesResult, ListResourcesResult,
    ListToolsResult, PaginatedRequestParams, ReadResourceRequestParams, ReadResourceResponse,
    ReadResourceResult, ResourceContents, ServerCapabilities, ServerConfig, Tool,
};
use rmcp::service::RequestContext;
use rmcp::{RoleServer, ServerHandler};
use spoton::words::phrases;

use crate::answer::Refusal;
use crate::exam::{Exam, Progress};
use crate::rounds::House;
use crate::state::ServerState;
use crate::tools::{self, Entry};

/// The server. Clones share all state.
#[derive(Clone)]
pub struct Server(Arc<ServerState>);

impl Server {
    pub fn new(house: House, exam: Option<Exam>) -> Server {
        Server(Arc::new(ServerState::new(house, exam)))
    }

    /// The exam and its progress; `None` if rounds aren't graded.
    pub fn exam(&self) -> Option<Progress<'_>> {
        self.0.progress()
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

impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        let capabilities =
            ServerCapabilities::builder().enable_tools().enable_resources().enable_prompts().build();
        let name =
            Implementation::new(env!("CARGO_PKG_NAME"), env!("CARGO_PKG_VERSION")).with_title("Spot On");
        ServerConfig::new(capabilities)
            .with_server_info(name)
            .with_instructions(tools::instructions(self.0.is_graded()))
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(tools::all(self.0.is_graded())))
    }

    fn get_tool(&self, name: &str) -> Option<Tool> {
        tools::named(name, self.0.is_graded()).map(Entry::tool)
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let arguments = request.arguments.unwrap_or_default();
        let Some(tool) = tools::named(&request.name, self.0.is_graded()) else {
            let names = phrases::and_list(tools::all(self.0.is_graded()).iter().map(|tool| &tool.name));
            let sentence = format!("there is no such tool; the tools are {names}");
            return Err(ErrorData::invalid_params(sentence, None));
        };
        let done = tool.call(&self.0, arguments, &context.ct).await;
        let result: CallToolResult = done.map_or_else(Into::into, Into::into);
        Ok(result.into())
    }

    async fn list_resources(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        Ok(ListResourcesResult::with_all_items(library::resources(self.0.is_graded())))
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
        Ok(ListPromptsResult::with_all_items(library::prompts(self.0.is_graded())))
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
