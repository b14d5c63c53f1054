//! PostgreSQL: what can be lost, locked or unknown, and what can't.

use std::sync::Arc;
use std::time::Duration;

use spoton_web::store::postgres::{Durability, Order, PostgresStore};
use spoton_web::store::{Before, Class, NotCommitted, Refused, Store, TriedCode, Write};
use sqlx::{Connection, PgConnection};

use crate::cluster::Cluster;
use crate::support::{asked, hash, id, seqs, write};

async fn open(address: &str, durability: Durability) -> PostgresStore {
    PostgresStore::open(address.parse().unwrap(), durability).await.unwrap()
}

/// Returns why a database isn't opened.
async fn refused(address: &str) -> String {
    let opened = PostgresStore::open(address.parse().unwrap(), Durability::Checked).await;
    opened.expect_err("the store refuses the database").to_string()
}

async fn scalar<T>(address: &str, query: &'static str) -> T
where
    T: for<'r> sqlx::Decode<'r, sqlx::Postgres> + sqlx::Type<sqlx::Postgres> + Send + Unpin,
{
    let mut connection = PgConnection::connect(address).await.unwrap();
    let found = sqlx::query_scalar(query).fetch_one(&mut connection).await.unwrap();
    connection.close().await.unwrap();
    found
}

#[tokio::test]
async fn a_database_that_could_lose_moves_is_refused() {
    let cluster = Cluster::shared();
    let address = cluster.database().await;
    let name = address.rsplit('/').next().unwrap();
    for (setting, is_safe) in
        [("off", false), ("local", false), ("remote_write", false), ("remote_apply", true)]
    {
        let set = format!("ALTER DATABASE {name} SET synchronous_commit = {setting}");
        cluster.execute("postgres", set).await;
        let opened = PostgresStore::open(address.parse().unwrap(), Durability::Checked).await;
        assert_eq!(opened.is_ok(), is_safe, "{setting}: {opened:?}");
        if let Err(why) = opened {
            assert!(why.to_string().contains("synchronous_commit"), "{why}");
        }
    }
    cluster.execute("postgres", format!("ALTER DATABASE {name} RESET ALL")).await;
    let standby = format!("ALTER DATABASE {name} SET default_transaction_read_only = on");
    cluster.execute("postgres", standby).await;
    assert!(refused(&address).await.contains("doesn't take writes"));

    let careless = Cluster::start(&["fsync = off"]);
    let address = careless.database().await;
    assert!(refused(&address).await.contains("fsync"));
    let store = open(&address, Durability::Unchecked).await;
    assert_eq!(store.is_ready().await, Ok(()));
}

/// The control: without synchronous commits, an immediate restart loses acknowledged writes. With them, it loses none.
#[tokio::test]
async fn a_restart_loses_moves_only_if_the_database_is_not_checked() {
    // Otherwise a background process may be fast enough to write them.
    let cluster = Cluster::start(&["wal_writer_delay = 10s"]);
    for (setting, is_safe) in [("off", false), ("on", true)] {
        let address = cluster.database().await;
        let name = address.rsplit('/').next().unwrap().to_owned();
        let store = open(&address, Durability::Unchecked).await;
        store.close().await;
        cluster
            .execute("postgres", format!("ALTER DATABASE {name} SET synchronous_commit = {setting}"))
            .await;
        let store = open(&address, Durability::Unchecked).await;
        for seq in 1..=20 {
            assert_eq!(store.commit(vec![write(id(1), [seq])]).await, Ok(vec![Ok(())]));
        }
        cluster.control(&["restart", "-m", "immediate"]);
        cluster.execute("postgres", format!("ALTER DATABASE {name} RESET ALL")).await;
        // The same store: the connections that it held are gone, and nobody notices.
        let kept = seqs(&store, id(1)).await.len() as u64;
        assert_eq!(kept == 20, is_safe, "{setting}: {kept} of 20");
        let next = write(id(1), [kept + 1]);
        assert_eq!(store.commit(vec![next]).await, Ok(vec![Ok(())]), "writing resumes unaided");
        assert_eq!(store.is_ready().await, Ok(()));
    }
}

/// Commits batches over the same sittings and keys from two stores, in opposite order, and returns the deadlocks.
async fn deadlocks(order: Order) -> i64 {
    const SITTINGS: u8 = 12;
    const ROUNDS: u64 = 25;
    let cluster = Cluster::shared();
    let address = cluster.database().await;
    let name = address.rsplit('/').next().unwrap();
    // PostgreSQL looks for deadlocks only after this time.
    cluster.execute("postgres", format!("ALTER DATABASE {name} SET deadlock_timeout = '10ms'")).await;
    let mut tasks = Vec::new();
    for backwards in [false, true] {
        let store =
            PostgresStore::open_with(address.parse().unwrap(), Durability::Checked, order).await.unwrap();
        tasks.push(tokio::spawn(async move {
            for round in 1..=ROUNDS {
                let mut ids: Vec<u8> = (1..=SITTINGS).collect();
                if backwards {
                    ids.reverse();
                }
                let batch = ids.iter().map(|number| Write {
                    // The same key in another sitting, so keys conflict without a common lock.
                    asked: Some(asked(&format!("{round} {number}"), "", "")),
                    ..write(id(if backwards { *number } else { *number + 100 * (*number % 2) }), [round])
                });
                let answers = store.commit(batch.collect()).await;
                if order == Order::Sorted {
                    assert!(answers.is_ok(), "{answers:?}");
                }
            }
            store.close().await;
        }));
    }
    for task in tasks {
        task.await.unwrap();
    }
    const DEADLOCKS: &str = "SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()";
    let mut found = 0;
    // The count follows within a second.
    for _ in 0..10 {
        found = scalar::<i64>(&address, DEADLOCKS).await;
        if found > 0 {
            break;
        }
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
    found
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn batches_in_opposite_order_never_lock_each_other_out() {
    assert_eq!(deadlocks(Order::Sorted).await, 0);
    // The control: without the order they do.
    assert!(deadlocks(Order::AsTheyCome).await > 0);
}

/// A commit that waits for a missing standby: at the deadline its outcome is unknown, it isn't cancelled, and committing
/// it again finds it.
#[tokio::test]
async fn a_commit_that_does_not_return_is_unknown_and_not_cancelled() {
    let cluster = Cluster::start(&[]);
    let address = cluster.database().await;
    let store = open(&address, Durability::Checked).await;
    assert_eq!(store.commit(vec![write(id(1), [1])]).await, Ok(vec![Ok(())]));
    let waiting = cluster.waiting_commit().await;
    let batch = || {
        vec![
            Write { asked: Some(asked("key", "body", "2")), ..write(id(1), [2]) },
            Write { asked: Some(asked("other", "body", "1")), ..write(id(2), [1]) },
        ]
    };
    let unknown = store.commit(batch()).await;
    assert!(matches!(unknown, Err(NotCommitted::Unknown(_))), "{unknown:?}");
    // Its locks are still held, so nobody gets a wrong answer.
    let locked_out = store.commit(vec![write(id(1), [2])]).await;
    assert!(matches!(locked_out, Err(NotCommitted::Unavailable(_))), "{locked_out:?}");
    assert_eq!(seqs(&store, id(1)).await, [1], "not visible before it's durable");
    cluster.await_standbys("").await;
    waiting.await.unwrap();
    let again = store.commit(batch()).await.unwrap();
    let first = |key: &str, answer: &str| Err(Refused::Again(asked(key, "body", answer)));
    assert_eq!(again, [first("key", "2"), first("other", "1")]);
    assert_eq!(seqs(&store, id(1)).await, [1, 2]);
}

/// A program may be older than the schema, until the schema says that it's too old.
#[tokio::test]
async fn an_older_program_writes_until_the_schema_refuses_it() {
    let cluster = Cluster::shared();
    let address = cluster.database().await;
    let name = address.rsplit('/').next().unwrap();
    let store = open(&address, Durability::Checked).await;
    cluster.execute(name, "UPDATE spoton.about SET version = 99".into()).await;
    let second = open(&address, Durability::Checked).await;
    for (store, seq) in [(&store, 1), (&second, 2)] {
        assert_eq!(store.commit(vec![write(id(1), [seq])]).await, Ok(vec![Ok(())]));
    }
    cluster.execute(name, "UPDATE spoton.about SET oldest = 99".into()).await;
    let late = store.commit(vec![write(id(1), [3])]).await;
    let why = late.expect_err("this program is too old now").to_string();
    assert!(why.contains("start a newer one"), "{why}");
    assert!(refused(&address).await.contains("newer version"));
    assert_eq!(scalar::<i64>(&address, "SELECT max(seq) FROM spoton.event").await, 2);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn servers_that_start_together_share_a_new_database() {
    let address = Cluster::shared().database().await;
    let tasks: Vec<_> = (1..=5)
        .map(|number| {
            let address = address.clone();
            tokio::spawn(async move {
                let store = open(&address, Durability::Checked).await;
                assert_eq!(store.commit(vec![write(id(number), [1])]).await, Ok(vec![Ok(())]));
            })
        })
        .collect();
    for task in tasks {
        task.await.unwrap();
    }
    let store = open(&address, Durability::Checked).await;
    let all = store.last_events((0..9).map(id).collect()).await.unwrap();
    assert_eq!(all, (1..=5).map(|number| (id(number), 1)).collect::<Vec<_>>());
}

#[tokio::test]
async fn another_programs_schema_is_left_alone() {
    let cluster = Cluster::shared();
    let address = cluster.database().await;
    let name = address.rsplit('/').next().unwrap();
    cluster.execute(name, "CREATE SCHEMA spoton; CREATE TABLE spoton.theirs (one int)".into()).await;
    assert!(refused(&address).await.contains("another program"));
    let tables = "SELECT count(*) FROM pg_tables WHERE schemaname = 'spoton'";
    assert_eq!(scalar::<i64>(&address, tables).await, 1);
}

/// Given several servers, the store uses the one that takes writes, in any order.
#[tokio::test]
async fn the_server_that_takes_writes_is_found_among_several() {
    let cluster = Cluster::shared();
    let address = cluster.database().await;
    let (user, rest) = address.split_once('@').unwrap();
    for list in [format!("%2Fnowhere,{rest}"), rest.replace('/', ",%2Fnowhere/")] {
        let store = open(&format!("{user}@{list}"), Durability::Checked).await;
        assert_eq!(store.is_ready().await, Ok(()), "{list}");
    }
    let none = refused(&format!("{user}@%2Fnowhere,%2Fnor-here/db")).await;
    assert!(none.contains("/nowhere") && !none.contains("spoton@"), "{none}");
}

/// After a failover the same store writes to the new primary, where every acknowledged write is.
#[tokio::test]
async fn a_store_follows_a_failover() {
    let primary = Cluster::start(&[]);
    let name = primary.database().await.rsplit('/').next().unwrap().to_owned();
    let standby = primary.standby();
    // Once this commit returns, the standby confirms all of them.
    let waiting = primary.waiting_commit().await;
    primary.await_standbys("*").await;
    waiting.await.unwrap();
    let (first, second) = (standby.address(&name), primary.address(&name));
    let host = |address: &str| address.split(['@', '/']).nth(3).unwrap().to_owned();
    let both = format!("postgres://spoton@{},{}/{name}", host(&first), host(&second));
    assert!(refused(&first).await.contains("standby"));
    let store = open(&both, Durability::Checked).await;
    for seq in 1..=10 {
        assert_eq!(store.commit(vec![write(id(1), [seq])]).await, Ok(vec![Ok(())]));
    }
    primary.control(&["stop", "-m", "immediate"]);
    let gone = store.commit(vec![write(id(1), [11])]).await;
    assert!(matches!(gone, Err(NotCommitted::Unavailable(_))), "{gone:?}");
    standby.control(&["promote"]);
    assert_eq!(seqs(&store, id(1)).await.len(), 10);
    assert_eq!(store.commit(vec![write(id(1), [11])]).await, Ok(vec![Ok(())]));
    assert_eq!(store.is_ready().await, Ok(()));
}

/// Cleanup skips rows that are in use, and does nothing while another server cleans up.
#[tokio::test]
async fn cleanup_waits_for_nobody() {
    let cluster = Cluster::shared();
    let address = cluster.database().await;
    let store = Arc::new(open(&address, Durability::Checked).await);
    for number in 1..=3 {
        assert_eq!(store.commit(vec![write(id(number), [1])]).await, Ok(vec![Ok(())]));
    }
    let before = Before { unmoved: 9_000, idle: 9_000, unplayed_books: 9_000, books: 9_000 };
    let mut other = PgConnection::connect(&address).await.unwrap();
    let lock = "SELECT pg_advisory_lock(6012428046546501634)";
    sqlx::query(lock).execute(&mut other).await.unwrap();
    assert_eq!(store.tidy(before).await, Ok(0), "another server is at it");
    sqlx::query("SELECT pg_advisory_unlock_all()").execute(&mut other).await.unwrap();
    let mut transaction = other.begin().await.unwrap();
    let used = sqlx::query("SELECT 1 FROM spoton.sitting WHERE id = $1 FOR UPDATE").bind(id(2).0.to_vec());
    used.execute(&mut *transaction).await.unwrap();
    assert_eq!(store.tidy(before).await, Ok(2), "one of the three is in use");
    transaction.rollback().await.unwrap();
    assert_eq!(seqs(&*store, id(2)).await, [1]);
    assert_eq!(store.tidy(before).await, Ok(1));
    assert_eq!(store.asked(hash("none")).await, Ok(None));
}

/// One server at a time has a lock. The others wait, and give up after a while.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_lock_is_had_by_one_server_at_a_time() {
    let address = Cluster::shared().database().await;
    let [one, two] = [open(&address, Durability::Checked).await, open(&address, Durability::Checked).await];
    let two = Arc::new(two);
    let held = one.lock("class BCDFGH".into()).await.unwrap();
    assert!(held.is_some());
    assert!(two.lock("class BBBBBB".into()).await.unwrap().is_some(), "another lock is free");
    assert!(two.lock("class BCDFGH".into()).await.unwrap().is_none(), "it gave up");
    let waiting = Arc::clone(&two);
    let waits = tokio::spawn(async move { waiting.lock("class BCDFGH".into()).await.unwrap().is_some() });
    drop(held);
    assert!(waits.await.unwrap(), "it's given back when it's dropped");
    // A server whose connection is gone has no lock any more.
    let held = one.lock("class BCDFGH".into()).await.unwrap();
    let name = address.rsplit('/').next().unwrap();
    let end = "SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory'
        AND database = (SELECT oid FROM pg_database WHERE datname = current_database())";
    Cluster::shared().execute(name, end.into()).await;
    assert!(two.lock("class BCDFGH".into()).await.unwrap().is_some());
    drop(held);
    assert!(one.lock("class BCDFGH".into()).await.unwrap().is_some(), "and it can take it again");
}

/// Codes that were tried at one server count at the others.
#[tokio::test]
async fn tried_codes_are_counted_for_all_servers() {
    let address = Cluster::shared().database().await;
    let [one, two] = [open(&address, Durability::Checked).await, open(&address, Durability::Checked).await];
    let (minute, long) = (Duration::from_secs(60), Duration::from_secs(600));
    let tried = |family, who: &str, add| TriedCode { family, who: hash(who), add, most: long };
    let before = async |store: &PostgresStore, tried| store.count_code(tried).await.unwrap().unwrap();
    let none = Duration::ZERO;
    assert_eq!(before(&one, tried("class", "ann", none)).await, none);
    assert_eq!(before(&one, tried("class", "ann", minute)).await, none);
    let about = |time: Duration, minutes: u32| {
        // The time since then is missing.
        time <= minute * minutes && time > minute * (minutes - 1)
    };
    assert!(about(before(&two, tried("class", "ann", minute)).await, 1));
    assert!(about(before(&one, tried("class", "ann", none)).await, 2));
    for other in [tried("device", "ann", none), tried("class", "ben", none)] {
        assert_eq!(before(&two, other).await, none);
    }
    // It never exceeds the most, and then what is added.
    before(&two, tried("class", "ann", long)).await;
    before(&two, tried("class", "ann", long)).await;
    assert!(about(before(&one, tried("class", "ann", none)).await, 20));
}

/// Closing a class and joining it at the same time: the later one sees the earlier one.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_class_that_closes_meanwhile_lets_nobody_in() {
    let address = Cluster::shared().database().await;
    let store = Arc::new(open(&address, Durability::Checked).await);
    let (code, holder) = ("BCDFGH".to_owned(), hash("teacher"));
    let class = Class { code: code.clone(), holder, until: u64::MAX, is_open: true, plays: "{}".into() };
    assert_eq!(store.keep_class(class).await, Ok(true));
    let mut closing = PgConnection::connect(&address).await.unwrap();
    sqlx::query("BEGIN").execute(&mut closing).await.unwrap();
    sqlx::query("UPDATE spoton.class SET is_open = false").execute(&mut closing).await.unwrap();
    let joining = Arc::clone(&store);
    let joins = tokio::spawn(async move {
        joining.commit(vec![Write { open_class: Some(code), ..write(id(1), [1]) }]).await
    });
    const WAITING: &str = "SELECT count(*) FROM pg_locks WHERE NOT granted";
    while scalar::<i64>(&address, WAITING).await == 0 {
        assert!(!joins.is_finished(), "it doesn't wait");
    }
    sqlx::query("COMMIT").execute(&mut closing).await.unwrap();
    assert_eq!(joins.await.unwrap(), Ok(vec![Err(Refused::ClosedClass)]));
    assert!(seqs(&*store, id(1)).await.is_empty());
}
