//! The boundaries over HTTP (feature `http`): what [`plane::boundary`](crate::plane::boundary) decides, said in
//! requests, headers and statuses.
