-- 0016: subsets of images under a name. Conventions: 0001.

CREATE TABLE image_subset (       -- a version of a subset; all stay
  id       INTEGER PRIMARY KEY REFERENCES event,
  name     TEXT NOT NULL,         -- a subset's word is @NAME, @NAME/VERSION
  version  INTEGER NOT NULL CHECK (version >= 1),
  definition TEXT NOT NULL,       -- words, as somebody gave them (measures/core/subset.h)
  words    TEXT NOT NULL,         -- the same with the numbers of sets, views and sources that they meant
  note     TEXT NOT NULL,         -- why; may be empty
  digest   BLOB NOT NULL,         -- SHA-256 of what the words meant, by names (sets/subsets/named.h)
  UNIQUE (name, version)
) STRICT;

CREATE TABLE image_subset_part (  -- what one of its words meant when the version was made: an image must be in all parts
  id       INTEGER PRIMARY KEY,
  subset   INTEGER NOT NULL REFERENCES image_subset,
  number   INTEGER NOT NULL CHECK (number >= 0),
  kind     TEXT NOT NULL CHECK (kind IN ('images', 'classes', 'pairs')), -- pairs: images under a class
  without  INTEGER NOT NULL CHECK (without IN (0, 1)), -- 1: the others are meant
  label    TEXT NOT NULL,
  members  INTEGER NOT NULL CHECK (members >= 0),
  data     BLOB NOT NULL,         -- ids, ascending: u32, of pairs image u32, class u32; little-endian
  UNIQUE (subset, number)
) STRICT;
