-- 0007: people who cannot be wronged, a server that one visitor cannot stop. Conventions: 0001.

---------------------------------------------------------------- places and their secrets

-- A place is opened by secrets, of which keyed hashes are stored. place.token is that of the browser that
-- joined (16 bytes: the secret itself, from before this schema; the server hashes those when it starts).
-- Whoever comes back without it gets a secret of their own:
CREATE TABLE place_visit (
  id    INTEGER PRIMARY KEY,
  place INTEGER NOT NULL REFERENCES place,
  hash  BLOB NOT NULL UNIQUE,
  own   INTEGER NOT NULL CHECK (own IN (0, 1)), -- 1: they proved whose place it is; 0: they knew an id
  at    INTEGER NOT NULL
) STRICT;
CREATE INDEX place_visit_place ON place_visit (place);
-- To which secret a grid was lent: 0 that of place.token, else a place_visit, -1 several of them.
ALTER TABLE assignment ADD COLUMN visit INTEGER NOT NULL DEFAULT 0;
-- How the panel signs the link: '' = not at all; the key is a shared secret, or a public one (PEM, JWKS).
ALTER TABLE study ADD COLUMN signing TEXT NOT NULL DEFAULT ''
  CHECK (signing IN ('', 'hmac', 'HS256', 'RS256', 'EdDSA'));
ALTER TABLE study ADD COLUMN signing_key TEXT NOT NULL DEFAULT '';

---------------------------------------------------------------- flags, forgetting, ids

-- A flag counts towards quarantine from event `since` on: its own event when whoever flagged had
-- answered before or is on the campaign's list, the event of their next answer otherwise.
CREATE TABLE flag_counted (
  flag  INTEGER PRIMARY KEY REFERENCES flag,
  since INTEGER NOT NULL REFERENCES event
) STRICT;
CREATE INDEX flag_counted_since ON flag_counted (since);
-- What was hidden stays hidden, and what was sampled is sampled again alike.
INSERT INTO flag_counted (flag, since) SELECT id, id FROM flag;

CREATE TABLE flag_dismissal (     -- flags that a lead set aside or restored; the newest of a flag holds
  id        INTEGER PRIMARY KEY REFERENCES event,
  flag      INTEGER NOT NULL REFERENCES flag,
  dismissed INTEGER NOT NULL CHECK (dismissed IN (0, 1)),
  action    INTEGER NOT NULL      -- the first row that the same click wrote
) STRICT;
CREATE INDEX flag_dismissal_flag ON flag_dismissal (flag, id);
CREATE INDEX flag_dismissal_action ON flag_dismissal (action);

-- Who people are is kept twice over: `identity` and `arrival` are views on the one of two tables that
-- holds the rows now. Deleting a row leaves copies of it in the free part of pages where SQLite
-- once moved it, so whoever is erased is followed by an erasure: the rows that are left are copied, a few
-- at a time, into the other table, the views change over, and the old table is emptied.
ALTER TABLE identity RENAME TO identity_a;
ALTER TABLE arrival RENAME TO arrival_a;
CREATE TABLE identity_b (
  person      INTEGER PRIMARY KEY REFERENCES person,
  source      TEXT NOT NULL,
  external_id TEXT NOT NULL,
  name        TEXT,
  UNIQUE (source, external_id)
) STRICT;
CREATE TABLE arrival_b (
  place      INTEGER PRIMARY KEY REFERENCES place,
  parameters TEXT NOT NULL
) STRICT;
CREATE TABLE erasure (            -- how far it is
  id     INTEGER PRIMARY KEY CHECK (id = 1),
  step   INTEGER NOT NULL,        -- -1: none goes on; store/erasure.c
  after  INTEGER NOT NULL,        -- rows of the step up to this id are done
  again  INTEGER NOT NULL CHECK (again IN (0, 1)), -- somebody was erased since it began
  half   TEXT NOT NULL            -- the tables that the views name: 'a' or 'b'
) STRICT;
INSERT INTO erasure (id, step, after, again, half) VALUES (1, -1, 0, 0, 'a');
CREATE TABLE erasure_name (       -- ids that are looked for in what people typed; emptied at the end
  id   INTEGER PRIMARY KEY,
  text TEXT NOT NULL
) STRICT;
-- store/erasure.c makes them for the other half.
CREATE VIEW identity AS SELECT person, source, external_id, name FROM identity_a;
CREATE TRIGGER identity_insert INSTEAD OF INSERT ON identity BEGIN
  INSERT INTO identity_a VALUES (new.person, new.source, new.external_id, new.name);
  INSERT INTO identity_b SELECT new.person, new.source, new.external_id, new.name
    WHERE (SELECT step FROM erasure) BETWEEN 7 AND 9;
END;
CREATE TRIGGER identity_delete INSTEAD OF DELETE ON identity BEGIN
  DELETE FROM identity_a WHERE person = old.person;
  DELETE FROM identity_b WHERE person = old.person
    AND (SELECT step FROM erasure) BETWEEN 7 AND 9;
END;
-- Arriving again replaces what was said before.
CREATE VIEW arrival AS SELECT place, parameters FROM arrival_a;
CREATE TRIGGER arrival_insert INSTEAD OF INSERT ON arrival BEGIN
  INSERT INTO arrival_a VALUES (new.place, new.parameters)
    ON CONFLICT (place) DO UPDATE SET parameters = excluded.parameters;
  INSERT INTO arrival_b SELECT new.place, new.parameters
    WHERE (SELECT step FROM erasure) BETWEEN 7 AND 9
    ON CONFLICT (place) DO UPDATE SET parameters = excluded.parameters;
END;
CREATE TRIGGER arrival_delete INSTEAD OF DELETE ON arrival BEGIN
  DELETE FROM arrival_a WHERE place = old.place;
  DELETE FROM arrival_b WHERE place = old.place
    AND (SELECT step FROM erasure) BETWEEN 7 AND 9;
END;
