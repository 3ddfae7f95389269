-- 0022: label reviews of images whose set label is probably wrong. Conventions: 0001.

-- One more order: by likely label errors. The rest is as in 0017 to 0019.
CREATE TABLE label_review_22 (
  id       INTEGER PRIMARY KEY REFERENCES event,
  name     TEXT NOT NULL UNIQUE,  -- part of addresses; no label source has it: the list is one by itself
  revision INTEGER NOT NULL REFERENCES revision,
  models   TEXT NOT NULL,         -- JSON: by which predictions: [{"model", "source", "predicted"}]
  as_of    INTEGER NOT NULL,      -- the last event before it was drawn
  drawn_by TEXT NOT NULL CHECK (drawn_by IN ('class', 'disagreement', 'random', 'errors')),
  seed     INTEGER NOT NULL,
  images   INTEGER NOT NULL CHECK (images > 0), -- rows it has once it is whole
  reviewers INTEGER NOT NULL CHECK (reviewers BETWEEN 1 AND 9), -- people who look at each image
  repeats  INTEGER NOT NULL CHECK (repeats BETWEEN 0 AND 50),   -- percent of one's images that are shown to one again
  -- 1: images that somebody reviewed in another list, or was evaluated on, may be theirs too (the review after an evaluation)
  again    INTEGER NOT NULL DEFAULT 0 CHECK (again IN (0, 1)),
  suggests INTEGER REFERENCES model,       -- whose first predictions are suggested for half of the images; NULL: none are
  evaluation INTEGER REFERENCES evaluation -- whose images it has; NULL: chosen from the whole set
) STRICT;
INSERT INTO label_review_22 (id, name, revision, models, as_of, drawn_by, seed, images, reviewers, repeats, again, suggests, evaluation)
  SELECT id, name, revision, models, as_of, drawn_by, seed, images, reviewers, repeats, again, suggests, evaluation FROM label_review;
DROP TABLE label_review;
ALTER TABLE label_review_22 RENAME TO label_review;

-- Of a list in that order. rank: its place, from 0, among all images of the set; NULL: it was not chosen by that, and is in
-- the random arm. confidence: the mean probability that models gave the set's label when the list was made; NULL: they gave none.
ALTER TABLE label_review_image ADD COLUMN rank INTEGER CHECK (rank >= 0);
ALTER TABLE label_review_image ADD COLUMN confidence REAL CHECK (confidence BETWEEN 0 AND 1);
