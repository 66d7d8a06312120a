//! A model of rig behind the harness: rig's own providers, with a client that answers from memory.

use std::future::{Future, ready};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use bytes::Bytes;
use idem_tools::agent::rig::{RigModel, rig_core};
use idem_tools::agent::{CallAnswer, Message, Model, ModelError, ModelResponse, Prompt, Usage};
use idem_tools::plane::volatile::VolatileStore;
use idem_tools::{Idem, Json, ProposedCall, ToolContext, ToolDefinition, ToolError};
use idem_tools::{tool, tool_input, tool_output};
use rig_core::http_client::{
    self, HttpClientExt, LazyBody, MultipartForm, Request, Response, StatusCode, StreamingResponse,
};
use rig_core::providers::anthropic::AnthropicConfig;
use rig_core::providers::openai::OpenAIConfig;

/// Answers every request with one text, and keeps the last request's body.
#[derive(Clone)]
struct Canned {
    status: StatusCode,
    answer: String,
    asked: Arc<Mutex<String>>,
}

impl Canned {
    fn new(status: u16, answer: &str) -> Self {
        Self {
            status: StatusCode::from_u16(status).unwrap(),
            answer: answer.to_owned(),
            asked: Arc::default(),
        }
    }

    fn asked(&self) -> Json {
        self.asked.lock().unwrap().parse().unwrap()
    }
}

fn unused() -> http_client::Error {
    http_client::Error::instance(std::io::Error::other("not asked in this way"))
}

impl HttpClientExt for Canned {
    fn send<T, U>(
        &self,
        request: Request<T>,
    ) -> impl Future<Output = http_client::Result<Response<LazyBody<U>>>> + Send + 'static
    where
        T: Into<Bytes> + Send,
        U: From<Bytes> + Send + 'static,
    {
        let body: Bytes = request.into_body().into();
        *self.asked.lock().unwrap() = String::from_utf8(body.to_vec()).unwrap();
        let answer = U::from(Bytes::from(self.answer.clone()));
        let body: LazyBody<U> = Box::pin(ready(Ok(answer)));
        let response = Response::builder()
            .status(self.status)
            .header("retry-after", "7")
            .body(body);
        ready(response.map_err(http_client::Error::Protocol))
    }

    fn send_multipart<U>(
        &self,
        _: Request<MultipartForm>,
    ) -> impl Future<Output = http_client::Result<Response<LazyBody<U>>>> + Send + 'static
    where
        U: From<Bytes> + Send + 'static,
    {
        ready(Err(unused()))
    }

    fn send_streaming<T>(
        &self,
        _: Request<T>,
    ) -> impl Future<Output = http_client::Result<StreamingResponse>> + Send
    where
        T: Into<Bytes> + Send,
    {
        ready(Err(unused()))
    }
}

fn openai(http: &Canned) -> RigModel {
    let wire = OpenAIConfig::new("no key").chat("gpt-of-this-test");
    RigModel::new(rig_core::Model::new(wire, http.clone()))
}

/// What the model makes of this answer to a question.
async fn answered(status: u16, answer: &str) -> Result<ModelResponse, ModelError> {
    let messages = [Message::User("Go".to_owned())];
    let http = Canned::new(status, answer);
    openai(&http).respond(&Prompt::new(&messages)).await
}

/// A response of one call with this text of arguments.
fn with_arguments(arguments: &str, finish: &str) -> String {
    let arguments = Json::from(arguments);
    format!(
        r#"{{"id": "c", "object": "chat.completion", "created": 1, "model": "m", "choices": [{{"index": 0,
            "finish_reason": "{finish}", "message": {{"role": "assistant", "content": "Let me see.", "tool_calls": [
            {{"id": "call_1", "type": "function", "function": {{"name": "send", "arguments": {arguments}}}}}]}}}}],
            "usage": {{"prompt_tokens": 8, "completion_tokens": 3, "total_tokens": 11}}}}"#
    )
}

#[tokio::test]
async fn words_calls_and_usage_are_read() {
    let text = with_arguments(r#"{"id": 18446744073709551615, "rate": 0.1}"#, "tool_calls");
    let response = answered(200, &text).await.unwrap();
    let arguments = r#"{"id": 18446744073709551615, "rate": 0.1}"#.parse().unwrap();
    let expected = ModelResponse {
        text: Some("Let me see.".to_owned()),
        calls: vec![ProposedCall::parsed("call_1", "send", arguments)],
        usage: Usage {
            input_tokens: 8,
            output_tokens: 3,
        },
    };
    assert_eq!(response, expected);
}

#[tokio::test]
async fn arguments_that_are_no_object_stay_the_models_text() {
    for text in [r#"{"to": "bo"#, "[1]", r#""text""#] {
        let response = answered(200, &with_arguments(text, "tool_calls"))
            .await
            .unwrap();
        assert_eq!(response.calls, [ProposedCall::new("call_1", "send", text)]);
    }
    for none in ["", "  ", "null", "{}"] {
        let response = answered(200, &with_arguments(none, "tool_calls"))
            .await
            .unwrap();
        let nothing = ProposedCall::parsed("call_1", "send", "{}".parse().unwrap());
        assert_eq!(response.calls, [nothing]);
    }
}

#[tokio::test]
async fn a_number_that_rig_may_have_rounded_is_refused() {
    for number in [
        "18446744073709551616",
        "123456789012345678901234567890",
        "9007199254740993.5",
    ] {
        let text = with_arguments(&format!(r#"{{"in": [{{"id": {number}}}]}}"#), "tool_calls");
        let error = answered(200, &text).await.unwrap_err();
        assert!(
            matches!(error, ModelError::Unreadable(_)),
            "{number}: {error}"
        );
    }
}

#[tokio::test]
async fn no_call_of_a_response_that_was_cut_off_or_filtered_is_made() {
    for arguments in ["{}", r#"{"to": "bo"#] {
        let error = answered(200, &with_arguments(arguments, "length"))
            .await
            .unwrap_err();
        assert!(matches!(error, ModelError::Unreadable(_)), "{error}");
    }
    let error = answered(200, &with_arguments("{}", "content_filter"))
        .await
        .unwrap_err();
    assert!(matches!(error, ModelError::Refused(_)), "{error}");
    let error = answered(200, &with_arguments("{}", "odd"))
        .await
        .unwrap_err();
    assert!(matches!(error, ModelError::Unreadable(_)), "{error}");
}

#[tokio::test]
async fn failures_keep_their_class_and_not_their_words() {
    let body = r#"{"error": {"message": "Dear Ann, …", "type": "t", "code": "c"}}"#;
    for status in [429, 503] {
        let error = answered(status, body).await.unwrap_err();
        assert!(!error.to_string().contains("Ann"), "{error}");
        let ModelError::Unavailable {
            message,
            retry_after,
        } = error
        else {
            panic!("{status} may pass: {error}");
        };
        assert!(message.contains(&status.to_string()), "{message}");
        assert_eq!(retry_after, Some(Duration::from_secs(7)));
    }
    for status in [400, 401] {
        let error = answered(status, body).await.unwrap_err();
        assert!(matches!(error, ModelError::Refused(_)), "{status}: {error}");
        assert!(!error.to_string().contains("Ann"), "{error}");
    }
}

/// A conversation of two calls with one id, one of which failed.
fn conversation() -> [Message; 4] {
    let calls = vec![
        ProposedCall::new("functions.find:0", "find", r#"{"id":1}"#),
        ProposedCall::new("functions.find:0", "find", ""),
    ];
    let answer = |text: &str, is_error| CallAnswer {
        call_id: Some("functions.find:0".to_owned()),
        tool: "find".to_owned(),
        text: text.to_owned(),
        is_error,
    };
    [
        Message::User("Go".to_owned()),
        Message::Assistant { text: None, calls },
        Message::Answers(vec![answer("1", false), answer("no", true)]),
        Message::User("Well?".to_owned()),
    ]
}

#[tool_input]
struct Find {
    id: u64,
}

#[tool_output]
struct Found {
    id: u64,
}

/// Find somebody.
#[tool(scope = "tool.person.find", timeout_s = 60, effect = "read")]
async fn find(_: &ToolContext, input: Find) -> Result<Found, ToolError> {
    Ok(Found { id: input.id })
}

/// What the model is told: rig writes calls as prose where there are no tools.
async fn tools() -> Vec<ToolDefinition> {
    let idem = Idem::with_store(Arc::new(VolatileStore::new()))
        .await
        .unwrap();
    idem.tool::<find>().build().unwrap().definitions()
}

/// Every value under this key, in order of the text.
fn all<'j>(json: &'j Json, key: &str, found: &mut Vec<&'j Json>) {
    match json {
        Json::Array(items) => items.iter().for_each(|item| all(item, key, found)),
        Json::Object(members) => {
            for (name, value) in members {
                if name == key {
                    found.push(value);
                }
                all(value, key, found);
            }
        }
        _ => {}
    }
}

#[tokio::test]
async fn a_conversation_is_sent_with_an_id_for_every_call() {
    let messages = conversation();
    let tools = tools().await;
    let prompt = Prompt::new(&messages)
        .with_instructions("Be brief.")
        .with_tools(&tools);
    let http = Canned::new(200, &with_arguments("{}", "tool_calls"));
    let model = openai(&http).adjusted(|request| request.max_tokens(99).temperature(0.5));
    assert_eq!(model.name(), "openai/gpt-of-this-test");
    model.respond(&prompt).await.unwrap();
    let asked = http.asked();
    let sent = asked.get("messages").unwrap();
    assert_eq!(sent.as_array().unwrap().len(), 6, "{sent}");
    let (mut calls, mut answers, mut arguments) = (Vec::new(), Vec::new(), Vec::new());
    all(sent, "id", &mut calls);
    all(sent, "tool_call_id", &mut answers);
    all(sent, "arguments", &mut arguments);
    assert_eq!(
        calls,
        [&Json::from("functions.find:0"), &Json::from("call_1")]
    );
    assert_eq!(answers, calls);
    assert_eq!(arguments, [&Json::from(r#"{"id":1}"#), &Json::from("{}")]);
    assert_eq!(asked.get("temperature").and_then(Json::as_f64), Some(0.5));
}

#[tokio::test]
async fn another_provider_is_asked_in_its_own_form() {
    let answer = r#"{"id": "m", "type": "message", "role": "assistant", "model": "m", "content": [
        {"type": "tool_use", "id": "toolu_1", "name": "send", "input": {"id": 7}}], "stop_reason": "tool_use",
        "stop_sequence": null, "usage": {"input_tokens": 8, "output_tokens": 3}}"#;
    let http = Canned::new(200, answer);
    let client = AnthropicConfig::new("no key").connect(http.clone());
    let model = RigModel::new(client.completion("claude-of-this-test"))
        .adjusted(|request| request.max_tokens(99));
    let messages = conversation();
    let tools = tools().await;
    let prompt = Prompt::new(&messages).with_tools(&tools);
    let response = model.respond(&prompt).await.unwrap();
    let called = ProposedCall::parsed("toolu_1", "send", r#"{"id": 7}"#.parse().unwrap());
    assert_eq!(response.calls, [called]);
    let asked = http.asked();
    let (mut ids, mut failed, mut schemas) = (Vec::new(), Vec::new(), Vec::new());
    all(&asked, "input_schema", &mut schemas);
    assert_eq!(schemas.len(), 1, "{asked}");
    all(&asked, "tool_use_id", &mut ids);
    all(&asked, "is_error", &mut failed);
    assert_eq!(ids, [&Json::from("call_1"), &Json::from("call_2")]);
    assert!(failed.contains(&&Json::Bool(true)), "{asked}");
}

#[tokio::test]
async fn what_cannot_be_asked_is_refused_before_it_is_sent() {
    let http = Canned::new(200, "{}");
    let open = &conversation()[1..2];
    let alone = [conversation()[2].clone()];
    for messages in [&[][..], &alone[..], &[open[0].clone(), open[0].clone()]] {
        let error = openai(&http)
            .respond(&Prompt::new(messages))
            .await
            .unwrap_err();
        assert!(matches!(error, ModelError::Refused(_)), "{error}");
    }
    assert!(http.asked.lock().unwrap().is_empty());
}
