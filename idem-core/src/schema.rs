//! The schemas of this crate's own types (feature `schemars`): only the crate that has a type can give it one.

use crate::canonical::Patch;
use crate::json::Json;
use crate::{Date, DateTime, Time};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use std::borrow::Cow;

/// Any JSON at all.
impl JsonSchema for Json {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Json".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        true.into()
    }
}

/// The value, or null. A word of its own says that null is another value than none, which `Option`'s schema does not
/// tell: some of those who are shown a schema cannot keep the two apart.
impl<T: JsonSchema> JsonSchema for Patch<T> {
    fn inline_schema() -> bool {
        Option::<T>::inline_schema()
    }

    fn schema_name() -> Cow<'static, str> {
        format!("Patch_of_{}", T::schema_name()).into()
    }

    fn schema_id() -> Cow<'static, str> {
        format!("idem_core::Patch<{}>", T::schema_id()).into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let mut schema = Option::<T>::json_schema(generator);
        schema.insert("x-idem-null-is-a-value".to_owned(), true.into());
        schema
    }
}

/// What a text of its own kind is described by: a keyword, and its value.
macro_rules! texts {
    ($($type:ident: $keyword:literal = $value:literal;)*) => {$(
        impl JsonSchema for $type {
            fn inline_schema() -> bool {
                true
            }

            fn schema_name() -> Cow<'static, str> {
                stringify!($type).into()
            }

            fn json_schema(_: &mut SchemaGenerator) -> Schema {
                schemars::json_schema!({ "type": "string", $keyword: $value })
            }
        }
    )*};
}

texts! {
    Date: "format" = "date";
    // JSON Schema's `time` has an offset.
    Time: "pattern" = "^([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9](\\.[0-9]{1,9})?)?$";
    DateTime: "format" = "date-time";
}
