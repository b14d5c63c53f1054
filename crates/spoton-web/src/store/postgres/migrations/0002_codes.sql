-- Tried codes, counted for all servers. `who` is the hash of a browser or an address, and of what is counted. After
-- `until`, nothing is left of the count.
CREATE TABLE tried_code (
    family text COLLATE "C" NOT NULL,
    who bytea NOT NULL,
    until bigint NOT NULL,
    PRIMARY KEY (family, who)
);

CREATE INDEX tried_code_until ON tried_code (until);
