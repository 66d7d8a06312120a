//! The support library is itself tested: a proxy that loses nothing would let every test pass.

mod database;
mod proxy;
mod source;
mod vendor;
