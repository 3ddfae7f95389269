-- 0023: looks by whose they are and what they are part of; a review's newest look; labels that were added after one. Conventions: 0001.

DROP INDEX label_look_account;
CREATE INDEX label_look_account ON label_look (account, review, part, position);
CREATE INDEX label_look_review ON label_look (review); -- and by id within it
CREATE INDEX label_look_first ON label_look (account, review); -- the same of one person

DROP INDEX label_look_verdict_added;
CREATE INDEX label_look_verdict_added ON label_look_verdict (review, look) WHERE added = 1;
