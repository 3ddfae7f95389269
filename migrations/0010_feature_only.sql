-- 0010: images of which only features are known. Conventions: 0001.

-- Reference and training images that came without pixels, with the features that a model gave them elsewhere: what
-- candidates must be compared with by metrics of that model. One that is given pixels later stays here.
CREATE TABLE feature_only (
  model INTEGER NOT NULL REFERENCES model,
  image INTEGER NOT NULL REFERENCES image,
  event INTEGER NOT NULL REFERENCES event, -- its import
  PRIMARY KEY (model, image)
) STRICT, WITHOUT ROWID;
CREATE INDEX feature_only_image ON feature_only (image);
