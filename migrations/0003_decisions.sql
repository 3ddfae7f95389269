-- 0003: decisions about many answers or places at once, grids that are handed out again, history.
-- Conventions: 0001.

CREATE TABLE decision (           -- one decision of a lead about many; taken back by a further one
  id       INTEGER PRIMARY KEY REFERENCES event,
  field    TEXT NOT NULL CHECK (field IN ('analysis', 'pay')),
  value    TEXT NOT NULL CHECK (value IN ('in', 'out', 'pending', 'approved', 'rejected', 'bonus', 'undo')),
  rule     TEXT NOT NULL,         -- the reason, as people and reports read it
  criteria TEXT NOT NULL,         -- JSON: who and what was chosen, so that it can be read later
  as_of    INTEGER NOT NULL,      -- last event that its preview saw
  subjects INTEGER NOT NULL CHECK (subjects > 0), -- answers (analysis) or places (pay) that it is about
  people   INTEGER NOT NULL,      -- whose they are
  last_subject INTEGER NOT NULL,  -- the greatest of them, and so the last that is written
  list     BLOB NOT NULL,         -- their numbers (store/decisions.c): what was cut off goes on with these
  bonus_cents INTEGER CHECK (bonus_cents >= 0), -- of 'bonus'
  reopen   INTEGER NOT NULL DEFAULT 0 CHECK (reopen IN (0, 1)), -- the grids are handed out again
  undoes   INTEGER REFERENCES decision,
  CHECK ((value = 'undo') = (undoes IS NOT NULL)),
  CHECK ((value = 'bonus') = (bonus_cents IS NOT NULL))
) STRICT;
CREATE INDEX decision_undoes ON decision (undoes) WHERE undoes IS NOT NULL;

-- Rows that a decision wrote name it, in the order of their subjects; it is whole when the newest is
-- about `last_subject`.
ALTER TABLE answer_state ADD COLUMN decision INTEGER REFERENCES decision;
CREATE INDEX answer_state_decision ON answer_state (decision) WHERE decision IS NOT NULL;
ALTER TABLE pay ADD COLUMN decision INTEGER REFERENCES decision;
CREATE INDEX pay_decision ON pay (decision) WHERE decision IS NOT NULL;

-- Answers of a grid that are asked for once more: its N is the campaign's and the sum of these. Each
-- belongs to the row of answer_state with the same number.
CREATE TABLE grid_reopened (
  id       INTEGER PRIMARY KEY REFERENCES event,
  grid     INTEGER NOT NULL REFERENCES grid,
  n        INTEGER NOT NULL CHECK (n IN (-1, 1)), -- -1: taken back by an undo before it was answered
  decision INTEGER NOT NULL REFERENCES decision
) STRICT;
CREATE INDEX grid_reopened_grid ON grid_reopened (grid);

-- What the history shows: everything but the single answers, what a decision did one by one, and that
-- somebody got a pseudonym, which stands beside what brought them. store/history.c says the same.
CREATE INDEX event_told ON event (id, kind)
  WHERE kind NOT IN ('answer', 'answer.state', 'place.pay', 'person.create', 'person.identify');
CREATE INDEX event_account ON event (account, id)
  WHERE kind NOT IN ('answer', 'answer.state', 'place.pay', 'person.create', 'person.identify')
  AND account IS NOT NULL;
CREATE INDEX event_subject ON event (subject, kind)
  WHERE kind NOT IN ('answer', 'answer.state', 'place.pay', 'person.create', 'person.identify')
  AND subject IS NOT NULL;
