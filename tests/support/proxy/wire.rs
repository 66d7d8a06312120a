//! As much of PostgreSQL's protocol as the proxy needs: where messages end, and which statements a
//! batch executes.

use std::collections::HashMap;
use std::io;

use tokio::io::{AsyncRead, AsyncReadExt};

/// Longer messages than this are no test's; a misread length must not take all memory.
const MESSAGE_BYTES_MAX: usize = 256 << 20;

/// A message as it stands on the wire: its type, its length, its body.
#[derive(Debug)]
pub(super) struct Message(pub(super) Vec<u8>);

impl Message {
    pub(super) fn kind(&self) -> u8 {
        self.0[0]
    }

    fn body(&self) -> &[u8] {
        &self.0[5..]
    }
}

/// Reads one message; `None` at the end of the stream.
pub(super) async fn read_message(
    stream: &mut (impl AsyncRead + Unpin),
) -> io::Result<Option<Message>> {
    let mut head = [0; 5];
    if stream.read(&mut head[..1]).await? == 0 {
        return Ok(None);
    }
    stream.read_exact(&mut head[1..]).await?;
    let mut bytes = head.to_vec();
    read_rest(stream, &mut bytes, 1).await?;
    Ok(Some(Message(bytes)))
}

/// Reads one message of the time before the session, which has no type.
pub(super) async fn read_startup(stream: &mut (impl AsyncRead + Unpin)) -> io::Result<Vec<u8>> {
    let mut bytes = vec![0; 8];
    stream.read_exact(&mut bytes).await?;
    read_rest(stream, &mut bytes, 0).await?;
    Ok(bytes)
}

/// Reads up to the end that the length at `length_at` names; the length counts itself.
async fn read_rest(
    stream: &mut (impl AsyncRead + Unpin),
    bytes: &mut Vec<u8>,
    length_at: usize,
) -> io::Result<()> {
    let length = bytes[length_at..length_at + 4]
        .try_into()
        .map(u32::from_be_bytes);
    let end = length_at + length.expect("four bytes") as usize;
    if end < bytes.len() || end > MESSAGE_BYTES_MAX {
        return Err(io::ErrorKind::InvalidData.into());
    }
    let begin = bytes.len();
    bytes.resize(end, 0);
    stream.read_exact(&mut bytes[begin..]).await?;
    Ok(())
}

/// Which statements one connection has prepared, and which of them its current batch executes.
#[derive(Debug, Default)]
pub(super) struct Statements {
    prepared: HashMap<Vec<u8>, Vec<u8>>,
    bound: HashMap<Vec<u8>, Vec<u8>>,
    executed: Vec<Vec<u8>>,
}

impl Statements {
    /// Follows one message of the client.
    pub(super) fn follow(&mut self, message: &Message) {
        let mut texts = message.body().split(|byte| *byte == 0).map(<[u8]>::to_vec);
        let mut text = || texts.next().unwrap_or_default();
        match message.kind() {
            b'P' => {
                let name = text();
                self.prepared.insert(name, text());
            }
            b'B' => {
                let portal = text();
                let statement = self.prepared.get(&text()).cloned().unwrap_or_default();
                self.bound.insert(portal, statement);
            }
            b'E' => self.executed.extend(self.bound.get(&text()).cloned()),
            b'Q' => self.executed.push(text()),
            _ => {}
        }
    }

    /// The texts of what the batch executes, at its end.
    pub(super) fn take_executed(&mut self) -> Vec<Vec<u8>> {
        std::mem::take(&mut self.executed)
    }
}

#[cfg(test)]
mod tests {
    use super::{Message, Statements};

    fn message(kind: u8, body: &[u8]) -> Message {
        let length = u32::try_from(body.len() + 4)
            .expect("a short body")
            .to_be_bytes();
        Message([&[kind][..], &length, body].concat())
    }

    #[test]
    fn a_statement_counts_when_it_is_executed_and_not_when_it_is_prepared() {
        let mut statements = Statements::default();
        statements.follow(&message(b'P', b"s1\0UPDATE t SET a = $1\0\0\0"));
        statements.follow(&message(b'S', b""));
        assert!(statements.take_executed().is_empty());
        for _ in 0..2 {
            statements.follow(&message(b'B', b"\0s1\0\0\0\0\0\0\0"));
            statements.follow(&message(b'E', b"\0\0\0\0\0"));
            assert_eq!(
                statements.take_executed(),
                [b"UPDATE t SET a = $1".to_vec()]
            );
        }
    }

    #[test]
    fn a_simple_query_counts() {
        let mut statements = Statements::default();
        statements.follow(&message(b'Q', b"COMMIT\0"));
        assert_eq!(statements.take_executed(), [b"COMMIT".to_vec()]);
    }

    #[tokio::test]
    async fn a_length_that_cannot_be_is_refused() {
        let mut short = &[b'S', 0, 0, 0, 3][..];
        assert!(super::read_message(&mut short).await.is_err());
        let mut long = &[b'S', 0xff, 0, 0, 0][..];
        assert!(super::read_message(&mut long).await.is_err());
    }
}
