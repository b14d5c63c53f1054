-- When a round of a book was last played, 0 if never: played books live longer. Existing rounds tell it. For other
-- books it's unknown, so their time starts today.
ALTER TABLE book ADD COLUMN last_played INTEGER NOT NULL DEFAULT 0;

UPDATE book SET last_played = coalesce((
    SELECT max(sitting.at) FROM played JOIN sitting ON sitting.id = played.id
    WHERE played.book = book.hash AND sitting.moved = 1
), 0);

UPDATE book SET used = max(used, CAST(strftime('%s', 'now') AS INTEGER) * 1000) WHERE last_played = 0;
