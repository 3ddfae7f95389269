-- 0019: people classify images as models do. Conventions: 0001.

CREATE TABLE evaluation (         -- a list of images that people classify without hearing how they do
  id       INTEGER PRIMARY KEY REFERENCES event,
  name     TEXT NOT NULL UNIQUE,  -- part of addresses
  drawn_by TEXT NOT NULL CHECK (drawn_by IN ('class', 'hardest')), -- as many of each class; those that fewest models have right
  models   TEXT NOT NULL,         -- JSON: by whose answers the hardest are the hardest: names
  as_of    INTEGER NOT NULL,      -- the last event before it was drawn
  seed     INTEGER NOT NULL,
  images   INTEGER NOT NULL CHECK (images > 0) -- rows it has once it is whole
) STRICT;

CREATE TABLE evaluation_set (     -- whose images are mixed in it
  evaluation INTEGER NOT NULL REFERENCES evaluation,
  side     INTEGER NOT NULL CHECK (side IN (0, 1)), -- 0: originals, 1: new; one of them may be missing
  revision INTEGER NOT NULL REFERENCES revision,
  images   INTEGER NOT NULL CHECK (images > 0),
  seen     INTEGER NOT NULL CHECK (seen >= 0), -- images that were not taken: somebody whose work it became had seen them
  most_right INTEGER CHECK (most_right >= 0), -- 'hardest': so many models at most have one of its images right
  PRIMARY KEY (evaluation, side)
) STRICT, WITHOUT ROWID;

CREATE TABLE evaluation_class (   -- what there is to choose among; none: all classes of the project
  evaluation INTEGER NOT NULL REFERENCES evaluation,
  class    INTEGER NOT NULL REFERENCES class,
  PRIMARY KEY (evaluation, class)
) STRICT, WITHOUT ROWID;

CREATE TABLE evaluation_image (   -- each person sees them in an order of their own, which follows from the seed
  evaluation INTEGER NOT NULL REFERENCES evaluation,
  number   INTEGER NOT NULL CHECK (number >= 0),
  image    INTEGER NOT NULL REFERENCES image,
  side     INTEGER NOT NULL CHECK (side IN (0, 1)),
  models_right INTEGER CHECK (models_right >= 0), -- 'hardest': how many models have it right
  PRIMARY KEY (evaluation, number)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX evaluation_image_image ON evaluation_image (image, evaluation);

CREATE TABLE evaluation_state (   -- without a row the list is not whole and nobody sees it; closed is for good
  id       INTEGER PRIMARY KEY REFERENCES event,
  evaluation INTEGER NOT NULL REFERENCES evaluation,
  state    TEXT NOT NULL CHECK (state IN ('open', 'closed')),
  UNIQUE (evaluation, state)
) STRICT;

CREATE TABLE evaluation_person (  -- whose work it is; the newest of an account holds
  id       INTEGER PRIMARY KEY REFERENCES event,
  evaluation INTEGER NOT NULL REFERENCES evaluation,
  account  INTEGER NOT NULL REFERENCES account,
  active   INTEGER NOT NULL CHECK (active IN (0, 1))
) STRICT;
CREATE INDEX evaluation_person_account ON evaluation_person (account, evaluation, id);
CREATE INDEX evaluation_person_evaluation ON evaluation_person (evaluation, account, id);

CREATE TABLE evaluation_answer (  -- what somebody says an image is, once
  id       INTEGER PRIMARY KEY REFERENCES event,
  evaluation INTEGER NOT NULL,
  number   INTEGER NOT NULL,
  account  INTEGER NOT NULL REFERENCES account,
  class    INTEGER NOT NULL REFERENCES class,
  active_ms INTEGER CHECK (active_ms > 0), -- from when the image was shown, without the time that the page was hidden; NULL: not known
  UNIQUE (account, evaluation, number),
  FOREIGN KEY (evaluation, number) REFERENCES evaluation_image
) STRICT;
CREATE INDEX evaluation_answer_image ON evaluation_answer (evaluation, number);

CREATE TABLE evaluation_source (  -- answers that became predictions: of who is through, or of all once the list is closed
  source   INTEGER PRIMARY KEY REFERENCES prediction_source,
  evaluation INTEGER NOT NULL REFERENCES evaluation,
  account  INTEGER NOT NULL REFERENCES account,
  side     INTEGER NOT NULL CHECK (side IN (0, 1)),
  UNIQUE (evaluation, account, side)
) STRICT;
CREATE INDEX evaluation_source_account ON evaluation_source (account);

-- A label review of an evaluation's images asks about what people said, too.
ALTER TABLE label_review ADD COLUMN evaluation INTEGER REFERENCES evaluation; -- whose images it has; NULL: chosen from the whole set
ALTER TABLE label_review_label RENAME TO label_review_label_0017;
CREATE TABLE label_review_label ( -- the labels that are asked about from the start
  review   INTEGER NOT NULL,
  position INTEGER NOT NULL,
  class    INTEGER NOT NULL REFERENCES class,
  models   INTEGER NOT NULL CHECK (models >= 0), -- how many say it first
  origins  INTEGER NOT NULL CHECK (origins BETWEEN 1 AND 31), -- bits, domain/labels/label_review.h
  PRIMARY KEY (review, position, class),
  FOREIGN KEY (review, position) REFERENCES label_review_image
) STRICT, WITHOUT ROWID;
INSERT INTO label_review_label (review, position, class, models, origins)
  SELECT review, position, class, models, origins FROM label_review_label_0017;
DROP TABLE label_review_label_0017;
