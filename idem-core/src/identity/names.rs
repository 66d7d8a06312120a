//! The parts of a key, each checked once where it enters.

/// Why a part of an identity was refused. The message says what is accepted and not what was given.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum IdentityError {
    /// A tool name of another form.
    #[error("a tool name is 1 to {max} characters of A-Z a-z 0-9 _ -")]
    ToolName {
        /// The longest name.
        max: usize,
    },
    /// A part that is empty, too long, or holds a control character.
    #[error("a {what} is 1 to {max} bytes of text without control characters such as newlines")]
    Part {
        /// Which part.
        what: &'static str,
        /// The longest text in bytes.
        max: usize,
    },
    /// A turn that no message starts.
    #[error("a logical turn of messages needs at least one message id")]
    NoMessages,
    /// A digest of another form.
    #[error("a {what} is written as 64 hexadecimal digits")]
    NotHex {
        /// Which digest.
        what: &'static str,
    },
}

/// Defines a text that is checked when it is made.
macro_rules! checked_text {
    ($(#[$doc:meta])* $name:ident, $check:expr) => {
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name(String);

        impl $name {
            /// Checks a text and takes it.
            ///
            /// # Errors
            /// When the text is not of the accepted form, which the error names.
            pub fn new(text: impl Into<String>) -> Result<Self, IdentityError> {
                let text = text.into();
                let check: fn(&str) -> Result<(), IdentityError> = $check;
                check(&text)?;
                Ok(Self(text))
            }
        }

        impl AsRef<str> for $name {
            fn as_ref(&self) -> &str {
                &self.0
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(&self.0)
            }
        }

        impl std::str::FromStr for $name {
            type Err = IdentityError;

            fn from_str(text: &str) -> Result<Self, IdentityError> {
                Self::new(text)
            }
        }

        impl TryFrom<&str> for $name {
            type Error = IdentityError;

            fn try_from(text: &str) -> Result<Self, IdentityError> {
                Self::new(text)
            }
        }
    };
}

checked_text! {
    /// The name of a tool: 1 to 64 characters of `A-Z a-z 0-9 _ -`, as model vendors accept them.
    ToolName, |text| {
        let max = 64;
        let accepted = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-';
        let good = (1..=max).contains(&text.len()) && text.bytes().all(accepted);
        good.then_some(()).ok_or(IdentityError::ToolName { max })
    }
}

checked_text! {
    /// The id of a run: 1 to 256 bytes of text without control characters.
    RunId, |text| check_part("run id", text, 256)
}

checked_text! {
    /// The id of a user's message: 1 to 256 bytes of text without control characters.
    MessageId, |text| check_part("message id", text, 256)
}

checked_text! {
    /// What a call is meant to do, in place of its arguments ("the second reminder"): 1 to 512
    /// bytes of text without control characters.
    Intent, |text| check_part("intent", text, 512)
}

fn check_part(what: &'static str, text: &str, max: usize) -> Result<(), IdentityError> {
    let good = (1..=max).contains(&text.len()) && !text.contains(char::is_control);
    good.then_some(()).ok_or(IdentityError::Part { what, max })
}
