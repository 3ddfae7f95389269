-- 0009: what measures need besides predictions. Conventions: 0001.

CREATE TABLE model_facts (          -- what people say a model is; of a model the newest event holds
  model         INTEGER NOT NULL REFERENCES model,
  event         INTEGER NOT NULL REFERENCES event,
  "group"       TEXT NOT NULL,      -- '': not said, as in all texts here
  family        TEXT NOT NULL,
  architecture  TEXT NOT NULL,
  year          INTEGER NOT NULL,   -- 0: not said
  training_data TEXT NOT NULL,
  parameters    INTEGER NOT NULL,   -- 0: not said
  PRIMARY KEY (model, event)
) STRICT, WITHOUT ROWID;
