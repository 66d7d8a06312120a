//! The rules of `rename_all`. They must give the names that serde gives, since the canonical form
//! goes by those.

use syn::LitStr;

/// How the children of one item are renamed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Rule {
    #[default]
    AsWritten,
    Lower,
    Upper,
    Pascal,
    Camel,
    Snake,
    ScreamingSnake,
    Kebab,
    ScreamingKebab,
}

impl Rule {
    /// The rule of that name; `None` for an unknown one, which serde's own derive reports.
    pub(crate) fn parse(text: &LitStr) -> Option<Self> {
        Some(match text.value().as_str() {
            "lowercase" => Self::Lower,
            "UPPERCASE" => Self::Upper,
            "PascalCase" => Self::Pascal,
            "camelCase" => Self::Camel,
            "snake_case" => Self::Snake,
            "SCREAMING_SNAKE_CASE" => Self::ScreamingSnake,
            "kebab-case" => Self::Kebab,
            "SCREAMING-KEBAB-CASE" => Self::ScreamingKebab,
            _ => return None,
        })
    }

    /// A field's name, which Rust writes in snake case.
    pub(crate) fn field(self, name: &str) -> String {
        match self {
            Self::AsWritten | Self::Lower | Self::Snake => name.to_owned(),
            Self::Upper | Self::ScreamingSnake => name.to_ascii_uppercase(),
            Self::Pascal => pascal(name),
            Self::Camel => lower_first(&pascal(name)),
            Self::Kebab => name.replace('_', "-"),
            Self::ScreamingKebab => name.to_ascii_uppercase().replace('_', "-"),
        }
    }

    /// A variant's name, which Rust writes in Pascal case.
    pub(crate) fn variant(self, name: &str) -> String {
        match self {
            Self::AsWritten | Self::Pascal => name.to_owned(),
            Self::Lower => name.to_ascii_lowercase(),
            Self::Upper => name.to_ascii_uppercase(),
            Self::Camel => lower_first(name),
            Self::Snake => snake(name),
            Self::ScreamingSnake => snake(name).to_ascii_uppercase(),
            Self::Kebab => snake(name).replace('_', "-"),
            Self::ScreamingKebab => snake(name).to_ascii_uppercase().replace('_', "-"),
        }
    }
}

fn pascal(name: &str) -> String {
    let mut pascal = String::with_capacity(name.len());
    let mut starts_word = true;
    for letter in name.chars() {
        if letter == '_' {
            starts_word = true;
        } else if starts_word {
            pascal.push(letter.to_ascii_uppercase());
            starts_word = false;
        } else {
            pascal.push(letter);
        }
    }
    pascal
}

fn snake(name: &str) -> String {
    let mut snake = String::with_capacity(name.len() + 4);
    for (at, letter) in name.chars().enumerate() {
        if at > 0 && letter.is_uppercase() {
            snake.push('_');
        }
        snake.push(letter.to_ascii_lowercase());
    }
    snake
}

fn lower_first(name: &str) -> String {
    let mut letters = name.chars();
    let first = letters.next().map(|letter| letter.to_ascii_lowercase());
    first.into_iter().chain(letters).collect()
}

#[cfg(test)]
mod tests {
    use super::Rule;

    /// R37: every rule gives the name that serde reads.
    #[test]
    fn a_rule_names_as_serde_does() {
        let cases = [
            (Rule::AsWritten, "send_at2", "SendNow"),
            (Rule::Lower, "send_at2", "sendnow"),
            (Rule::Upper, "SEND_AT2", "SENDNOW"),
            (Rule::Pascal, "SendAt2", "SendNow"),
            (Rule::Camel, "sendAt2", "sendNow"),
            (Rule::Snake, "send_at2", "send_now"),
            (Rule::ScreamingSnake, "SEND_AT2", "SEND_NOW"),
            (Rule::Kebab, "send-at2", "send-now"),
            (Rule::ScreamingKebab, "SEND-AT2", "SEND-NOW"),
        ];
        for (rule, field, variant) in cases {
            assert_eq!(rule.field("send_at2"), field, "{rule:?}");
            assert_eq!(rule.variant("SendNow"), variant, "{rule:?}");
        }
    }

    #[test]
    fn a_name_of_marks_only_does_not_break() {
        assert_eq!(Rule::Camel.field("__"), "");
        assert_eq!(Rule::Snake.variant("É"), "É");
    }
}
