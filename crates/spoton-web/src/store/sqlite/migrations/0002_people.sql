-- A code that moves a seat to another device is found without its sitting.
CREATE INDEX invitation_secret ON invitation (secret);

-- A class: everyone with its code gets a partner. `plays` is JSON.
CREATE TABLE class (
    code TEXT NOT NULL PRIMARY KEY,
    holder BLOB NOT NULL,
    until INTEGER NOT NULL,
    is_open INTEGER NOT NULL,
    plays TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX class_holder ON class (holder);
CREATE INDEX class_until ON class (until);

-- The sittings of classes, in row order. No reference to the sitting: deleting one leaves the others unchanged.
CREATE TABLE of_class (
    place INTEGER NOT NULL PRIMARY KEY,
    id BLOB NOT NULL UNIQUE,
    code TEXT NOT NULL REFERENCES class (code) ON DELETE CASCADE,
    holder BLOB NOT NULL
) STRICT;

CREATE INDEX of_class_code ON of_class (code);

-- Data per browser: tried puzzles, streaks.
CREATE TABLE remembered (
    holder BLOB NOT NULL,
    key TEXT NOT NULL,
    value TEXT NOT NULL,
    at INTEGER NOT NULL,
    PRIMARY KEY (holder, key)
) STRICT, WITHOUT ROWID;

CREATE INDEX remembered_at ON remembered (at);
