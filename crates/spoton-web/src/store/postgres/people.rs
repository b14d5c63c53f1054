//! Classes, data per browser, and tried codes.

use std::time::Duration;

use sqlx::Row;
use sqlx::postgres::PgRow;

use super::pool::Pool;
use super::rows::{self, to_text};
use crate::ids::{Hash, SittingId};
use crate::store::values::{integer, natural};
use crate::store::{Class, Millis, OfClass, TriedCode, Unavailable};

pub async fn keep_class(pool: &Pool, class: Class) -> Result<bool, Unavailable> {
    const KEEP: &str = "INSERT INTO class (code, holder, until, is_open, plays) VALUES ($1, $2, $3, $4, $5)
        ON CONFLICT (code) DO UPDATE SET until = excluded.until, is_open = excluded.is_open, plays = excluded.plays
        WHERE class.holder = excluded.holder";
    let kept = pool.change(KEEP, |query| {
        let query = query.bind(to_text(&class.code)).bind(class.holder.0.to_vec()).bind(integer(class.until));
        query.bind(class.is_open).bind(to_text(&class.plays))
    });
    Ok(kept.await? > 0)
}

pub async fn class(pool: &Pool, code: String) -> Result<Option<Class>, Unavailable> {
    const CLASS: &str = "SELECT code, holder, until, is_open, plays FROM class WHERE code = $1";
    Ok(pool.read(CLASS, |query| query.bind(to_text(&code)), rows::class_of).await?.pop())
}

pub async fn classes_of(pool: &Pool, holder: Hash, now: Millis) -> Result<Vec<Class>, Unavailable> {
    const CLASSES: &str = "SELECT code, holder, until, is_open, plays FROM class
        WHERE holder = $1 AND until > $2 ORDER BY code";
    pool.read(CLASSES, |query| query.bind(holder.0.to_vec()).bind(integer(now)), rows::class_of).await
}

pub async fn add_to_class(pool: &Pool, code: String, of_class: OfClass) -> Result<(), Unavailable> {
    // A no-op if the class doesn't exist.
    const ADD: &str = "INSERT INTO of_class (id, code, holder) SELECT $1, code, $2 FROM class WHERE code = $3
        ON CONFLICT (id) DO NOTHING";
    let add = pool.change(ADD, |query| {
        query.bind(of_class.id.0.to_vec()).bind(of_class.holder.0.to_vec()).bind(to_text(&code))
    });
    add.await.map(|_| ())
}

pub async fn class_sittings(pool: &Pool, code: String) -> Result<Vec<OfClass>, Unavailable> {
    const SITTINGS: &str = "SELECT id, holder FROM of_class WHERE code = $1 ORDER BY place";
    pool.read(SITTINGS, |query| query.bind(to_text(&code)), rows::of_class_of).await
}

pub async fn class_of(pool: &Pool, id: SittingId) -> Result<Option<Class>, Unavailable> {
    const CLASS_OF: &str = "SELECT class.code, class.holder, until, is_open, plays
        FROM of_class JOIN class ON class.code = of_class.code WHERE id = $1";
    Ok(pool.read(CLASS_OF, |query| query.bind(id.0.to_vec()), rows::class_of).await?.pop())
}

pub async fn remembered(pool: &Pool, holder: Hash) -> Result<Vec<(String, String)>, Unavailable> {
    const REMEMBERED: &str = "SELECT key, value FROM remembered WHERE holder = $1 ORDER BY key";
    let pair = |row: &sqlx::postgres::PgRow| Ok((rows::text(row, 0)?, rows::text(row, 1)?));
    pool.read(REMEMBERED, |query| query.bind(holder.0.to_vec()), pair).await
}

pub async fn remember(
    pool: &Pool,
    holder: Hash,
    key: String,
    value: Option<String>,
    now: Millis,
) -> Result<(), Unavailable> {
    const REMEMBER: &str = "INSERT INTO remembered (holder, key, value, at) VALUES ($1, $2, $3, $4)
        ON CONFLICT (holder, key) DO UPDATE SET value = excluded.value, at = excluded.at";
    const FORGET: &str = "DELETE FROM remembered WHERE holder = $1 AND key = $2";
    let (holder, key) = (holder.0.to_vec(), to_text(&key));
    let done = match value {
        Some(value) => {
            let query = |query: super::pool::Bound| query.bind(holder.clone()).bind(key.clone());
            pool.change(REMEMBER, |q| query(q).bind(to_text(&value)).bind(integer(now))).await
        }
        None => pool.change(FORGET, |query| query.bind(holder.clone()).bind(key.clone())).await,
    };
    done.map(|_| ())
}

/// Removes a value that is still the old one.
pub async fn forget_remembered(
    pool: &Pool,
    holder: Hash,
    key: String,
    old: String,
) -> Result<bool, Unavailable> {
    const FORGET: &str = "DELETE FROM remembered WHERE holder = $1 AND key = $2 AND value = $3";
    let forget =
        pool.change(FORGET, |query| query.bind(holder.0.to_vec()).bind(to_text(&key)).bind(to_text(&old)));
    Ok(forget.await? > 0)
}

/// Adds to a count of tried codes, and returns it as it was before.
pub async fn count_code(pool: &Pool, tried: TriedCode) -> Result<Duration, Unavailable> {
    const READ: &str = "SELECT until - (extract(epoch FROM clock_timestamp()) * 1000)::int8 FROM tried_code
        WHERE family = $1 AND who = $2";
    // Returns the remaining count.
    const ADD: &str = "INSERT INTO tried_code (family, who, until)
        VALUES ($1, $2, (extract(epoch FROM clock_timestamp()) * 1000)::int8 + $3)
        ON CONFLICT (family, who) DO UPDATE
        SET until = greatest(excluded.until, least(tried_code.until + $3, excluded.until + $4))
        RETURNING until - $3 - (extract(epoch FROM clock_timestamp()) * 1000)::int8";
    let TriedCode { family, who, add, most } = tried;
    let millis = |time: Duration| i64::try_from(time.as_millis()).unwrap_or(i64::MAX);
    let count = |row: &PgRow| row.try_get::<i64, _>(0);
    let found = match add.is_zero() {
        true => pool.read(READ, |query| query.bind(family).bind(who.0.to_vec()), count).await?,
        false => {
            let bind = |query: super::pool::Bound| {
                query.bind(family).bind(who.0.to_vec()).bind(millis(add)).bind(millis(most))
            };
            pool.read(ADD, bind, count).await?
        }
    };
    Ok(Duration::from_millis(natural(found.first().copied().unwrap_or(0))))
}

/// Replaces a value that is still the old one, or sets it if it's still missing.
pub async fn replace_remembered(
    pool: &Pool,
    holder: Hash,
    (key, old): (String, Option<String>),
    new: String,
    now: Millis,
) -> Result<bool, Unavailable> {
    const ADD: &str = "INSERT INTO remembered (holder, key, value, at) VALUES ($1, $2, $3, $4)
        ON CONFLICT (holder, key) DO NOTHING";
    const REPLACE: &str =
        "UPDATE remembered SET value = $3, at = $4 WHERE holder = $1 AND key = $2 AND value = $5";
    let (holder, key) = (holder.0.to_vec(), to_text(&key));
    let bound = |query: super::pool::Bound| {
        query.bind(holder.clone()).bind(key.clone()).bind(to_text(&new)).bind(integer(now))
    };
    let done = match &old {
        None => pool.change(ADD, bound).await?,
        Some(old) => pool.change(REPLACE, |query| bound(query).bind(to_text(old))).await?,
    };
    Ok(done > 0)
}
