/* command_lines.mjs - the command lines that are recorded, a line each, and the small files that they read. Words in
 * capitals are put in by commands.mjs. */

/* Whatever only reads, of the demo: sets originals, pilot-best and matched, campaigns pilot and pictures. SET and CAMPAIGN
 * stand for each of them. */
export const READS = `
audit DIR SET
audit DIR SET --answers 9
audit DIR SET --strict
audit DIR none
backup DIR
bias DIR SET
bias DIR matched/0 --groups 5 --seed 9
check DIR
check DIR --hash
check DIR --config-only
diff DIR matched/0 matched/1
diff DIR matched/0 pilot-best/0
exact-matches DIR
exact-matches DIR --bytes-only
exact-matches DIR --keywords
export blacklist DIR
export classes DIR
export frequencies DIR
export frequencies DIR --view default
export frequencies DIR --view none
export histograms DIR
export histograms DIR --size 4 --view default
export hits DIR
export hits DIR --campaign CAMPAIGN
export hits DIR --campaign CAMPAIGN --format jsonl
export hits DIR --campaign CAMPAIGN --format none
export near-duplicates DIR
export near-duplicates DIR --images
export participants DIR --campaign CAMPAIGN
export participants DIR --campaign CAMPAIGN --panel-ids
export pay DIR --campaign CAMPAIGN --list approve
export pay DIR --campaign CAMPAIGN --list reject
export pay DIR --campaign CAMPAIGN --list bonus --after 3
export pool DIR
export pool DIR --view default
export predictions DIR --set SET
export predictions DIR --set pilot-best --model random_features_8
export set DIR SET
export set DIR SET --output FILE
export set DIR SET --format folder --output FOLDER
export set DIR pilot-best --format folder --output FOLDER --pool --verify --link
export set DIR pilot-best --format folder --output FOLDER --reflink
export views DIR
export votes DIR
export votes DIR --campaign CAMPAIGN
export votes DIR --campaign CAMPAIGN --panel-ids
export votes DIR --campaign CAMPAIGN --format long
export workers DIR
export workers DIR --panel-ids
model list DIR
model list DIR --removed
queries DIR
queries DIR --size 20 --strategy top --view default --results 50 --more 60
queries DIR --due --after synonym
queries DIR --from 2012-01-01 --until 2013-01-01 --longer 2014-01-01
review-status DIR
review-status DIR SET
sample DIR --plan --set x --strategy matched
sample DIR --plan --set x --strategy threshold --threshold .5 --thresholds n02128385=.6
sample DIR --plan --set x --strategy top --size 4 --answers 5 --uploader-most 3 --event-most 2
sample DIR --plan --set x --strategy keyword --keywords 2 --together
sample DIR --plan --set x --strategy matched --upward --originals-least 5 --original-answers 5
sample DIR --plan --parent matched/0
sample DIR --replay matched/0
sample DIR --replay matched/1
score DIR --set SET
score DIR --set pilot-best --top 5
score DIR --original originals --new pilot-best
score DIR --original originals --new pilot-best --top 5
score DIR --original originals --new pilot-best --common --seed 3
score DIR --original originals --new pilot-best --common --format latex --summary --level 0.995
changes DIR --original originals --format markdown
export scores DIR
export scores DIR --format testbed --top 5
score DIR --original originals --new matched
set list DIR
set sources DIR SET
set sources DIR SET --model random_features_8 --differences
study DIR CAMPAIGN
token list DIR
user list DIR
worker list DIR
worker list DIR --filter blocked
worker list DIR --panel-ids
worker show DIR --id sim-001 --panel-ids
worker show DIR --id nobody
`;

/* Of an image of the demo. */
export const IMAGES = `
preprocess IMAGE --output -
preprocess IMAGE --resize 64 --crop 32 --filter lanczos --output FILE
preprocess IMAGE --resize 0 --crop 32 --filter nearest --output -
preprocess IMAGE --resize 64 --crop 48 --filter bicubic --output -
`;

/* What the small study takes; in this order. */
export const WRITES = `
user add DIR late --role lead --password-file PASSWORD
user password DIR late --password-file PASSWORD
user role DIR late expert
user disable DIR late
user enable DIR late
user role DIR late nobody
token create DIR --login lead --name one --role expert --days 3
token list DIR --login lead
token revoke DIR 1
token revoke DIR 99
import participants DIR participants.csv --campaign main
study DIR main --source panel --parameters A,B --known-only --link-key auto --floor 900 --contact us --protocol 7 --language de
study DIR main --anybody --return-url https://panel.example/done?code={code} --code full=F1 --partial-grids 2 --place-minutes 90
study DIR main --consent-file consent.txt --consent-version 2
study DIR main --signing hmac --signing-key-file secret
study DIR main --signing none
grids DIR --campaign more --kind pilot --class n00000002 --seed 4 --title More --pay 150 --currency EUR --minutes 3 --coverage 0 --gold 0 --layout v2 --opens 2026-12-01T10:00Z --closes 2027-01-01T10:00Z
grids DIR --campaign more
import blacklist DIR blacklist.csv
import near-duplicates DIR pairs.csv
import override DIR override.txt
import picks DIR picks.csv --by lead
import nn-reviews DIR nn.jsonl
import review-thresholds DIR thresholds.csv --listed-only
import reviews DIR reviews.jsonl --set fresh
predict DIR --model net --set fresh --threads 1
predict DIR --model net --set originals --threads 1 --shard 1/2 --output FILE
import classes DIR classes.csv
import image-list DIR list.csv
import sets DIR sets.jsonl
import hits DIR hits.jsonl --campaign old
import votes DIR votes.csv --campaign old
import set DIR other set.csv --sealed
export pool DIR
export votes DIR --campaign old
export blacklist DIR
export near-duplicates DIR --images
export views DIR
decide DIR --out --people people.txt --reason test
decide DIR --out --view default --reason test
decide DIR --undo 1 --reason back
set unseal DIR closed --reason look
set sources DIR fresh --differences
score DIR --original originals --new fresh --common
score DIR --set closed
model remove DIR dull --reason test
export predictions DIR --set fresh
set sources DIR fresh --differences
worker note DIR --id ann --text hello
worker block DIR --id ann --reason rude
worker unblock DIR --id ann --reason sorry
worker show DIR --id ann
worker pay DIR --campaign main --approve-all
worker pay DIR --campaign main --file pay.csv
worker forget DIR --id ann --yes
worker list DIR --filter forgotten
check DIR
backup DIR TARGET
backup DIR TARGET --keep 2 --link
backup TARGET --verify
restore TARGET RESTORED
export set RESTORED fresh
review-status RESTORED
migrate DIR
generate GENERATED --images 96 --classes 2 --votes 96 --seed 5
export votes GENERATED
`;

/* What is done to the demo when all else has looked at it. FOUND is the last number of what the line before said. */
export const DEMO_WRITES = `
decide DIR --out --people people.txt --reason test
decide DIR --undo FOUND --reason back
decide DIR --out --people people.txt --campaign pilot --before 2026-11-19 --reason test --reopen
sample DIR --set drawn --strategy top --size 2 --answers 1 --seed 3
sample DIR --parent drawn/0 --size 3
sample DIR --set matched --strategy matched --size 4 --upward
sample DIR --set wanted --strategy threshold --threshold .6 --size 3 --uploader-most 4
sample DIR --replay drawn/1
audit DIR drawn/0
diff DIR drawn/0 drawn/1
predict DIR --model random_features_8 --set drawn --threads 1
predict DIR --model random_features_8 --class n02128385 --threads 1 --shard 1/2 --output FILE
features DIR --model random_features_8 --set pilot-best --threads 1
score DIR --set drawn
set freeze DIR drawn --reason done
score DIR --set drawn
set release DIR drawn --reason given
set release DIR matched --reason given
set sources DIR pilot-best
set choose DIR pilot-best random_features_8 129 --reason first
set choose DIR pilot-best random_features_8 --undo --reason back
train DIR --name small --role candidate --filters 2 --patch 3 --side 8 --lambda 1 --threads 1
model list DIR
model remove DIR small --reason test --delete-file
worker note DIR --id sim-001 --text hello
worker block DIR --id sim-001 --reason rude
worker show DIR --id sim-001
worker pay DIR --campaign pictures --approve-all
worker pay DIR --campaign pictures --file pay.csv
worker forget DIR --id sim-002 --yes
export pay DIR --campaign pictures --list bonus
grids DIR --campaign again --kind re-measurement --set drawn --seed 5 --max-share 1 --open
exact-matches DIR --near-duplicates
check DIR
export set DIR drawn --format folder --output FOLDER --pool
backup DIR TARGET --verify
`;

const image = (k, kind, i) => `n0000000${k}-${kind}-${i}`;
export const FILES = {
  'participants.csv': 'participant_id\nann\nben\n',
  'consent.txt': 'What we keep.\n',
  secret: 'a shared secret of enough bytes, it seems\n',
  'blacklist.csv': `image,reason\n${image(1, 'candidate', 0)},wrong class\n`,
  'pairs.csv': `a,b\n${image(2, 'candidate', 0)},${image(2, 'candidate', 1)}\n`,
  'override.txt': `${image(2, 'candidate', 0)}\n`,
  'picks.csv': `image,stage,note\n${image(1, 'candidate', 2)},picked,nice\n`,
  'nn.jsonl': `${JSON.stringify({ image: image(1, 'candidate', 1), metric: 'l2', reviewer: 'ann', date: '2019-01-01', references: [image(1, 'original', 0)] })}\n`,
  'thresholds.csv': `image,metric,min_unreviewed_distance\n${image(1, 'candidate', 1)},l2,3.5\n`,
  'reviews.jsonl': `${JSON.stringify({ name: '0', not_reviewed: [], problematic: [] })}\n`,
  'classes.csv': 'cid,wnid,synset,gloss,wikipedia\n2,n00000003,quince,a fruit,\n',
  'list.csv': 'idx,image,wnid,kind,source_id,date_taken\n0,listed-0,n00000003,cand,7,2012-08-01\n1,listed-1,n00000003,val,,\n',
  'sets.jsonl': `${JSON.stringify({ name: 'told/0', parent: null, add: [[image(1, 'candidate', 3), 'n00000001']], remove: [] })}\n`,
  'hits.jsonl': `${JSON.stringify({ hit: 0, uuid: '3c7987e5-737d-4f07-9905-35b1d76c181a', wnid: 'n00000003', time: '2018-08-17 16:11:23', label: [0], pos: [1], neg: [], all: [0, 1] })}\n`,
  'votes.csv': 'assignment,hit,worker,status,accept_time,duration_s,mask_hex\n0,0,w0,A,1535546579,120,3\n1,0,w1,A,1535546580,121,2\n',
  'set.csv': `image,wnid\n${image(1, 'candidate', 4)},n00000001\n`,
  'people.txt': 'w0\n',
  'pay.csv': 'participant_id,decision,bonus,reason\nann,approve,0,\n',
};
