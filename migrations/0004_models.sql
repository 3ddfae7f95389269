-- 0004: image sets and their revisions, models, predictions, features, jobs. Conventions: 0001.

CREATE TABLE image_set (          -- a test set, or the originals it is compared with
  id       INTEGER PRIMARY KEY REFERENCES event,
  name     TEXT NOT NULL UNIQUE,  -- part of addresses: letters, digits, "-", "_", "."
  role     TEXT NOT NULL CHECK (role IN ('original', 'new'))
) STRICT;

CREATE TABLE set_list (           -- images with their labels, in order: what revisions consist of
  id       INTEGER PRIMARY KEY,
  digest   BLOB NOT NULL,         -- SHA-256 of the sorted "image,wnid" lines, joined by LF, no final LF
  ordering INTEGER NOT NULL,      -- hash of the order: the same images in another order are another list
  images   INTEGER NOT NULL,      -- rows it has once it is whole: those of a killed import are fewer
  UNIQUE (digest, ordering)
) STRICT;

CREATE TABLE set_list_image (     -- in the order of the file they came in: row k of imported predictions
  list     INTEGER NOT NULL REFERENCES set_list,
  position INTEGER NOT NULL CHECK (position >= 0),
  image    INTEGER NOT NULL REFERENCES image,
  class    INTEGER NOT NULL REFERENCES class, -- its label in this list
  PRIMARY KEY (list, position)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX set_list_image_image ON set_list_image (image, list);

CREATE TABLE revision (           -- a state of a set; revisions of a set form a tree
  id        INTEGER PRIMARY KEY REFERENCES event,
  image_set INTEGER NOT NULL REFERENCES image_set,
  number    INTEGER NOT NULL CHECK (number >= 0), -- "SET/NUMBER" is how people and commands name it
  parent    INTEGER REFERENCES revision,
  strategy  TEXT NOT NULL,        -- 'import'; how its images were chosen
  parameters TEXT NOT NULL,       -- JSON: everything that chose them
  list      INTEGER NOT NULL REFERENCES set_list,
  UNIQUE (image_set, number)
) STRICT;
CREATE INDEX revision_parent ON revision (parent) WHERE parent IS NOT NULL;
CREATE INDEX revision_list ON revision (list);

-- Sealed until frozen: models are not scored on a set under construction. None: sealed. The newest row
-- holds; 'unsealed' is the early opening that manifest and report print.
CREATE TABLE revision_state (
  id       INTEGER PRIMARY KEY REFERENCES event,
  revision INTEGER NOT NULL REFERENCES revision,
  state    TEXT NOT NULL CHECK (state IN ('sealed', 'unsealed', 'frozen', 'released')),
  reason   TEXT NOT NULL
) STRICT;
CREATE INDEX revision_state_revision ON revision_state (revision, id);

CREATE TABLE model (
  id       INTEGER PRIMARY KEY REFERENCES event,
  name     TEXT NOT NULL UNIQUE,  -- part of addresses
  kind     TEXT NOT NULL CHECK (kind IN ('onnx', 'import')), -- import: its predictions came as files
  file     TEXT,                  -- below models/; NULL for imports
  hash     BLOB,                  -- BLAKE2b-512 of the file and of its external data
  bytes    INTEGER,
  recipe   TEXT,                  -- JSON: how images become its input, which class each output is (infer/recipe.h)
  facts    TEXT,                  -- JSON: what the reader found: inputs, outputs, parameters, operators
  note     TEXT NOT NULL DEFAULT '', -- what people say about it, e.g. how it was trained
  CHECK ((kind = 'onnx') = (file IS NOT NULL))
) STRICT;

CREATE TABLE model_removal (      -- removed models keep their rows: predictions name them; the newest holds
  id       INTEGER PRIMARY KEY REFERENCES event,
  model    INTEGER NOT NULL REFERENCES model,
  removed  INTEGER NOT NULL CHECK (removed IN (0, 1)), -- 0: it came back
  reason   TEXT NOT NULL
) STRICT;
CREATE INDEX model_removal_model ON model_removal (model, id);

CREATE TABLE prediction_source (  -- predictions that were made alike: same bytes, preprocessing and engine
  id       INTEGER PRIMARY KEY REFERENCES event,
  model    INTEGER NOT NULL REFERENCES model,
  kind     TEXT NOT NULL CHECK (kind IN ('engine', 'import')),
  bytes    TEXT NOT NULL CHECK (bytes IN ('original', 'unknown')), -- what was decoded; import: not known
  engine   TEXT NOT NULL,         -- fingerprint (infer/engine.h), or the imported file's name
  recipe   TEXT NOT NULL,         -- JSON as in `model`, of the time it ran; import: what was repaired
  digest   BLOB NOT NULL,         -- of all that makes them the same: model file, recipe, engine; or imported file
  revision INTEGER REFERENCES revision, -- import: whose rows the file has
  k        INTEGER NOT NULL CHECK (k BETWEEN 1 AND 5),
  scored   INTEGER NOT NULL CHECK (scored IN (0, 1)), -- probabilities are known
  UNIQUE (model, digest)
) STRICT;

-- A record: image u32, classes u16[k] best first (cid; 65535: none), if `scored` probabilities f32[k];
-- little-endian, at most 1024 records a block. A source has an image once; among sources of a model
-- the newest record about an image holds. store/predictions.c is the only reader.
CREATE TABLE prediction_block (
  id       INTEGER PRIMARY KEY,
  source   INTEGER NOT NULL REFERENCES prediction_source,
  records  INTEGER NOT NULL CHECK (records BETWEEN 1 AND 1024),
  least    INTEGER NOT NULL,      -- smallest and largest image in it: one image is found without reading
  most     INTEGER NOT NULL,      -- the blocks that cannot have it
  data     BLOB NOT NULL
) STRICT;
CREATE INDEX prediction_block_source ON prediction_block (source, id, records, least, most);

CREATE TABLE feature_source (     -- one file of float32 rows: features/<id>.f32
  id       INTEGER PRIMARY KEY REFERENCES event,
  model    INTEGER NOT NULL REFERENCES model,
  output   TEXT NOT NULL,         -- name of the value in the model
  dim      INTEGER NOT NULL CHECK (dim > 0),
  engine   TEXT NOT NULL,
  recipe   TEXT NOT NULL,
  digest   BLOB NOT NULL UNIQUE
) STRICT;

CREATE TABLE feature_block (      -- rows that are complete on the disk; what lies behind them is cut off
  id       INTEGER PRIMARY KEY,
  source   INTEGER NOT NULL REFERENCES feature_source,
  first    INTEGER NOT NULL,      -- row
  records  INTEGER NOT NULL CHECK (records BETWEEN 1 AND 1024),
  images   BLOB NOT NULL          -- u32[records], little-endian
) STRICT;
CREATE INDEX feature_block_source ON feature_block (source, id);

-- Jobs are commands run as child processes of the server. What they did is in their own tables; this
-- is the queue and what the page shows, and the only table here whose rows change.
CREATE TABLE job (
  id       INTEGER PRIMARY KEY REFERENCES event,
  kind     TEXT NOT NULL,         -- a row of jobs/kinds.c
  arguments TEXT NOT NULL,        -- JSON array: what follows "holdout KIND DIR"
  title    TEXT NOT NULL,         -- as people read it: "resnet50 on originals"
  state    TEXT NOT NULL CHECK (state IN ('queued', 'running', 'done', 'failed', 'cancelled')),
  asked_to_stop INTEGER NOT NULL DEFAULT 0 CHECK (asked_to_stop IN (0, 1)),
  starts   INTEGER NOT NULL DEFAULT 0, -- how often a process was started for it
  deaths   INTEGER NOT NULL DEFAULT 0, -- of those in a row that ended without a result and without getting further
  pid      INTEGER,               -- of the process that said it is the job, while it runs
  done     INTEGER NOT NULL DEFAULT 0,
  total    INTEGER NOT NULL DEFAULT 0, -- 0: not known
  note     TEXT NOT NULL DEFAULT '', -- one line: what it is doing, or why it ended as it did
  started_at INTEGER, ended_at INTEGER, -- milliseconds; of the newest process
  first_at INTEGER, first_done INTEGER, -- its first word about progress: the pace is counted from there
  beat_at  INTEGER                -- its last
) STRICT;
CREATE INDEX job_state ON job (state) WHERE state IN ('queued', 'running');
