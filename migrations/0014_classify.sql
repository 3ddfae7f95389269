-- 0014: the CLASSIFY task: which objects one image shows, chosen among its candidate labels. Conventions: 0001.

-- What people are asked. 'contains': which images of a grid contain its class. 'classify': a grid has one cell, and options
-- among which people tick one for each object that they see; its class is the label that the image's set gives it.
ALTER TABLE campaign ADD COLUMN task TEXT NOT NULL DEFAULT 'contains' CHECK (task IN ('contains', 'classify'));
ALTER TABLE campaign ADD COLUMN none_of_these INTEGER NOT NULL DEFAULT 0
  CHECK (none_of_these IN (0, 1));                -- classify: people may say that the image shows none of the options

CREATE TABLE grid_option (        -- written once with its grid; bit `position` of an answer's mask
  grid     INTEGER NOT NULL REFERENCES grid,
  position INTEGER NOT NULL CHECK (position BETWEEN 0 AND 23), -- the candidate order, which decides ties
  class    INTEGER NOT NULL REFERENCES class,
  known    INTEGER NOT NULL DEFAULT 0 CHECK (known IN (0, 1)), -- of a check: this and no other unknown label is there
  PRIMARY KEY (grid, position),
  UNIQUE (grid, class)
) STRICT, WITHOUT ROWID;

-- Which option is the main object's label: a position, one of the mask's. NULL: a CONTAINS answer, or none of the options
-- is there (the mask is 0). The order in which a person saw the options follows from assignment.seed (domain/grids/grid.h).
ALTER TABLE answer ADD COLUMN main INTEGER
  CHECK (main IS NULL OR (main BETWEEN 0 AND 23 AND (mask >> main) & 1));

-- Who has been shown what, by either task.
DROP VIEW exposure;
CREATE VIEW exposure (person, image, class, assignment, task) AS
  SELECT a.person, c.image, g.class, a.id, k.task
  FROM assignment a JOIN grid g ON g.id = a.grid JOIN campaign k ON k.id = g.campaign JOIN grid_cell c ON c.grid = g.id;

-- Votes one by one: whether an image contains a class. What people choose in CLASSIFY is not such a vote.
DROP VIEW vote;
CREATE VIEW vote (answer, person, image, class, grid, position, role, selected, counted) AS
  SELECT w.id, a.person, c.image, g.class, g.id, c.position, c.role, (w.mask >> c.position) & 1,
         w.surplus = 0 AND g.excluded IS NULL AND coalesce((
           SELECT s.value FROM answer_state s WHERE s.answer = w.id AND s.field = 'analysis'
           ORDER BY s.id DESC LIMIT 1), 'in') = 'in'
  FROM answer w JOIN assignment a ON a.id = w.assignment JOIN grid g ON g.id = a.grid
  JOIN campaign k ON k.id = g.campaign AND k.task = 'contains'
  JOIN grid_cell c ON c.grid = g.id;

-- The same of CLASSIFY: the labels that an answer ticked, one by one. `main`: it is the main object's.
CREATE VIEW tick (answer, person, image, class, grid, position, main, counted) AS
  SELECT w.id, a.person, c.image, o.class, g.id, o.position, w.main IS o.position,
         w.surplus = 0 AND g.excluded IS NULL AND coalesce((
           SELECT s.value FROM answer_state s WHERE s.answer = w.id AND s.field = 'analysis'
           ORDER BY s.id DESC LIMIT 1), 'in') = 'in'
  FROM answer w JOIN assignment a ON a.id = w.assignment JOIN grid g ON g.id = a.grid
  JOIN grid_cell c ON c.grid = g.id JOIN grid_option o ON o.grid = g.id AND (w.mask >> o.position) & 1;
