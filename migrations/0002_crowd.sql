-- 0002: how people come to a study and leave it, what is paid, what is flagged; image statistics.
--
-- Ids that a panel gives people stand in `identity` and `arrival` alone: "forget me" erases both.
-- Everything else here names a person or a place by number. Conventions: 0001.

---------------------------------------------------------------- images

ALTER TABLE source ADD COLUMN kept TEXT NOT NULL DEFAULT 'copy'
  CHECK (kept IN ('copy', 'reflink', 'link', 'reference')); -- how the original bytes are kept
ALTER TABLE source ADD COLUMN path TEXT;          -- 'reference': the absolute path of the bytes
-- Measured on the view rendition; NULL for sources that came before.
ALTER TABLE source ADD COLUMN gray INTEGER CHECK (gray IN (0, 1)); -- no colour in it
ALTER TABLE source ADD COLUMN saturation REAL;    -- mean of (max - min) / max over pixels, 0 to 1
ALTER TABLE source ADD COLUMN sharpness REAL;     -- variance of the Laplacian of the luma, 8 bits
ALTER TABLE source ADD COLUMN brightness REAL;    -- mean luma, 0 to 1

CREATE TABLE image_decision (     -- what leads decided about an image; the newest holds
  id       INTEGER PRIMARY KEY REFERENCES event,
  image    INTEGER NOT NULL REFERENCES image,
  decision TEXT NOT NULL CHECK (decision IN ('quarantine', 'clear', 'takedown')),
  reason   TEXT NOT NULL
) STRICT;
CREATE INDEX image_decision_image ON image_decision (image, id);

CREATE TABLE flag (               -- somebody says that something is wrong with an image
  id         INTEGER PRIMARY KEY REFERENCES event,
  image      INTEGER NOT NULL REFERENCES image,
  person     INTEGER NOT NULL REFERENCES person,
  assignment INTEGER REFERENCES assignment,
  kind       TEXT NOT NULL CHECK (kind IN ('disturbing', 'private', 'illegal', 'broken', 'other')),
  note       TEXT NOT NULL DEFAULT '',
  UNIQUE (image, person, kind)    -- saying it twice is saying it once
) STRICT;
CREATE INDEX flag_person ON flag (person);

---------------------------------------------------------------- campaigns

ALTER TABLE campaign ADD COLUMN gold_per_grid INTEGER NOT NULL DEFAULT 0
  CHECK (gold_per_grid BETWEEN 0 AND 6);          -- gold images that take candidates' cells
ALTER TABLE campaign ADD COLUMN coverage INTEGER NOT NULL DEFAULT 20
  CHECK (coverage BETWEEN 0 AND 1000);            -- originals per class that need their answers
ALTER TABLE campaign ADD COLUMN bulk_select INTEGER NOT NULL DEFAULT 0
  CHECK (bulk_select IN (0, 1));                  -- select all, none, invert
ALTER TABLE grid ADD COLUMN special INTEGER NOT NULL DEFAULT 0
  CHECK (special IN (0, 1));                      -- made for the coverage of originals
ALTER TABLE grid ADD COLUMN record TEXT;          -- imported: JSON of the members no column says
ALTER TABLE grid ADD COLUMN listed BLOB;          -- imported: positions of cells as its lists name them
-- Votes refer to a grid by number, whoever planned it.
UPDATE grid SET number = r.n
  FROM (SELECT id, row_number() OVER (PARTITION BY campaign ORDER BY id) AS n FROM grid) r
  WHERE r.id = grid.id AND campaign IN (SELECT id FROM campaign WHERE imported = 0);

ALTER TABLE assignment ADD COLUMN ahead INTEGER NOT NULL DEFAULT 0
  CHECK (ahead IN (0, 1));                        -- fetched beside the grid that is worked on: a short lease

CREATE TABLE study (              -- the link of a campaign that is answered here
  campaign      INTEGER PRIMARY KEY REFERENCES campaign,
  link_key      TEXT NOT NULL DEFAULT '',         -- '' = who knows the address may come
  source        TEXT NOT NULL DEFAULT 'panel',    -- of the identities of those who come
  id_parameters TEXT NOT NULL DEFAULT 'PROLIFIC_PID|STUDY_ID|SESSION_ID', -- first: the person's id
  return_url    TEXT NOT NULL DEFAULT '',         -- '' = only the code is shown; {code} stands for it
  known_only    INTEGER NOT NULL DEFAULT 0 CHECK (known_only IN (0, 1)), -- participants of the list alone
  partial_grids INTEGER NOT NULL DEFAULT 1 CHECK (partial_grids > 0), -- that make leaving "partial"
  place_minutes INTEGER NOT NULL DEFAULT 240 CHECK (place_minutes > 0), -- a place without answers lapses
  floor_cents   INTEGER NOT NULL DEFAULT 0,       -- least effective pay per hour, 0 = none set
  contact       TEXT NOT NULL DEFAULT '',
  protocol      TEXT NOT NULL DEFAULT '',         -- number of the ethics protocol
  language      TEXT NOT NULL DEFAULT 'en'        -- of the pages around the task; '' = the browser's
) STRICT;

CREATE TABLE study_code (         -- what a worker takes back to the panel
  campaign INTEGER NOT NULL REFERENCES campaign,
  outcome  TEXT NOT NULL CHECK (outcome IN ('complete', 'partial', 'screened-out', 'no-consent',
                                            'technical', 'withdrawn', 'full')),
  code     TEXT NOT NULL,         -- '' only for 'complete': each place has its own
  PRIMARY KEY (campaign, outcome)
) STRICT, WITHOUT ROWID;

CREATE TABLE consent (            -- texts that people agreed to; the newest of a campaign is shown
  id       INTEGER PRIMARY KEY REFERENCES event,
  campaign INTEGER NOT NULL REFERENCES campaign,
  version  TEXT NOT NULL,
  text     TEXT NOT NULL,
  UNIQUE (campaign, version)
) STRICT;

CREATE TABLE participant (        -- people the lead expects; others are "unverified"
  campaign INTEGER NOT NULL REFERENCES campaign,
  person   INTEGER NOT NULL REFERENCES person,
  PRIMARY KEY (campaign, person)
) STRICT, WITHOUT ROWID;

---------------------------------------------------------------- people

CREATE TABLE arrival (            -- what the panel's link said; erased with the identity
  place      INTEGER PRIMARY KEY REFERENCES place,
  parameters TEXT NOT NULL        -- JSON object of the study's id parameters
) STRICT;

CREATE INDEX place_person ON place (person);
DROP INDEX assignment_person; -- with the place, so that a person's answers are summed without its row
CREATE INDEX assignment_person ON assignment (person, place);

ALTER TABLE person ADD COLUMN forgotten_at INTEGER; -- when identity and arrival were erased

CREATE TABLE place_outcome (      -- how a place ended; the newest holds, none: still in it
  id      INTEGER PRIMARY KEY REFERENCES event,
  place   INTEGER NOT NULL REFERENCES place,
  outcome TEXT NOT NULL CHECK (outcome IN ('complete', 'partial', 'screened-out', 'technical',
                                           'withdrawn', 'returned'))
) STRICT;
CREATE INDEX place_outcome_place ON place_outcome (place, id);

CREATE TABLE pay (                -- decisions about a place's pay; the newest holds, none: pending
  id     INTEGER PRIMARY KEY REFERENCES event,
  place  INTEGER NOT NULL REFERENCES place,
  state  TEXT NOT NULL CHECK (state IN ('pending', 'approved', 'rejected')),
  bonus_cents INTEGER NOT NULL DEFAULT 0 CHECK (bonus_cents >= 0),
  reason TEXT NOT NULL
) STRICT;
CREATE INDEX pay_place ON pay (place, id);

CREATE TABLE person_note (        -- notes and blocks; the newest block or unblock holds
  id     INTEGER PRIMARY KEY REFERENCES event,
  person INTEGER NOT NULL REFERENCES person,
  kind   TEXT NOT NULL CHECK (kind IN ('block', 'unblock', 'note')),
  text   TEXT NOT NULL
) STRICT;
CREATE INDEX person_note_person ON person_note (person, id);

-- Who has been told to stay away.
CREATE VIEW blocked (person) AS
  SELECT n.person FROM person_note n
  WHERE n.kind = 'block' AND NOT EXISTS (
    SELECT 1 FROM person_note u WHERE u.person = n.person AND u.kind = 'unblock' AND u.id > n.id);

-- Campaigns made before have a study with its defaults and drawn codes, as new ones get.
INSERT INTO study (campaign) SELECT id FROM campaign WHERE imported = 0;
INSERT INTO study_code (campaign, outcome, code)
  SELECT c.id, o.column1, CASE o.column1 WHEN 'complete' THEN c.completion_code ELSE hex(randomblob(5)) END
  FROM campaign c, (VALUES ('complete'), ('partial'), ('screened-out'), ('no-consent'),
                           ('technical'), ('withdrawn'), ('full')) o
  WHERE c.imported = 0;
