-- 0011: label sources: what images show by others than the set that they are in. Conventions: 0001.

CREATE TABLE label_source (       -- labels under a name; the set's own have none
  id       INTEGER PRIMARY KEY REFERENCES event,
  name     TEXT NOT NULL UNIQUE,  -- part of addresses: letters, digits, "-", "_", "."
  kind     TEXT NOT NULL CHECK (kind IN ('labels', 'main', 'objects', 'review')) -- domain/labels.h
) STRICT;

CREATE TABLE label_list (         -- images with their labels, in order: what versions consist of
  id       INTEGER PRIMARY KEY,
  digest   BLOB NOT NULL UNIQUE,  -- SHA-256 of its rows (store/labels/label_lists.h)
  images   INTEGER NOT NULL,      -- rows it has once it is whole: those of a killed import are fewer
  labels   INTEGER NOT NULL       -- of all of them
) STRICT;

CREATE TABLE label_list_image (   -- in the order of the file they came in; those without labels too
  list     INTEGER NOT NULL REFERENCES label_list,
  position INTEGER NOT NULL CHECK (position >= 0),
  image    INTEGER NOT NULL REFERENCES image,
  problematic INTEGER NOT NULL CHECK (problematic IN (0, 1)), -- no label can be right: it counts for nobody
  partial  INTEGER NOT NULL CHECK (partial IN (0, 1)),        -- not all of what models say of it was looked at
  inferred INTEGER NOT NULL CHECK (inferred IN (0, 1)),       -- nobody said it: the set's label was the only candidate
  main_object INTEGER CHECK (main_object >= 0),               -- NULL: the one that has the main label
  PRIMARY KEY (list, position)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX label_list_image_image ON label_list_image (image, list);

CREATE TABLE label (
  list     INTEGER NOT NULL,
  position INTEGER NOT NULL,      -- of the image
  rank     INTEGER NOT NULL CHECK (rank >= 0), -- in the order of the file
  class    INTEGER NOT NULL REFERENCES class,
  verdict  TEXT NOT NULL CHECK (verdict IN ('correct', 'unclear', 'wrong', 'dontknow')),
  main     INTEGER NOT NULL CHECK (main IN (0, 1)), -- of the main object
  object   INTEGER CHECK (object >= 0),             -- number of the object that it is a label of; NULL: of none
  votes    INTEGER CHECK (votes >= 0),              -- how many people said so; NULL: not known
  PRIMARY KEY (list, position, rank),
  FOREIGN KEY (list, position) REFERENCES label_list_image
) STRICT, WITHOUT ROWID;

CREATE TABLE label_version (      -- a state of a source; all stay, the newest holds
  id       INTEGER PRIMARY KEY REFERENCES event,
  source   INTEGER NOT NULL REFERENCES label_source,
  number   INTEGER NOT NULL CHECK (number >= 1), -- "NAME/NUMBER" is how people and commands name it
  list     INTEGER NOT NULL REFERENCES label_list,
  format   TEXT NOT NULL,         -- of the file: csv, jsonl, real, tfds, objects
  file     TEXT NOT NULL,         -- its name
  found    TEXT NOT NULL,         -- JSON: what the import had to decide: rows, conflicts, images left out
  reason   TEXT NOT NULL,         -- why it replaces the version before; '' of the first
  UNIQUE (source, number)
) STRICT;
CREATE INDEX label_version_list ON label_version (list);
