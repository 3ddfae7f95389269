-- 0001: people, classes, images, campaigns, grids, answers, events.
--
-- Conventions. Times are milliseconds since 1970 UTC. Every append-only row carries the number of
-- its event (table event), so that "as of event E" is a condition on one column. What people say
-- (answer, answer_state, ...) is never updated or deleted; the current state is derived. The one
-- table that may be erased is identity ("forget me"); everything else names a person by number.

CREATE TABLE setting (            -- facts about this project
  key   TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE secret (             -- keys that never leave the project: session_key, person_key
  key   TEXT PRIMARY KEY,
  value BLOB NOT NULL
) STRICT, WITHOUT ROWID;

-- One row per thing that happened, in the order of commits.
CREATE TABLE event (
  id      INTEGER PRIMARY KEY,    -- the event's number; grows, never reused
  at      INTEGER NOT NULL,
  account INTEGER REFERENCES account, -- who did it; NULL: a worker, an import without login, the server
  kind    TEXT NOT NULL,          -- 'answer', 'answer.state', 'campaign.open', 'account.create', ...
  subject INTEGER,                -- id in the table that the kind names
  detail  TEXT                    -- JSON, only what the subject's own row does not say
) STRICT;

---------------------------------------------------------------- people

CREATE TABLE person (
  id         INTEGER PRIMARY KEY,
  pseudonym  TEXT NOT NULL UNIQUE, -- random; what exports show
  kind       TEXT NOT NULL CHECK (kind IN ('worker', 'staff', 'imported', 'simulated')),
  created_at INTEGER NOT NULL
) STRICT;

CREATE TABLE identity (           -- the one erasable table
  person      INTEGER PRIMARY KEY REFERENCES person,
  source      TEXT NOT NULL,      -- 'local', or the panel or study the id comes from
  external_id TEXT NOT NULL,      -- login name, panel id
  name        TEXT,
  UNIQUE (source, external_id)
) STRICT;

CREATE TABLE account (            -- people who sign in
  id            INTEGER PRIMARY KEY,
  person        INTEGER NOT NULL UNIQUE REFERENCES person,
  role          TEXT NOT NULL CHECK (role IN ('worker', 'expert', 'lead', 'admin')),
  password_hash TEXT NOT NULL,    -- Argon2id
  disabled      INTEGER NOT NULL DEFAULT 0 CHECK (disabled IN (0, 1)),
  created_at    INTEGER NOT NULL
) STRICT;

CREATE TABLE session (
  hash       BLOB PRIMARY KEY,    -- keyed hash of the cookie's token
  account    INTEGER NOT NULL REFERENCES account,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX session_account ON session (account);

CREATE TABLE api_token (
  id         INTEGER PRIMARY KEY,
  hash       BLOB NOT NULL UNIQUE, -- keyed hash of the token
  account    INTEGER NOT NULL REFERENCES account,
  name       TEXT NOT NULL,
  role       TEXT NOT NULL CHECK (role IN ('worker', 'expert', 'lead', 'admin')), -- at most the account's
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  revoked_at INTEGER
) STRICT;
CREATE INDEX api_token_account ON api_token (account);

CREATE TABLE invite (
  id         INTEGER PRIMARY KEY,
  hash       BLOB NOT NULL UNIQUE, -- keyed hash of the link's token
  role       TEXT NOT NULL CHECK (role IN ('worker', 'expert', 'lead', 'admin')),
  note       TEXT,
  created_by INTEGER NOT NULL REFERENCES account,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  used_at    INTEGER,
  account    INTEGER REFERENCES account -- the account it became
) STRICT;

---------------------------------------------------------------- classes

CREATE TABLE synset (             -- the hierarchy: WordNet nouns or the project's own
  id    INTEGER PRIMARY KEY,      -- WordNet: the offset; own: above 10^9
  wnid  TEXT NOT NULL UNIQUE,     -- "n" + 8 digits, or the project's own key
  words TEXT NOT NULL,            -- joined by "|", as in classes.csv
  gloss TEXT NOT NULL
) STRICT;

CREATE TABLE hypernym (
  child  INTEGER NOT NULL REFERENCES synset,
  parent INTEGER NOT NULL REFERENCES synset,
  PRIMARY KEY (child, parent)
) STRICT, WITHOUT ROWID;
CREATE INDEX hypernym_parent ON hypernym (parent);

CREATE TABLE class (              -- the classes of the test set
  id        INTEGER PRIMARY KEY,
  wnid      TEXT NOT NULL UNIQUE, -- also the folder name of ImageFolder
  cid       INTEGER NOT NULL UNIQUE, -- index in predictions: rank of the wnid in sorted order
  synset    TEXT NOT NULL,        -- words joined by "|"
  gloss     TEXT NOT NULL,
  wikipedia TEXT NOT NULL DEFAULT '' -- addresses joined by "|"
) STRICT;

CREATE TABLE similar_class (      -- nearest classes first; rank 0 is the class itself
  class INTEGER NOT NULL REFERENCES class,
  rank  INTEGER NOT NULL,
  other INTEGER NOT NULL REFERENCES class,
  PRIMARY KEY (class, rank)
) STRICT, WITHOUT ROWID;

---------------------------------------------------------------- images

CREATE TABLE source (             -- original bytes, by content
  id     INTEGER PRIMARY KEY,
  sha256 BLOB NOT NULL UNIQUE,
  bytes  INTEGER NOT NULL,
  type   TEXT NOT NULL CHECK (type IN ('jpeg', 'png')),
  width  INTEGER NOT NULL,        -- orientation applied
  height INTEGER NOT NULL
) STRICT;

CREATE TABLE image (
  id          INTEGER PRIMARY KEY,
  name        TEXT NOT NULL UNIQUE, -- the manifest id: this is the image's identity
  class       INTEGER NOT NULL REFERENCES class, -- the class it was collected for
  role        TEXT NOT NULL CHECK (role IN ('original', 'candidate', 'reference', 'gold')),
  source      INTEGER REFERENCES source, -- NULL: known by name only
  idx         INTEGER,            -- its number in the image list it came with; hits refer to it
  source_id   TEXT,               -- photo id where it came from; equal ones are near-duplicates
  source_url  TEXT,
  taken_at    TEXT,               -- as the source gives it, "YYYY-MM-DD HH:MM:SS" or a date
  author      TEXT,
  licence     TEXT,
  keyword     TEXT
) STRICT;
CREATE INDEX image_class ON image (class, role);
CREATE INDEX image_source ON image (source) WHERE source IS NOT NULL;
CREATE UNIQUE INDEX image_idx ON image (idx) WHERE idx IS NOT NULL;

-- How many images a class has per role: counting a million index entries takes longer than a page
-- may. Images are never deleted and never change class or role; `check` counts again.
CREATE TABLE image_count (
  class INTEGER NOT NULL REFERENCES class,
  role  TEXT NOT NULL,
  n     INTEGER NOT NULL,
  PRIMARY KEY (class, role)
) STRICT, WITHOUT ROWID;
CREATE TRIGGER image_counted AFTER INSERT ON image BEGIN
  INSERT INTO image_count (class, role, n) VALUES (new.class, new.role, 1)
    ON CONFLICT (class, role) DO UPDATE SET n = n + 1;
END;

---------------------------------------------------------------- campaigns

CREATE TABLE campaign (
  id                  INTEGER PRIMARY KEY,
  name                TEXT NOT NULL UNIQUE, -- in addresses and file names
  kind                TEXT NOT NULL CHECK (kind IN ('pilot', 'main', 'top-up', 'potential', 're-measurement',
                                                    'training', 'evaluation')),
  title               TEXT NOT NULL,
  population          TEXT NOT NULL DEFAULT '', -- who is asked, for the report
  imported            INTEGER NOT NULL DEFAULT 0 CHECK (imported IN (0, 1)), -- done elsewhere: no task is handed out
  simulated           INTEGER NOT NULL DEFAULT 0 CHECK (simulated IN (0, 1)),
  answers_per_grid    INTEGER NOT NULL CHECK (answers_per_grid BETWEEN 1 AND 1000), -- N
  grids_per_place     INTEGER NOT NULL CHECK (grids_per_place BETWEEN 1 AND 10000),
  max_share           REAL NOT NULL CHECK (max_share > 0 AND max_share <= 1), -- of all answers, by one person
  same_image_again    INTEGER NOT NULL DEFAULT 0 CHECK (same_image_again IN (0, 1)), -- exposure rule off
  places              INTEGER NOT NULL CHECK (places > 0), -- most participants
  lease_seconds       INTEGER NOT NULL CHECK (lease_seconds BETWEEN 10 AND 86400),
  pay_cents           INTEGER NOT NULL DEFAULT 0 CHECK (pay_cents >= 0), -- per place
  currency            TEXT NOT NULL DEFAULT 'USD',
  expected_minutes    REAL NOT NULL DEFAULT 10 CHECK (expected_minutes > 0),
  layout              TEXT NOT NULL DEFAULT 'overview' CHECK (layout IN ('v2', 'overview', 'free')),
  min_screen          INTEGER NOT NULL DEFAULT 0, -- least width in CSS pixels
  shuffle             INTEGER NOT NULL DEFAULT 1 CHECK (shuffle IN (0, 1)), -- order of cells per assignment
  rule_text           TEXT NOT NULL,
  instruction_version TEXT NOT NULL DEFAULT '1',
  completion_code     TEXT NOT NULL DEFAULT '', -- '' = one of its own per place
  opens_at            INTEGER,
  closes_at           INTEGER,
  state               TEXT NOT NULL CHECK (state IN ('draft', 'open', 'paused', 'closed')),
  seed                INTEGER NOT NULL DEFAULT 0, -- of the planner
  created_at          INTEGER NOT NULL
) STRICT;

CREATE TABLE grid (
  id       INTEGER PRIMARY KEY,
  campaign INTEGER NOT NULL REFERENCES campaign,
  class    INTEGER NOT NULL REFERENCES class, -- the question: does the image contain this?
  name     TEXT NOT NULL,         -- uuid of an imported HIT, else "CAMPAIGN-NUMBER"
  number   INTEGER,               -- of an imported HIT; votes refer to it
  excluded TEXT,                  -- why no view counts it ('pilot', 'blacklisted'), NULL = counted
  created_at INTEGER NOT NULL,
  UNIQUE (campaign, name)
) STRICT;
CREATE INDEX grid_class ON grid (class);
CREATE UNIQUE INDEX grid_number ON grid (campaign, number) WHERE number IS NOT NULL;

CREATE TABLE grid_cell (          -- written once with its grid; bit `position` of an answer's mask
  grid     INTEGER NOT NULL REFERENCES grid,
  position INTEGER NOT NULL CHECK (position BETWEEN 0 AND 47),
  image    INTEGER NOT NULL REFERENCES image,
  role     INTEGER NOT NULL CHECK (role BETWEEN 0 AND 3), -- 0 candidate, 1 positive control, 2 negative control, 3 gold
  PRIMARY KEY (grid, position)
) STRICT, WITHOUT ROWID;
CREATE INDEX grid_cell_image ON grid_cell (image);

---------------------------------------------------------------- work

CREATE TABLE place (              -- one person's part in one campaign
  id              INTEGER PRIMARY KEY,
  token           BLOB NOT NULL UNIQUE, -- the capability in the worker's address
  campaign        INTEGER NOT NULL REFERENCES campaign,
  person          INTEGER NOT NULL REFERENCES person,
  code            TEXT NOT NULL,  -- completion code
  consent_version TEXT NOT NULL,
  joined_at       INTEGER NOT NULL,
  UNIQUE (campaign, person)
) STRICT;

CREATE TABLE assignment (         -- one grid lent to one person
  id          INTEGER PRIMARY KEY,
  token       BLOB UNIQUE,        -- capability for its images and its submission; NULL: imported
  name        TEXT UNIQUE,        -- imported: CAMPAIGN:ID
  grid        INTEGER NOT NULL REFERENCES grid,
  person      INTEGER NOT NULL REFERENCES person,
  place       INTEGER REFERENCES place,
  seed        INTEGER,            -- order of cells; NULL: as stored
  leased_at   INTEGER NOT NULL,
  lease_until INTEGER NOT NULL,
  UNIQUE (grid, person)           -- nobody sees a grid twice
) STRICT;
CREATE INDEX assignment_place ON assignment (place) WHERE place IS NOT NULL;
CREATE INDEX assignment_person ON assignment (person);

CREATE TABLE answer (
  id          INTEGER PRIMARY KEY REFERENCES event,
  assignment  INTEGER NOT NULL UNIQUE REFERENCES assignment,
  client_id   TEXT NOT NULL,      -- made by the client; the same again is the same answer
  mask        INTEGER NOT NULL,   -- bit j: cell j selected
  surplus     INTEGER NOT NULL CHECK (surplus IN (0, 1)), -- came late, grid full meanwhile: paid, not counted
  at          INTEGER NOT NULL,
  active_ms   INTEGER,            -- first paint to submit without hidden-tab time
  device      TEXT                -- JSON: cell size, columns, pointer, screen
) STRICT;

-- Pay and analysis are two fields of an answer, each with its own history. Without a row an
-- answer's pay is 'pending' and its analysis 'in'.
CREATE TABLE answer_state (
  id     INTEGER PRIMARY KEY REFERENCES event,
  answer INTEGER NOT NULL REFERENCES answer,
  field  TEXT NOT NULL CHECK (field IN ('pay', 'analysis')),
  value  TEXT NOT NULL CHECK (value IN ('pending', 'approved', 'rejected', 'bonus', 'in', 'out')),
  rule   TEXT NOT NULL,           -- which rule or whose decision said so
  CHECK ((field = 'analysis') = (value IN ('in', 'out')))
) STRICT;
CREATE INDEX answer_state_answer ON answer_state (answer, field, id);

-- Who has been shown what. A view: the rows are the assignments' grids, so that lending a grid
-- writes one row and not 48; further kinds of tasks add their part here.
CREATE VIEW exposure (person, image, class, assignment, task) AS
  SELECT a.person, c.image, g.class, a.id, 'contains'
  FROM assignment a JOIN grid g ON g.id = a.grid JOIN grid_cell c ON c.grid = g.id;

-- Votes one by one, for audit and for those who bring their own SQL.
CREATE VIEW vote (answer, person, image, class, grid, position, role, selected, counted) AS
  SELECT w.id, a.person, c.image, g.class, g.id, c.position, c.role, (w.mask >> c.position) & 1,
         w.surplus = 0 AND g.excluded IS NULL AND coalesce((
           SELECT s.value FROM answer_state s WHERE s.answer = w.id AND s.field = 'analysis'
           ORDER BY s.id DESC LIMIT 1), 'in') = 'in'
  FROM answer w JOIN assignment a ON a.id = w.assignment JOIN grid g ON g.id = a.grid
  JOIN grid_cell c ON c.grid = g.id;

-- A frequency is always over a named view. Rows are versions: the newest of a name holds.
CREATE TABLE vote_view (
  id          INTEGER PRIMARY KEY REFERENCES event,
  name        TEXT NOT NULL,
  description TEXT NOT NULL,
  kinds       TEXT NOT NULL,      -- campaign kinds joined by "|"; '' = none by kind
  campaigns   TEXT NOT NULL,      -- further campaign names joined by "|"
  filters     TEXT NOT NULL,      -- JSON list of filters
  as_of       INTEGER             -- last event counted; NULL = all
) STRICT;

INSERT INTO event (id, at, kind, subject) VALUES (1, unixepoch() * 1000, 'view.create', 1);
INSERT INTO vote_view (id, name, description, kinds, campaigns, filters)
VALUES (1, 'default', 'All accepted answers of the main and top-up campaigns.', 'main|top-up', '', '[]');
