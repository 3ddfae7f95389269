-- 0015: labels that images could have, as plans: potential ones, about which people are asked, and candidates, among
-- which they choose. Conventions: 0001.

CREATE TABLE label_plan_list (    -- images with their labels: what plans consist of
  id       INTEGER PRIMARY KEY,
  digest   BLOB NOT NULL UNIQUE,  -- SHA-256 of its rows (domain/labels/label_plan.h)
  images   INTEGER NOT NULL,      -- rows it has once it is whole: those of a killed command are fewer
  labels   INTEGER NOT NULL       -- of all of them
) STRICT;

CREATE TABLE label_plan_image (
  list     INTEGER NOT NULL REFERENCES label_plan_list,
  image    INTEGER NOT NULL REFERENCES image,
  class    INTEGER NOT NULL REFERENCES class, -- the label that its set gives it
  stage    TEXT CHECK (stage IN ('easy', 'fu', 'mis', 'amb')), -- of candidates
  PRIMARY KEY (list, image)
) STRICT, WITHOUT ROWID;
CREATE INDEX label_plan_image_image ON label_plan_image (image, list);

-- Of a sealed image it is kept nowhere whether a model or a file named a label, nor which.
CREATE TABLE label_plan_label (
  list     INTEGER NOT NULL,
  image    INTEGER NOT NULL,
  class    INTEGER NOT NULL REFERENCES class,
  origin   INTEGER NOT NULL CHECK (origin BETWEEN 0 AND 7), -- potential: 1 the set's, 2 a model's, 4 a file's; sums
  source   TEXT,                  -- potential: what a file says of where it is from
  selected INTEGER CHECK (selected >= 0), -- candidates: people who found it
  shown    INTEGER CHECK (shown >= selected), -- candidates: people who were asked
  rank     INTEGER CHECK (rank >= 0), -- candidates: its place among them, NULL: it is none
  PRIMARY KEY (list, image, class),
  FOREIGN KEY (list, image) REFERENCES label_plan_image
) STRICT, WITHOUT ROWID;

CREATE TABLE label_plan (         -- a version of a plan; all stay, nothing counts them again
  id       INTEGER PRIMARY KEY REFERENCES event,
  kind     TEXT NOT NULL CHECK (kind IN ('potential', 'candidates')),
  name     TEXT NOT NULL,         -- part of addresses: letters, digits, "-", "_", "."
  version  INTEGER NOT NULL CHECK (version >= 1), -- "NAME/VERSION" is how people and commands name it
  list     INTEGER NOT NULL REFERENCES label_plan_list,
  sealed   INTEGER NOT NULL CHECK (sealed IN (0, 1)), -- an image of it was sealed then
  revision INTEGER REFERENCES revision, -- potential: whose images; NULL: candidates of no set
  top      INTEGER CHECK (top >= 1),    -- potential: so many answers of each model
  models   TEXT,                  -- potential: JSON list of their names
  file     TEXT,                  -- potential: name of the file whose labels are among them, '' without one
  depths   TEXT,                  -- potential: JSON list, what fewer answers of each model come to
  potential INTEGER REFERENCES label_plan, -- candidates: whose labels people were asked about
  vote_view INTEGER REFERENCES vote_view,  -- candidates: which votes count
  as_of    INTEGER,               -- candidates: up to which event
  tau      INTEGER CHECK (tau BETWEEN 1 AND 1000), -- candidates: thousandths of the frequency of the set's label
  least    INTEGER CHECK (least >= 1), -- candidates: people asked
  most     INTEGER CHECK (most >= 1),  -- candidates of an image
  CHECK (kind = 'potential' AND top IS NOT NULL AND models IS NOT NULL AND file IS NOT NULL AND depths IS NOT NULL
      OR kind = 'candidates' AND potential IS NOT NULL AND vote_view IS NOT NULL AND as_of IS NOT NULL
         AND tau IS NOT NULL AND least IS NOT NULL AND most IS NOT NULL),
  UNIQUE (kind, name, version)
) STRICT;
CREATE INDEX label_plan_of_list ON label_plan (list);

CREATE TABLE label_plan_campaign ( -- people are asked about the labels of which plan
  campaign INTEGER PRIMARY KEY REFERENCES campaign,
  plan     INTEGER NOT NULL REFERENCES label_plan
) STRICT;
CREATE INDEX label_plan_campaign_plan ON label_plan_campaign (plan);
