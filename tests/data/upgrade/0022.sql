PRAGMA foreign_keys=OFF;
BEGIN TRANSACTION;
CREATE TABLE migration (  number     INTEGER PRIMARY KEY,  name       TEXT NOT NULL,  checksum   TEXT NOT NULL,  applied_at INTEGER NOT NULL) STRICT;
INSERT INTO migration VALUES(1,'0001_foundation','30a8f72088e9a1f6',1795871955957);
INSERT INTO migration VALUES(2,'0002_crowd','aa32126e2b461d50',1795871955991);
INSERT INTO migration VALUES(3,'0003_decisions','976e13e973cebaa7',1795871956012);
INSERT INTO migration VALUES(4,'0004_models','451c195ab5ffe579',1795871956015);
INSERT INTO migration VALUES(5,'0005_sets','d4a4f9325120185f',1795871956032);
INSERT INTO migration VALUES(6,'0006_repairs','041fc144ab7c0df5',1795871956040);
INSERT INTO migration VALUES(7,'0007_people','fa117a9e9fdfce81',1795871956069);
INSERT INTO migration VALUES(8,'0008_neighbors','2231939c1bb9a9c3',1795871956106);
INSERT INTO migration VALUES(9,'0009_measures','289005eac6d036fa',1795871956116);
INSERT INTO migration VALUES(10,'0010_feature_only','f615befc33beab1e',1795871956119);
INSERT INTO migration VALUES(11,'0011_labels','f2fc4a7bdbd68273',1795871956122);
INSERT INTO migration VALUES(12,'0012_texts','9198d8681774408d',1795871956124);
INSERT INTO migration VALUES(13,'0013_plans','c153864c3a5e243e',1795871956131);
INSERT INTO migration VALUES(14,'0014_classify','f32214b02092bbb2',1795871956138);
INSERT INTO migration VALUES(15,'0015_label_plans','c9ee62da03906ea6',1795871956147);
INSERT INTO migration VALUES(16,'0016_subsets','a3282325e55ecd36',1795871956149);
INSERT INTO migration VALUES(17,'0017_experts','68617607abe52175',1795871956152);
INSERT INTO migration VALUES(18,'0018_desk','6fafce1ea33747cd',1795871956167);
INSERT INTO migration VALUES(19,'0019_evaluations','b9950d0be63f2cf8',1795871956186);
INSERT INTO migration VALUES(20,'0020_superclasses','095d31a3747e4b55',1795871956192);
INSERT INTO migration VALUES(21,'0021_training','6a975f197474ccb1',1795871956202);
INSERT INTO migration VALUES(22,'0022_label_errors','7e0e7852906bd840',1795871956247);
CREATE TABLE setting (            -- facts about this project
  key   TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO setting VALUES('name','project');
CREATE TABLE secret (             -- keys that never leave the project: session_key, person_key
  key   TEXT PRIMARY KEY,
  value BLOB NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO secret VALUES('person_key',X'27dd24fd0d5c1b05b8bcff10c23ccae1261d93d97645f5f17eaba87c8b5ebeeb');
INSERT INTO secret VALUES('session_key',X'46a679cbe409dc307bda4a42d39b784fd1e7be59a4da47e40be016b6c951883d');
CREATE TABLE event (
  id      INTEGER PRIMARY KEY,    -- the event's number; grows, never reused
  at      INTEGER NOT NULL,
  account INTEGER REFERENCES account, -- who did it; NULL: a worker, an import without login, the server
  kind    TEXT NOT NULL,          -- 'answer', 'answer.state', 'campaign.open', 'account.create', ...
  subject INTEGER,                -- id in the table that the kind names
  detail  TEXT                    -- JSON, only what the subject's own row does not say
) STRICT;
INSERT INTO event VALUES(1,1795871955000,NULL,'view.create',1,NULL);
INSERT INTO event VALUES(2,1795871956256,NULL,'person.create',1,NULL);
INSERT INTO event VALUES(3,1795871956256,NULL,'person.identify',1,NULL);
INSERT INTO event VALUES(4,1795871956256,NULL,'account.create',1,'{"role":"admin"}');
INSERT INTO event VALUES(5,1795871956314,NULL,'classes.import',NULL,'{"classes":2}');
INSERT INTO event VALUES(6,1795871956397,NULL,'images.import',NULL,'{"images":8}');
INSERT INTO event VALUES(7,1795871956610,NULL,'images.import',NULL,'{"images":12}');
INSERT INTO event VALUES(8,1795871956736,NULL,'campaign.create',1,NULL);
INSERT INTO event VALUES(9,1795871956743,NULL,'grids.create',1,'{"grids":2}');
INSERT INTO event VALUES(10,1795871956746,NULL,'campaign.open',1,NULL);
INSERT INTO event VALUES(11,1795871956875,NULL,'person.create',2,NULL);
INSERT INTO event VALUES(12,1795871956875,NULL,'person.identify',2,NULL);
INSERT INTO event VALUES(13,1795871956875,NULL,'account.create',2,'{"role":"expert"}');
INSERT INTO event VALUES(14,1795871956920,NULL,'token.create',1,NULL);
INSERT INTO event VALUES(15,1795871956974,NULL,'study.consent',1,NULL);
INSERT INTO event VALUES(16,1795871957000,NULL,'person.create',3,NULL);
INSERT INTO event VALUES(17,1795871957000,NULL,'person.identify',3,NULL);
INSERT INTO event VALUES(18,1795871957000,NULL,'participant.add',3,NULL);
INSERT INTO event VALUES(19,1795871957000,NULL,'person.create',4,NULL);
INSERT INTO event VALUES(20,1795871957000,NULL,'person.identify',4,NULL);
INSERT INTO event VALUES(21,1795871957000,NULL,'participant.add',4,NULL);
INSERT INTO event VALUES(22,1795871957065,NULL,'model.add',NULL,NULL);
INSERT INTO event VALUES(23,1795871957065,NULL,'texts.import',22,NULL);
INSERT INTO event VALUES(24,1795871957149,NULL,'texts.map',NULL,NULL);
INSERT INTO event VALUES(25,1795871957149,NULL,'model.add',NULL,NULL);
INSERT INTO event VALUES(26,1795871957149,NULL,'predictions.import',25,NULL);
INSERT INTO event VALUES(27,1795871957317,NULL,'place.join',1,NULL);
INSERT INTO event VALUES(28,1795871957373,NULL,'answer',1,NULL);
INSERT INTO event VALUES(29,1795871957384,NULL,'answer',2,NULL);
INSERT INTO event VALUES(30,1795871957409,NULL,'person.create',5,NULL);
INSERT INTO event VALUES(31,1795871957409,NULL,'person.identify',5,NULL);
INSERT INTO event VALUES(32,1795871957409,NULL,'place.join',2,NULL);
INSERT INTO event VALUES(33,1795871957444,NULL,'answer',3,NULL);
INSERT INTO event VALUES(34,1795871957458,NULL,'person.create',6,NULL);
INSERT INTO event VALUES(35,1795871957458,NULL,'person.identify',6,NULL);
INSERT INTO event VALUES(36,1795871957458,NULL,'place.join',3,NULL);
INSERT INTO event VALUES(37,1795871957488,NULL,'answer',4,NULL);
INSERT INTO event VALUES(38,1795871957506,NULL,'answer',5,NULL);
INSERT INTO event VALUES(39,1795871957674,1,'session.start',1,NULL);
INSERT INTO event VALUES(40,1795871957809,NULL,'person.note',5,NULL);
INSERT INTO event VALUES(41,1795871957870,NULL,'decision.out',NULL,NULL);
INSERT INTO event VALUES(42,1795871957876,NULL,'answer.state',37,NULL);
INSERT INTO event VALUES(43,1795871957876,NULL,'answer.state',38,NULL);
INSERT INTO event VALUES(44,1795871957920,NULL,'images.import',NULL,'{"images":8}');
INSERT INTO event VALUES(45,1795871957920,NULL,'set.create',NULL,NULL);
INSERT INTO event VALUES(46,1795871957920,NULL,'set.revision',NULL,NULL);
INSERT INTO event VALUES(47,1795871957920,NULL,'set.frozen',46,NULL);
INSERT INTO event VALUES(48,1795871957979,NULL,'labels.source',NULL,NULL);
INSERT INTO event VALUES(49,1795871957979,NULL,'labels.import',48,NULL);
INSERT INTO event VALUES(50,1795871958024,NULL,'labels.potential',NULL,'{"name":"asked","models":[],"top":5,"file":"more.csv","images":8,"labels":9,"sealed":false}');
INSERT INTO event VALUES(51,1795871958104,NULL,'plan.register',NULL,NULL);
INSERT INTO event VALUES(52,1795871958163,NULL,'subset.create',NULL,NULL);
INSERT INTO event VALUES(53,1795871958202,NULL,'blacklist.import',NULL,'{"n":1}');
INSERT INTO event VALUES(54,1795871958263,NULL,'near-duplicates.import',NULL,'{"n":1}');
INSERT INTO event VALUES(55,1795871958332,NULL,'override.import',NULL,'{"n":1}');
INSERT INTO event VALUES(56,1795871958383,NULL,'review-thresholds.import',NULL,'{"n":1}');
INSERT INTO event VALUES(57,1795871958398,NULL,'near-metrics.searched',NULL,NULL);
INSERT INTO event VALUES(58,1795871958432,NULL,'nn-reviews.import',NULL,'{"n":1}');
INSERT INTO event VALUES(59,1795871958476,NULL,'picks.import',NULL,'{"images":1}');
INSERT INTO event VALUES(60,1795871958527,NULL,'campaign.create',2,NULL);
INSERT INTO event VALUES(61,1795871958539,NULL,'grids.create',2,'{"grids":2}');
INSERT INTO event VALUES(62,1795871958541,NULL,'campaign.draft',2,NULL);
INSERT INTO event VALUES(63,1795871958589,NULL,'set.create',NULL,NULL);
INSERT INTO event VALUES(64,1795871958589,NULL,'set.revision',NULL,NULL);
INSERT INTO event VALUES(65,1795871958801,1,'session.start',1,NULL);
INSERT INTO event VALUES(66,1795871958831,1,'class.decision',1,NULL);
INSERT INTO event VALUES(67,1795871958917,NULL,'label-review.create',NULL,NULL);
INSERT INTO event VALUES(68,1795871958917,NULL,'label-review.open',67,NULL);
INSERT INTO event VALUES(69,1795871958917,NULL,'label-review.assign',67,NULL);
INSERT INTO event VALUES(70,1795871959065,2,'session.start',2,NULL);
INSERT INTO event VALUES(71,1795871959082,2,'labels.reviewed',67,NULL);
INSERT INTO event VALUES(72,1795871959223,NULL,'near-metrics.changed',NULL,'{"metric":"l2"}');
INSERT INTO event VALUES(73,1795871959283,NULL,'near-search.begin',NULL,NULL);
INSERT INTO event VALUES(74,1795871959401,NULL,'near-search.end',73,NULL);
INSERT INTO event VALUES(75,1795195000000,1,'image.quarantine',1,NULL);
INSERT INTO event VALUES(76,1795195000000,NULL,'flag',2,NULL);
INSERT INTO event VALUES(77,1795195000000,NULL,'place.outcome',1,NULL);
INSERT INTO event VALUES(78,1795195000000,1,'place.pay',1,NULL);
INSERT INTO event VALUES(79,1795195000000,1,'model.add',NULL,NULL);
INSERT INTO event VALUES(80,1795195000000,1,'model.remove',79,NULL);
INSERT INTO event VALUES(81,1795195000000,1,'features.source',22,NULL);
INSERT INTO event VALUES(82,1795195000000,1,'job.start',NULL,NULL);
INSERT INTO event VALUES(83,1795195000000,1,'round.start',64,NULL);
INSERT INTO event VALUES(84,1795195000000,1,'round.turn',1,NULL);
INSERT INTO event VALUES(85,1795195000000,1,'revision.state',64,NULL);
INSERT INTO event VALUES(86,1795195000000,1,'predictions.choose',46,NULL);
INSERT INTO event VALUES(87,1795195000000,1,'grid.exclude',4,NULL);
INSERT INTO event VALUES(88,1795195000000,1,'review.shown',64,NULL);
INSERT INTO event VALUES(89,1795195000000,1,'flag.dismiss',76,NULL);
INSERT INTO event VALUES(90,1795195000000,1,'near.look',NULL,NULL);
INSERT INTO event VALUES(91,1795195000000,1,'near.calibrate',NULL,NULL);
INSERT INTO event VALUES(92,1795195000000,1,'model.facts',22,NULL);
INSERT INTO event VALUES(93,1795195000000,NULL,'campaign.create',NULL,NULL);
INSERT INTO event VALUES(94,1795195000000,1,'guide.write',NULL,NULL);
INSERT INTO event VALUES(95,1795195000000,1,'class.relate',NULL,NULL);
INSERT INTO event VALUES(96,1795195000000,1,'labels.stand',67,NULL);
INSERT INTO event VALUES(97,1795195000000,1,'evaluation.create',NULL,NULL);
INSERT INTO event VALUES(98,1795195000000,1,'evaluation.open',97,NULL);
INSERT INTO event VALUES(99,1795195000000,1,'evaluation.assign',97,NULL);
INSERT INTO event VALUES(100,1795195000000,2,'evaluation.answer',97,NULL);
INSERT INTO event VALUES(101,1795195000000,1,'model.add',NULL,NULL);
INSERT INTO event VALUES(102,1795195000000,1,'predictions.import',101,NULL);
INSERT INTO event VALUES(103,1795195000000,1,'superclasses.create',NULL,NULL);
INSERT INTO event VALUES(104,1795195000000,1,'training.create',NULL,NULL);
INSERT INTO event VALUES(105,1795195000000,1,'training.open',104,NULL);
INSERT INTO event VALUES(106,1795195000000,2,'training.answer',104,NULL);
INSERT INTO event VALUES(107,1795195000000,2,'training.suggest',104,NULL);
INSERT INTO event VALUES(108,1795195000000,1,'training.need',67,NULL);
CREATE TABLE person (
  id         INTEGER PRIMARY KEY,
  pseudonym  TEXT NOT NULL UNIQUE, -- random; what exports show
  kind       TEXT NOT NULL CHECK (kind IN ('worker', 'staff', 'imported', 'simulated')),
  created_at INTEGER NOT NULL
, forgotten_at INTEGER) STRICT;
INSERT INTO person VALUES(1,'pmthrg0j0nbm8','staff',1795871956256,NULL);
INSERT INTO person VALUES(2,'pbbnr234sqey7','staff',1795871956875,NULL);
INSERT INTO person VALUES(3,'psmdqmtb4a67r','worker',1795871957000,NULL);
INSERT INTO person VALUES(4,'p44mypgsaces9','worker',1795871957000,NULL);
INSERT INTO person VALUES(5,'p68b0nt2b2ma0','worker',1795871957409,NULL);
INSERT INTO person VALUES(6,'pbx5j5p4wvn95','worker',1795871957458,NULL);
CREATE TABLE IF NOT EXISTS "identity_a" (           -- the one erasable table
  person      INTEGER PRIMARY KEY REFERENCES person,
  source      TEXT NOT NULL,      -- 'local', or the panel or study the id comes from
  external_id TEXT NOT NULL,      -- login name, panel id
  name        TEXT,
  UNIQUE (source, external_id)
) STRICT;
INSERT INTO identity_a VALUES(1,'local','admin',NULL);
INSERT INTO identity_a VALUES(2,'local','expert',NULL);
INSERT INTO identity_a VALUES(3,'panel','ann',NULL);
INSERT INTO identity_a VALUES(4,'panel','zoe',NULL);
INSERT INTO identity_a VALUES(5,'panel','bob',NULL);
INSERT INTO identity_a VALUES(6,'panel','eve',NULL);
CREATE TABLE account (            -- people who sign in
  id            INTEGER PRIMARY KEY,
  person        INTEGER NOT NULL UNIQUE REFERENCES person,
  role          TEXT NOT NULL CHECK (role IN ('worker', 'expert', 'lead', 'admin')),
  password_hash TEXT NOT NULL,    -- Argon2id
  disabled      INTEGER NOT NULL DEFAULT 0 CHECK (disabled IN (0, 1)),
  created_at    INTEGER NOT NULL
) STRICT;
INSERT INTO account VALUES(1,1,'admin','$argon2id$v=19$m=19456,t=2,p=1$ayEjAuZnfkVIPurs98VLBw$G0aYTzXgqpKWGITTrgy+6tNtD8FQ1yIDGW8pXXxYCps',0,1795871956256);
INSERT INTO account VALUES(2,2,'expert','$argon2id$v=19$m=19456,t=2,p=1$CWkQPBJqxvVGApquuKGguA$mY8FnQ3AgkhM0uNvR2rMTmOFm/z+axkfs4l3wxuU98I',0,1795871956875);
CREATE TABLE session (
  hash       BLOB PRIMARY KEY,    -- keyed hash of the cookie's token
  account    INTEGER NOT NULL REFERENCES account,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO session VALUES(X'2eceb1a67b6bbcb1c39b65efc0062f0050131243880a9cb015a12a08b6d5a8a6',1,1795871958801,1796476758801);
INSERT INTO session VALUES(X'4f519057c6b22778cc7272b31b38da146ba2b397fc7ba14081fd87e9ad6165d1',1,1795871957674,1796476757674);
INSERT INTO session VALUES(X'a4b9505ce2435417508f30fcf7a5bcffb29c857af129b0866039c91572259fcf',2,1795871959065,1796476759065);
CREATE TABLE api_token (
  id         INTEGER PRIMARY KEY,
  hash       BLOB NOT NULL UNIQUE, -- keyed hash of the token
  account    INTEGER NOT NULL REFERENCES account,
  name       TEXT NOT NULL,
  role       TEXT NOT NULL CHECK (role IN ('worker', 'expert', 'lead', 'admin')), -- at most the account's
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  revoked_at INTEGER
) STRICT;
INSERT INTO api_token VALUES(1,X'4c3481621a256fad8a8a918ca32c97e1eab7ae569064e5167967de2f7af731ed',1,'script','admin',1795871956920,1827407956920,NULL);
CREATE TABLE invite (
  id         INTEGER PRIMARY KEY,
  hash       BLOB NOT NULL UNIQUE, -- keyed hash of the link's token
  role       TEXT NOT NULL CHECK (role IN ('worker', 'expert', 'lead', 'admin')),
  note       TEXT,
  created_by INTEGER NOT NULL REFERENCES account,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  used_at    INTEGER,
  account    INTEGER REFERENCES account -- the account it became
) STRICT;
INSERT INTO invite VALUES(1,X'12e6923055892df8647456c81bc76a7e657cf5d82f0e10e952ff5c4b122456e6','lead','for a colleague',1,1795190000000,1795199000000,NULL,NULL);
CREATE TABLE synset (             -- the hierarchy: WordNet nouns or the project's own
  id    INTEGER PRIMARY KEY,      -- WordNet: the offset; own: above 10^9
  wnid  TEXT NOT NULL UNIQUE,     -- "n" + 8 digits, or the project's own key
  words TEXT NOT NULL,            -- joined by "|", as in classes.csv
  gloss TEXT NOT NULL
) STRICT;
INSERT INTO synset VALUES(1,'n00000001','apple','a round fruit');
INSERT INTO synset VALUES(2,'n00000002','pear|pear tree','a fruit');
INSERT INTO synset VALUES(9,'n00000009','fruit','what grows');
CREATE TABLE hypernym (
  child  INTEGER NOT NULL REFERENCES synset,
  parent INTEGER NOT NULL REFERENCES synset,
  PRIMARY KEY (child, parent)
) STRICT, WITHOUT ROWID;
INSERT INTO hypernym VALUES(1,9);
INSERT INTO hypernym VALUES(2,9);
CREATE TABLE class (              -- the classes of the test set
  id        INTEGER PRIMARY KEY,
  wnid      TEXT NOT NULL UNIQUE, -- also the folder name of ImageFolder
  cid       INTEGER NOT NULL UNIQUE, -- index in predictions: rank of the wnid in sorted order
  synset    TEXT NOT NULL,        -- words joined by "|"
  gloss     TEXT NOT NULL,
  wikipedia TEXT NOT NULL DEFAULT '' -- addresses joined by "|"
) STRICT;
INSERT INTO class VALUES(1,'n00000001',0,'apple','a round fruit','');
INSERT INTO class VALUES(2,'n00000002',1,'pear|pear tree','a fruit, longer than round','');
CREATE TABLE similar_class (      -- nearest classes first; rank 0 is the class itself
  class INTEGER NOT NULL REFERENCES class,
  rank  INTEGER NOT NULL,
  other INTEGER NOT NULL REFERENCES class,
  PRIMARY KEY (class, rank)
) STRICT, WITHOUT ROWID;
INSERT INTO similar_class VALUES(1,0,1);
INSERT INTO similar_class VALUES(1,1,2);
INSERT INTO similar_class VALUES(2,0,2);
INSERT INTO similar_class VALUES(2,1,1);
CREATE TABLE source (             -- original bytes, by content
  id     INTEGER PRIMARY KEY,
  sha256 BLOB NOT NULL UNIQUE,
  bytes  INTEGER NOT NULL,
  type   TEXT NOT NULL CHECK (type IN ('jpeg', 'png')),
  width  INTEGER NOT NULL,        -- orientation applied
  height INTEGER NOT NULL
, kept TEXT NOT NULL DEFAULT 'copy'
  CHECK (kept IN ('copy', 'reflink', 'link', 'reference')), path TEXT, gray INTEGER CHECK (gray IN (0, 1)), saturation REAL, sharpness REAL, brightness REAL) STRICT;
INSERT INTO source VALUES(1,X'e32487c55e3771571be74107fd609ef91f2102b1a8ac95b915cf8f3f6286da55',144,'png',6,4,'copy',NULL,0,0.53992007250728379919,0.82858927331697473928,0.50950051227698289757);
INSERT INTO source VALUES(2,X'7d3d2937cca77a6ae603a5815f6cddfe36a12805e8c3a2acee2e730d0735b246',144,'png',6,4,'copy',NULL,0,0.53785457593008778598,0.77838840713388512959,0.48948270623564743564);
INSERT INTO source VALUES(3,X'03bcdff34f1a807fd76ebb90395a68c4321129321ce0b077361aeec05c80f261',144,'png',6,4,'copy',NULL,0,0.771163038289828906,0.67770174172665564871,0.35009654360242598025);
INSERT INTO source VALUES(4,X'abdacb960bcb8b4d7d24551d18cfc660a4e615cf4048ea6d20bc279d0a9dea61',144,'png',6,4,'copy',NULL,0,0.69792495078060712287,0.65043861153578630407,0.38212490137196020167);
INSERT INTO source VALUES(5,X'6f3983f6d1319b43d80e6487c60b03084ed55e71204878c13751d55f6f1e7e23',144,'png',6,4,'copy',NULL,0,0.5941596848432858513,0.83856826416958607506,0.4748461402579050028);
INSERT INTO source VALUES(6,X'951a74c3f1c8b423925478169c9258395684054e6244b6d3502b8b35283c54d7',144,'png',6,4,'copy',NULL,0,0.45512828942036881452,0.68889455101372254475,0.54057473944532774545);
INSERT INTO source VALUES(7,X'8f2248c6b92297aca46e4a992e07e0a6f198306dc5f88082869c9490dde68713',144,'png',6,4,'copy',NULL,0,0.74113536353121778343,0.77559782203035809722,0.37945272331154683564);
INSERT INTO source VALUES(8,X'a99125de58b0358873f8d92bbd087e776ed6f135176f668d6e858b9d4a27aac4',144,'png',6,4,'copy',NULL,0,0.76901266920704436369,0.62881127523419322322,0.29839232173349822252);
INSERT INTO source VALUES(9,X'91eb3e3b858853946a1a43edb178069c8fae97d455c3d0f6269103b455fd9f38',144,'png',6,4,'copy',NULL,0,0.50799018489421055022,0.71979761948094489465,0.63005473709003123605);
INSERT INTO source VALUES(10,X'3dba59c88362ea9f1d6b539b822ee3b38c0002dcda03084383c0e0bbbf9739a6',144,'png',6,4,'copy',NULL,0,0.67133982382441648173,0.99582617626891334339,0.47175453100158981634);
INSERT INTO source VALUES(11,X'df25bf04d5f7986e0007f52278924d8cec6abe90393d7a13ee9bb06b2402b1c8',144,'png',6,4,'copy',NULL,0,0.67027933961439978283,0.77002247073703877777,0.43315703939233346497);
INSERT INTO source VALUES(12,X'9421be3d0b2561088e3026e2e74fcd997855ef32d9650e78b5befa57ca6a3e7b',144,'png',6,4,'copy',NULL,0,0.67681076044337851183,0.55590940298980584532,0.36272156862745097427);
INSERT INTO source VALUES(13,X'a367471daa6175e57f15c4b2eb300a868cdbe7da14e1822975b6f20205aa457a',144,'png',6,4,'copy',NULL,0,0.49007739379894488251,0.77201858794695399357,0.63205782252841080648);
INSERT INTO source VALUES(14,X'2a0855279bd00a5c5aa43fc97c2049b821406a07042a8184d81fe583fab991a5',144,'png',6,4,'copy',NULL,0,0.54903108300236203032,0.88573621030456495262,0.56560807866690221423);
INSERT INTO source VALUES(15,X'68783d07547a30e79da500f7315b30a2b9075ecc5781851e03746e4bbceea30c',144,'png',6,4,'copy',NULL,0,0.72447660388433243738,0.70038462005120183384,0.29488085732791613491);
INSERT INTO source VALUES(16,X'db2fcf163ef3a0ca382a606a0732419b4f94cc45f232425476f363821efeb918',144,'png',6,4,'copy',NULL,0,0.47680498877817112379,1.0486714906724241558,0.49574791261850081891);
INSERT INTO source VALUES(17,X'be665049f9f99dec5fde28a6e10d69b0e8550b51161b488fe3c578679cc02085',144,'png',6,4,'copy',NULL,0,0.92499125221374722816,0.68747497543042257461,0.20790534063475241133);
INSERT INTO source VALUES(18,X'd254585873c13fb82f3b51726767aafbc3e43d3cd9debeda7d237721aedc849b',144,'png',6,4,'copy',NULL,0,0.80959557213842192613,0.86506751362521860926,0.47737537537537538812);
INSERT INTO source VALUES(19,X'e743177d3db9a3aa4ee612fcc71350624950a9c0b75c447c7e7a598bac105bc7',144,'png',6,4,'copy',NULL,0,0.79584560157567563187,0.81453890505436843394,0.49734574574574574867);
INSERT INTO source VALUES(20,X'5661de6b8dad9591efcf49f3d7870af67c34620229b261e646cb323653c1bb94',144,'png',6,4,'copy',NULL,0,0.6604484751459348546,0.78682643499511029094,0.54510998056880410889);
CREATE TABLE image_count (
  class INTEGER NOT NULL REFERENCES class,
  role  TEXT NOT NULL,
  n     INTEGER NOT NULL,
  PRIMARY KEY (class, role)
) STRICT, WITHOUT ROWID;
INSERT INTO image_count VALUES(1,'candidate',6);
INSERT INTO image_count VALUES(1,'original',8);
INSERT INTO image_count VALUES(2,'candidate',6);
INSERT INTO image_count VALUES(2,'original',8);
CREATE TABLE campaign (
  id                  INTEGER PRIMARY KEY,
  name                TEXT NOT NULL UNIQUE, -- in addresses and file names
  kind                TEXT NOT NULL CHECK (kind IN ('pilot', 'main', 'top-up', 'potential', 're-measurement',
                                                    'training', 'evaluation')),
  title               TEXT NOT NULL,
  population          TEXT NOT NULL DEFAULT '', -- who is asked, for the report
  imported            INTEGER NOT NULL DEFAULT 0 CHECK (imported IN (0, 1)), -- done elsewhere: no task is handed out
  simulated           INTEGER NOT NULL DEFAULT 0 CHECK (simulated IN (0, 1)),
  answers_per_grid    INTEGER NOT NULL CHECK (answers_per_grid BETWEEN 1 AND 1000), -- N
  grids_per_place     INTEGER NOT NULL CHECK (grids_per_place BETWEEN 1 AND 10000),
  max_share           REAL NOT NULL CHECK (max_share > 0 AND max_share <= 1), -- of all answers, by one person
  same_image_again    INTEGER NOT NULL DEFAULT 0 CHECK (same_image_again IN (0, 1)), -- exposure rule off
  places              INTEGER NOT NULL CHECK (places > 0), -- most participants
  lease_seconds       INTEGER NOT NULL CHECK (lease_seconds BETWEEN 10 AND 86400),
  pay_cents           INTEGER NOT NULL DEFAULT 0 CHECK (pay_cents >= 0), -- per place
  currency            TEXT NOT NULL DEFAULT 'USD',
  expected_minutes    REAL NOT NULL DEFAULT 10 CHECK (expected_minutes > 0),
  layout              TEXT NOT NULL DEFAULT 'overview' CHECK (layout IN ('v2', 'overview', 'free')),
  min_screen          INTEGER NOT NULL DEFAULT 0, -- least width in CSS pixels
  shuffle             INTEGER NOT NULL DEFAULT 1 CHECK (shuffle IN (0, 1)), -- order of cells per assignment
  rule_text           TEXT NOT NULL,
  instruction_version TEXT NOT NULL DEFAULT '1',
  completion_code     TEXT NOT NULL DEFAULT '', -- '' = one of its own per place
  opens_at            INTEGER,
  closes_at           INTEGER,
  state               TEXT NOT NULL CHECK (state IN ('draft', 'open', 'paused', 'closed')),
  seed                INTEGER NOT NULL DEFAULT 0, -- of the planner
  created_at          INTEGER NOT NULL
, gold_per_grid INTEGER NOT NULL DEFAULT 0
  CHECK (gold_per_grid BETWEEN 0 AND 6), coverage INTEGER NOT NULL DEFAULT 20
  CHECK (coverage BETWEEN 0 AND 1000), bulk_select INTEGER NOT NULL DEFAULT 0
  CHECK (bulk_select IN (0, 1)), task TEXT NOT NULL DEFAULT 'contains' CHECK (task IN ('contains', 'classify')), none_of_these INTEGER NOT NULL DEFAULT 0
  CHECK (none_of_these IN (0, 1))) STRICT;
INSERT INTO campaign VALUES(1,'main','main','main','',0,0,3,2,1.0,1,1000000,600,300,'USD',15.0,'overview',0,1,'Select an image if it contains at least one such object, regardless of occlusion, other objects, clutter or text. Only photographs count: no drawings or paintings.','1','',NULL,NULL,'open',1,1795871956736,0,20,0,'contains',0);
INSERT INTO campaign VALUES(2,'again','pilot','again','',0,0,10,20,0.020000000000000000416,1,1000000,600,0,'USD',15.0,'overview',0,1,'Select an image if it contains at least one such object, regardless of occlusion, other objects, clutter or text. Only photographs count: no drawings or paintings.','1','',NULL,NULL,'draft',2,1795871958527,0,20,0,'contains',0);
INSERT INTO campaign VALUES(3,'objects','pilot','Objects','',1,0,3,1,1.0,0,10,600,0,'USD',10.0,'overview',0,1,'','1','',NULL,NULL,'closed',0,1795195000000,0,20,0,'classify',0);
CREATE TABLE grid (
  id       INTEGER PRIMARY KEY,
  campaign INTEGER NOT NULL REFERENCES campaign,
  class    INTEGER NOT NULL REFERENCES class, -- the question: does the image contain this?
  name     TEXT NOT NULL,         -- uuid of an imported HIT, else "CAMPAIGN-NUMBER"
  number   INTEGER,               -- of an imported HIT; votes refer to it
  excluded TEXT,                  -- why no view counts it ('pilot', 'blacklisted'), NULL = counted
  created_at INTEGER NOT NULL, special INTEGER NOT NULL DEFAULT 0
  CHECK (special IN (0, 1)), record TEXT, listed BLOB,
  UNIQUE (campaign, name)
) STRICT;
INSERT INTO grid VALUES(1,1,1,'main-1',1,NULL,1795871956742,0,NULL,NULL);
INSERT INTO grid VALUES(2,1,2,'main-2',2,NULL,1795871956743,0,NULL,NULL);
INSERT INTO grid VALUES(3,2,1,'again-1',1,NULL,1795871958538,0,NULL,NULL);
INSERT INTO grid VALUES(4,2,2,'again-2',2,NULL,1795871958539,0,NULL,NULL);
INSERT INTO grid VALUES(5,3,1,'objects-1',NULL,NULL,1795195000000,0,NULL,NULL);
CREATE TABLE grid_cell (          -- written once with its grid; bit `position` of an answer's mask
  grid     INTEGER NOT NULL REFERENCES grid,
  position INTEGER NOT NULL CHECK (position BETWEEN 0 AND 47),
  image    INTEGER NOT NULL REFERENCES image,
  role     INTEGER NOT NULL CHECK (role BETWEEN 0 AND 3), -- 0 candidate, 1 positive control, 2 negative control, 3 gold
  PRIMARY KEY (grid, position)
) STRICT, WITHOUT ROWID;
INSERT INTO grid_cell VALUES(1,0,6,2);
INSERT INTO grid_cell VALUES(1,1,8,2);
INSERT INTO grid_cell VALUES(1,2,11,0);
INSERT INTO grid_cell VALUES(1,3,4,1);
INSERT INTO grid_cell VALUES(1,4,14,0);
INSERT INTO grid_cell VALUES(1,5,12,0);
INSERT INTO grid_cell VALUES(1,6,13,0);
INSERT INTO grid_cell VALUES(1,7,3,1);
INSERT INTO grid_cell VALUES(1,8,2,1);
INSERT INTO grid_cell VALUES(1,9,10,0);
INSERT INTO grid_cell VALUES(1,10,7,2);
INSERT INTO grid_cell VALUES(1,11,1,1);
INSERT INTO grid_cell VALUES(1,12,9,0);
INSERT INTO grid_cell VALUES(1,13,5,2);
INSERT INTO grid_cell VALUES(2,0,20,0);
INSERT INTO grid_cell VALUES(2,1,8,1);
INSERT INTO grid_cell VALUES(2,2,7,1);
INSERT INTO grid_cell VALUES(2,3,19,0);
INSERT INTO grid_cell VALUES(2,4,17,0);
INSERT INTO grid_cell VALUES(2,5,2,2);
INSERT INTO grid_cell VALUES(2,6,15,0);
INSERT INTO grid_cell VALUES(2,7,6,1);
INSERT INTO grid_cell VALUES(2,8,1,2);
INSERT INTO grid_cell VALUES(2,9,16,0);
INSERT INTO grid_cell VALUES(2,10,3,2);
INSERT INTO grid_cell VALUES(2,11,4,2);
INSERT INTO grid_cell VALUES(2,12,5,1);
INSERT INTO grid_cell VALUES(2,13,18,0);
INSERT INTO grid_cell VALUES(3,0,12,0);
INSERT INTO grid_cell VALUES(3,1,13,0);
INSERT INTO grid_cell VALUES(3,2,9,0);
INSERT INTO grid_cell VALUES(3,3,21,1);
INSERT INTO grid_cell VALUES(3,4,5,2);
INSERT INTO grid_cell VALUES(3,5,6,2);
INSERT INTO grid_cell VALUES(3,6,28,2);
INSERT INTO grid_cell VALUES(3,7,14,0);
INSERT INTO grid_cell VALUES(3,8,4,1);
INSERT INTO grid_cell VALUES(3,9,23,1);
INSERT INTO grid_cell VALUES(3,10,7,2);
INSERT INTO grid_cell VALUES(3,11,27,2);
INSERT INTO grid_cell VALUES(3,12,2,1);
INSERT INTO grid_cell VALUES(3,13,26,2);
INSERT INTO grid_cell VALUES(3,14,25,2);
INSERT INTO grid_cell VALUES(3,15,24,1);
INSERT INTO grid_cell VALUES(3,16,22,1);
INSERT INTO grid_cell VALUES(3,17,11,0);
INSERT INTO grid_cell VALUES(3,18,10,0);
INSERT INTO grid_cell VALUES(3,19,3,1);
INSERT INTO grid_cell VALUES(3,20,8,2);
INSERT INTO grid_cell VALUES(3,21,1,1);
INSERT INTO grid_cell VALUES(4,0,16,0);
INSERT INTO grid_cell VALUES(4,1,1,2);
INSERT INTO grid_cell VALUES(4,2,4,2);
INSERT INTO grid_cell VALUES(4,3,3,2);
INSERT INTO grid_cell VALUES(4,4,24,2);
INSERT INTO grid_cell VALUES(4,5,19,0);
INSERT INTO grid_cell VALUES(4,6,2,2);
INSERT INTO grid_cell VALUES(4,7,20,0);
INSERT INTO grid_cell VALUES(4,8,27,1);
INSERT INTO grid_cell VALUES(4,9,21,2);
INSERT INTO grid_cell VALUES(4,10,15,0);
INSERT INTO grid_cell VALUES(4,11,17,0);
INSERT INTO grid_cell VALUES(4,12,23,2);
INSERT INTO grid_cell VALUES(4,13,28,1);
INSERT INTO grid_cell VALUES(4,14,8,1);
INSERT INTO grid_cell VALUES(4,15,6,1);
INSERT INTO grid_cell VALUES(4,16,25,1);
INSERT INTO grid_cell VALUES(4,17,7,1);
INSERT INTO grid_cell VALUES(4,18,18,0);
INSERT INTO grid_cell VALUES(4,19,5,1);
INSERT INTO grid_cell VALUES(4,20,26,1);
INSERT INTO grid_cell VALUES(4,21,22,2);
INSERT INTO grid_cell VALUES(5,0,1,0);
CREATE TABLE place (              -- one person's part in one campaign
  id              INTEGER PRIMARY KEY,
  token           BLOB NOT NULL UNIQUE, -- the capability in the worker's address
  campaign        INTEGER NOT NULL REFERENCES campaign,
  person          INTEGER NOT NULL REFERENCES person,
  code            TEXT NOT NULL,  -- completion code
  consent_version TEXT NOT NULL,
  joined_at       INTEGER NOT NULL,
  UNIQUE (campaign, person)
) STRICT;
INSERT INTO place VALUES(1,X'f67411051d7fd912b60fd7e5ac40489ca26d65b52c62dc267c6bc8933a63227d',1,3,'MGY6GYT48T','1',1795871957317);
INSERT INTO place VALUES(2,X'767c3780a51aecc4137841d506eddd7f6da2c91120f149a5efff1dece2408896',1,5,'RPDNMKJ79K','1',1795871957409);
INSERT INTO place VALUES(3,X'1e97d7639569851798c6e88749060a358e133ba05fca29a4453985c91ec2cb1f',1,6,'AX43HYWSRX','1',1795871957458);
CREATE TABLE assignment (         -- one grid lent to one person
  id          INTEGER PRIMARY KEY,
  token       BLOB UNIQUE,        -- capability for its images and its submission; NULL: imported
  name        TEXT UNIQUE,        -- imported: CAMPAIGN:ID
  grid        INTEGER NOT NULL REFERENCES grid,
  person      INTEGER NOT NULL REFERENCES person,
  place       INTEGER REFERENCES place,
  seed        INTEGER,            -- order of cells; NULL: as stored
  leased_at   INTEGER NOT NULL,
  lease_until INTEGER NOT NULL, ahead INTEGER NOT NULL DEFAULT 0
  CHECK (ahead IN (0, 1)), visit INTEGER NOT NULL DEFAULT 0,
  UNIQUE (grid, person)           -- nobody sees a grid twice
) STRICT;
INSERT INTO assignment VALUES(1,X'ae6d3b273426e2d9bd8fcc28bef4bb89',NULL,2,3,1,24209562424933,1795871957369,1795872557369,0,0);
INSERT INTO assignment VALUES(2,X'd7f1f5694e0218db4d61c5da55db2aa7',NULL,1,3,1,2330084520882608,1795871957376,1795872557376,0,0);
INSERT INTO assignment VALUES(3,X'8e66989e4110c6b9172130e9acb73647',NULL,1,5,2,1186878924092477,1795871957432,1795872557432,0,0);
INSERT INTO assignment VALUES(4,X'f19480eb98988a43a5dcb6a4bff640d1',NULL,2,6,3,5491752558351644,1795871957478,1795872557478,0,0);
INSERT INTO assignment VALUES(5,X'5903553d90dd40afb160f27a4b2b9c33',NULL,1,6,3,8430605084550591,1795871957496,1795872557496,0,0);
CREATE TABLE answer (
  id          INTEGER PRIMARY KEY REFERENCES event,
  assignment  INTEGER NOT NULL UNIQUE REFERENCES assignment,
  client_id   TEXT NOT NULL,      -- made by the client; the same again is the same answer
  mask        INTEGER NOT NULL,   -- bit j: cell j selected
  surplus     INTEGER NOT NULL CHECK (surplus IN (0, 1)), -- came late, grid full meanwhile: paid, not counted
  at          INTEGER NOT NULL,
  active_ms   INTEGER,            -- first paint to submit without hidden-tab time
  device      TEXT                -- JSON: cell size, columns, pointer, screen
, main INTEGER
  CHECK (main IS NULL OR (main BETWEEN 0 AND 23 AND (mask >> main) & 1))) STRICT;
INSERT INTO answer VALUES(28,1,'ann-answer-0',257,0,1795871957373,900,NULL,NULL);
INSERT INTO answer VALUES(29,2,'ann-answer-1',8194,0,1795871957384,900,NULL,NULL);
INSERT INTO answer VALUES(33,3,'bob-answer-0',272,0,1795871957444,900,NULL,NULL);
INSERT INTO answer VALUES(37,4,'eve-answer-0',1120,0,1795871957488,900,NULL,NULL);
INSERT INTO answer VALUES(38,5,'eve-answer-1',2178,0,1795871957506,900,NULL,NULL);
CREATE TABLE answer_state (
  id     INTEGER PRIMARY KEY REFERENCES event,
  answer INTEGER NOT NULL REFERENCES answer,
  field  TEXT NOT NULL CHECK (field IN ('pay', 'analysis')),
  value  TEXT NOT NULL CHECK (value IN ('pending', 'approved', 'rejected', 'bonus', 'in', 'out')),
  rule   TEXT NOT NULL, decision INTEGER REFERENCES decision,           -- which rule or whose decision said so
  CHECK ((field = 'analysis') = (value IN ('in', 'out')))
) STRICT;
INSERT INTO answer_state VALUES(42,37,'analysis','out','clicks at random',41);
INSERT INTO answer_state VALUES(43,38,'analysis','out','clicks at random',41);
CREATE TABLE vote_view (
  id          INTEGER PRIMARY KEY REFERENCES event,
  name        TEXT NOT NULL,
  description TEXT NOT NULL,
  kinds       TEXT NOT NULL,      -- campaign kinds joined by "|"; '' = none by kind
  campaigns   TEXT NOT NULL,      -- further campaign names joined by "|"
  filters     TEXT NOT NULL,      -- JSON list of filters
  as_of       INTEGER             -- last event counted; NULL = all
) STRICT;
INSERT INTO vote_view VALUES(1,'default','All accepted answers of the main and top-up campaigns.','main|top-up','','[]',NULL);
CREATE TABLE image_decision (     -- what leads decided about an image; the newest holds
  id       INTEGER PRIMARY KEY REFERENCES event,
  image    INTEGER NOT NULL REFERENCES image,
  decision TEXT NOT NULL CHECK (decision IN ('quarantine', 'clear', 'takedown')),
  reason   TEXT NOT NULL
) STRICT;
INSERT INTO image_decision VALUES(75,1,'quarantine','unclear rights');
CREATE TABLE flag (               -- somebody says that something is wrong with an image
  id         INTEGER PRIMARY KEY REFERENCES event,
  image      INTEGER NOT NULL REFERENCES image,
  person     INTEGER NOT NULL REFERENCES person,
  assignment INTEGER REFERENCES assignment,
  kind       TEXT NOT NULL CHECK (kind IN ('disturbing', 'private', 'illegal', 'broken', 'other')),
  note       TEXT NOT NULL DEFAULT '',
  UNIQUE (image, person, kind)    -- saying it twice is saying it once
) STRICT;
INSERT INTO flag VALUES(76,2,3,NULL,'other','odd');
CREATE TABLE study (              -- the link of a campaign that is answered here
  campaign      INTEGER PRIMARY KEY REFERENCES campaign,
  link_key      TEXT NOT NULL DEFAULT '',         -- '' = who knows the address may come
  source        TEXT NOT NULL DEFAULT 'panel',    -- of the identities of those who come
  id_parameters TEXT NOT NULL DEFAULT 'PROLIFIC_PID|STUDY_ID|SESSION_ID', -- first: the person's id
  return_url    TEXT NOT NULL DEFAULT '',         -- '' = only the code is shown; {code} stands for it
  known_only    INTEGER NOT NULL DEFAULT 0 CHECK (known_only IN (0, 1)), -- participants of the list alone
  partial_grids INTEGER NOT NULL DEFAULT 1 CHECK (partial_grids > 0), -- that make leaving "partial"
  place_minutes INTEGER NOT NULL DEFAULT 240 CHECK (place_minutes > 0), -- a place without answers lapses
  floor_cents   INTEGER NOT NULL DEFAULT 0,       -- least effective pay per hour, 0 = none set
  contact       TEXT NOT NULL DEFAULT '',
  protocol      TEXT NOT NULL DEFAULT '',         -- number of the ethics protocol
  language      TEXT NOT NULL DEFAULT 'en'        -- of the pages around the task; '' = the browser's
, signing TEXT NOT NULL DEFAULT ''
  CHECK (signing IN ('', 'hmac', 'HS256', 'RS256', 'EdDSA')), signing_key TEXT NOT NULL DEFAULT '') STRICT;
INSERT INTO study VALUES(1,'','panel','PROLIFIC_PID|STUDY_ID|SESSION_ID','',0,1,240,0,'','','en','','');
INSERT INTO study VALUES(2,'','panel','PROLIFIC_PID|STUDY_ID|SESSION_ID','',0,1,240,0,'','','en','','');
CREATE TABLE study_code (         -- what a worker takes back to the panel
  campaign INTEGER NOT NULL REFERENCES campaign,
  outcome  TEXT NOT NULL CHECK (outcome IN ('complete', 'partial', 'screened-out', 'no-consent',
                                            'technical', 'withdrawn', 'full')),
  code     TEXT NOT NULL,         -- '' only for 'complete': each place has its own
  PRIMARY KEY (campaign, outcome)
) STRICT, WITHOUT ROWID;
INSERT INTO study_code VALUES(1,'complete','');
INSERT INTO study_code VALUES(1,'full','742065CBC5');
INSERT INTO study_code VALUES(1,'no-consent','2C094ADF8F');
INSERT INTO study_code VALUES(1,'partial','522A42A36C');
INSERT INTO study_code VALUES(1,'screened-out','1A91668D3E');
INSERT INTO study_code VALUES(1,'technical','059545510D');
INSERT INTO study_code VALUES(1,'withdrawn','773DF97F5A');
INSERT INTO study_code VALUES(2,'complete','');
INSERT INTO study_code VALUES(2,'full','D37FF3C3ED');
INSERT INTO study_code VALUES(2,'no-consent','890E47DB9B');
INSERT INTO study_code VALUES(2,'partial','64161EAA8A');
INSERT INTO study_code VALUES(2,'screened-out','303251EA1A');
INSERT INTO study_code VALUES(2,'technical','CDD0AD9AD5');
INSERT INTO study_code VALUES(2,'withdrawn','4F490B04E3');
CREATE TABLE consent (            -- texts that people agreed to; the newest of a campaign is shown
  id       INTEGER PRIMARY KEY REFERENCES event,
  campaign INTEGER NOT NULL REFERENCES campaign,
  version  TEXT NOT NULL,
  text     TEXT NOT NULL,
  UNIQUE (campaign, version)
) STRICT;
INSERT INTO consent VALUES(15,1,'1',replace('We store your answers.\n','\n',char(10)));
CREATE TABLE participant (        -- people the lead expects; others are "unverified"
  campaign INTEGER NOT NULL REFERENCES campaign,
  person   INTEGER NOT NULL REFERENCES person,
  PRIMARY KEY (campaign, person)
) STRICT, WITHOUT ROWID;
INSERT INTO participant VALUES(1,3);
INSERT INTO participant VALUES(1,4);
CREATE TABLE IF NOT EXISTS "arrival_a" (            -- what the panel's link said; erased with the identity
  place      INTEGER PRIMARY KEY REFERENCES place,
  parameters TEXT NOT NULL        -- JSON object of the study's id parameters
) STRICT;
CREATE TABLE place_outcome (      -- how a place ended; the newest holds, none: still in it
  id      INTEGER PRIMARY KEY REFERENCES event,
  place   INTEGER NOT NULL REFERENCES place,
  outcome TEXT NOT NULL CHECK (outcome IN ('complete', 'partial', 'screened-out', 'technical',
                                           'withdrawn', 'returned'))
) STRICT;
INSERT INTO place_outcome VALUES(77,1,'complete');
CREATE TABLE pay (                -- decisions about a place's pay; the newest holds, none: pending
  id     INTEGER PRIMARY KEY REFERENCES event,
  place  INTEGER NOT NULL REFERENCES place,
  state  TEXT NOT NULL CHECK (state IN ('pending', 'approved', 'rejected')),
  bonus_cents INTEGER NOT NULL DEFAULT 0 CHECK (bonus_cents >= 0),
  reason TEXT NOT NULL
, decision INTEGER REFERENCES decision) STRICT;
INSERT INTO pay VALUES(78,1,'approved',25,'careful',NULL);
CREATE TABLE person_note (        -- notes and blocks; the newest block or unblock holds
  id     INTEGER PRIMARY KEY REFERENCES event,
  person INTEGER NOT NULL REFERENCES person,
  kind   TEXT NOT NULL CHECK (kind IN ('block', 'unblock', 'note')),
  text   TEXT NOT NULL
) STRICT;
INSERT INTO person_note VALUES(40,5,'note','asked a good question');
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
INSERT INTO decision VALUES(41,'analysis','out','clicks at random','{"people":["pbx5j5p4wvn95"]}',40,2,1,38,X'2501',NULL,1,NULL);
CREATE TABLE grid_reopened (
  id       INTEGER PRIMARY KEY REFERENCES event,
  grid     INTEGER NOT NULL REFERENCES grid,
  n        INTEGER NOT NULL CHECK (n IN (-1, 1)), -- -1: taken back by an undo before it was answered
  decision INTEGER NOT NULL REFERENCES decision
) STRICT;
INSERT INTO grid_reopened VALUES(42,2,1,41);
INSERT INTO grid_reopened VALUES(43,1,1,41);
CREATE TABLE image_set (          -- a test set, or the originals it is compared with
  id       INTEGER PRIMARY KEY REFERENCES event,
  name     TEXT NOT NULL UNIQUE,  -- part of addresses: letters, digits, "-", "_", "."
  role     TEXT NOT NULL CHECK (role IN ('original', 'new'))
) STRICT;
INSERT INTO image_set VALUES(45,'originals','original');
INSERT INTO image_set VALUES(63,'best','new');
CREATE TABLE set_list (           -- images with their labels, in order: what revisions consist of
  id       INTEGER PRIMARY KEY,
  digest   BLOB NOT NULL,         -- SHA-256 of the sorted "image,wnid" lines, joined by LF, no final LF
  ordering INTEGER NOT NULL,      -- hash of the order: the same images in another order are another list
  images   INTEGER NOT NULL,      -- rows it has once it is whole: those of a killed import are fewer
  UNIQUE (digest, ordering)
) STRICT;
INSERT INTO set_list VALUES(1,X'6465678e0e194125b572d3bc7bef580fbae18d175eb977046575a2bdac20f0cb',1389992380501054046,8);
INSERT INTO set_list VALUES(2,X'45183f7f4983286161c469aedd7ad17fc65c86266e000a0da6f4f0af8e643076',1096678423992733499,4);
CREATE TABLE set_list_image (     -- in the order of the file they came in: row k of imported predictions
  list     INTEGER NOT NULL REFERENCES set_list,
  position INTEGER NOT NULL CHECK (position >= 0),
  image    INTEGER NOT NULL REFERENCES image,
  class    INTEGER NOT NULL REFERENCES class, -- its label in this list
  PRIMARY KEY (list, position)
) STRICT, WITHOUT ROWID;
INSERT INTO set_list_image VALUES(1,0,21,1);
INSERT INTO set_list_image VALUES(1,1,22,1);
INSERT INTO set_list_image VALUES(1,2,23,1);
INSERT INTO set_list_image VALUES(1,3,24,1);
INSERT INTO set_list_image VALUES(1,4,25,2);
INSERT INTO set_list_image VALUES(1,5,26,2);
INSERT INTO set_list_image VALUES(1,6,27,2);
INSERT INTO set_list_image VALUES(1,7,28,2);
INSERT INTO set_list_image VALUES(2,0,20,2);
INSERT INTO set_list_image VALUES(2,1,18,2);
INSERT INTO set_list_image VALUES(2,2,12,1);
INSERT INTO set_list_image VALUES(2,3,13,1);
CREATE TABLE revision (           -- a state of a set; revisions of a set form a tree
  id        INTEGER PRIMARY KEY REFERENCES event,
  image_set INTEGER NOT NULL REFERENCES image_set,
  number    INTEGER NOT NULL CHECK (number >= 0), -- "SET/NUMBER" is how people and commands name it
  parent    INTEGER REFERENCES revision,
  strategy  TEXT NOT NULL,        -- 'import'; how its images were chosen
  parameters TEXT NOT NULL,       -- JSON: everything that chose them
  list      INTEGER NOT NULL REFERENCES set_list, seed INTEGER, as_of INTEGER, newest_image INTEGER, vote_view INTEGER REFERENCES vote_view, inputs TEXT, facts TEXT, valid INTEGER CHECK (valid IN (0, 1)), removals BLOB, rows_known INTEGER NOT NULL DEFAULT 1 CHECK (rows_known IN (0, 1)),
  UNIQUE (image_set, number)
) STRICT;
INSERT INTO revision VALUES(46,45,0,NULL,'import','{"file":"set.csv","format":"csv"}',1,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,1);
INSERT INTO revision VALUES(64,63,0,NULL,'top','{"answers":1,"hide":3,"newest_class":2,"seed":3,"set":"best","size":2,"strategy":"top"}',2,3,62,28,1,'{"blacklist":"2594b6a92ebfb1c3312deb7d01c015fb95e9fbe9bd7bc6b527af07813ec7b910","images":"b52fbb43da99b79248f98f0af4110a69b6d6e49127f42f2d5aa5bf2b8eaad916","near_duplicates":"6d19155b97ec5a067e25e2ca227a7f399fcd2e98efec3982a3a7de979445ef48","parent":"e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855","picks":"e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855","reviews":"6db1f33547e2b2ae1522673a160aef1c564ed52aae7b4ae5904f6ff54f1ef72e","votes":"eaf65fd6334de039a098445cdbef3a65ba84568ecc33b1adca07a1a50d0cd1c4"}','{"added":4,"average":{"event":62,"groups":2,"hi":1.0,"images":4,"lo":0.0,"mean":0.25,"view":"default","view_version":1,"votes":6},"average_frequency":0.25,"carried":0,"chosen":4,"classes_few_originals":0,"classes_short":0,"missing":0,"removed":0,"reviews_carried":0,"short":[],"upward":0,"wanted":4,"with_votes":4}',1,NULL,1);
CREATE TABLE revision_state (
  id       INTEGER PRIMARY KEY REFERENCES event,
  revision INTEGER NOT NULL REFERENCES revision,
  state    TEXT NOT NULL CHECK (state IN ('sealed', 'unsealed', 'frozen', 'released')),
  reason   TEXT NOT NULL
) STRICT;
INSERT INTO revision_state VALUES(47,46,'frozen','A published list was imported, which is final.');
INSERT INTO revision_state VALUES(85,64,'unsealed','opened with the originals');
CREATE TABLE model (
  id       INTEGER PRIMARY KEY REFERENCES event,
  name     TEXT NOT NULL UNIQUE,  -- part of addresses
  kind     TEXT NOT NULL CHECK (kind IN ('onnx', 'import')), -- import: its predictions came as files
  file     TEXT,                  -- below models/; NULL for imports
  hash     BLOB,                  -- BLAKE2b-512 of the file and of its external data
  bytes    INTEGER,
  recipe   TEXT,                  -- JSON: how images become its input, which class each output is (infer/recipe.h)
  facts    TEXT,                  -- JSON: what the reader found: inputs, outputs, parameters, operators
  note     TEXT NOT NULL DEFAULT '', -- what people say about it, e.g. how it was trained
  CHECK ((kind = 'onnx') = (file IS NOT NULL))
) STRICT;
INSERT INTO model VALUES(22,'speaker','import',NULL,NULL,NULL,NULL,NULL,'');
INSERT INTO model VALUES(25,'speaker@words','import',NULL,NULL,NULL,NULL,NULL,'');
INSERT INTO model VALUES(79,'alexnet','import',NULL,NULL,NULL,NULL,NULL,'');
INSERT INTO model VALUES(101,'person-2','import',NULL,NULL,NULL,NULL,NULL,'');
CREATE TABLE model_removal (      -- removed models keep their rows: predictions name them; the newest holds
  id       INTEGER PRIMARY KEY REFERENCES event,
  model    INTEGER NOT NULL REFERENCES model,
  removed  INTEGER NOT NULL CHECK (removed IN (0, 1)), -- 0: it came back
  reason   TEXT NOT NULL
) STRICT;
INSERT INTO model_removal VALUES(80,79,1,'not needed');
CREATE TABLE prediction_source (  -- predictions that were made alike: same bytes, preprocessing and engine
  id       INTEGER PRIMARY KEY REFERENCES event,
  model    INTEGER NOT NULL REFERENCES model,
  kind     TEXT NOT NULL CHECK (kind IN ('engine', 'import')),
  bytes    TEXT NOT NULL CHECK (bytes IN ('original', 'unknown')), -- what was decoded; import: not known
  engine   TEXT NOT NULL,         -- fingerprint (infer/engine.h), or the imported file's name
  recipe   TEXT NOT NULL,         -- JSON as in `model`, of the time it ran; import: what was repaired
  digest   BLOB NOT NULL,         -- of all that makes them the same: model file, recipe, engine; or imported file
  revision INTEGER REFERENCES revision, -- import: whose rows the file has
  k        INTEGER NOT NULL CHECK (k BETWEEN 1 AND 5),
  scored   INTEGER NOT NULL CHECK (scored IN (0, 1)), -- probabilities are known
  UNIQUE (model, digest)
) STRICT;
INSERT INTO prediction_source VALUES(26,25,'import','unknown','words/1 of said.jsonl','{"mapping":"words","version":1,"first":"text","texts":"said.jsonl"}',X'f8f09432b979cc992e48c09eb1ba6c460ac11bef1cdea631a0950638159c9995',NULL,1,0);
INSERT INTO prediction_source VALUES(102,101,'import','unknown','evaluation people','{}',X'86404a79dbf3e349782983f3a3aebece33a61a46f03dbd8bdd374a4eda6679ac',46,1,0);
CREATE TABLE prediction_block (
  id       INTEGER PRIMARY KEY,
  source   INTEGER NOT NULL REFERENCES prediction_source,
  records  INTEGER NOT NULL CHECK (records BETWEEN 1 AND 1024),
  least    INTEGER NOT NULL,      -- smallest and largest image in it: one image is found without reading
  most     INTEGER NOT NULL,      -- the blocks that cannot have it
  data     BLOB NOT NULL
) STRICT;
INSERT INTO prediction_block VALUES(1,26,2,1,2,X'01000000000002000000ffff');
INSERT INTO prediction_block VALUES(2,102,1,28,28,X'1c0000000000');
CREATE TABLE feature_source (     -- one file of float32 rows: features/<id>.f32
  id       INTEGER PRIMARY KEY REFERENCES event,
  model    INTEGER NOT NULL REFERENCES model,
  output   TEXT NOT NULL,         -- name of the value in the model
  dim      INTEGER NOT NULL CHECK (dim > 0),
  engine   TEXT NOT NULL,
  recipe   TEXT NOT NULL,
  digest   BLOB NOT NULL UNIQUE
) STRICT;
INSERT INTO feature_source VALUES(81,22,'flatten',2,'engine','{}',X'400306734648885190d8e24f6a47fb0a8029dd4984d799df38ca991dcfa5e4b3');
CREATE TABLE feature_block (      -- rows that are complete on the disk; what lies behind them is cut off
  id       INTEGER PRIMARY KEY,
  source   INTEGER NOT NULL REFERENCES feature_source,
  first    INTEGER NOT NULL,      -- row
  records  INTEGER NOT NULL CHECK (records BETWEEN 1 AND 1024),
  images   BLOB NOT NULL          -- u32[records], little-endian
) STRICT;
INSERT INTO feature_block VALUES(1,81,0,1,X'01000000');
CREATE TABLE job (
  id       INTEGER PRIMARY KEY REFERENCES event,
  kind     TEXT NOT NULL,         -- a row of jobs/kinds.c
  arguments TEXT NOT NULL,        -- JSON array: what follows "holdout KIND DIR"
  title    TEXT NOT NULL,         -- as people read it: "resnet50 on originals"
  state    TEXT NOT NULL CHECK (state IN ('queued', 'running', 'done', 'failed', 'cancelled')),
  asked_to_stop INTEGER NOT NULL DEFAULT 0 CHECK (asked_to_stop IN (0, 1)),
  starts   INTEGER NOT NULL DEFAULT 0, -- how often a process was started for it
  deaths   INTEGER NOT NULL DEFAULT 0, -- of those in a row that ended without a result and without getting further
  pid      INTEGER,               -- of the process that said it is the job, while it runs
  done     INTEGER NOT NULL DEFAULT 0,
  total    INTEGER NOT NULL DEFAULT 0, -- 0: not known
  note     TEXT NOT NULL DEFAULT '', -- one line: what it is doing, or why it ended as it did
  started_at INTEGER, ended_at INTEGER, -- milliseconds; of the newest process
  first_at INTEGER, first_done INTEGER, -- its first word about progress: the pace is counted from there
  beat_at  INTEGER                -- its last
) STRICT;
INSERT INTO job VALUES(82,'predict','["--model","resnet50"]','resnet50 on all images','cancelled',0,0,0,NULL,0,0,'',NULL,1795195000000,NULL,NULL,NULL);
CREATE TABLE blacklisting (
  name     TEXT NOT NULL,
  event    INTEGER NOT NULL REFERENCES event,
  banned   INTEGER NOT NULL CHECK (banned IN (0, 1)), -- 0: taken back
  reason   TEXT NOT NULL CHECK (reason IN ('', 'class', 'drawing', 'distribution', 'unclear', 'near-duplicate',
                                           'harmful', 'other')), -- '' when taken back
  note     TEXT NOT NULL DEFAULT '', -- free text; of imports the reason as it was written
  PRIMARY KEY (name, event)
) STRICT, WITHOUT ROWID;
INSERT INTO blacklisting VALUES('n00000001-candidate-3',66,1,'unclear','');
INSERT INTO blacklisting VALUES('n00000001-candidate-5',53,1,'drawing','');
CREATE TABLE near_duplicate (     -- two images that somebody or something said show the same photo
  a        TEXT NOT NULL,         -- the earlier name, bytewise
  b        TEXT NOT NULL,
  event    INTEGER NOT NULL REFERENCES event,
  same     INTEGER NOT NULL CHECK (same IN (0, 1)), -- 0: taken back
  PRIMARY KEY (a, b, event),
  CHECK (a < b)
) STRICT, WITHOUT ROWID;
INSERT INTO near_duplicate VALUES('n00000002-candidate-4','n00000002-candidate-5',54,1);
CREATE TABLE near_duplicate_keep ( -- of its component this one stays (domain/near_duplicates.h, line 2)
  name     TEXT NOT NULL,
  event    INTEGER NOT NULL REFERENCES event,
  keep     INTEGER NOT NULL CHECK (keep IN (0, 1)),
  PRIMARY KEY (name, event)
) STRICT, WITHOUT ROWID;
INSERT INTO near_duplicate_keep VALUES('n00000002-candidate-5',55,1);
CREATE TABLE pick (               -- sets without votes: chosen by hand, keyword by keyword
  name     TEXT NOT NULL,
  event    INTEGER NOT NULL REFERENCES event,
  stage    TEXT NOT NULL CHECK (stage IN ('open', 'picked', 'pruned')), -- pruned: a second person took it out
  note     TEXT NOT NULL DEFAULT '',
  PRIMARY KEY (name, event)
) STRICT, WITHOUT ROWID;
INSERT INTO pick VALUES('n00000001-candidate-1',59,'picked','clear');
CREATE TABLE class_decision (
  id       INTEGER PRIMARY KEY REFERENCES event,
  class    INTEGER NOT NULL REFERENCES class,
  revision INTEGER REFERENCES revision, -- in whose review; NULL: in the class browser
  undoes   INTEGER UNIQUE REFERENCES class_decision -- puts back what that one changed
) STRICT;
INSERT INTO class_decision VALUES(66,1,64,NULL);
CREATE TABLE class_review (       -- state of the review of a class in a revision
  revision INTEGER NOT NULL REFERENCES revision,
  class    INTEGER NOT NULL REFERENCES class,
  event    INTEGER NOT NULL REFERENCES event,
  reviewed INTEGER NOT NULL CHECK (reviewed IN (0, 1)),
  problematic INTEGER NOT NULL CHECK (problematic IN (0, 1)),
  carried  INTEGER NOT NULL DEFAULT 0 CHECK (carried IN (0, 1)), -- from the parent, when the revision was made
  PRIMARY KEY (revision, class, event)
) STRICT, WITHOUT ROWID;
INSERT INTO class_review VALUES(64,1,66,1,0,0);
CREATE TABLE review_round (
  id        INTEGER PRIMARY KEY REFERENCES event,
  revision  INTEGER NOT NULL REFERENCES revision, -- its newest round holds
  originals INTEGER NOT NULL CHECK (originals BETWEEN 0 AND 50), -- percent of the images shown
  repeats   INTEGER NOT NULL CHECK (repeats BETWEEN 0 AND 50),   -- percent of the classes
  seed      INTEGER NOT NULL
) STRICT;
INSERT INTO review_round VALUES(83,64,20,10,7);
CREATE TABLE review_turn (        -- a reviewer is through with a class of a round
  id       INTEGER PRIMARY KEY REFERENCES event,
  round    INTEGER NOT NULL REFERENCES review_round,
  account  INTEGER NOT NULL REFERENCES account,
  class    INTEGER NOT NULL REFERENCES class,
  again    INTEGER NOT NULL CHECK (again IN (0, 1)), -- the repeat: measures the reviewer, decides nothing
  UNIQUE (round, account, class, again)
) STRICT;
INSERT INTO review_turn VALUES(84,83,1,1,0);
CREATE TABLE review_mark (        -- every image that was shown in a turn
  turn     INTEGER NOT NULL REFERENCES review_turn,
  image    INTEGER NOT NULL REFERENCES image,
  probe    INTEGER NOT NULL CHECK (probe IN (0, 1)), -- an original, mixed in
  rejected INTEGER NOT NULL CHECK (rejected IN (0, 1)),
  PRIMARY KEY (turn, image)
) STRICT, WITHOUT ROWID;
INSERT INTO review_mark VALUES(84,12,0,0);
INSERT INTO review_mark VALUES(84,13,0,0);
CREATE TABLE remeasurement (      -- a campaign that shows the images of a set and as many originals once more
  campaign INTEGER PRIMARY KEY REFERENCES campaign,
  revision INTEGER NOT NULL REFERENCES revision
) STRICT;
INSERT INTO remeasurement VALUES(2,64);
CREATE TABLE campaign_apart (     -- nobody who was shown a grid of `other` takes part in the campaign
  campaign INTEGER NOT NULL REFERENCES campaign,
  other    INTEGER NOT NULL REFERENCES campaign,
  PRIMARY KEY (campaign, other)
) STRICT, WITHOUT ROWID;
INSERT INTO campaign_apart VALUES(2,1);
CREATE TABLE seal_opening (       -- a revision was unsealed because another one with its images was opened or imported
  state    INTEGER PRIMARY KEY REFERENCES revision_state, -- its 'unsealed'
  through  INTEGER NOT NULL REFERENCES revision,
  shared   INTEGER NOT NULL       -- how many of its images that one has
) STRICT;
INSERT INTO seal_opening VALUES(85,46,1);
CREATE TABLE revision_pin (
  revision INTEGER PRIMARY KEY REFERENCES revision,
  block    INTEGER NOT NULL CHECK (block >= 0), -- newest of prediction_block at that moment
  way      TEXT NOT NULL CHECK (way IN ('chosen', 'newest'))
) STRICT;
INSERT INTO revision_pin VALUES(46,1,'chosen');
CREATE TABLE score_decision (     -- which source scores a model on a revision, said by somebody; the newest holds
  id       INTEGER PRIMARY KEY REFERENCES event,
  revision INTEGER NOT NULL REFERENCES revision,
  model    INTEGER NOT NULL REFERENCES model,
  source   INTEGER NOT NULL REFERENCES prediction_source,
  reason   TEXT NOT NULL,
  undoes   INTEGER UNIQUE REFERENCES score_decision -- takes that one back
) STRICT;
INSERT INTO score_decision VALUES(86,46,22,26,'the first one',NULL);
CREATE TABLE grid_exclusion (
  id     INTEGER PRIMARY KEY REFERENCES event,
  grid   INTEGER NOT NULL REFERENCES grid,
  reason TEXT NOT NULL            -- why no view counts it; '': it counts again
) STRICT;
INSERT INTO grid_exclusion VALUES(87,4,'');
CREATE TABLE image_filled (
  event  INTEGER NOT NULL REFERENCES event,
  image  INTEGER NOT NULL REFERENCES image,
  fields INTEGER NOT NULL,
  PRIMARY KEY (event, image)
) STRICT, WITHOUT ROWID;
INSERT INTO image_filled VALUES(87,1,8);
CREATE TABLE review_shown (
  revision INTEGER NOT NULL REFERENCES revision,
  class    INTEGER NOT NULL REFERENCES class,
  account  INTEGER NOT NULL REFERENCES account,
  event    INTEGER NOT NULL REFERENCES event,
  PRIMARY KEY (revision, class, account)
) STRICT, WITHOUT ROWID;
INSERT INTO review_shown VALUES(64,2,1,88);
CREATE TABLE place_visit (
  id    INTEGER PRIMARY KEY,
  place INTEGER NOT NULL REFERENCES place,
  hash  BLOB NOT NULL UNIQUE,
  own   INTEGER NOT NULL CHECK (own IN (0, 1)), -- 1: they proved whose place it is; 0: they knew an id
  at    INTEGER NOT NULL
) STRICT;
INSERT INTO place_visit VALUES(1,1,X'f32f2b0261a327f5be3dd8b86c67fa05b0a5ea65428d89e766f99be14d9e89ad',1,1795195000000);
CREATE TABLE flag_counted (
  flag  INTEGER PRIMARY KEY REFERENCES flag,
  since INTEGER NOT NULL REFERENCES event
) STRICT;
INSERT INTO flag_counted VALUES(76,76);
CREATE TABLE flag_dismissal (     -- flags that a lead set aside or restored; the newest of a flag holds
  id        INTEGER PRIMARY KEY REFERENCES event,
  flag      INTEGER NOT NULL REFERENCES flag,
  dismissed INTEGER NOT NULL CHECK (dismissed IN (0, 1)),
  action    INTEGER NOT NULL      -- the first row that the same click wrote
) STRICT;
INSERT INTO flag_dismissal VALUES(89,76,0,89);
CREATE TABLE identity_b (
  person      INTEGER PRIMARY KEY REFERENCES person,
  source      TEXT NOT NULL,
  external_id TEXT NOT NULL,
  name        TEXT,
  UNIQUE (source, external_id)
) STRICT;
CREATE TABLE arrival_b (
  place      INTEGER PRIMARY KEY REFERENCES place,
  parameters TEXT NOT NULL
) STRICT;
CREATE TABLE erasure (            -- how far it is
  id     INTEGER PRIMARY KEY CHECK (id = 1),
  step   INTEGER NOT NULL,        -- -1: none goes on; store/erasure.c
  after  INTEGER NOT NULL,        -- rows of the step up to this id are done
  again  INTEGER NOT NULL CHECK (again IN (0, 1)), -- somebody was erased since it began
  half   TEXT NOT NULL            -- the tables that the views name: 'a' or 'b'
) STRICT;
INSERT INTO erasure VALUES(1,-1,0,0,'a');
CREATE TABLE erasure_name (       -- ids that are looked for in what people typed; emptied at the end
  id   INTEGER PRIMARY KEY,
  text TEXT NOT NULL
) STRICT;
CREATE TABLE IF NOT EXISTS "near_metric" (        -- the newest row of a name holds
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
INSERT INTO near_metric VALUES('l2',56,1,'l2',256,0,'',120000000.0,NULL);
INSERT INTO near_metric VALUES('l2',57,1,'l2',256,0,'',120000000.0,28);
INSERT INTO near_metric VALUES('l2',72,1,'l2',256,0,'',1000000000.0,28);
CREATE TABLE IF NOT EXISTS "review_distance" (    -- as in 0005
  name     TEXT NOT NULL,
  metric   TEXT NOT NULL,
  event    INTEGER NOT NULL REFERENCES event,
  distance REAL,
  PRIMARY KEY (name, metric, event)
) STRICT, WITHOUT ROWID;
INSERT INTO review_distance VALUES('n00000001-candidate-0','l2',56,130000000.0);
CREATE TABLE IF NOT EXISTS "neighbour_review" (   -- as in 0005
  name     TEXT NOT NULL,
  metric   TEXT NOT NULL,
  reviewer TEXT NOT NULL,
  date     TEXT NOT NULL,
  event    INTEGER NOT NULL REFERENCES event,
  neighbours TEXT NOT NULL,
  PRIMARY KEY (name, metric, reviewer, date)
) STRICT, WITHOUT ROWID;
INSERT INTO neighbour_review VALUES('n00000001-candidate-0','l2','r','2018-10-01',58,'["n00000001-candidate-1"]');
CREATE TABLE IF NOT EXISTS "image" (
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
INSERT INTO image VALUES(1,'n00000001-original-0',1,'original',1,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO image VALUES(2,'n00000001-original-1',1,'original',2,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO image VALUES(3,'n00000001-original-2',1,'original',3,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO image VALUES(4,'n00000001-original-3',1,'original',4,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO image VALUES(5,'n00000002-original-0',2,'original',5,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO image VALUES(6,'n00000002-original-1',2,'original',6,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO image VALUES(7,'n00000002-original-2',2,'original',7,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO image VALUES(8,'n00000002-original-3',2,'original',8,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO image VALUES(9,'n00000001-candidate-0',1,'candidate',9,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO image VALUES(10,'n00000001-candidate-1',1,'candidate',10,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO image VALUES(11,'n00000001-candidate-2',1,'candidate',11,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO image VALUES(12,'n00000001-candidate-3',1,'candidate',12,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO image VALUES(13,'n00000001-candidate-4',1,'candidate',13,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO image VALUES(14,'n00000001-candidate-5',1,'candidate',14,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO image VALUES(15,'n00000002-candidate-0',2,'candidate',15,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO image VALUES(16,'n00000002-candidate-1',2,'candidate',16,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO image VALUES(17,'n00000002-candidate-2',2,'candidate',17,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO image VALUES(18,'n00000002-candidate-3',2,'candidate',18,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO image VALUES(19,'n00000002-candidate-4',2,'candidate',19,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO image VALUES(20,'n00000002-candidate-5',2,'candidate',20,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO image VALUES(21,'n00000001/n00000001-original-0.png',1,'original',NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO image VALUES(22,'n00000001/n00000001-original-1.png',1,'original',NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO image VALUES(23,'n00000001/n00000001-original-2.png',1,'original',NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO image VALUES(24,'n00000001/n00000001-original-3.png',1,'original',NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO image VALUES(25,'n00000002/n00000002-original-0.png',2,'original',NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO image VALUES(26,'n00000002/n00000002-original-1.png',2,'original',NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO image VALUES(27,'n00000002/n00000002-original-2.png',2,'original',NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO image VALUES(28,'n00000002/n00000002-original-3.png',2,'original',NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
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
INSERT INTO near_search VALUES(73,'l2','{"kind":"l2","side":256}','1',30,1500000000.0,X'090000000c000000',X'0100000014000000');
CREATE TABLE near_search_end (      -- that search is whole; until then it counts for nothing
  id     INTEGER PRIMARY KEY REFERENCES event,
  search INTEGER NOT NULL UNIQUE REFERENCES near_search
) STRICT;
INSERT INTO near_search_end VALUES(74,73);
CREATE TABLE near_list (
  id      INTEGER PRIMARY KEY,
  search  INTEGER NOT NULL REFERENCES near_search,
  first   INTEGER NOT NULL,
  records INTEGER NOT NULL CHECK (records BETWEEN 1 AND 16),
  data    BLOB NOT NULL,
  UNIQUE (search, first)
) STRICT;
INSERT INTO near_list VALUES(1,73,0,12,X'130000000d0000000000000fb44ac34114000000000080178dd6d04106000000000080e587b8d14105000000000000bb3a6bd2410e00000000000056c9ebd4410a00000000008015afb8d8410c00000000004071b7b7d941020000000000c0e7d811da410b000000000040f10146da411200000000000078cc34db41130000000000c0a5ee25dc41100000000000c0781d55dc4101000000000040d002b7dd4107000000000000cbd1bbdd410f0000000000206af119e041030000000000a0c17f58e141040000000000c0335f4ce4410800000000000021a4aae44111000000000000c10891e54113000000030000000000c0873fbbd441070000000000804e4971d6410c0000000000c0de767dd8410900000000008015afb8d8410100000000004038c049db4106000000000080518b7bdb41020000000000c018f167dd410e00000000000072ddb6dd410f00000000004040cd0fde4104000000000080ea8d6cde410b0000000000c0942b35df41050000000000002f4779df41130000000000c085349fdf41100000000000603584e1e0410d0000000000c0782511e141080000000000c07dbb69e14111000000000000e3910be241120000000000c0a1d54ae54114000000000040cc4b96e5411300000006000000000080aeb30acf410c00000000008028e687d24102000000000080251714d3410100000000008031b618d44114000000000040bf69dfd64113000000000000081f91d7410e0000000000407b09efd84109000000000040f10146da4108000000000040a5bea7da41040000000000404deb21dc410f000000000080f55733dc410d0000000000c079aabadc4105000000000040eb3bf2dc41110000000000c0e7608ddd411000000000000060a1b7de4103000000000080330930df410a0000000000c0942b35df41120000000000a02da371e041070000000000e0e932a7e04113000000080000000000809feecbc24102000000000000cab54fcb41060000000000803f004ece41110000000000c05b9d9bd141140000000000409544e3d1410b00000000008028e687d2410400000000004079db01d34110000000000080c2581ed44103000000000000828ac9d4410a0000000000c0de767dd8410700000000004071a0acd8410900000000004071b7b7d94101000000000000b9f6f0d9410f0000000000009ee2a5da4105000000000060c449a1e0410d00000000006083caefe0410e00000000002041920fe141120000000000e08a0597e14113000000000040d17568e34113000000090000000000000fb44ac3410e000000000000ff60c0d34105000000000080bae3ded3410600000000008027a9c4d5410b0000000000c079aabadc41140000000000801db0fddc41120000000000809ce7b9dd41010000000000404b61c4df41130000000000a0b9f894e0410c00000000006083caefe0410f0000000000a0e895f9e0410a0000000000c0782511e141100000000000a0317776e2410700000000004032d38be241020000000000608e0cebe241030000000000e0948f02e44108000000000080efb7b6e841110000000000c034ca23ea410400000000008076329bea411300000005000000000000d551a1ca411200000000008006c130d2410d000000000000ff60c0d3410600000000000075fd68d4410900000000000056c9ebd441010000000000403af8abd541130000000000c0f1e6f5d5410b0000000000407b09efd8411400000000000068a724da410f0000000000c0e41ec5da4107000000000000f5897bdb4104000000000000c40ae0db41100000000000c0bfc397dd410a00000000000072ddb6dd410c00000000002041920fe14102000000000060d11a9ae141110000000000809790c3e24108000000000080ba13ffe24103000000000020a3ef92e441130000000800000000004036d6d7d44105000000000040315be7d74113000000000000aba93bd94111000000000040585663da410c0000000000009ee2a5da410e0000000000c0e41ec5da41040000000000409c165cdb410700000000004072a7c3db410b000000000080f55733dc41060000000000c0eae5addd410a00000000004040cd0fde41090000000000206af119e04112000000000020c887d7e0410d0000000000a0e895f9e04103000000000080ba5d51e141140000000000e0d42d86e141100000000000806128fae241020000000000401852a1e341010000000000407b0cb9e34113000000060000000000c0a30e25d141040000000000c03d4e0ad2410200000000000070885cd2410c000000000080c2581ed441070000000000c01d72f5d54111000000000040e1c733d641080000000000c0130a3cd641010000000000003f73b3d641140000000000c0d0c7afd841090000000000c0781d55dc410e0000000000c0bfc397dd41120000000000c053fc66de410b00000000000060a1b7de41050000000000c06fedecde410a0000000000603584e1e04103000000000080099ae0e1410d0000000000a0317776e24113000000000000fd12f8e2410f0000000000806128fae2411300000008000000000000252d90c84104000000000000c0f4decd410c0000000000c05b9d9bd14106000000000000900b24d64110000000000040e1c733d64107000000000080090d4ed6410f000000000040585663da41010000000000c09a2951db41050000000000002ca178db410b0000000000c0e7608ddd41030000000000c0a8dee2dd41020000000000e0a0f215e041120000000000c0a250ade0410a000000000000e3910be2410e0000000000809790c3e241140000000000804388d6e34109000000000000c10891e541130000000000e0480424e7410d0000000000c034ca23ea411300000005000000000000cc6189d1410e00000000008006c130d24106000000000080c5189cd94104000000000080f34ec2da410900000000000078cc34db410d0000000000809ce7b9dd410700000000008062745bde41100000000000c053fc66de4114000000000080cdc977df410b0000000000a02da371e041110000000000c0a250ade0410200000000002096e1c0e0410f000000000020c887d7e0410c0000000000e08a0597e141080000000000008846abe14101000000000060c18306e441030000000000e09f19ade441130000000000a062b9bce4410a0000000000c0a1d54ae541130000000e0000000000c0f1e6f5d541050000000000402d55a2d6410b000000000000081f91d7410f000000000000aba93bd94106000000000040940ca9db41090000000000c0a5ee25dc410a0000000000c085349fdf4101000000000080736a5ce0410d0000000000a0b9f894e04114000000000020a3de02e141070000000000605a1f04e24104000000000060465577e24110000000000000fd12f8e2410c000000000040d17568e341030000000000c0ec9b72e441120000000000a062b9bce441080000000000a083926ce641110000000000e0480424e741020000000000c0b4dd3ee7411300000009000000000080178dd6d0410c0000000000409544e3d141020000000000408b6985d2410600000000000088bd67d3410b000000000040bf69dfd641100000000000c0d0c7afd8410e00000000000068a724da4101000000000040f58714dc410d0000000000801db0fddc41080000000000801a6668de4112000000000080cdc977df4104000000000000caf9b2df4113000000000020a3de02e141050000000000005a4640e1410f0000000000e0d42d86e141070000000000006e7387e241110000000000804388d6e3410300000000006091c079e5410a000000000040cc4b96e541');
CREATE TABLE near_close (           -- pairs near a threshold or within it: what the work list and the gate read
  query     INTEGER NOT NULL REFERENCES image,
  search    INTEGER NOT NULL REFERENCES near_search,
  reference INTEGER NOT NULL REFERENCES image,
  distance  REAL NOT NULL,
  PRIMARY KEY (query, search, reference)
) STRICT, WITHOUT ROWID;
INSERT INTO near_close VALUES(12,73,8,630709567.0);
INSERT INTO near_close VALUES(9,73,13,647325726.0);
INSERT INTO near_close VALUES(13,73,9,647325726.0);
INSERT INTO near_close VALUES(17,73,8,824203850.0);
INSERT INTO near_close VALUES(14,73,5,893559722.0);
INSERT INTO near_close VALUES(12,73,2,916417428.0);
INSERT INTO near_close VALUES(17,73,4,1002301824.0);
INSERT INTO near_close VALUES(12,73,6,1016856703.0);
INSERT INTO near_close VALUES(11,73,6,1041590109.0);
INSERT INTO near_close VALUES(9,73,20,1129985118.0);
INSERT INTO near_close VALUES(20,73,9,1129985118.0);
INSERT INTO near_close VALUES(16,73,6,1150565007.0);
INSERT INTO near_close VALUES(18,73,5,1176864560.0);
INSERT INTO near_close VALUES(12,73,17,1181644143.0);
INSERT INTO near_close VALUES(17,73,12,1181644143.0);
INSERT INTO near_close VALUES(9,73,6,1189224342.0);
INSERT INTO near_close VALUES(12,73,20,1200427605.0);
INSERT INTO near_close VALUES(20,73,12,1200427605.0);
INSERT INTO near_close VALUES(16,73,4,1210661111.0);
INSERT INTO near_close VALUES(14,73,18,1220740122.0);
INSERT INTO near_close VALUES(18,73,14,1220740122.0);
INSERT INTO near_close VALUES(16,73,2,1232216512.0);
INSERT INTO near_close VALUES(9,73,5,1236069100.0);
INSERT INTO near_close VALUES(20,73,2,1242932781.0);
INSERT INTO near_close VALUES(11,73,12,1243584674.0);
INSERT INTO near_close VALUES(12,73,11,1243584674.0);
INSERT INTO near_close VALUES(12,73,4,1275555301.0);
INSERT INTO near_close VALUES(11,73,2,1280334998.0);
INSERT INTO near_close VALUES(20,73,6,1302263328.0);
INSERT INTO near_close VALUES(13,73,14,1325499388.0);
INSERT INTO near_close VALUES(14,73,13,1325499388.0);
INSERT INTO near_close VALUES(13,73,5,1333497578.0);
INSERT INTO near_close VALUES(11,73,1,1348655302.0);
INSERT INTO near_close VALUES(12,73,16,1350132490.0);
INSERT INTO near_close VALUES(16,73,12,1350132490.0);
INSERT INTO near_close VALUES(14,73,6,1369699796.0);
INSERT INTO near_close VALUES(10,73,3,1391263263.0);
INSERT INTO near_close VALUES(12,73,3,1395010056.0);
INSERT INTO near_close VALUES(15,73,8,1398757593.0);
INSERT INTO near_close VALUES(9,73,14,1403987288.0);
INSERT INTO near_close VALUES(14,73,9,1403987288.0);
INSERT INTO near_close VALUES(14,73,1,1454366953.0);
INSERT INTO near_close VALUES(13,73,6,1460839582.0);
INSERT INTO near_close VALUES(16,73,7,1473628279.0);
INSERT INTO near_close VALUES(14,73,19,1473747911.0);
INSERT INTO near_close VALUES(19,73,14,1473747911.0);
INSERT INTO near_close VALUES(17,73,6,1485844032.0);
INSERT INTO near_close VALUES(16,73,17,1489969029.0);
INSERT INTO near_close VALUES(17,73,16,1489969029.0);
INSERT INTO near_close VALUES(16,73,8,1492133967.0);
INSERT INTO near_close VALUES(17,73,7,1496855590.0);
CREATE TABLE near_unread (          -- images that a search could not read: it compared them with nothing
  search INTEGER NOT NULL REFERENCES near_search,
  image  INTEGER NOT NULL REFERENCES image,
  PRIMARY KEY (search, image)
) STRICT, WITHOUT ROWID;
INSERT INTO near_unread VALUES(73,28);
CREATE TABLE near_verdict (         -- what a reviewer said of a pair; of those that are no repeat the newest holds
  a       TEXT NOT NULL,            -- the earlier name, bytewise, as in near_duplicate
  b       TEXT NOT NULL,
  event   INTEGER NOT NULL REFERENCES event,
  verdict TEXT NOT NULL CHECK (verdict IN ('duplicate', 'not', 'unsure', 'open')), -- open: taken back
  repeat  INTEGER NOT NULL CHECK (repeat IN (0, 1)), -- 1: asked again, to see whether they say the same; changes nothing
  PRIMARY KEY (a, b, event),
  CHECK (a < b)
) STRICT, WITHOUT ROWID;
INSERT INTO near_verdict VALUES('n00000001-candidate-0','n00000002-candidate-5',90,'not',0);
CREATE TABLE near_look (            -- what was on the page when somebody saved these verdicts
  id     INTEGER PRIMARY KEY REFERENCES event,
  name   TEXT NOT NULL,             -- the candidate
  shown  TEXT NOT NULL,             -- JSON list of names of its neighbours
  undoes INTEGER UNIQUE REFERENCES near_look,
  repeats INTEGER REFERENCES near_look -- that look was shown once more, maybe to somebody else: its verdicts are repeats
) STRICT;
INSERT INTO near_look VALUES(90,'n00000001-candidate-0','["n00000002-candidate-5"]',NULL,NULL);
CREATE TABLE near_calibration (     -- how far images are from changed copies of them; the newest event of a metric holds
  metric     TEXT NOT NULL,
  event      INTEGER NOT NULL REFERENCES event,
  distortion TEXT NOT NULL,         -- image/distort.h: how the copies were changed
  space      TEXT NOT NULL,         -- as in near_search
  distances  BLOB NOT NULL,         -- of each image f64, little-endian, ascending
  PRIMARY KEY (metric, event, distortion)
) STRICT, WITHOUT ROWID;
INSERT INTO near_calibration VALUES('l2',91,'blur','{"kind":"l2","side":256}',X'000000000000f03f');
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
INSERT INTO model_facts VALUES(22,92,'standard','ResNet','ResNet-50',2015,'ILSVRC 2012',25557032);
CREATE TABLE feature_only (
  model INTEGER NOT NULL REFERENCES model,
  image INTEGER NOT NULL REFERENCES image,
  event INTEGER NOT NULL REFERENCES event, -- its import
  PRIMARY KEY (model, image)
) STRICT, WITHOUT ROWID;
INSERT INTO feature_only VALUES(22,1,92);
CREATE TABLE label_source (       -- labels under a name; the set's own have none
  id       INTEGER PRIMARY KEY REFERENCES event,
  name     TEXT NOT NULL UNIQUE,  -- part of addresses: letters, digits, "-", "_", "."
  kind     TEXT NOT NULL CHECK (kind IN ('labels', 'main', 'objects', 'review')) -- domain/labels.h
) STRICT;
INSERT INTO label_source VALUES(48,'real','labels');
CREATE TABLE label_list (         -- images with their labels, in order: what versions consist of
  id       INTEGER PRIMARY KEY,
  digest   BLOB NOT NULL UNIQUE,  -- SHA-256 of its rows (store/labels/label_lists.h)
  images   INTEGER NOT NULL,      -- rows it has once it is whole: those of a killed import are fewer
  labels   INTEGER NOT NULL       -- of all of them
) STRICT;
INSERT INTO label_list VALUES(1,X'17da46870d89678eb8c2436a287c65d4f527b939b49cf1c0fdfcb841cd8b96f4',1,1);
CREATE TABLE label_list_image (   -- in the order of the file they came in; those without labels too
  list     INTEGER NOT NULL REFERENCES label_list,
  position INTEGER NOT NULL CHECK (position >= 0),
  image    INTEGER NOT NULL REFERENCES image,
  problematic INTEGER NOT NULL CHECK (problematic IN (0, 1)), -- no label can be right: it counts for nobody
  partial  INTEGER NOT NULL CHECK (partial IN (0, 1)),        -- not all of what models say of it was looked at
  inferred INTEGER NOT NULL CHECK (inferred IN (0, 1)),       -- nobody said it: the set's label was the only candidate
  main_object INTEGER CHECK (main_object >= 0),               -- NULL: the one that has the main label
  PRIMARY KEY (list, position)
) STRICT, WITHOUT ROWID;
INSERT INTO label_list_image VALUES(1,0,1,0,0,0,NULL);
CREATE TABLE label (
  list     INTEGER NOT NULL,
  position INTEGER NOT NULL,      -- of the image
  rank     INTEGER NOT NULL CHECK (rank >= 0), -- in the order of the file
  class    INTEGER NOT NULL REFERENCES class,
  verdict  TEXT NOT NULL CHECK (verdict IN ('correct', 'unclear', 'wrong', 'dontknow')),
  main     INTEGER NOT NULL CHECK (main IN (0, 1)), -- of the main object
  object   INTEGER CHECK (object >= 0),             -- number of the object that it is a label of; NULL: of none
  votes    INTEGER CHECK (votes >= 0),              -- how many people said so; NULL: not known
  PRIMARY KEY (list, position, rank),
  FOREIGN KEY (list, position) REFERENCES label_list_image
) STRICT, WITHOUT ROWID;
INSERT INTO label VALUES(1,0,0,1,'correct',0,NULL,NULL);
CREATE TABLE label_version (      -- a state of a source; all stay, the newest holds
  id       INTEGER PRIMARY KEY REFERENCES event,
  source   INTEGER NOT NULL REFERENCES label_source,
  number   INTEGER NOT NULL CHECK (number >= 1), -- "NAME/NUMBER" is how people and commands name it
  list     INTEGER NOT NULL REFERENCES label_list,
  format   TEXT NOT NULL,         -- of the file: csv, jsonl, real, tfds, objects
  file     TEXT NOT NULL,         -- its name
  found    TEXT NOT NULL,         -- JSON: what the import had to decide: rows, conflicts, images left out
  reason   TEXT NOT NULL,         -- why it replaces the version before; '' of the first
  UNIQUE (source, number)
) STRICT;
INSERT INTO label_version VALUES(49,48,1,1,'csv','labels.csv','{"rows":1,"conflicts":0,"inferred":0,"left_out":0}','');
CREATE TABLE said_text (          -- every text once: answers, and candidates with scores
  id       INTEGER PRIMARY KEY,
  text     TEXT NOT NULL UNIQUE
) STRICT;
INSERT INTO said_text VALUES(1,'an apple');
INSERT INTO said_text VALUES(2,'a fig');
CREATE TABLE said_prompt (        -- every prompt once
  id       INTEGER PRIMARY KEY,
  text     TEXT NOT NULL UNIQUE
) STRICT;
INSERT INTO said_prompt VALUES(1,'What is it?');
CREATE TABLE text_source (        -- an imported file of a model's answers
  id       INTEGER PRIMARY KEY REFERENCES event,
  model    INTEGER NOT NULL REFERENCES model,
  file     TEXT NOT NULL,         -- its name
  recipe   TEXT NOT NULL,         -- JSON: how the model was asked; '': not said
  digest   BLOB NOT NULL,         -- SHA-256 of all that it says, and of the list that it was imported for
  revision INTEGER REFERENCES revision, -- whose images it is about; NULL: any
  records  INTEGER NOT NULL,      -- lines it has once it is whole: those of a killed import are fewer
  UNIQUE (model, digest)
) STRICT;
INSERT INTO text_source VALUES(23,22,'said.jsonl','',X'8966ab621d3a0fe9c5ea43e0bdce4eddb655328f2f0e93ea1e4c13777d2a34aa',NULL,2);
CREATE TABLE text_block (
  id       INTEGER PRIMARY KEY,
  source   INTEGER NOT NULL REFERENCES text_source,
  records  INTEGER NOT NULL CHECK (records BETWEEN 1 AND 256),
  data     BLOB NOT NULL
) STRICT;
INSERT INTO text_block VALUES(1,23,2,X'0100000001000000010000000000000002000000020000000100000000000000');
CREATE TABLE text_mapping (       -- a version of a mapping from texts to classes; all stay
  id       INTEGER PRIMARY KEY REFERENCES event,
  name     TEXT NOT NULL,         -- part of models' names: MODEL@NAME
  version  INTEGER NOT NULL CHECK (version >= 1),
  first    TEXT NOT NULL CHECK (first IN ('text', 'scores')), -- which of the two counts where a line has both
  digest   BLOB NOT NULL,         -- SHA-256 of all that decides: classes, synonyms, rows, first
  UNIQUE (name, version),
  UNIQUE (name, digest)
) STRICT;
INSERT INTO text_mapping VALUES(24,'words',1,'text',X'8196db0ddbdd52c242a84f9d5a810f23967dd203d124edae4365277830affc7c');
CREATE TABLE text_mapping_row (   -- what a person decided
  mapping  INTEGER NOT NULL REFERENCES text_mapping,
  text     TEXT NOT NULL,
  class    INTEGER NOT NULL REFERENCES class,
  PRIMARY KEY (mapping, text)
) STRICT, WITHOUT ROWID;
INSERT INTO text_mapping_row VALUES(24,'pomme',1);
CREATE TABLE text_mapped (        -- predictions that a mapping made of a source of texts; block by block, in order
  source   INTEGER PRIMARY KEY REFERENCES prediction_source,
  mapping  INTEGER NOT NULL REFERENCES text_mapping,
  texts    INTEGER NOT NULL REFERENCES text_source
) STRICT;
INSERT INTO text_mapped VALUES(26,24,23);
CREATE TABLE text_unmapped (
  id       INTEGER PRIMARY KEY,
  source   INTEGER NOT NULL REFERENCES text_mapped,
  records  INTEGER NOT NULL CHECK (records BETWEEN 1 AND 256),
  data     BLOB NOT NULL
) STRICT;
INSERT INTO text_unmapped VALUES(1,26,1,X'020000000200000001');
CREATE TABLE analysis_plan (      -- never changed: another plan has another name
  id       INTEGER PRIMARY KEY REFERENCES event,
  name     TEXT NOT NULL UNIQUE,  -- part of addresses: letters, digits, "-", "_", "."
  image_set TEXT NOT NULL,        -- name of the new set that it is about, which may come later
  sha256   BLOB NOT NULL,         -- of the file's bytes
  body     TEXT NOT NULL          -- the file: JSON (report/analysis.h)
) STRICT;
INSERT INTO analysis_plan VALUES(51,'main','best',X'b25c7b01c15be1bfff09eba6a8ee4d0383995efd79f6ccff25045905a6b05fa1','{"name": "main", "original": "originals", "new": "best"}');
CREATE TABLE grid_option (        -- written once with its grid; bit `position` of an answer's mask
  grid     INTEGER NOT NULL REFERENCES grid,
  position INTEGER NOT NULL CHECK (position BETWEEN 0 AND 23), -- the candidate order, which decides ties
  class    INTEGER NOT NULL REFERENCES class,
  known    INTEGER NOT NULL DEFAULT 0 CHECK (known IN (0, 1)), -- of a check: this and no other unknown label is there
  PRIMARY KEY (grid, position),
  UNIQUE (grid, class)
) STRICT, WITHOUT ROWID;
INSERT INTO grid_option VALUES(5,0,1,0);
INSERT INTO grid_option VALUES(5,1,2,0);
CREATE TABLE label_plan_list (    -- images with their labels: what plans consist of
  id       INTEGER PRIMARY KEY,
  digest   BLOB NOT NULL UNIQUE,  -- SHA-256 of its rows (domain/labels/label_plan.h)
  images   INTEGER NOT NULL,      -- rows it has once it is whole: those of a killed command are fewer
  labels   INTEGER NOT NULL       -- of all of them
) STRICT;
INSERT INTO label_plan_list VALUES(1,X'152d14f87de81eda91dae0c7b60268145689cff5bb143c01733ab89dd8bc82e1',8,9);
CREATE TABLE label_plan_image (
  list     INTEGER NOT NULL REFERENCES label_plan_list,
  image    INTEGER NOT NULL REFERENCES image,
  class    INTEGER NOT NULL REFERENCES class, -- the label that its set gives it
  stage    TEXT CHECK (stage IN ('easy', 'fu', 'mis', 'amb')), -- of candidates
  PRIMARY KEY (list, image)
) STRICT, WITHOUT ROWID;
INSERT INTO label_plan_image VALUES(1,21,1,NULL);
INSERT INTO label_plan_image VALUES(1,22,1,NULL);
INSERT INTO label_plan_image VALUES(1,23,1,NULL);
INSERT INTO label_plan_image VALUES(1,24,1,NULL);
INSERT INTO label_plan_image VALUES(1,25,2,NULL);
INSERT INTO label_plan_image VALUES(1,26,2,NULL);
INSERT INTO label_plan_image VALUES(1,27,2,NULL);
INSERT INTO label_plan_image VALUES(1,28,2,NULL);
CREATE TABLE label_plan_label (
  list     INTEGER NOT NULL,
  image    INTEGER NOT NULL,
  class    INTEGER NOT NULL REFERENCES class,
  origin   INTEGER NOT NULL CHECK (origin BETWEEN 0 AND 7), -- potential: 1 the set's, 2 a model's, 4 a file's; sums
  source   TEXT,                  -- potential: what a file says of where it is from
  selected INTEGER CHECK (selected >= 0), -- candidates: people who found it
  shown    INTEGER CHECK (shown >= selected), -- candidates: people who were asked
  rank     INTEGER CHECK (rank >= 0), -- candidates: its place among them, NULL: it is none
  PRIMARY KEY (list, image, class),
  FOREIGN KEY (list, image) REFERENCES label_plan_image
) STRICT, WITHOUT ROWID;
INSERT INTO label_plan_label VALUES(1,21,1,1,NULL,NULL,NULL,NULL);
INSERT INTO label_plan_label VALUES(1,21,2,4,'by hand',NULL,NULL,NULL);
INSERT INTO label_plan_label VALUES(1,22,1,1,NULL,NULL,NULL,NULL);
INSERT INTO label_plan_label VALUES(1,23,1,1,NULL,NULL,NULL,NULL);
INSERT INTO label_plan_label VALUES(1,24,1,1,NULL,NULL,NULL,NULL);
INSERT INTO label_plan_label VALUES(1,25,2,1,NULL,NULL,NULL,NULL);
INSERT INTO label_plan_label VALUES(1,26,2,1,NULL,NULL,NULL,NULL);
INSERT INTO label_plan_label VALUES(1,27,2,1,NULL,NULL,NULL,NULL);
INSERT INTO label_plan_label VALUES(1,28,2,1,NULL,NULL,NULL,NULL);
CREATE TABLE label_plan (         -- a version of a plan; all stay, nothing counts them again
  id       INTEGER PRIMARY KEY REFERENCES event,
  kind     TEXT NOT NULL CHECK (kind IN ('potential', 'candidates')),
  name     TEXT NOT NULL,         -- part of addresses: letters, digits, "-", "_", "."
  version  INTEGER NOT NULL CHECK (version >= 1), -- "NAME/VERSION" is how people and commands name it
  list     INTEGER NOT NULL REFERENCES label_plan_list,
  sealed   INTEGER NOT NULL CHECK (sealed IN (0, 1)), -- an image of it was sealed then
  revision INTEGER REFERENCES revision, -- potential: whose images; NULL: candidates of no set
  top      INTEGER CHECK (top >= 1),    -- potential: so many answers of each model
  models   TEXT,                  -- potential: JSON list of their names
  file     TEXT,                  -- potential: name of the file whose labels are among them, '' without one
  depths   TEXT,                  -- potential: JSON list, what fewer answers of each model come to
  potential INTEGER REFERENCES label_plan, -- candidates: whose labels people were asked about
  vote_view INTEGER REFERENCES vote_view,  -- candidates: which votes count
  as_of    INTEGER,               -- candidates: up to which event
  tau      INTEGER CHECK (tau BETWEEN 1 AND 1000), -- candidates: thousandths of the frequency of the set's label
  least    INTEGER CHECK (least >= 1), -- candidates: people asked
  most     INTEGER CHECK (most >= 1),  -- candidates of an image
  CHECK (kind = 'potential' AND top IS NOT NULL AND models IS NOT NULL AND file IS NOT NULL AND depths IS NOT NULL
      OR kind = 'candidates' AND potential IS NOT NULL AND vote_view IS NOT NULL AND as_of IS NOT NULL
         AND tau IS NOT NULL AND least IS NOT NULL AND most IS NOT NULL),
  UNIQUE (kind, name, version)
) STRICT;
INSERT INTO label_plan VALUES(50,'potential','asked',1,1,0,46,5,'[]','more.csv','[{"top":1,"labels":9,"most":2,"grids":2},{"top":2,"labels":9,"most":2,"grids":2},{"top":3,"labels":9,"most":2,"grids":2},{"top":4,"labels":9,"most":2,"grids":2},{"top":5,"labels":9,"most":2,"grids":2}]',NULL,NULL,NULL,NULL,NULL,NULL);
CREATE TABLE label_plan_campaign ( -- people are asked about the labels of which plan
  campaign INTEGER PRIMARY KEY REFERENCES campaign,
  plan     INTEGER NOT NULL REFERENCES label_plan
) STRICT;
INSERT INTO label_plan_campaign VALUES(3,50);
CREATE TABLE image_subset (       -- a version of a subset; all stay
  id       INTEGER PRIMARY KEY REFERENCES event,
  name     TEXT NOT NULL,         -- a subset's word is @NAME, @NAME/VERSION
  version  INTEGER NOT NULL CHECK (version >= 1),
  definition TEXT NOT NULL,       -- words, as somebody gave them (measures/core/subset.h)
  words    TEXT NOT NULL,         -- the same with the numbers of sets, views and sources that they meant
  note     TEXT NOT NULL,         -- why; may be empty
  digest   BLOB NOT NULL,         -- SHA-256 of what the words meant, by names (sets/subsets/named.h)
  UNIQUE (name, version)
) STRICT;
INSERT INTO image_subset VALUES(52,'some',1,'problematic,class:n00000001','problematic,class:n00000001','',X'7ddb08cd1b591dac5b94f62c63360af81f2ade9d6917a5be3b8d591ec21ebd6a');
CREATE TABLE image_subset_part (  -- what one of its words meant when the version was made: an image must be in all parts
  id       INTEGER PRIMARY KEY,
  subset   INTEGER NOT NULL REFERENCES image_subset,
  number   INTEGER NOT NULL CHECK (number >= 0),
  kind     TEXT NOT NULL CHECK (kind IN ('images', 'classes', 'pairs')), -- pairs: images under a class
  without  INTEGER NOT NULL CHECK (without IN (0, 1)), -- 1: the others are meant
  label    TEXT NOT NULL,
  members  INTEGER NOT NULL CHECK (members >= 0),
  data     BLOB NOT NULL,         -- ids, ascending: u32, of pairs image u32, class u32; little-endian
  UNIQUE (subset, number)
) STRICT;
INSERT INTO image_subset_part VALUES(1,52,0,'images',0,'problematic images alone',0,X'');
INSERT INTO image_subset_part VALUES(2,52,1,'classes',0,'class n00000001 and those below it',1,X'01000000');
CREATE TABLE label_review_image ( -- in the order in which they are reviewed
  review   INTEGER NOT NULL REFERENCES label_review,
  position INTEGER NOT NULL CHECK (position >= 0),
  image    INTEGER NOT NULL REFERENCES image,
  p        REAL CHECK (p > 0 AND p <= 1), rank INTEGER CHECK (rank >= 0), confidence REAL CHECK (confidence BETWEEN 0 AND 1), -- its chance of being in the random arm, which has it; NULL: it was chosen
  PRIMARY KEY (review, position)
) STRICT, WITHOUT ROWID;
INSERT INTO label_review_image VALUES(67,0,21,NULL,NULL,NULL);
INSERT INTO label_review_image VALUES(67,1,22,NULL,NULL,NULL);
CREATE TABLE label_review_state ( -- the newest holds; without one its rows are not whole and nobody sees it
  id       INTEGER PRIMARY KEY REFERENCES event,
  review   INTEGER NOT NULL REFERENCES label_review,
  state    TEXT NOT NULL CHECK (state IN ('open', 'closed'))
) STRICT;
INSERT INTO label_review_state VALUES(68,67,'open');
CREATE TABLE label_reviewer (     -- whose work it is; the newest of an account holds
  id       INTEGER PRIMARY KEY REFERENCES event,
  review   INTEGER NOT NULL REFERENCES label_review,
  account  INTEGER NOT NULL REFERENCES account,
  active   INTEGER NOT NULL CHECK (active IN (0, 1))
) STRICT;
INSERT INTO label_reviewer VALUES(69,67,2,1);
CREATE TABLE label_look (         -- what somebody said of an image at one time; what holds is derived
  id       INTEGER PRIMARY KEY REFERENCES event,
  review   INTEGER NOT NULL,
  position INTEGER NOT NULL,
  account  INTEGER REFERENCES account, -- NULL: an import
  part     TEXT NOT NULL CHECK (part IN ('review', 'repeat', 'adjudication', 'undo')),
  undoes   INTEGER UNIQUE REFERENCES label_look, -- of 'undo': this look does not count any more
  problematic TEXT CHECK (problematic IN ('label', 'drawing', 'edited', 'inappropriate', 'other')), -- NULL: it is not
  comment  TEXT NOT NULL,
  guide    INTEGER NOT NULL,      -- the newest version of any page of the guide (guide_version); 0: none
  searched INTEGER NOT NULL CHECK (searched IN (0, 1)), -- they followed a link to an external search
  active_ms INTEGER,              -- from when the image was shown, without the time that the page was hidden
  CHECK ((part = 'undo') = (undoes IS NOT NULL)),
  FOREIGN KEY (review, position) REFERENCES label_review_image
) STRICT;
INSERT INTO label_look VALUES(71,67,0,2,'review',NULL,NULL,'',0,0,NULL);
CREATE TABLE label_look_verdict (
  review   INTEGER NOT NULL,
  position INTEGER NOT NULL,
  class    INTEGER NOT NULL REFERENCES class,
  look     INTEGER NOT NULL REFERENCES label_look,
  added    INTEGER NOT NULL CHECK (added IN (0, 1)), -- it is not in label_review_label: this person added it
  verdict  TEXT NOT NULL CHECK (verdict IN ('correct', 'unclear', 'wrong', 'dontknow')),
  PRIMARY KEY (review, position, class, look)
) STRICT, WITHOUT ROWID;
INSERT INTO label_look_verdict VALUES(67,0,1,71,0,'correct');
CREATE TABLE account_saw (        -- images that somebody who signs in was shown, besides `exposure`
  account  INTEGER NOT NULL REFERENCES account,
  image    INTEGER NOT NULL REFERENCES image,
  how      TEXT NOT NULL CHECK (how IN ('page', 'review', 'training', 'evaluation', 'guide')),
  at       INTEGER NOT NULL,      -- first
  PRIMARY KEY (account, image, how)
) STRICT, WITHOUT ROWID;
INSERT INTO account_saw VALUES(2,21,'review',1795871959081);
CREATE TABLE guide_version (      -- what the guide says of a class or of a group of them; the newest holds
  id       INTEGER PRIMARY KEY REFERENCES event,
  wnid     TEXT NOT NULL,         -- of a class or a synset
  text     TEXT NOT NULL,         -- Markdown; empty: the page was taken out
  reason   TEXT NOT NULL
) STRICT;
INSERT INTO guide_version VALUES(94,'n00000001','A round fruit.','first');
CREATE TABLE class_relation (     -- the newest of a pair holds
  id       INTEGER PRIMARY KEY REFERENCES event,
  a        INTEGER NOT NULL REFERENCES class,
  b        INTEGER NOT NULL REFERENCES class,
  kind     TEXT NOT NULL CHECK (kind IN ('equal', 'contains', 'confusable', 'redefined', 'none')), -- contains: a has b in it
  note     TEXT NOT NULL,
  CHECK (a <> b AND (kind IN ('contains', 'redefined') OR a < b))
) STRICT;
INSERT INTO class_relation VALUES(95,1,2,'confusable','both are fruit');
CREATE TABLE label_suggestion (   -- what the model says first, of each image of a list that it has predicted
  review   INTEGER NOT NULL,
  position INTEGER NOT NULL,
  class    INTEGER NOT NULL REFERENCES class,
  shown    INTEGER NOT NULL CHECK (shown IN (0, 1)), -- to everybody who reviews the image; drawn by the list's seed
  PRIMARY KEY (review, position),
  FOREIGN KEY (review, position) REFERENCES label_review_image
) STRICT, WITHOUT ROWID;
INSERT INTO label_suggestion VALUES(67,0,1,0);
INSERT INTO label_suggestion VALUES(67,1,1,1);
CREATE TABLE label_stand (        -- what a reviewer makes of what others said of an image; the newest of an account holds
  id       INTEGER PRIMARY KEY REFERENCES event,
  review   INTEGER NOT NULL,
  position INTEGER NOT NULL,
  account  INTEGER NOT NULL REFERENCES account,
  stand    TEXT NOT NULL CHECK (stand IN ('agree', 'keep', 'discuss')), -- agree: the next look of the account has others' verdicts
  FOREIGN KEY (review, position) REFERENCES label_review_image
) STRICT;
INSERT INTO label_stand VALUES(96,67,0,1,'keep');
CREATE TABLE evaluation (         -- a list of images that people classify without hearing how they do
  id       INTEGER PRIMARY KEY REFERENCES event,
  name     TEXT NOT NULL UNIQUE,  -- part of addresses
  drawn_by TEXT NOT NULL CHECK (drawn_by IN ('class', 'hardest')), -- as many of each class; those that fewest models have right
  models   TEXT NOT NULL,         -- JSON: by whose answers the hardest are the hardest: names
  as_of    INTEGER NOT NULL,      -- the last event before it was drawn
  seed     INTEGER NOT NULL,
  images   INTEGER NOT NULL CHECK (images > 0) -- rows it has once it is whole
) STRICT;
INSERT INTO evaluation VALUES(97,'people','class','[]',1,7,1);
CREATE TABLE evaluation_set (     -- whose images are mixed in it
  evaluation INTEGER NOT NULL REFERENCES evaluation,
  side     INTEGER NOT NULL CHECK (side IN (0, 1)), -- 0: originals, 1: new; one of them may be missing
  revision INTEGER NOT NULL REFERENCES revision,
  images   INTEGER NOT NULL CHECK (images > 0),
  seen     INTEGER NOT NULL CHECK (seen >= 0), -- images that were not taken: somebody whose work it became had seen them
  most_right INTEGER CHECK (most_right >= 0), -- 'hardest': so many models at most have one of its images right
  PRIMARY KEY (evaluation, side)
) STRICT, WITHOUT ROWID;
INSERT INTO evaluation_set VALUES(97,0,46,1,0,NULL);
CREATE TABLE evaluation_class (   -- what there is to choose among; none: all classes of the project
  evaluation INTEGER NOT NULL REFERENCES evaluation,
  class    INTEGER NOT NULL REFERENCES class,
  PRIMARY KEY (evaluation, class)
) STRICT, WITHOUT ROWID;
INSERT INTO evaluation_class VALUES(97,1);
INSERT INTO evaluation_class VALUES(97,2);
CREATE TABLE evaluation_image (   -- each person sees them in an order of their own, which follows from the seed
  evaluation INTEGER NOT NULL REFERENCES evaluation,
  number   INTEGER NOT NULL CHECK (number >= 0),
  image    INTEGER NOT NULL REFERENCES image,
  side     INTEGER NOT NULL CHECK (side IN (0, 1)),
  models_right INTEGER CHECK (models_right >= 0), -- 'hardest': how many models have it right
  PRIMARY KEY (evaluation, number)
) STRICT, WITHOUT ROWID;
INSERT INTO evaluation_image VALUES(97,0,28,0,NULL);
CREATE TABLE evaluation_state (   -- without a row the list is not whole and nobody sees it; closed is for good
  id       INTEGER PRIMARY KEY REFERENCES event,
  evaluation INTEGER NOT NULL REFERENCES evaluation,
  state    TEXT NOT NULL CHECK (state IN ('open', 'closed')),
  UNIQUE (evaluation, state)
) STRICT;
INSERT INTO evaluation_state VALUES(98,97,'open');
CREATE TABLE evaluation_person (  -- whose work it is; the newest of an account holds
  id       INTEGER PRIMARY KEY REFERENCES event,
  evaluation INTEGER NOT NULL REFERENCES evaluation,
  account  INTEGER NOT NULL REFERENCES account,
  active   INTEGER NOT NULL CHECK (active IN (0, 1))
) STRICT;
INSERT INTO evaluation_person VALUES(99,97,2,1);
CREATE TABLE evaluation_answer (  -- what somebody says an image is, once
  id       INTEGER PRIMARY KEY REFERENCES event,
  evaluation INTEGER NOT NULL,
  number   INTEGER NOT NULL,
  account  INTEGER NOT NULL REFERENCES account,
  class    INTEGER NOT NULL REFERENCES class,
  active_ms INTEGER CHECK (active_ms > 0), -- from when the image was shown, without the time that the page was hidden; NULL: not known
  UNIQUE (account, evaluation, number),
  FOREIGN KEY (evaluation, number) REFERENCES evaluation_image
) STRICT;
INSERT INTO evaluation_answer VALUES(100,97,0,2,1,4000);
CREATE TABLE evaluation_source (  -- answers that became predictions: of who is through, or of all once the list is closed
  source   INTEGER PRIMARY KEY REFERENCES prediction_source,
  evaluation INTEGER NOT NULL REFERENCES evaluation,
  account  INTEGER NOT NULL REFERENCES account,
  side     INTEGER NOT NULL CHECK (side IN (0, 1)),
  UNIQUE (evaluation, account, side)
) STRICT;
INSERT INTO evaluation_source VALUES(102,97,2,0);
CREATE TABLE superclass_list (    -- a version of a list; all stay
  id      INTEGER PRIMARY KEY REFERENCES event,
  name    TEXT NOT NULL,          -- a list's word is @NAME, @NAME/VERSION
  version INTEGER NOT NULL CHECK (version >= 1),
  note    TEXT NOT NULL,          -- why; may be empty
  digest  BLOB NOT NULL,          -- SHA-256 of it, by wnids (sets/subsets/superclasses.h)
  UNIQUE (name, version)
) STRICT;
INSERT INTO superclass_list VALUES(103,'kinds',1,'by hand',X'558d50df5a7f4712a98b1e8c18e3ac3764414ae4371f48a51c71ed50e1808972');
CREATE TABLE superclass_member (  -- classes that are in no row are in none of its superclasses
  list       INTEGER NOT NULL REFERENCES superclass_list,
  class      INTEGER NOT NULL REFERENCES class,
  superclass TEXT NOT NULL,
  PRIMARY KEY (list, class)
) STRICT, WITHOUT ROWID;
INSERT INTO superclass_member VALUES(103,1,'fruit');
CREATE TABLE training_list (      -- images with a label that is known, on which experts learn classes
  id       INTEGER PRIMARY KEY REFERENCES event,
  name     TEXT NOT NULL UNIQUE,  -- part of addresses
  unlocks  TEXT NOT NULL,         -- the group that whoever passes it has unlocked; several lists may name the same
  made_of  TEXT NOT NULL CHECK (made_of IN ('relation', 'confusions', 'group', 'file')),
  detail   TEXT NOT NULL,         -- JSON: the set, classes, models or file that it was made of
  as_of    INTEGER NOT NULL,      -- the last event before it was drawn
  seed     INTEGER NOT NULL,
  images   INTEGER NOT NULL CHECK (images > 0),
  mark     INTEGER NOT NULL CHECK (mark BETWEEN 1 AND 100), -- percent of the latest `span` answers that count
  span     INTEGER NOT NULL CHECK (span BETWEEN 1 AND images)
) STRICT;
INSERT INTO training_list VALUES(104,'fruit','fruit','group','{}',1,7,1,80,1);
CREATE TABLE training_image (     -- in the order in which they are shown
  list     INTEGER NOT NULL REFERENCES training_list,
  position INTEGER NOT NULL CHECK (position >= 0),
  image    INTEGER NOT NULL REFERENCES image,
  class    INTEGER NOT NULL REFERENCES class, -- the right label
  PRIMARY KEY (list, position)
) STRICT, WITHOUT ROWID;
INSERT INTO training_image VALUES(104,0,1,1);
CREATE TABLE training_state (     -- the newest holds
  id       INTEGER PRIMARY KEY REFERENCES event,
  list     INTEGER NOT NULL REFERENCES training_list,
  state    TEXT NOT NULL CHECK (state IN ('open', 'closed'))
) STRICT;
INSERT INTO training_state VALUES(105,104,'open');
CREATE TABLE training_answer (    -- every answer, repeated ones too; nothing takes one back
  id       INTEGER PRIMARY KEY REFERENCES event,
  list     INTEGER NOT NULL,
  position INTEGER NOT NULL,
  account  INTEGER NOT NULL REFERENCES account,
  class    INTEGER NOT NULL REFERENCES class, -- what they chose
  fits     INTEGER NOT NULL CHECK (fits IN (0, 1)),   -- it was right by what was known then: the feedback that was given
  counts   INTEGER NOT NULL CHECK (counts IN (0, 1)), -- they had not been shown the image elsewhere nor answered it before
  guide    INTEGER NOT NULL,      -- the newest version of any page of the guide (guide_version); 0: none
  searched INTEGER NOT NULL CHECK (searched IN (0, 1)), -- they followed a link to an external search
  active_ms INTEGER,              -- from when the image was shown, without the time that the page was hidden
  FOREIGN KEY (list, position) REFERENCES training_image
) STRICT;
INSERT INTO training_answer VALUES(106,104,0,2,1,1,1,0,0,NULL);
CREATE TABLE training_suggestion ( -- what somebody says of a label that they chose, or of the image; of both the newest holds
  id       INTEGER PRIMARY KEY REFERENCES event,
  list     INTEGER NOT NULL,
  position INTEGER NOT NULL,
  account  INTEGER NOT NULL REFERENCES account,
  class    INTEGER REFERENCES class, -- NULL: it is about the image
  verdict  TEXT NOT NULL CHECK (verdict IN ('correct', 'wrong', 'unclear', 'dontknow', 'problematic', 'none')), -- none: taken back
  comment  TEXT NOT NULL,
  guide    INTEGER NOT NULL,
  CHECK (verdict = 'none' OR (verdict = 'problematic') = (class IS NULL)),
  FOREIGN KEY (list, position) REFERENCES training_image
) STRICT;
INSERT INTO training_suggestion VALUES(107,104,0,2,NULL,'problematic','a drawing',0);
CREATE TABLE training_need (      -- whose reviewers must have unlocked a group; the newest of list and group holds
  id       INTEGER PRIMARY KEY REFERENCES event,
  kind     TEXT NOT NULL CHECK (kind IN ('label-review', 'evaluation')),
  list     INTEGER NOT NULL,      -- id in the table that the kind names
  unlocks  TEXT NOT NULL,
  needed   INTEGER NOT NULL CHECK (needed IN (0, 1))
) STRICT;
INSERT INTO training_need VALUES(108,'label-review',67,'fruit',1);
CREATE TABLE IF NOT EXISTS "label_review_label" (
  review   INTEGER NOT NULL,
  position INTEGER NOT NULL,
  class    INTEGER NOT NULL REFERENCES class,
  models   INTEGER NOT NULL CHECK (models >= 0), -- how many say it first
  origins  INTEGER NOT NULL CHECK (origins BETWEEN 1 AND 255), -- bits, domain/labels/label_review.h
  PRIMARY KEY (review, position, class),
  FOREIGN KEY (review, position) REFERENCES label_review_image
) STRICT, WITHOUT ROWID;
INSERT INTO label_review_label VALUES(67,0,1,0,1);
INSERT INTO label_review_label VALUES(67,1,1,0,1);
CREATE TABLE IF NOT EXISTS "label_review" (
  id       INTEGER PRIMARY KEY REFERENCES event,
  name     TEXT NOT NULL UNIQUE,  -- part of addresses; no label source has it: the list is one by itself
  revision INTEGER NOT NULL REFERENCES revision,
  models   TEXT NOT NULL,         -- JSON: by which predictions: [{"model", "source", "predicted"}]
  as_of    INTEGER NOT NULL,      -- the last event before it was drawn
  drawn_by TEXT NOT NULL CHECK (drawn_by IN ('class', 'disagreement', 'random', 'errors')),
  seed     INTEGER NOT NULL,
  images   INTEGER NOT NULL CHECK (images > 0), -- rows it has once it is whole
  reviewers INTEGER NOT NULL CHECK (reviewers BETWEEN 1 AND 9), -- people who look at each image
  repeats  INTEGER NOT NULL CHECK (repeats BETWEEN 0 AND 50),   -- percent of one's images that are shown to one again
  -- 1: images that somebody reviewed in another list, or was evaluated on, may be theirs too (the review after an evaluation)
  again    INTEGER NOT NULL DEFAULT 0 CHECK (again IN (0, 1)),
  suggests INTEGER REFERENCES model,       -- whose first predictions are suggested for half of the images; NULL: none are
  evaluation INTEGER REFERENCES evaluation -- whose images it has; NULL: chosen from the whole set
) STRICT;
INSERT INTO label_review VALUES(67,'fruit',46,'[]',66,'class',1,2,1,5,0,NULL,NULL);
CREATE INDEX session_account ON session (account);
CREATE INDEX api_token_account ON api_token (account);
CREATE INDEX hypernym_parent ON hypernym (parent);
CREATE INDEX grid_class ON grid (class);
CREATE UNIQUE INDEX grid_number ON grid (campaign, number) WHERE number IS NOT NULL;
CREATE INDEX grid_cell_image ON grid_cell (image);
CREATE INDEX assignment_place ON assignment (place) WHERE place IS NOT NULL;
CREATE INDEX answer_state_answer ON answer_state (answer, field, id);
CREATE INDEX image_decision_image ON image_decision (image, id);
CREATE INDEX flag_person ON flag (person);
CREATE INDEX place_person ON place (person);
CREATE INDEX assignment_person ON assignment (person, place);
CREATE INDEX place_outcome_place ON place_outcome (place, id);
CREATE INDEX pay_place ON pay (place, id);
CREATE INDEX person_note_person ON person_note (person, id);
CREATE VIEW blocked (person) AS
  SELECT n.person FROM person_note n
  WHERE n.kind = 'block' AND NOT EXISTS (
    SELECT 1 FROM person_note u WHERE u.person = n.person AND u.kind = 'unblock' AND u.id > n.id);
CREATE INDEX decision_undoes ON decision (undoes) WHERE undoes IS NOT NULL;
CREATE INDEX answer_state_decision ON answer_state (decision) WHERE decision IS NOT NULL;
CREATE INDEX pay_decision ON pay (decision) WHERE decision IS NOT NULL;
CREATE INDEX grid_reopened_grid ON grid_reopened (grid);
CREATE INDEX event_told ON event (id, kind)
  WHERE kind NOT IN ('answer', 'answer.state', 'place.pay', 'person.create', 'person.identify');
CREATE INDEX event_account ON event (account, id)
  WHERE kind NOT IN ('answer', 'answer.state', 'place.pay', 'person.create', 'person.identify')
  AND account IS NOT NULL;
CREATE INDEX event_subject ON event (subject, kind)
  WHERE kind NOT IN ('answer', 'answer.state', 'place.pay', 'person.create', 'person.identify')
  AND subject IS NOT NULL;
CREATE UNIQUE INDEX set_list_image_image ON set_list_image (image, list);
CREATE INDEX revision_parent ON revision (parent) WHERE parent IS NOT NULL;
CREATE INDEX revision_list ON revision (list);
CREATE INDEX revision_state_revision ON revision_state (revision, id);
CREATE INDEX model_removal_model ON model_removal (model, id);
CREATE INDEX prediction_block_source ON prediction_block (source, id, records, least, most);
CREATE INDEX feature_block_source ON feature_block (source, id);
CREATE INDEX job_state ON job (state) WHERE state IN ('queued', 'running');
CREATE INDEX blacklisting_event ON blacklisting (event);
CREATE INDEX near_duplicate_b ON near_duplicate (b);
CREATE INDEX near_duplicate_event ON near_duplicate (event);
CREATE INDEX pick_event ON pick (event);
CREATE INDEX set_list_image_class ON set_list_image (list, class);
CREATE INDEX class_decision_class ON class_decision (class, id);
CREATE INDEX class_decision_revision ON class_decision (revision, id) WHERE revision IS NOT NULL;
CREATE INDEX review_round_revision ON review_round (revision, id);
CREATE INDEX remeasurement_revision ON remeasurement (revision);
CREATE VIEW sealed_revision AS
  SELECT r.id, r.image_set, r.number, r.list, s.name FROM revision r JOIN image_set s ON s.id = r.image_set
  WHERE s.role = 'new' AND NOT EXISTS
    (SELECT 1 FROM revision_state t WHERE t.revision = r.id AND t.state <> 'sealed');
CREATE INDEX seal_opening_through ON seal_opening (through);
CREATE INDEX score_decision_revision ON score_decision (revision, model, id);
CREATE INDEX grid_exclusion_grid ON grid_exclusion (grid, id);
CREATE INDEX review_shown_event ON review_shown (event);
CREATE INDEX place_visit_place ON place_visit (place);
CREATE INDEX flag_counted_since ON flag_counted (since);
CREATE INDEX flag_dismissal_flag ON flag_dismissal (flag, id);
CREATE INDEX flag_dismissal_action ON flag_dismissal (action);
CREATE VIEW identity AS SELECT person, source, external_id, name FROM identity_a;
CREATE TRIGGER identity_insert INSTEAD OF INSERT ON identity BEGIN
  INSERT INTO identity_a VALUES (new.person, new.source, new.external_id, new.name);
  INSERT INTO identity_b SELECT new.person, new.source, new.external_id, new.name
    WHERE (SELECT step FROM erasure) BETWEEN 7 AND 9;
END;
CREATE TRIGGER identity_delete INSTEAD OF DELETE ON identity BEGIN
  DELETE FROM identity_a WHERE person = old.person;
  DELETE FROM identity_b WHERE person = old.person
    AND (SELECT step FROM erasure) BETWEEN 7 AND 9;
END;
CREATE VIEW arrival AS SELECT place, parameters FROM arrival_a;
CREATE TRIGGER arrival_insert INSTEAD OF INSERT ON arrival BEGIN
  INSERT INTO arrival_a VALUES (new.place, new.parameters)
    ON CONFLICT (place) DO UPDATE SET parameters = excluded.parameters;
  INSERT INTO arrival_b SELECT new.place, new.parameters
    WHERE (SELECT step FROM erasure) BETWEEN 7 AND 9
    ON CONFLICT (place) DO UPDATE SET parameters = excluded.parameters;
END;
CREATE TRIGGER arrival_delete INSTEAD OF DELETE ON arrival BEGIN
  DELETE FROM arrival_a WHERE place = old.place;
  DELETE FROM arrival_b WHERE place = old.place
    AND (SELECT step FROM erasure) BETWEEN 7 AND 9;
END;
CREATE INDEX image_class ON image (class, role);
CREATE INDEX image_source ON image (source) WHERE source IS NOT NULL;
CREATE UNIQUE INDEX image_idx ON image (idx) WHERE idx IS NOT NULL;
CREATE INDEX image_source_id ON image (source_id) WHERE source_id IS NOT NULL;
CREATE TRIGGER image_counted AFTER INSERT ON image BEGIN
  INSERT INTO image_count (class, role, n) VALUES (new.class, new.role, 1)
    ON CONFLICT (class, role) DO UPDATE SET n = n + 1;
END;
CREATE INDEX near_search_space ON near_search (space);
CREATE INDEX near_close_distance ON near_close (search, distance);
CREATE INDEX image_original ON image (id) WHERE role IN ('original', 'reference', 'training') AND source IS NOT NULL;
CREATE INDEX near_verdict_b ON near_verdict (b);
CREATE INDEX near_verdict_event ON near_verdict (event);
CREATE INDEX feature_only_image ON feature_only (image);
CREATE UNIQUE INDEX label_list_image_image ON label_list_image (image, list);
CREATE INDEX label_version_list ON label_version (list);
CREATE INDEX text_block_source ON text_block (source, id, records);
CREATE INDEX text_mapped_texts ON text_mapped (texts);
CREATE INDEX text_unmapped_source ON text_unmapped (source, id);
CREATE INDEX analysis_plan_set ON analysis_plan (image_set);
CREATE VIEW exposure (person, image, class, assignment, task) AS
  SELECT a.person, c.image, g.class, a.id, k.task
  FROM assignment a JOIN grid g ON g.id = a.grid JOIN campaign k ON k.id = g.campaign JOIN grid_cell c ON c.grid = g.id;
CREATE VIEW vote (answer, person, image, class, grid, position, role, selected, counted) AS
  SELECT w.id, a.person, c.image, g.class, g.id, c.position, c.role, (w.mask >> c.position) & 1,
         w.surplus = 0 AND g.excluded IS NULL AND coalesce((
           SELECT s.value FROM answer_state s WHERE s.answer = w.id AND s.field = 'analysis'
           ORDER BY s.id DESC LIMIT 1), 'in') = 'in'
  FROM answer w JOIN assignment a ON a.id = w.assignment JOIN grid g ON g.id = a.grid
  JOIN campaign k ON k.id = g.campaign AND k.task = 'contains'
  JOIN grid_cell c ON c.grid = g.id;
CREATE VIEW tick (answer, person, image, class, grid, position, main, counted) AS
  SELECT w.id, a.person, c.image, o.class, g.id, o.position, w.main IS o.position,
         w.surplus = 0 AND g.excluded IS NULL AND coalesce((
           SELECT s.value FROM answer_state s WHERE s.answer = w.id AND s.field = 'analysis'
           ORDER BY s.id DESC LIMIT 1), 'in') = 'in'
  FROM answer w JOIN assignment a ON a.id = w.assignment JOIN grid g ON g.id = a.grid
  JOIN grid_cell c ON c.grid = g.id JOIN grid_option o ON o.grid = g.id AND (w.mask >> o.position) & 1;
CREATE INDEX label_plan_image_image ON label_plan_image (image, list);
CREATE INDEX label_plan_of_list ON label_plan (list);
CREATE INDEX label_plan_campaign_plan ON label_plan_campaign (plan);
CREATE UNIQUE INDEX label_review_image_image ON label_review_image (image, review);
CREATE INDEX label_review_state_review ON label_review_state (review, id);
CREATE INDEX label_reviewer_account ON label_reviewer (account, review, id);
CREATE INDEX label_reviewer_review ON label_reviewer (review, account, id);
CREATE INDEX label_look_image ON label_look (review, position);
CREATE INDEX label_look_account ON label_look (account, review, position);
CREATE INDEX label_look_verdict_look ON label_look_verdict (look);
CREATE INDEX label_look_verdict_added ON label_look_verdict (review, position) WHERE added = 1;
CREATE INDEX account_saw_image ON account_saw (image);
CREATE INDEX guide_version_wnid ON guide_version (wnid, id);
CREATE INDEX class_relation_a ON class_relation (a, b, id);
CREATE INDEX class_relation_b ON class_relation (b);
CREATE INDEX label_stand_image ON label_stand (review, position, account, id);
CREATE VIEW account_shown (account, image, how, at, review) AS
SELECT account, image, how, at, NULL FROM account_saw
UNION ALL
SELECT a.id, g.image, 'task', x.leased_at, NULL FROM account a JOIN assignment x ON x.person = a.person
  JOIN grid_cell g ON g.grid = x.grid
UNION ALL
SELECT k.account, i.image, 'label', e.at, k.review FROM label_look k JOIN event e ON e.id = k.id
  JOIN label_review_image i ON i.review = k.review AND i.position = k.position WHERE k.part <> 'undo';
CREATE UNIQUE INDEX evaluation_image_image ON evaluation_image (image, evaluation);
CREATE INDEX evaluation_person_account ON evaluation_person (account, evaluation, id);
CREATE INDEX evaluation_person_evaluation ON evaluation_person (evaluation, account, id);
CREATE INDEX evaluation_answer_image ON evaluation_answer (evaluation, number);
CREATE INDEX evaluation_source_account ON evaluation_source (account);
CREATE UNIQUE INDEX training_image_image ON training_image (image, list);
CREATE INDEX training_state_list ON training_state (list, id);
CREATE INDEX training_answer_account ON training_answer (account, list, position);
CREATE INDEX training_answer_image ON training_answer (list, position);
CREATE INDEX training_suggestion_image ON training_suggestion (list, position, account, id);
CREATE INDEX training_need_list ON training_need (kind, list, unlocks, id);
COMMIT;
PRAGMA user_version=22;
