-- 0021: training of experts. Conventions: 0001.

CREATE TABLE training_list (      -- images with a label that is known, on which experts learn classes
  id       INTEGER PRIMARY KEY REFERENCES event,
  name     TEXT NOT NULL UNIQUE,  -- part of addresses
  unlocks  TEXT NOT NULL,         -- the group that whoever passes it has unlocked; several lists may name the same
  made_of  TEXT NOT NULL CHECK (made_of IN ('relation', 'confusions', 'group', 'file')),
  detail   TEXT NOT NULL,         -- JSON: the set, classes, models or file that it was made of
  as_of    INTEGER NOT NULL,      -- the last event before it was drawn
  seed     INTEGER NOT NULL,
  images   INTEGER NOT NULL CHECK (images > 0),
  mark     INTEGER NOT NULL CHECK (mark BETWEEN 1 AND 100), -- percent of the latest `span` answers that count
  span     INTEGER NOT NULL CHECK (span BETWEEN 1 AND images)
) STRICT;

CREATE TABLE training_image (     -- in the order in which they are shown
  list     INTEGER NOT NULL REFERENCES training_list,
  position INTEGER NOT NULL CHECK (position >= 0),
  image    INTEGER NOT NULL REFERENCES image,
  class    INTEGER NOT NULL REFERENCES class, -- the right label
  PRIMARY KEY (list, position)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX training_image_image ON training_image (image, list);

CREATE TABLE training_state (     -- the newest holds
  id       INTEGER PRIMARY KEY REFERENCES event,
  list     INTEGER NOT NULL REFERENCES training_list,
  state    TEXT NOT NULL CHECK (state IN ('open', 'closed'))
) STRICT;
CREATE INDEX training_state_list ON training_state (list, id);

CREATE TABLE training_answer (    -- every answer, repeated ones too; nothing takes one back
  id       INTEGER PRIMARY KEY REFERENCES event,
  list     INTEGER NOT NULL,
  position INTEGER NOT NULL,
  account  INTEGER NOT NULL REFERENCES account,
  class    INTEGER NOT NULL REFERENCES class, -- what they chose
  fits     INTEGER NOT NULL CHECK (fits IN (0, 1)),   -- it was right by what was known then: the feedback that was given
  counts   INTEGER NOT NULL CHECK (counts IN (0, 1)), -- they had not been shown the image elsewhere nor answered it before
  guide    INTEGER NOT NULL,      -- the newest version of any page of the guide (guide_version); 0: none
  searched INTEGER NOT NULL CHECK (searched IN (0, 1)), -- they followed a link to an external search
  active_ms INTEGER,              -- from when the image was shown, without the time that the page was hidden
  FOREIGN KEY (list, position) REFERENCES training_image
) STRICT;
CREATE INDEX training_answer_account ON training_answer (account, list, position);
CREATE INDEX training_answer_image ON training_answer (list, position);

CREATE TABLE training_suggestion ( -- what somebody says of a label that they chose, or of the image; of both the newest holds
  id       INTEGER PRIMARY KEY REFERENCES event,
  list     INTEGER NOT NULL,
  position INTEGER NOT NULL,
  account  INTEGER NOT NULL REFERENCES account,
  class    INTEGER REFERENCES class, -- NULL: it is about the image
  verdict  TEXT NOT NULL CHECK (verdict IN ('correct', 'wrong', 'unclear', 'dontknow', 'problematic', 'none')), -- none: taken back
  comment  TEXT NOT NULL,
  guide    INTEGER NOT NULL,
  CHECK (verdict = 'none' OR (verdict = 'problematic') = (class IS NULL)),
  FOREIGN KEY (list, position) REFERENCES training_image
) STRICT;
CREATE INDEX training_suggestion_image ON training_suggestion (list, position, account, id);

CREATE TABLE training_need (      -- whose reviewers must have unlocked a group; the newest of list and group holds
  id       INTEGER PRIMARY KEY REFERENCES event,
  kind     TEXT NOT NULL CHECK (kind IN ('label-review', 'evaluation')),
  list     INTEGER NOT NULL,      -- id in the table that the kind names
  unlocks  TEXT NOT NULL,
  needed   INTEGER NOT NULL CHECK (needed IN (0, 1))
) STRICT;
CREATE INDEX training_need_list ON training_need (kind, list, unlocks, id);

-- Labels that are asked about may come from suggestions too: one more bit of `origins`. The rest is as in 0019.
CREATE TABLE label_review_label_21 (
  review   INTEGER NOT NULL,
  position INTEGER NOT NULL,
  class    INTEGER NOT NULL REFERENCES class,
  models   INTEGER NOT NULL CHECK (models >= 0), -- how many say it first
  origins  INTEGER NOT NULL CHECK (origins BETWEEN 1 AND 255), -- bits, domain/labels/label_review.h
  PRIMARY KEY (review, position, class),
  FOREIGN KEY (review, position) REFERENCES label_review_image
) STRICT, WITHOUT ROWID;
INSERT INTO label_review_label_21 SELECT review, position, class, models, origins FROM label_review_label;
DROP TABLE label_review_label;
ALTER TABLE label_review_label_21 RENAME TO label_review_label;
