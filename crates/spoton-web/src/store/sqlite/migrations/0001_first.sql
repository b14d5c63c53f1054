-- Ids and hashes are bytes, times are milliseconds since 1970, players are 1 and 2.

-- What can be known of a sitting without reading its log. `waits_for`: 1 and 2 the players, 3 a computer, 4 a guest who
-- has not come yet, 0 nobody.
CREATE TABLE sitting (
    id BLOB NOT NULL PRIMARY KEY,
    seq INTEGER NOT NULL,
    at INTEGER NOT NULL,
    moved INTEGER NOT NULL,
    waits_for INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX sitting_computers ON sitting (at) WHERE waits_for = 3;

-- The log. `sum` tells whether a row is still as it was written. A sitting is listed after its events are added, in the
-- same transaction; so the reference is looked at when that ends.
CREATE TABLE event (
    id BLOB NOT NULL REFERENCES sitting (id) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
    seq INTEGER NOT NULL,
    at INTEGER NOT NULL,
    body TEXT NOT NULL,
    sum BLOB NOT NULL,
    PRIMARY KEY (id, seq)
) STRICT, WITHOUT ROWID;

-- The primary key alone would let numbers be left out.
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

-- Keys of commands. New rows stand one after another, so that many of them fit a page; answers may be long. The sitting
-- is no reference: one by one, they would have to be searched for each sitting that goes, and they go by their age.
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

-- Which books a sitting plays: these stay as long as it does.
CREATE TABLE played (
    id BLOB NOT NULL REFERENCES sitting (id) ON DELETE CASCADE,
    book BLOB NOT NULL REFERENCES book (hash),
    PRIMARY KEY (id, book)
) STRICT, WITHOUT ROWID;

CREATE INDEX played_book ON played (book);

-- Written to see whether writing works.
CREATE TABLE probe (
    one INTEGER NOT NULL PRIMARY KEY,
    times INTEGER NOT NULL
) STRICT;
