//! The operator's pages and the files agree.
