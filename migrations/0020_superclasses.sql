-- 0020: superclasses under a name: which classes belong together, by a list of somebody's own. Conventions: 0001.

CREATE TABLE superclass_list (    -- a version of a list; all stay
  id      INTEGER PRIMARY KEY REFERENCES event,
  name    TEXT NOT NULL,          -- a list's word is @NAME, @NAME/VERSION
  version INTEGER NOT NULL CHECK (version >= 1),
  note    TEXT NOT NULL,          -- why; may be empty
  digest  BLOB NOT NULL,          -- SHA-256 of it, by wnids (sets/subsets/superclasses.h)
  UNIQUE (name, version)
) STRICT;

CREATE TABLE superclass_member (  -- classes that are in no row are in none of its superclasses
  list       INTEGER NOT NULL REFERENCES superclass_list,
  class      INTEGER NOT NULL REFERENCES class,
  superclass TEXT NOT NULL,
  PRIMARY KEY (list, class)
) STRICT, WITHOUT ROWID;
