//! What a store, a network or a vendor can do wrong, one case each, on both stores.
