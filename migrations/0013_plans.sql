-- 0013: analysis plans: what is to be computed of a new set, written down before it can be scored. Conventions: 0001.

CREATE TABLE analysis_plan (      -- never changed: another plan has another name
  id       INTEGER PRIMARY KEY REFERENCES event,
  name     TEXT NOT NULL UNIQUE,  -- part of addresses: letters, digits, "-", "_", "."
  image_set TEXT NOT NULL,        -- name of the new set that it is about, which may come later
  sha256   BLOB NOT NULL,         -- of the file's bytes
  body     TEXT NOT NULL          -- the file: JSON (report/analysis.h)
) STRICT;
CREATE INDEX analysis_plan_set ON analysis_plan (image_set);
