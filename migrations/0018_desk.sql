-- 0018: which images people may be asked about, suggestions of a model, what reviewers make of each other's words.
-- Conventions: 0001.

-- 1: images that somebody reviewed in another list, or was evaluated on, may be theirs too (the review after an evaluation)
ALTER TABLE label_review ADD COLUMN again INTEGER NOT NULL DEFAULT 0 CHECK (again IN (0, 1));
-- whose first predictions are suggested for half of the images; NULL: there are no suggestions
ALTER TABLE label_review ADD COLUMN suggests INTEGER REFERENCES model;

CREATE TABLE label_suggestion (   -- what the model says first, of each image of a list that it has predicted
  review   INTEGER NOT NULL,
  position INTEGER NOT NULL,
  class    INTEGER NOT NULL REFERENCES class,
  shown    INTEGER NOT NULL CHECK (shown IN (0, 1)), -- to everybody who reviews the image; drawn by the list's seed
  PRIMARY KEY (review, position),
  FOREIGN KEY (review, position) REFERENCES label_review_image
) STRICT, WITHOUT ROWID;

CREATE TABLE label_stand (        -- what a reviewer makes of what others said of an image; the newest of an account holds
  id       INTEGER PRIMARY KEY REFERENCES event,
  review   INTEGER NOT NULL,
  position INTEGER NOT NULL,
  account  INTEGER NOT NULL REFERENCES account,
  stand    TEXT NOT NULL CHECK (stand IN ('agree', 'keep', 'discuss')), -- agree: the next look of the account has others' verdicts
  FOREIGN KEY (review, position) REFERENCES label_review_image
) STRICT;
CREATE INDEX label_stand_image ON label_stand (review, position, account, id);

-- Everything that somebody who signs in was shown an image by. `label`: they said something of it in the label review
-- `review`; `task`: it was in a grid that was lent to them.
CREATE VIEW account_shown (account, image, how, at, review) AS
SELECT account, image, how, at, NULL FROM account_saw
UNION ALL
SELECT a.id, g.image, 'task', x.leased_at, NULL FROM account a JOIN assignment x ON x.person = a.person
  JOIN grid_cell g ON g.grid = x.grid
UNION ALL
SELECT k.account, i.image, 'label', e.at, k.review FROM label_look k JOIN event e ON e.id = k.id
  JOIN label_review_image i ON i.review = k.review AND i.position = k.position WHERE k.part <> 'undo';
