-- 0005: from votes to a released set: what is decided about images (blacklist, near-duplicates, picks), how
-- revisions were sampled and reviewed. Conventions: 0001.
--
-- An image is its name. Decisions name images by it, whether the project has them or not: histories speak of
-- training images that are near-duplicates and of candidates that were never kept, and they may be imported
-- before the images are. `event` is the number of the event that said it; many rows of an import or of one
-- click share it. The newest row of a name (a pair, a name and metric) holds; nothing is changed or deleted.

---------------------------------------------------------------- images

-- The near-duplicates of one class alone: which images are of the same photo (store/class_images.h).
CREATE INDEX image_source_id ON image (source_id) WHERE source_id IS NOT NULL;

CREATE TABLE blacklisting (
  name     TEXT NOT NULL,
  event    INTEGER NOT NULL REFERENCES event,
  banned   INTEGER NOT NULL CHECK (banned IN (0, 1)), -- 0: taken back
  reason   TEXT NOT NULL CHECK (reason IN ('', 'class', 'drawing', 'distribution', 'unclear', 'near-duplicate',
                                           'harmful', 'other')), -- '' when taken back
  note     TEXT NOT NULL DEFAULT '', -- free text; of imports the reason as it was written
  PRIMARY KEY (name, event)
) STRICT, WITHOUT ROWID;
CREATE INDEX blacklisting_event ON blacklisting (event); -- what one decision said, to show and to undo it

CREATE TABLE near_duplicate (     -- two images that somebody or something said show the same photo
  a        TEXT NOT NULL,         -- the earlier name, bytewise
  b        TEXT NOT NULL,
  event    INTEGER NOT NULL REFERENCES event,
  same     INTEGER NOT NULL CHECK (same IN (0, 1)), -- 0: taken back
  PRIMARY KEY (a, b, event),
  CHECK (a < b)
) STRICT, WITHOUT ROWID;
CREATE INDEX near_duplicate_b ON near_duplicate (b);
CREATE INDEX near_duplicate_event ON near_duplicate (event);

CREATE TABLE near_duplicate_keep ( -- of its component this one stays (domain/near_duplicates.h, line 2)
  name     TEXT NOT NULL,
  event    INTEGER NOT NULL REFERENCES event,
  keep     INTEGER NOT NULL CHECK (keep IN (0, 1)),
  PRIMARY KEY (name, event)
) STRICT, WITHOUT ROWID;

-- How near an image's nearest neighbour is that nobody has reviewed (domain/review_gate.h). Images without a row
-- have nothing left to review.
CREATE TABLE review_distance (
  name     TEXT NOT NULL,
  metric   TEXT NOT NULL CHECK (metric IN ('l2', 'fc7', 'dssim')),
  event    INTEGER NOT NULL REFERENCES event,
  distance REAL,                  -- NULL: its neighbours were never searched
  PRIMARY KEY (name, metric, event)
) STRICT, WITHOUT ROWID;

CREATE TABLE neighbour_review (   -- which neighbours somebody looked at beside an image
  name     TEXT NOT NULL,
  metric   TEXT NOT NULL CHECK (metric IN ('l2', 'fc7', 'dssim')),
  reviewer TEXT NOT NULL,         -- as the history names them, or an account's login
  date     TEXT NOT NULL,         -- as the history writes it
  event    INTEGER NOT NULL REFERENCES event,
  neighbours TEXT NOT NULL,       -- JSON list of names
  PRIMARY KEY (name, metric, reviewer, date)
) STRICT, WITHOUT ROWID;

CREATE TABLE pick (               -- sets without votes: chosen by hand, keyword by keyword
  name     TEXT NOT NULL,
  event    INTEGER NOT NULL REFERENCES event,
  stage    TEXT NOT NULL CHECK (stage IN ('open', 'picked', 'pruned')), -- pruned: a second person took it out
  note     TEXT NOT NULL DEFAULT '',
  PRIMARY KEY (name, event)
) STRICT, WITHOUT ROWID;
CREATE INDEX pick_event ON pick (event); -- the newest: pages that show picks ask for it

---------------------------------------------------------------- revisions

-- How a sampled revision came about: together with the parent, strategy and parameters all that `sample
-- --replay` needs. NULL for imports but for `valid`, when their file says it.
ALTER TABLE revision ADD COLUMN seed INTEGER;
ALTER TABLE revision ADD COLUMN as_of INTEGER;          -- last event that votes and decisions count
ALTER TABLE revision ADD COLUMN newest_image INTEGER;   -- the pool's last image
ALTER TABLE revision ADD COLUMN vote_view INTEGER REFERENCES vote_view; -- the version of the view
ALTER TABLE revision ADD COLUMN inputs TEXT;            -- JSON: a digest of each input (sets/pool.h)
ALTER TABLE revision ADD COLUMN facts TEXT;             -- JSON: what the plan said (sets/sample.h)
ALTER TABLE revision ADD COLUMN valid INTEGER CHECK (valid IN (0, 1)); -- every class is complete

-- Images of the parent that a revision has not any more, and why: records of image u32, class u32, reason u8
-- (enum revision_removed, store/revision_facts.h), little-endian, by class and image.
ALTER TABLE revision ADD COLUMN removals BLOB;

-- The images that a list has of a class, and how many: for one class of a set's review, and for all of them.
CREATE INDEX set_list_image_class ON set_list_image (list, class);

---------------------------------------------------------------- the final review

-- What somebody decided on a class's pages in one go: the rows of `blacklisting`, `near_duplicate` and
-- `class_review` with this event. The newest of a class is its version: who decides names the one that they
-- have seen (If-Match).
CREATE TABLE class_decision (
  id       INTEGER PRIMARY KEY REFERENCES event,
  class    INTEGER NOT NULL REFERENCES class,
  revision INTEGER REFERENCES revision, -- in whose review; NULL: in the class browser
  undoes   INTEGER UNIQUE REFERENCES class_decision -- puts back what that one changed
) STRICT;
CREATE INDEX class_decision_class ON class_decision (class, id);
CREATE INDEX class_decision_revision ON class_decision (revision, id) WHERE revision IS NOT NULL;

CREATE TABLE class_review (       -- state of the review of a class in a revision
  revision INTEGER NOT NULL REFERENCES revision,
  class    INTEGER NOT NULL REFERENCES class,
  event    INTEGER NOT NULL REFERENCES event,
  reviewed INTEGER NOT NULL CHECK (reviewed IN (0, 1)),
  problematic INTEGER NOT NULL CHECK (problematic IN (0, 1)),
  carried  INTEGER NOT NULL DEFAULT 0 CHECK (carried IN (0, 1)), -- from the parent, when the revision was made
  PRIMARY KEY (revision, class, event)
) STRICT, WITHOUT ROWID;

-- A round of blind review: classes in an order of each reviewer's own, originals mixed among the images of the
-- set, some classes a second time (domain/review_round.h derives all of it from the seed).
CREATE TABLE review_round (
  id        INTEGER PRIMARY KEY REFERENCES event,
  revision  INTEGER NOT NULL REFERENCES revision, -- its newest round holds
  originals INTEGER NOT NULL CHECK (originals BETWEEN 0 AND 50), -- percent of the images shown
  repeats   INTEGER NOT NULL CHECK (repeats BETWEEN 0 AND 50),   -- percent of the classes
  seed      INTEGER NOT NULL
) STRICT;
CREATE INDEX review_round_revision ON review_round (revision, id);

CREATE TABLE review_turn (        -- a reviewer is through with a class of a round
  id       INTEGER PRIMARY KEY REFERENCES event,
  round    INTEGER NOT NULL REFERENCES review_round,
  account  INTEGER NOT NULL REFERENCES account,
  class    INTEGER NOT NULL REFERENCES class,
  again    INTEGER NOT NULL CHECK (again IN (0, 1)), -- the repeat: measures the reviewer, decides nothing
  UNIQUE (round, account, class, again)
) STRICT;

CREATE TABLE review_mark (        -- every image that was shown in a turn
  turn     INTEGER NOT NULL REFERENCES review_turn,
  image    INTEGER NOT NULL REFERENCES image,
  probe    INTEGER NOT NULL CHECK (probe IN (0, 1)), -- an original, mixed in
  rejected INTEGER NOT NULL CHECK (rejected IN (0, 1)),
  PRIMARY KEY (turn, image)
) STRICT, WITHOUT ROWID;

---------------------------------------------------------------- measured again

CREATE TABLE remeasurement (      -- a campaign that shows the images of a set and as many originals once more
  campaign INTEGER PRIMARY KEY REFERENCES campaign,
  revision INTEGER NOT NULL REFERENCES revision
) STRICT;
CREATE INDEX remeasurement_revision ON remeasurement (revision);

CREATE TABLE campaign_apart (     -- nobody who was shown a grid of `other` takes part in the campaign
  campaign INTEGER NOT NULL REFERENCES campaign,
  other    INTEGER NOT NULL REFERENCES campaign,
  PRIMARY KEY (campaign, other)
) STRICT, WITHOUT ROWID;
