//! Questions about a written type. A macro sees its words only, and never what an alias stands for.

use proc_macro2::{Span, TokenStream, TokenTree};
use quote::ToTokens;
use syn::spanned::Spanned;
use syn::{GenericArgument, PathArguments, Type};

/// Types that a function may answer and a tool may not, because a tool may fail.
const NO_RESULTS: [&str; 10] = [
    "String", "bool", "char", "u8", "i32", "u32", "i64", "u64", "Option", "Vec",
];

/// Types without parameters that one argument has, and no whole input: what other crates and the
/// prelude call their values.
const VALUES: [&str; 44] = [
    "String",
    "str",
    "bool",
    "char",
    "i8",
    "i16",
    "i32",
    "i64",
    "i128",
    "isize",
    "u8",
    "u16",
    "u32",
    "u64",
    "u128",
    "usize",
    "f32",
    "f64",
    "NonZeroI8",
    "NonZeroI16",
    "NonZeroI32",
    "NonZeroI64",
    "NonZeroI128",
    "NonZeroIsize",
    "NonZeroU8",
    "NonZeroU16",
    "NonZeroU32",
    "NonZeroU64",
    "NonZeroU128",
    "NonZeroUsize",
    "Json",
    "Uuid",
    "Decimal",
    "Date",
    "Time",
    "DateTime",
    "OffsetDateTime",
    "PrimitiveDateTime",
    "UtcOffset",
    "Duration",
    "Url",
    "IpAddr",
    "Ipv4Addr",
    "Ipv6Addr",
];

pub(crate) fn find_token(tokens: TokenStream, wanted: &dyn Fn(&TokenTree) -> bool) -> Option<Span> {
    tokens.into_iter().find_map(|token| match token {
        TokenTree::Group(group) => find_token(group.stream(), wanted),
        token => wanted(&token).then(|| token.span()),
    })
}

/// Whether the type is `&str`, of whatever lifetime and mutability.
pub(crate) fn is_text_reference(ty: &Type) -> bool {
    let Type::Reference(reference) = ungroup(ty) else {
        return false;
    };
    matches!(ungroup(&reference.elem), Type::Path(path) if path.path.is_ident("str"))
}

/// Whether a type may be one that the user wrote for all of a tool's arguments: a path without
/// parameters that is no value's usual name.
pub(crate) fn is_own(ty: &Type) -> bool {
    let Type::Path(path) = ungroup(ty) else {
        return false;
    };
    let segments = &path.path.segments;
    let plain = path.qself.is_none() && segments.iter().all(|part| part.arguments.is_none());
    let last = segments.last();
    plain && last.is_some_and(|last| !VALUES.iter().any(|value| last.ident == value))
}

/// The `T` of a `Result<T, …>`, whatever module the `Result` is of.
pub(crate) fn first_of_result(ty: &Type) -> Option<&Type> {
    argument_of(ty, "Result")
}

/// The `T` of a type that is written `Name<T>`, whatever module it is of.
pub(crate) fn argument_of<'a>(ty: &'a Type, name: &str) -> Option<&'a Type> {
    let Type::Path(path) = ungroup(ty) else {
        return None;
    };
    let last = path
        .path
        .segments
        .last()
        .filter(|last| last.ident == name)?;
    let PathArguments::AngleBracketed(arguments) = &last.arguments else {
        return None;
    };
    match arguments.args.first()? {
        GenericArgument::Type(ty) => Some(ty),
        _ => None,
    }
}

/// Whether a type's last word is this one, with whatever arguments.
pub(crate) fn is_named(ty: &Type, name: &str) -> bool {
    let Type::Path(path) = ungroup(ty) else {
        return false;
    };
    let last = path.path.segments.last();
    last.is_some_and(|last| last.ident == name)
}

/// Whether a type is written as this one word.
pub(crate) fn is_just(ty: &Type, name: &str) -> bool {
    matches!(ungroup(ty), Type::Path(path) if path.qself.is_none() && path.path.is_ident(name))
}

/// The same tokens at another place.
pub(crate) fn respanned(tokens: TokenStream, span: Span) -> TokenStream {
    let move_one = |mut token: TokenTree| {
        token.set_span(token.span().located_at(span));
        token
    };
    tokens.into_iter().map(move_one).collect()
}

/// Whether a type is written `Patch<…>`, the one that tells a missing value from a null.
pub(crate) fn is_patch(ty: &Type) -> bool {
    let Type::Path(path) = ungroup(ty) else {
        return false;
    };
    let last = path.path.segments.last();
    last.is_some_and(|last| last.ident == "Patch" && !last.arguments.is_none())
}

/// Whether a type is plainly no `Result`, nor an alias of one.
pub(crate) fn is_no_result(ty: &Type) -> bool {
    match ungroup(ty) {
        Type::Path(path) => path
            .path
            .segments
            .last()
            .is_some_and(|last| NO_RESULTS.iter().any(|name| last.ident == name)),
        Type::Macro(_) | Type::Verbatim(_) => false,
        _ => true,
    }
}

/// Whether `serde_json::Value` is named anywhere in a type. An alias passes here, and fails for
/// want of a canonical form.
pub(crate) fn names_serde_json_value(ty: &Type) -> bool {
    let path = ty.to_token_stream().to_string().replace(' ', "");
    path.match_indices("serde_json::Value").any(|(at, found)| {
        let before = path[..at].chars().next_back();
        let after = path[at + found.len()..].chars().next();
        let is_word = |letter: Option<char>| {
            letter.is_some_and(|letter| letter.is_alphanumeric() || letter == '_')
        };
        !is_word(before) && !is_word(after) && after != Some(':')
    })
}

/// Our own type for one of `time`'s that is named anywhere in a type. An alias, or an imported name,
/// passes here and fails for want of a schema.
pub(crate) fn names_time(ty: &Type) -> Option<&'static str> {
    let text = ty.to_token_stream().to_string().replace(' ', "");
    let ours = [
        ("time::Date", "Date"),
        ("time::Time", "Time"),
        ("time::OffsetDateTime", "DateTime"),
    ];
    let named = |path: &str| {
        text.match_indices(path).any(|(at, found)| {
            // `my::time::Date` is another type, and `::time::Date` is not.
            let before = text[..at].strip_suffix("::").unwrap_or(&text[..at]);
            let is_word = |letter: char| letter.is_alphanumeric() || letter == '_';
            !before.ends_with(is_word) && !text[at + found.len()..].starts_with(is_word)
        })
    };
    ours.into_iter()
        .find(|(path, _)| named(path))
        .map(|(_, ours)| ours)
}

/// A type as one writes it, for a message.
pub(crate) fn written(ty: &Type) -> String {
    let mut text = ty.to_token_stream().to_string();
    for (spaced, tight) in [
        (" :: ", "::"),
        (" <", "<"),
        ("< ", "<"),
        (" >", ">"),
        (" ,", ","),
        ("& ", "&"),
    ] {
        text = text.replace(spaced, tight);
    }
    text
}

/// Out of the invisible group that a macro's fragment puts around a type, and out of parentheses.
pub(crate) fn ungroup(ty: &Type) -> &Type {
    match ty {
        Type::Group(group) => ungroup(&group.elem),
        Type::Paren(paren) => ungroup(&paren.elem),
        other => other,
    }
}

/// The place of a whole path, for code that must be reported there.
pub(crate) fn span_of(path: &syn::ExprPath) -> Span {
    path.span()
}

/// The place of a whole type, for code that must be reported there.
pub(crate) fn span(ty: &Type) -> Span {
    ty.span()
}
