//! From TOML to tests of arguments.

use super::argument::{ArgumentPath, ArgumentTest, Asks, Plain};
use super::decimal::Decimal;
use super::read::{Reader, Value};
use toml::de::{DeTable, DeValue};

const TEST_KEYS: [&str; 5] = ["equals", "one_of", "over", "under", "missing"];
const TEST_FORM: &str = "`argument.amount = { over = 100 }`, with some of `equals`, `one_of`, `over`, \
                         `under`, or `missing` alone";
const PATH_FORM: &str =
    "`argument.\"to.address\"`, with `items[any]` or `items[all]` for the elements of a list";
const PLAIN_FORM: &str = "a string, a number or a boolean";
const NUMBER_FORM: &str = "a number in decimal, as in `over = 99.95`";

/// The tests of a rule's `argument` table.
pub(super) fn tests<'t>(reader: &mut Reader<'t>, value: &Value<'t>) -> Vec<ArgumentTest> {
    let DeValue::Table(table) = value.get_ref() else {
        reader.wrong(value, TEST_FORM);
        return Vec::new();
    };
    if table.is_empty() {
        let message = format!("no argument is tested here: write {TEST_FORM}");
        reader.fault(value.span().start, message);
    }
    let mut tests = Vec::new();
    for (key, value) in table {
        let path = ArgumentPath::parse(key.get_ref());
        if path.is_none() {
            let message = format!("this is no place of an argument: write {PATH_FORM}");
            reader.fault(key.span().start, message);
        } else {
            let mut names = key.get_ref().split(['.', '[']);
            names.all(|name| reader.plain_to_see(key.span().start, name));
        }
        let asks = asks(reader, value);
        tests.extend(
            path.zip(asks)
                .map(|(path, asks)| ArgumentTest { path, asks }),
        );
    }
    tests
}

fn asks<'t>(reader: &mut Reader<'t>, value: &Value<'t>) -> Option<Asks> {
    let DeValue::Table(table) = value.get_ref() else {
        reader.wrong(value, TEST_FORM);
        return None;
    };
    let start = value.span().start;
    if table.is_empty() {
        reader.fault(
            start,
            format!("nothing is asked of this argument: write {TEST_FORM}"),
        );
    }
    unknown(reader, table);
    let one_of = options(reader, table);
    let over = table.get("over").and_then(|value| number(reader, value));
    let under = table.get("under").and_then(|value| number(reader, value));
    let missing = table.get("missing").and_then(|value| {
        reader.boolean(
            value,
            "`missing = true`, or `false` for an argument that is there",
        )
    });
    if let Some((key, _)) = table.get_key_value("missing")
        && table.len() > 1
    {
        reader.fault(
            key.span().start,
            "`missing` stands alone: remove it, or the other tests",
        );
    }
    if let (Some(over), Some(under)) = (&over, &under)
        && over >= under
    {
        reader.fault(start, "no number is over the one and under the other");
    }
    Some(Asks {
        one_of,
        over,
        under,
        missing,
    })
}

/// An unquoted place is a table in a table to TOML, so its mistake looks like an unknown test.
fn unknown(reader: &mut Reader<'_>, table: &DeTable<'_>) {
    for (key, value) in table {
        let name: &str = key.get_ref();
        if TEST_KEYS.contains(&name) {
            continue;
        }
        let message = if value.get_ref().is_table() {
            format!("`{name}` is no test; a place with a dot stands in quotes: write {PATH_FORM}")
        } else {
            format!("`{name}` is no test: write {TEST_FORM}")
        };
        reader.fault(key.span().start, message);
    }
}

fn options<'t>(reader: &mut Reader<'t>, table: &DeTable<'t>) -> Option<Vec<Plain>> {
    let one_of = table.get_key_value("one_of");
    if let Some(value) = table.get("equals") {
        if let Some((key, _)) = one_of {
            let message = "`equals` and `one_of` exclude each other: keep one";
            reader.fault(key.span().start, message);
        }
        return plain(reader, value).map(|one| vec![one]);
    }
    let (_, value) = one_of?;
    let form = "`one_of = [\"a\", \"b\"]`";
    if !value.get_ref().is_array() {
        reader.wrong(value, form);
        return None;
    }
    reader.one_or_many(value, form, |reader, value| plain(reader, value))
}

fn plain(reader: &mut Reader<'_>, value: &Value<'_>) -> Option<Plain> {
    match value.get_ref() {
        DeValue::String(text) => Some(Plain::Text(text.clone().into_owned())),
        DeValue::Boolean(truth) => Some(Plain::Bool(*truth)),
        DeValue::Integer(_) | DeValue::Float(_) => number(reader, value).map(Plain::Number),
        DeValue::Datetime(_) => {
            let accepted = "an instant as a string, the way the tool's arguments hold it";
            reader.wrong(value, accepted);
            None
        }
        DeValue::Array(_) | DeValue::Table(_) => {
            reader.wrong(value, PLAIN_FORM);
            None
        }
    }
}

fn number(reader: &mut Reader<'_>, value: &Value<'_>) -> Option<Decimal> {
    let text = match value.get_ref() {
        DeValue::Integer(whole) if whole.radix() == 10 => whole.as_str(),
        DeValue::Float(float) => float.as_str(),
        DeValue::Integer(_) => "",
        _ => {
            reader.wrong(value, NUMBER_FORM);
            return None;
        }
    };
    let number = Decimal::parse(&text.replace('_', ""));
    if number.is_none() {
        let message = format!("this is no number to compare with: write {NUMBER_FORM}");
        reader.fault(value.span().start, message);
    }
    number
}
