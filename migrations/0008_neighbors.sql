-- 0008: the project's own near-duplicate search: metrics, searches, what reviewers say of pairs. Conventions: 0001, and
-- 0005 for names of images.

---------------------------------------------------------------- metrics

-- Metrics are the project's, no longer three names: the tables that name them are made anew without that check.

CREATE TABLE near_metric_8 (        -- the newest row of a name holds
  metric    TEXT NOT NULL,          -- its name: letters, digits, "-", "_"
  event     INTEGER NOT NULL REFERENCES event,
  enabled   INTEGER NOT NULL CHECK (enabled IN (0, 1)),
  kind      TEXT NOT NULL CHECK (kind IN ('l2', 'feature', 'dssim')),
  side      INTEGER NOT NULL,       -- l2, dssim: pixels; feature: 0
  window    INTEGER NOT NULL,       -- dssim: pixels; else 0
  model     TEXT NOT NULL,          -- feature: whose features; '': not searched here, distances are imported
  threshold REAL NOT NULL CHECK (threshold > 0),
  searched_until INTEGER,           -- images with ids up to this one count as searched although nothing says so of
                                    -- them: imports of published studies list only what is left to review
  PRIMARY KEY (metric, event)
) STRICT, WITHOUT ROWID;
INSERT INTO near_metric_8 (metric, event, enabled, kind, side, window, model, threshold, searched_until)
  SELECT metric, event, enabled, CASE metric WHEN 'fc7' THEN 'feature' ELSE metric END,
         CASE metric WHEN 'fc7' THEN 0 ELSE 256 END, CASE metric WHEN 'dssim' THEN 35 ELSE 0 END, '',
         CASE metric WHEN 'l2' THEN 1.2e8 WHEN 'fc7' THEN 1.32e4 ELSE 0.2205 END, searched_until FROM near_metric;
DROP TABLE near_metric;
ALTER TABLE near_metric_8 RENAME TO near_metric;

CREATE TABLE review_distance_8 (    -- as in 0005
  name     TEXT NOT NULL,
  metric   TEXT NOT NULL,
  event    INTEGER NOT NULL REFERENCES event,
  distance REAL,
  PRIMARY KEY (name, metric, event)
) STRICT, WITHOUT ROWID;
INSERT INTO review_distance_8 SELECT name, metric, event, distance FROM review_distance;
DROP TABLE review_distance;
ALTER TABLE review_distance_8 RENAME TO review_distance;

CREATE TABLE neighbour_review_8 (   -- as in 0005
  name     TEXT NOT NULL,
  metric   TEXT NOT NULL,
  reviewer TEXT NOT NULL,
  date     TEXT NOT NULL,
  event    INTEGER NOT NULL REFERENCES event,
  neighbours TEXT NOT NULL,
  PRIMARY KEY (name, metric, reviewer, date)
) STRICT, WITHOUT ROWID;
INSERT INTO neighbour_review_8 SELECT name, metric, reviewer, date, event, neighbours FROM neighbour_review;
DROP TABLE neighbour_review;
ALTER TABLE neighbour_review_8 RENAME TO neighbour_review;

---------------------------------------------------------------- training images

-- Images that models were trained on have a role of their own: they are what candidates and originals are compared with,
-- and stand in nothing else. The table is made anew with that word; the rest is as in 0001, 0002 and 0005.

CREATE TABLE image_8 (
  id          INTEGER PRIMARY KEY,
  name        TEXT NOT NULL UNIQUE,
  class       INTEGER NOT NULL REFERENCES class,
  role        TEXT NOT NULL CHECK (role IN ('original', 'candidate', 'reference', 'gold', 'training')),
  source      INTEGER REFERENCES source,
  idx         INTEGER,
  source_id   TEXT,
  source_url  TEXT,
  taken_at    TEXT,
  author      TEXT,
  licence     TEXT,
  keyword     TEXT
) STRICT;
INSERT INTO image_8 SELECT id, name, class, role, source, idx, source_id, source_url, taken_at, author, licence, keyword FROM image;
DROP TABLE image;
ALTER TABLE image_8 RENAME TO image;
CREATE INDEX image_class ON image (class, role);
CREATE INDEX image_source ON image (source) WHERE source IS NOT NULL;
CREATE UNIQUE INDEX image_idx ON image (idx) WHERE idx IS NOT NULL;
CREATE INDEX image_source_id ON image (source_id) WHERE source_id IS NOT NULL;
CREATE TRIGGER image_counted AFTER INSERT ON image BEGIN
  INSERT INTO image_count (class, role, n) VALUES (new.class, new.role, 1)
    ON CONFLICT (class, role) DO UPDATE SET n = n + 1;
END;

---------------------------------------------------------------- searches

CREATE TABLE near_search (          -- the nearest references of each of its queries, by one metric
  id      INTEGER PRIMARY KEY REFERENCES event,
  metric  TEXT NOT NULL,
  space   TEXT NOT NULL,            -- JSON: what its distances are of (kind, side, window, model, digest of the
                                    -- features); searches of one space and engine complete each other
  engine  TEXT NOT NULL,            -- version of the search
  k       INTEGER NOT NULL CHECK (k BETWEEN 1 AND 100),
  within  REAL NOT NULL,            -- its pairs up to this distance are in near_close
  queries BLOB NOT NULL,            -- images as ranges: u32 first, u32 count, ..., ascending, little-endian
  refs    BLOB NOT NULL
) STRICT;
CREATE INDEX near_search_space ON near_search (space);

CREATE TABLE near_search_end (      -- that search is whole; until then it counts for nothing
  id     INTEGER PRIMARY KEY REFERENCES event,
  search INTEGER NOT NULL UNIQUE REFERENCES near_search
) STRICT;

-- Lists of `records` queries from the `first` of the search on. Of each: u32 n, then n times u32 reference and f64
-- distance, the nearest first; little-endian. store/duplicates/near_searches.c is the only reader.
CREATE TABLE near_list (
  id      INTEGER PRIMARY KEY,
  search  INTEGER NOT NULL REFERENCES near_search,
  first   INTEGER NOT NULL,
  records INTEGER NOT NULL CHECK (records BETWEEN 1 AND 16),
  data    BLOB NOT NULL,
  UNIQUE (search, first)
) STRICT;

CREATE TABLE near_close (           -- pairs near a threshold or within it: what the work list and the gate read
  query     INTEGER NOT NULL REFERENCES image,
  search    INTEGER NOT NULL REFERENCES near_search,
  reference INTEGER NOT NULL REFERENCES image,
  distance  REAL NOT NULL,
  PRIMARY KEY (query, search, reference)
) STRICT, WITHOUT ROWID;
CREATE INDEX near_close_distance ON near_close (search, distance);

CREATE TABLE near_unread (          -- images that a search could not read: it compared them with nothing
  search INTEGER NOT NULL REFERENCES near_search,
  image  INTEGER NOT NULL REFERENCES image,
  PRIMARY KEY (search, image)
) STRICT, WITHOUT ROWID;

-- What a candidate must have been compared with: all with pixels that it must not look like.
CREATE INDEX image_original ON image (id) WHERE role IN ('original', 'reference', 'training') AND source IS NOT NULL;

---------------------------------------------------------------- the duplicate review

CREATE TABLE near_verdict (         -- what a reviewer said of a pair; of those that are no repeat the newest holds
  a       TEXT NOT NULL,            -- the earlier name, bytewise, as in near_duplicate
  b       TEXT NOT NULL,
  event   INTEGER NOT NULL REFERENCES event,
  verdict TEXT NOT NULL CHECK (verdict IN ('duplicate', 'not', 'unsure', 'open')), -- open: taken back
  repeat  INTEGER NOT NULL CHECK (repeat IN (0, 1)), -- 1: asked again, to see whether they say the same; changes nothing
  PRIMARY KEY (a, b, event),
  CHECK (a < b)
) STRICT, WITHOUT ROWID;
CREATE INDEX near_verdict_b ON near_verdict (b);
CREATE INDEX near_verdict_event ON near_verdict (event);

CREATE TABLE near_look (            -- what was on the page when somebody saved these verdicts
  id     INTEGER PRIMARY KEY REFERENCES event,
  name   TEXT NOT NULL,             -- the candidate
  shown  TEXT NOT NULL,             -- JSON list of names of its neighbours
  undoes INTEGER UNIQUE REFERENCES near_look,
  repeats INTEGER REFERENCES near_look -- that look was shown once more, maybe to somebody else: its verdicts are repeats
) STRICT;

---------------------------------------------------------------- how good the metrics are

CREATE TABLE near_calibration (     -- how far images are from changed copies of them; the newest event of a metric holds
  metric     TEXT NOT NULL,
  event      INTEGER NOT NULL REFERENCES event,
  distortion TEXT NOT NULL,         -- image/distort.h: how the copies were changed
  space      TEXT NOT NULL,         -- as in near_search
  distances  BLOB NOT NULL,         -- of each image f64, little-endian, ascending
  PRIMARY KEY (metric, event, distortion)
) STRICT, WITHOUT ROWID;
