//! The canonical forms of the standard library's plain types.

use std::borrow::Cow;
use std::marker::PhantomData;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, SocketAddrV4, SocketAddrV6};
use std::num::NonZero;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use uuid::Uuid;

use crate::json::Json;

use super::{Canonical, CanonicalError, Kind, Role, Writer};

macro_rules! scalar {
    ($($kind:ident: $type:ty => |$value:ident, $out:ident| $write:expr;)*) => {$(
        impl Canonical for $type {
            const KIND: Kind = Kind::$kind;

            fn write(&self, $out: &mut Writer) -> Result<(), CanonicalError> {
                let $value = self;
                $write
            }
        }
    )*};
}

scalar! {
    Null: () => |_value, out| out.null();
    Bool: bool => |value, out| out.bool(*value);
    Float: f32 => |value, out| out.f32(*value);
    Float: f64 => |value, out| out.f64(*value);
    Text: char => |value, out| out.str(value.encode_utf8(&mut [0; 4]));
    Text: str => |value, out| out.str(value);
    Text: String => |value, out| out.str(value);
    Text: Uuid => |value, out| out.str(value.hyphenated().encode_lower(&mut Uuid::encode_buffer()));
    Text: IpAddr => |value, out| out.str(&value.to_string());
    Text: Ipv4Addr => |value, out| out.str(&value.to_string());
    Text: Ipv6Addr => |value, out| out.str(&value.to_string());
    Text: SocketAddr => |value, out| out.str(&value.to_string());
    Text: SocketAddrV4 => |value, out| out.str(&value.to_string());
    Text: SocketAddrV6 => |value, out| out.str(&value.to_string());
    Json: Json => |value, out| out.json(value);
}

#[cfg(feature = "url")]
scalar! {
    Text: url::Url => |value, out| out.str(value.as_str());
}

macro_rules! integers {
    ($method:ident as $wide:ty: $($type:ty),*) => {$(
        scalar! {
            Integer: $type => |value, out| out.$method(*value as $wide);
            Integer: NonZero<$type> => |value, out| out.$method(value.get() as $wide);
        }
    )*};
}

integers!(i128 as i128: i8, i16, i32, i64, i128, isize);
integers!(u128 as u128: u8, u16, u32, u64, u128, usize);

/// Shared values cannot be written anew in general; those that were just decoded are held once.
macro_rules! pointers {
    ($($type:ty => |$value:ident| $inner:expr;)*) => {$(
        impl<T: Canonical + ?Sized> Canonical for $type {
            const KIND: Kind = T::KIND;
            const HAS_IMPLIED_DEFAULT: bool = T::HAS_IMPLIED_DEFAULT;

            fn normalize(&mut self) -> Result<(), CanonicalError> {
                let $value = self;
                let inner: Option<&mut T> = $inner;
                inner.map_or(Ok(()), T::normalize)
            }

            fn write(&self, out: &mut Writer) -> Result<(), CanonicalError> {
                (**self).write(out)
            }

            fn is_absent(&self) -> bool {
                (**self).is_absent()
            }

            fn is_implied_default(&self) -> bool {
                (**self).is_implied_default()
            }
        }
    )*};
}

pointers! {
    &T => |_shared| None;
    Box<T> => |value| Some(&mut **value);
    Rc<T> => |value| Rc::get_mut(value);
    Arc<T> => |value| Arc::get_mut(value);
}

impl<T: Canonical + ToOwned + ?Sized> Canonical for Cow<'_, T>
where
    T::Owned: Canonical,
{
    const KIND: Kind = T::KIND;

    fn normalize(&mut self) -> Result<(), CanonicalError> {
        self.to_mut().normalize()
    }

    fn write(&self, out: &mut Writer) -> Result<(), CanonicalError> {
        (**self).write(out)
    }

    fn is_absent(&self) -> bool {
        (**self).is_absent()
    }
}

impl<T: Canonical> Canonical for Option<T> {
    const KIND: Kind = T::KIND;
    const HAS_IMPLIED_DEFAULT: bool = true;

    fn normalize(&mut self) -> Result<(), CanonicalError> {
        self.as_mut().map_or(Ok(()), T::normalize)
    }

    fn write(&self, out: &mut Writer) -> Result<(), CanonicalError> {
        match self {
            Some(value) => {
                value.write(out)?;
                out.refuse_null()
            }
            None => out.null(),
        }
    }

    fn is_implied_default(&self) -> bool {
        self.is_none()
    }
}

impl<T: ?Sized> Canonical for PhantomData<T> {
    const KIND: Kind = Kind::Null;

    fn write(&self, out: &mut Writer) -> Result<(), CanonicalError> {
        out.null()
    }
}

impl Canonical for Duration {
    const KIND: Kind = Kind::Time;

    fn write(&self, out: &mut Writer) -> Result<(), CanonicalError> {
        let mut object = out.object();
        object.field("secs", Role::Identity, &self.as_secs())?;
        object.field("nanos", Role::Identity, &self.subsec_nanos())?;
        object.end()
    }
}
