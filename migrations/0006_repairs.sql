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


---------------------------------------------------------------- frequencies, views and sampling


---------------------------------------------------------------- near-duplicates and the pool as of an event


---------------------------------------------------------------- the bias of matching


---------------------------------------------------------------- blind review, picks, campaigns


---------------------------------------------------------------- files of published studies


