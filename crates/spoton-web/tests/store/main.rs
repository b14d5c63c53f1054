//! Stores: the contract for all, and a disk's faults for the one in a file.
//!
//! A line `conform!` below tests a store. The memory store is the reference; the randomized tests compare the others
//! with it.

#[cfg(feature = "postgres")]
#[path = "../fixtures/cluster/mod.rs"]
mod cluster;
mod conformance;
#[cfg(unix)]
mod disk;
mod file;
#[cfg(unix)]
mod kills;
mod model;
#[cfg(feature = "postgres")]
mod postgresql;
#[cfg(target_os = "linux")]
mod power;
#[path = "../fixtures/random/mod.rs"]
mod random;
mod support;

/// Runs the whole contract on one kind of store.
macro_rules! conform {
    ($name:ident) => {
        conform! { $name:
            conformance: a_log_is_read_as_it_was_written, numbers_follow_each_other, a_write_is_done_whole_or_not_at_all,
                a_refused_write_undoes_no_other, a_key_counts_once, an_invitation_is_burnt_once, seats_have_one_holder,
                own_sittings_come_latest_first, waiting_computers_are_found, books_are_stored_by_their_hash,
                a_removed_sitting_cannot_be_found, abandoned_data_is_deleted, only_one_of_fifty_is_first,
                it_says_how_much_it_keeps_and_that_it_can, a_code_belongs_to_one_class, a_closed_class_lets_nobody_in,
                the_sittings_of_a_class_stay_in_order, remembered_values_are_returned_to_their_holder,
                an_invitation_is_found_without_its_sitting,
                a_played_book_stays_longer_than_one_that_was_only_shared,
                a_book_can_be_removed_and_its_rounds_go_on, the_last_event_of_many_is_found,
                a_value_is_replaced_only_if_nobody_else_did;
            model: every_answer_is_that_of_the_model, batches_at_once_are_as_one_after_another
        }
    };
    ($name:ident: $($module:ident: $($case:ident),*);*) => {
        mod $name {
            $($(
                #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
                async fn $case() {
                    let fresh = crate::support::$name().await;
                    crate::$module::$case(std::sync::Arc::clone(&fresh.store)).await;
                }
            )*)*
        }
    };
}

conform!(memory);
conform!(sqlite);
#[cfg(feature = "postgres")]
conform!(postgres);
