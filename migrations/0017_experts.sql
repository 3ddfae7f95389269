-- 0017: label review by experts, what accounts have seen, the guide, how classes relate. Conventions: 0001.

CREATE TABLE label_review (       -- a list of images of a revision whose labels experts decide about
  id       INTEGER PRIMARY KEY REFERENCES event,
  name     TEXT NOT NULL UNIQUE,  -- part of addresses; no label source has it: the list is one by itself
  revision INTEGER NOT NULL REFERENCES revision,
  models   TEXT NOT NULL,         -- JSON: by which predictions: [{"model", "source", "predicted"}]
  as_of    INTEGER NOT NULL,      -- the last event before it was drawn
  drawn_by TEXT NOT NULL CHECK (drawn_by IN ('class', 'disagreement', 'random')),
  seed     INTEGER NOT NULL,
  images   INTEGER NOT NULL CHECK (images > 0), -- rows it has once it is whole
  reviewers INTEGER NOT NULL CHECK (reviewers BETWEEN 1 AND 9), -- people who look at each image
  repeats  INTEGER NOT NULL CHECK (repeats BETWEEN 0 AND 50)    -- percent of one's images that are shown to one again
) STRICT;

CREATE TABLE label_review_image ( -- in the order in which they are reviewed
  review   INTEGER NOT NULL REFERENCES label_review,
  position INTEGER NOT NULL CHECK (position >= 0),
  image    INTEGER NOT NULL REFERENCES image,
  p        REAL CHECK (p > 0 AND p <= 1), -- its chance of being in the random arm, which has it; NULL: it was chosen
  PRIMARY KEY (review, position)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX label_review_image_image ON label_review_image (image, review);

CREATE TABLE label_review_label ( -- the labels that are asked about from the start
  review   INTEGER NOT NULL,
  position INTEGER NOT NULL,
  class    INTEGER NOT NULL REFERENCES class,
  models   INTEGER NOT NULL CHECK (models >= 0), -- how many say it first
  origins  INTEGER NOT NULL CHECK (origins BETWEEN 1 AND 15), -- bits, domain/labels/label_review.h
  PRIMARY KEY (review, position, class),
  FOREIGN KEY (review, position) REFERENCES label_review_image
) STRICT, WITHOUT ROWID;

CREATE TABLE label_review_state ( -- the newest holds; without one its rows are not whole and nobody sees it
  id       INTEGER PRIMARY KEY REFERENCES event,
  review   INTEGER NOT NULL REFERENCES label_review,
  state    TEXT NOT NULL CHECK (state IN ('open', 'closed'))
) STRICT;
CREATE INDEX label_review_state_review ON label_review_state (review, id);

CREATE TABLE label_reviewer (     -- whose work it is; the newest of an account holds
  id       INTEGER PRIMARY KEY REFERENCES event,
  review   INTEGER NOT NULL REFERENCES label_review,
  account  INTEGER NOT NULL REFERENCES account,
  active   INTEGER NOT NULL CHECK (active IN (0, 1))
) STRICT;
CREATE INDEX label_reviewer_account ON label_reviewer (account, review, id);
CREATE INDEX label_reviewer_review ON label_reviewer (review, account, id);

CREATE TABLE label_look (         -- what somebody said of an image at one time; what holds is derived
  id       INTEGER PRIMARY KEY REFERENCES event,
  review   INTEGER NOT NULL,
  position INTEGER NOT NULL,
  account  INTEGER REFERENCES account, -- NULL: an import
  part     TEXT NOT NULL CHECK (part IN ('review', 'repeat', 'adjudication', 'undo')),
  undoes   INTEGER UNIQUE REFERENCES label_look, -- of 'undo': this look does not count any more
  problematic TEXT CHECK (problematic IN ('label', 'drawing', 'edited', 'inappropriate', 'other')), -- NULL: it is not
  comment  TEXT NOT NULL,
  guide    INTEGER NOT NULL,      -- the newest version of any page of the guide (guide_version); 0: none
  searched INTEGER NOT NULL CHECK (searched IN (0, 1)), -- they followed a link to an external search
  active_ms INTEGER,              -- from when the image was shown, without the time that the page was hidden
  CHECK ((part = 'undo') = (undoes IS NOT NULL)),
  FOREIGN KEY (review, position) REFERENCES label_review_image
) STRICT;
CREATE INDEX label_look_image ON label_look (review, position);
CREATE INDEX label_look_account ON label_look (account, review, position);

CREATE TABLE label_look_verdict (
  review   INTEGER NOT NULL,
  position INTEGER NOT NULL,
  class    INTEGER NOT NULL REFERENCES class,
  look     INTEGER NOT NULL REFERENCES label_look,
  added    INTEGER NOT NULL CHECK (added IN (0, 1)), -- it is not in label_review_label: this person added it
  verdict  TEXT NOT NULL CHECK (verdict IN ('correct', 'unclear', 'wrong', 'dontknow')),
  PRIMARY KEY (review, position, class, look)
) STRICT, WITHOUT ROWID;
CREATE INDEX label_look_verdict_look ON label_look_verdict (look);
CREATE INDEX label_look_verdict_added ON label_look_verdict (review, position) WHERE added = 1;

CREATE TABLE account_saw (        -- images that somebody who signs in was shown, besides `exposure`
  account  INTEGER NOT NULL REFERENCES account,
  image    INTEGER NOT NULL REFERENCES image,
  how      TEXT NOT NULL CHECK (how IN ('page', 'review', 'training', 'evaluation', 'guide')),
  at       INTEGER NOT NULL,      -- first
  PRIMARY KEY (account, image, how)
) STRICT, WITHOUT ROWID;
CREATE INDEX account_saw_image ON account_saw (image);

CREATE TABLE guide_version (      -- what the guide says of a class or of a group of them; the newest holds
  id       INTEGER PRIMARY KEY REFERENCES event,
  wnid     TEXT NOT NULL,         -- of a class or a synset
  text     TEXT NOT NULL,         -- Markdown; empty: the page was taken out
  reason   TEXT NOT NULL
) STRICT;
CREATE INDEX guide_version_wnid ON guide_version (wnid, id);

CREATE TABLE class_relation (     -- the newest of a pair holds
  id       INTEGER PRIMARY KEY REFERENCES event,
  a        INTEGER NOT NULL REFERENCES class,
  b        INTEGER NOT NULL REFERENCES class,
  kind     TEXT NOT NULL CHECK (kind IN ('equal', 'contains', 'confusable', 'redefined', 'none')), -- contains: a has b in it
  note     TEXT NOT NULL,
  CHECK (a <> b AND (kind IN ('contains', 'redefined') OR a < b))
) STRICT;
CREATE INDEX class_relation_a ON class_relation (a, b, id);
CREATE INDEX class_relation_b ON class_relation (b);
