-- Ids and hashes are bytes, times are milliseconds since 1970, players are 1 and 2.

-- Index of sittings, derived from their logs. `waits_for`: 1 and 2 the players, 3 a computer, 4 a guest who hasn't
-- joined, 0 nobody.
CREATE TABLE sitting (
    id BLOB NOT NULL PRIMARY KEY,
    seq INTEGER NOT NULL,
    at INTEGER NOT NULL,
    moved INTEGER NOT NULL,
    waits_for INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX sitting_computers ON sitting (at) WHERE waits_for = 3;

-- The log. `sum` is a checksum of the row. A sitting is listed after its events in the same transaction, so the
-- reference is deferred.
CREATE TABLE event (
    id BLOB NOT NULL REFERENCES sitting (id) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
    seq INTEGER NOT NULL,
    at INTEGER NOT NULL,
    body TEXT NOT NULL,
    sum BLOB NOT NULL,
    PRIMARY KEY (id, seq)
) STRICT, WITHOUT ROWID;

-- The primary key alone would allow gaps.
CREATE TRIGGER event_follows BEFORE INSERT ON event
WHEN NEW.seq IS NOT 1 + coalesce((SELECT max(seq) FROM event WHERE id = NEW.id), 0)
BEGIN
    SELECT raise(ABORT, 'taken');
END;

CREATE TRIGGER sitting_follows AFTER INSERT ON sitting
WHEN NEW.seq IS NOT (SELECT max(seq) FROM event WHERE id = NEW.id)
BEGIN
    SELECT raise(ABORT, 'taken');
END;

CREATE TRIGGER sitting_still_follows AFTER UPDATE ON sitting
WHEN NEW.seq IS NOT (SELECT max(seq) FROM event WHERE id = NEW.id)
BEGIN
    SELECT raise(ABORT, 'taken');
END;

-- Idempotency keys. Row ids keep new rows together, so many fit on a page. No reference to the sitting: each deleted
-- sitting would need a search here, and keys expire by age anyway.
CREATE TABLE asked (
    key BLOB NOT NULL PRIMARY KEY,
    id BLOB NOT NULL,
    at INTEGER NOT NULL,
    body BLOB NOT NULL,
    answer TEXT NOT NULL
) STRICT;

CREATE INDEX asked_at ON asked (at);

CREATE TABLE seat (
    id BLOB NOT NULL REFERENCES sitting (id) ON DELETE CASCADE,
    player INTEGER NOT NULL,
    holder BLOB NOT NULL,
    PRIMARY KEY (id, player)
) STRICT, WITHOUT ROWID;

CREATE INDEX seat_holder ON seat (holder);

CREATE TABLE invitation (
    id BLOB NOT NULL REFERENCES sitting (id) ON DELETE CASCADE,
    secret BLOB NOT NULL,
    player INTEGER NOT NULL,
    until INTEGER,
    PRIMARY KEY (id, secret)
) STRICT, WITHOUT ROWID;

CREATE TABLE book (
    hash BLOB NOT NULL PRIMARY KEY,
    short TEXT NOT NULL,
    used INTEGER NOT NULL,
    text TEXT NOT NULL
) STRICT;

CREATE INDEX book_short ON book (short);

-- The books that a sitting plays; they live as long as it does.
CREATE TABLE played (
    id BLOB NOT NULL REFERENCES sitting (id) ON DELETE CASCADE,
    book BLOB NOT NULL REFERENCES book (hash),
    PRIMARY KEY (id, book)
) STRICT, WITHOUT ROWID;

CREATE INDEX played_book ON played (book);

-- Written to check that writes work.
CREATE TABLE probe (
    one INTEGER NOT NULL PRIMARY KEY,
    times INTEGER NOT NULL
) STRICT;
