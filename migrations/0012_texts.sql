-- 0012: what models said in their own words, and which classes that is. Conventions: 0001.

CREATE TABLE said_text (          -- every text once: answers, and candidates with scores
  id       INTEGER PRIMARY KEY,
  text     TEXT NOT NULL UNIQUE
) STRICT;

CREATE TABLE said_prompt (        -- every prompt once
  id       INTEGER PRIMARY KEY,
  text     TEXT NOT NULL UNIQUE
) STRICT;

CREATE TABLE text_source (        -- an imported file of a model's answers
  id       INTEGER PRIMARY KEY REFERENCES event,
  model    INTEGER NOT NULL REFERENCES model,
  file     TEXT NOT NULL,         -- its name
  recipe   TEXT NOT NULL,         -- JSON: how the model was asked; '': not said
  digest   BLOB NOT NULL,         -- SHA-256 of all that it says, and of the list that it was imported for
  revision INTEGER REFERENCES revision, -- whose images it is about; NULL: any
  records  INTEGER NOT NULL,      -- lines it has once it is whole: those of a killed import are fewer
  UNIQUE (model, digest)
) STRICT;

-- A record: image u32, text u32 (said_text; 0: none), prompt u32 (said_prompt; 0: none), candidates u32, then for each
-- candidate text u32 and score f64; little-endian, at most 256 records a block, in the order of the file. A source has
-- an image once. store/models/texts.c is the only reader.
CREATE TABLE text_block (
  id       INTEGER PRIMARY KEY,
  source   INTEGER NOT NULL REFERENCES text_source,
  records  INTEGER NOT NULL CHECK (records BETWEEN 1 AND 256),
  data     BLOB NOT NULL
) STRICT;
CREATE INDEX text_block_source ON text_block (source, id, records);

CREATE TABLE text_mapping (       -- a version of a mapping from texts to classes; all stay
  id       INTEGER PRIMARY KEY REFERENCES event,
  name     TEXT NOT NULL,         -- part of models' names: MODEL@NAME
  version  INTEGER NOT NULL CHECK (version >= 1),
  first    TEXT NOT NULL CHECK (first IN ('text', 'scores')), -- which of the two counts where a line has both
  digest   BLOB NOT NULL,         -- SHA-256 of all that decides: classes, synonyms, rows, first
  UNIQUE (name, version),
  UNIQUE (name, digest)
) STRICT;

CREATE TABLE text_mapping_row (   -- what a person decided
  mapping  INTEGER NOT NULL REFERENCES text_mapping,
  text     TEXT NOT NULL,
  class    INTEGER NOT NULL REFERENCES class,
  PRIMARY KEY (mapping, text)
) STRICT, WITHOUT ROWID;

CREATE TABLE text_mapped (        -- predictions that a mapping made of a source of texts; block by block, in order
  source   INTEGER PRIMARY KEY REFERENCES prediction_source,
  mapping  INTEGER NOT NULL REFERENCES text_mapping,
  texts    INTEGER NOT NULL REFERENCES text_source
) STRICT;
CREATE INDEX text_mapped_texts ON text_mapped (texts);

-- Images whose answer is no class. A record: image u32, text u32 (said_text; 0: none), outcome u8 (1 out of list,
-- 2 ambiguous, 3 empty; domain/text_class.h).
CREATE TABLE text_unmapped (
  id       INTEGER PRIMARY KEY,
  source   INTEGER NOT NULL REFERENCES text_mapped,
  records  INTEGER NOT NULL CHECK (records BETWEEN 1 AND 256),
  data     BLOB NOT NULL
) STRICT;
CREATE INDEX text_unmapped_source ON text_unmapped (source, id);
