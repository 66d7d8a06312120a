//! Made-up conversations, with what the recordings lack: several calls in one response, the same call twice in a turn
//! (which is one call) and once in each of two turns (which is two), arguments left out, a tool that cannot be repeated,
//! and an approver who denies. In every second one the calls are numbered, as most models do it; in the others each is
//! `call_1`, as some do.

use serde_json::{Value, json};

use super::dice::Dice;
use crate::Outcome;

/// Of a hundred responses so many propose several calls.
const PARALLEL_PERCENT: u64 = 30;
/// Of a hundred calls so many are made again in the same turn, and so many in the next.
const AGAIN_PERCENT: u64 = 15;
/// Of a hundred calls so many are refused.
const REFUSED_PERCENT: u64 = 10;

/// How the runs of these conversations begin.
const NAME: &str = "made-up-";

/// Whether this run is one of them.
pub(super) fn is_one(run: &str) -> bool {
    run.starts_with(NAME)
}

/// So many conversations, one a line, in the form of the recordings.
pub(super) fn conversations(seed: u64, many: u32) -> Outcome<String> {
    let mut lines = Vec::new();
    for number in 1..=many {
        let mut writer = Writer {
            dice: Dice::new(seed, &format!("conversation {number}")),
            number,
            calls: 0,
            written: 0,
            messages: Vec::new(),
        };
        writer.write();
        let id = format!("{NAME}{number}");
        let line = json!({ "id": id, "messages": writer.messages });
        lines.push(serde_json::to_string(&line)?);
    }
    Ok(lines.join("\n"))
}

/// One call: its tool, its arguments, and what it comes to.
#[derive(Clone, Debug)]
struct Scripted {
    tool: &'static str,
    arguments: Value,
    result: String,
}

struct Writer {
    dice: Dice,
    number: u32,
    calls: u32,
    /// The calls that have an id, repeats among them.
    written: u32,
    messages: Vec<Value>,
}

impl Writer {
    fn write(&mut self) {
        let mut for_next_turn = Vec::new();
        for turn in 0..=self.dice.below(3) {
            let said = format!("Please go on with part {turn} of {}.", self.number);
            self.messages
                .push(json!({ "role": "user", "content": said }));
            for_next_turn = self.turn(for_next_turn);
        }
    }

    /// One turn; gives back what is meant to be done once more in the next.
    fn turn(&mut self, meant_again: Vec<Scripted>) -> Vec<Scripted> {
        let (mut again, mut for_next_turn) = (Vec::new(), Vec::new());
        let mut first = meant_again;
        for _ in 0..=self.dice.below(3) {
            let mut calls = std::mem::take(&mut first);
            calls.append(&mut again);
            let more = match self.dice.percent(PARALLEL_PERCENT) {
                true => 2 + self.dice.below(3),
                false => u64::from(calls.is_empty()),
            };
            for _ in 0..more {
                let call = self.call();
                if self.dice.percent(AGAIN_PERCENT) {
                    // Beside it in the same response, or in the next one: the model did not mean two.
                    match self.dice.percent(50) {
                        true => calls.push(call.clone()),
                        false => again.push(call.clone()),
                    }
                }
                if self.dice.percent(AGAIN_PERCENT) {
                    for_next_turn.push(call.clone());
                }
                calls.push(call);
            }
            self.step(&calls);
        }
        let closing = json!({ "role": "assistant", "content": "Is there anything else?" });
        self.messages.push(closing);
        for_next_turn
    }

    fn step(&mut self, calls: &[Scripted]) {
        let ids: Vec<String> = calls.iter().map(|_| self.id()).collect();
        let written = calls.iter().zip(&ids).map(|(call, id)| {
            let function = json!({ "name": call.tool, "arguments": call.arguments.to_string() });
            json!({ "id": id, "type": "function", "function": function })
        });
        let written: Vec<Value> = written.collect();
        self.messages
            .push(json!({ "role": "assistant", "content": null, "tool_calls": written }));
        for (call, id) in calls.iter().zip(ids) {
            self.messages
                .push(json!({ "role": "tool", "tool_call_id": id, "content": call.result }));
        }
    }

    fn id(&mut self) -> String {
        self.written += 1;
        match self.number % 2 {
            0 => format!("call_{}_{}", self.number, self.written),
            _ => "call_1".to_owned(),
        }
    }

    /// A call that the conversation has not made yet.
    fn call(&mut self) -> Scripted {
        self.calls += 1;
        let user = format!("customer_{}", self.number);
        let reservation = format!("R{:03}{:02}", self.number % 1000, self.calls % 100);
        let (tool, arguments) = match self.dice.below(6) {
            0 => (
                "get_user_details",
                json!({ "user_id": format!("{user}_{}", self.calls) }),
            ),
            1 => (
                "get_reservation_details",
                json!({ "reservation_id": reservation }),
            ),
            2 => (
                "cancel_reservation",
                json!({ "reservation_id": reservation }),
            ),
            3 => (
                "send_certificate",
                json!({ "user_id": user, "amount": 25 * self.calls }),
            ),
            4 => (
                "update_reservation_baggages",
                json!({ "reservation_id": reservation, "total_baggages": 3, "nonfree_baggages": 1, "payment_id": "gift_1" }),
            ),
            _ => ("notify_customer", self.notice(&user)),
        };
        let result = match self.dice.percent(REFUSED_PERCENT) {
            true => format!("Error: {tool} cannot be done ({})", self.calls),
            false => format!("{tool} is done ({})", self.calls),
        };
        Scripted {
            tool,
            arguments,
            result,
        }
    }

    /// A notice with and without what may be left out.
    fn notice(&mut self, user: &str) -> Value {
        let mut notice = json!({ "user_id": user, "text": format!("News number {}.", self.calls) });
        match self.dice.below(3) {
            0 => notice["channel"] = json!("mail"),
            1 => notice["channel"] = Value::Null,
            _ => {}
        }
        if self.dice.percent(50) {
            notice["times"] = json!(self.dice.below(3));
        }
        notice
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::recording::parse;

    #[test]
    fn one_seed_makes_the_same_conversations_up() {
        let text = conversations(7, 20).unwrap();
        assert_eq!(text, conversations(7, 20).unwrap());
        assert_ne!(text, conversations(8, 20).unwrap());
        let read: Vec<_> = text.lines().map(|line| parse(line).unwrap()).collect();
        assert_eq!(read.len(), 20);
        let steps = || read.iter().flat_map(|c| &c.turns).flat_map(|t| &t.steps);
        assert!(steps().any(|step| step.calls.len() > 1));
        assert!(steps().any(|step| step.calls.iter().any(|call| call.tool == "notify_customer")));
    }
}
