//! Rules that need more than one process, and the example.
