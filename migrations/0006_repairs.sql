-- 0006: what the reviews of measurement and files asked for. Conventions: 0001.

---------------------------------------------------------------- the seal

-- Under construction: models are not scored on it, nor on any list with its digest, and its images show no model's
-- answers (store/seals.h). States lead onward only, so that any row but 'sealed' is an opening.
CREATE VIEW sealed_revision AS
  SELECT r.id, r.image_set, r.number, r.list, s.name FROM revision r JOIN image_set s ON s.id = r.image_set
  WHERE s.role = 'new' AND NOT EXISTS
    (SELECT 1 FROM revision_state t WHERE t.revision = r.id AND t.state <> 'sealed');

CREATE TABLE seal_opening (       -- a revision was unsealed because another one with its images was opened or imported
  state    INTEGER PRIMARY KEY REFERENCES revision_state, -- its 'unsealed'
  through  INTEGER NOT NULL REFERENCES revision,
  shared   INTEGER NOT NULL       -- how many of its images that one has
) STRICT;
CREATE INDEX seal_opening_through ON seal_opening (through);


---------------------------------------------------------------- predictions and their sources

-- Whether row k of a file of predictions without names is about image k of the revision's list: the list has the
-- order of the file that it came from, or is one that the program drew and writes (`export set --format list`).
-- Histories were stored in order of names, and changes of a parent have no order at all.
ALTER TABLE revision ADD COLUMN rows_known INTEGER NOT NULL DEFAULT 1 CHECK (rows_known IN (0, 1));
UPDATE revision SET rows_known = 0
 WHERE strategy = 'import' AND json_extract(parameters, '$.format') = 'history';

-- What holds the scores of a frozen revision fast: later blocks of predictions replace nothing on it
-- (live/score_fold.h). 'newest': it was frozen by a version where the newest record about an image held, and so keeps
-- its numbers.
CREATE TABLE revision_pin (
  revision INTEGER PRIMARY KEY REFERENCES revision,
  block    INTEGER NOT NULL CHECK (block >= 0), -- newest of prediction_block at that moment
  way      TEXT NOT NULL CHECK (way IN ('chosen', 'newest'))
) STRICT;
INSERT INTO revision_pin
  SELECT DISTINCT s.revision, (SELECT coalesce(max(id), 0) FROM prediction_block), 'newest'
    FROM revision_state s WHERE s.state IN ('frozen', 'released');

CREATE TABLE score_decision (     -- which source scores a model on a revision, said by somebody; the newest holds
  id       INTEGER PRIMARY KEY REFERENCES event,
  revision INTEGER NOT NULL REFERENCES revision,
  model    INTEGER NOT NULL REFERENCES model,
  source   INTEGER NOT NULL REFERENCES prediction_source,
  reason   TEXT NOT NULL,
  undoes   INTEGER UNIQUE REFERENCES score_decision -- takes that one back
) STRICT;
CREATE INDEX score_decision_revision ON score_decision (revision, model, id);


---------------------------------------------------------------- frequencies, views and sampling


---------------------------------------------------------------- near-duplicates and the pool as of an event

-- `grid.excluded` is the present state; these rows are how it came about. A grid without rows has been as it is
-- since it was made; before its first row it was the opposite of what that row says.
CREATE TABLE grid_exclusion (
  id     INTEGER PRIMARY KEY REFERENCES event,
  grid   INTEGER NOT NULL REFERENCES grid,
  reason TEXT NOT NULL            -- why no view counts it; '': it counts again
) STRICT;
CREATE INDEX grid_exclusion_grid ON grid_exclusion (grid, id);
INSERT INTO grid_exclusion (id, grid, reason)
  SELECT max(e.id), g.id, g.excluded FROM event e JOIN grid g ON g.id = e.subject
  WHERE e.kind = 'grid.exclude' AND g.excluded IS NOT NULL GROUP BY g.id;

-- What imports filled in of an image that was there already. `event` is the newest event of that moment: the
-- filled fields count for whatever is asked as of a later one. Fields: 1 source, 2 source_id, 4 author,
-- 8 taken_at, 16 keyword (enum image_field, store/images.h). What was filled in before has no row.
CREATE TABLE image_filled (
  event  INTEGER NOT NULL REFERENCES event,
  image  INTEGER NOT NULL REFERENCES image,
  fields INTEGER NOT NULL,
  PRIMARY KEY (event, image)
) STRICT, WITHOUT ROWID;

-- Which near-duplicate metrics are enabled: sampling refuses a candidate that was not searched by an enabled one.
-- The newest row of a metric holds. An image was searched when review_distance has a row about it, or when its id
-- is at most `searched_until`: imports of published studies list only what is left to review.
CREATE TABLE near_metric (
  metric   TEXT NOT NULL CHECK (metric IN ('l2', 'fc7', 'dssim')),
  event    INTEGER NOT NULL REFERENCES event,
  enabled  INTEGER NOT NULL CHECK (enabled IN (0, 1)),
  searched_until INTEGER,         -- NULL: an image without a row was not searched
  PRIMARY KEY (metric, event)
) STRICT, WITHOUT ROWID;
-- Review distances came from imports alone, and images that these did not list were searched.
INSERT INTO near_metric (metric, event, enabled, searched_until)
  SELECT metric, min(event), 1, (SELECT coalesce(max(id), 0) FROM image) FROM review_distance GROUP BY metric;


---------------------------------------------------------------- the bias of matching


---------------------------------------------------------------- blind review, picks, campaigns

-- In the final review, frequencies and which images are new are hidden until somebody asks for them, class by
-- class; from then on that reviewer sees them. Before this version everybody saw them: who decided anything of a
-- class is here with their first decision, but for those who did so in a blind round.
CREATE TABLE review_shown (
  revision INTEGER NOT NULL REFERENCES revision,
  class    INTEGER NOT NULL REFERENCES class,
  account  INTEGER NOT NULL REFERENCES account,
  event    INTEGER NOT NULL REFERENCES event,
  PRIMARY KEY (revision, class, account)
) STRICT, WITHOUT ROWID;
CREATE INDEX review_shown_event ON review_shown (event);

INSERT INTO review_shown (revision, class, account, event)
SELECT d.revision, d.class, e.account, min(d.id) FROM class_decision d JOIN event e ON e.id = d.id
WHERE d.revision IS NOT NULL AND e.account IS NOT NULL
  AND NOT EXISTS (SELECT 1 FROM review_turn t JOIN review_round r ON r.id = t.round
                  WHERE r.revision = d.revision AND t.class = d.class AND t.account = e.account)
GROUP BY d.revision, d.class, e.account;


---------------------------------------------------------------- files of published studies


