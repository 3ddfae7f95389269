/* Baselines of the demo's world: features computed naively from the model's weights, and least squares of our
 * own on them, are right about the same images; larger ones are better; the same seed makes the same file;
 * what cannot be trained says why. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';

import { holdout, must, tempDir } from '../http/lib.mjs';
import { readOnnx } from './onnx.mjs';

const SIDE = 32;
const LAMBDA = 0.1;

/* Every image below FOLDER/WNID/ as [wnid, path], by class and name. */
const images = (folder) => fs.readdirSync(folder).sort().flatMap((wnid) =>
  fs.readdirSync(path.join(folder, wnid)).sort().map((name) => [wnid, path.join(folder, wnid, name)]));

/* The pixels that a model sees, in planes from 0 to 1, by `holdout preprocess`. */
async function pixels(list, scratch) {
  const all = new Array(list.length);
  const rest = [...list.keys()];
  const work = async (worker) => {
    const out = path.join(scratch, `${worker}.rgb`);
    for (let i = rest.pop(); i !== undefined; i = rest.pop()) {
      await must(['preprocess', list[i][1], '--resize', SIDE, '--crop', SIDE, '--filter', 'bilinear', '--output', out]);
      const bytes = fs.readFileSync(out);
      all[i] = Float64Array.from({ length: bytes.length }, (_, k) => {
        const channel = Math.floor(k / (SIDE * SIDE));
        return bytes[(k % (SIDE * SIDE)) * 3 + channel] / 255;
      });
    }
  };
  await Promise.all([work('a'), work('b')]);
  return all;
}

/* Convolution, ReLU and average pooling, written out. */
function features(image, { filters, offsets }, field, stride) {
  const [n, , patch] = filters.dims;
  const places = SIDE - patch + 1;
  const pool = Math.floor((places - field) / stride) + 1;
  const out = [];
  for (let f = 0; f < n; f++) {
    const response = new Float64Array(places * places).fill(offsets.data[f]);
    for (let channel = 0; channel < 3; channel++) {
      for (let dy = 0; dy < patch; dy++) {
        for (let dx = 0; dx < patch; dx++) {
          const weight = filters.data[((f * 3 + channel) * patch + dy) * patch + dx];
          for (let y = 0; y < places; y++) {
            const row = (channel * SIDE + y + dy) * SIDE + dx;
            for (let x = 0; x < places; x++) {
              response[y * places + x] += weight * image[row + x];
            }
          }
        }
      }
    }
    for (let py = 0; py < pool; py++) {
      for (let px = 0; px < pool; px++) {
        let sum = 0;
        for (let y = py * stride; y < py * stride + field; y++) {
          for (let x = px * stride; x < px * stride + field; x++) {
            sum += Math.max(0, response[y * places + x]);
          }
        }
        out.push(sum / field ** 2);
      }
    }
  }
  return out;
}

/* X with A X = B for a positive definite A, by Cholesky. */
function cholesky(a, b) {
  const n = a.length;
  for (let j = 0; j < n; j++) {
    for (let i = j; i < n; i++) {
      let sum = a[i][j];
      for (let k = 0; k < j; k++) {
        sum -= a[i][k] * a[j][k];
      }
      a[i][j] = i === j ? Math.sqrt(sum) : sum / a[j][j];
    }
  }
  return b.map((column) => {
    const x = column.slice();
    for (let i = 0; i < n; i++) {
      for (let k = 0; k < i; k++) {
        x[i] -= a[i][k] * x[k];
      }
      x[i] /= a[i][i];
    }
    for (let i = n - 1; i >= 0; i--) {
      for (let k = i + 1; k < n; k++) {
        x[i] -= a[k][i] * x[k];
      }
      x[i] /= a[i][i];
    }
    return x;
  });
}

/* A function from features to the best class: ridge regression on standardised features. */
function leastSquares(rows, labels, classes) {
  const [n, width] = [rows.length, rows[0].length];
  const columns = Array.from({ length: width }, (_, k) => rows.map((r) => r[k]));
  const means = columns.map((c) => c.reduce((s, v) => s + v, 0) / n);
  const spreads = columns.map((c, k) => Math.sqrt(c.reduce((s, v) => s + (v - means[k]) ** 2, 0) / n));
  const standard = (row) => row.map((v, k) => (spreads[k] > 1e-9 ? (v - means[k]) / spreads[k] : 0));
  const x = rows.map(standard);
  const shares = classes.map((c) => labels.filter((l) => l === c).length / n);
  const products = Array.from({ length: width }, (_, i) => Array.from({ length: width }, (__, j) =>
    x.reduce((s, row) => s + row[i] * row[j], i === j ? LAMBDA * n : 0)));
  const right = classes.map((c, k) => Array.from({ length: width }, (_, i) =>
    x.reduce((s, row, at) => s + row[i] * ((labels[at] === c) - shares[k]), 0)));
  const weights = cholesky(products, right);
  return (row) => {
    const scores = weights.map((w, k) => standard(row).reduce((s, v, i) => s + v * w[i], shares[k]));
    return classes[scores.indexOf(Math.max(...scores))];
  };
}

/* Top-1 of every image of the project that has predictions in the set, by name. */
async function firstLabels(dir, model, set) {
  const csv = await must(['export', 'predictions', dir, '--set', set, '--model', model]);
  return new Map(csv.trim().split('\n').slice(1).map((line) => line.split(',')).map((c) => [c[0], c[3]]));
}

test('baselines', { timeout: 600000 }, async (t) => {
  const base = tempDir(t);
  const dir = path.join(base, 'demo');
  const drawn = (name) => path.join(dir, 'demo-images', name);
  const model = (name) => path.join(dir, 'models', `${name}.onnx`);
  const train = (name, ...options) => ['train', dir, '--name', name, '--images', drawn('train'), '--filters', '6',
    '--seed', '3', '--quiet', ...options];
  await must(['demo', dir, '--size', 'tiny', '--quiet', '--no-answers']);

  await t.test('least squares on features computed naively is right about the same images', async () => {
    await must(train('six', '--lambda', LAMBDA));
    await must(['predict', dir, '--model', 'six', '--set', 'originals', '--quiet']);
    const said = await firstLabels(dir, 'six', 'originals');
    const { weights, nodes } = readOnnx(model('six'));
    assert.deepEqual(nodes.map((n) => n.op), ['Conv', 'Relu', 'AveragePool', 'Flatten', 'Gemm']);
    assert.deepEqual(weights.filters.dims, [12, 3, 6, 6]);
    const { kernel_shape: [field], strides: [stride] } = nodes[2].attributes;
    const compute = async (list) => (await pixels(list, base)).map((p) => features(p, weights, field, stride));
    const [seen, others] = [images(drawn('train')), images(drawn('original'))];
    const classes = [...new Set(seen.map(([wnid]) => wnid))];
    const classify = leastSquares(await compute(seen), seen.map(([wnid]) => wnid), classes);
    const ours = (await compute(others)).map(classify);
    const theirs = others.map(([, file]) => said.get(path.basename(file, '.jpg')));
    assert.equal(theirs.length, 36);
    const right = (labels) => labels.filter((label, i) => label === others[i][0]).length;
    assert.deepEqual(theirs, ours);
    assert.equal(right(theirs), right(ours));
    assert.ok(right(ours) > 36 / 6 * 1.5, `${right(ours)} of 36, by chance 6`);
  });

  /* Between the two larger ones there is less than 300 images can tell. */
  await t.test('larger ones are right more often', async () => {
    const all = new Map(['original', 'candidate', 'gold', 'reference'].flatMap((role) => images(drawn(role)))
      .map(([wnid, file]) => [path.basename(file, '.jpg'), wnid]));
    const list = path.join(base, 'all.csv');
    fs.writeFileSync(list, ['image,wnid', ...[...all].map((row) => row.join())].join('\n'));
    await must(['import', 'set', dir, 'everything', list, '--quiet']);
    const shares = [];
    for (const size of [2, 8, 32]) {
      await must(['predict', dir, '--model', `random_features_${size}`, '--quiet']);
      const said = await firstLabels(dir, `random_features_${size}`, 'everything');
      assert.equal(said.size, all.size);
      shares.push([...said].filter(([image, label]) => label === all.get(image)).length / all.size);
    }
    assert.ok(shares[0] > 1.2 / 6 && Math.min(shares[1], shares[2]) > 1.3 * shares[0], shares.join());
  });

  await t.test('the same seed makes the same file, on any number of threads', async () => {
    await must(train('again', '--lambda', LAMBDA, '--threads', '1'));
    assert.ok(fs.readFileSync(model('again')).equals(fs.readFileSync(model('six'))));
    await must(train('other', '--lambda', LAMBDA, '--seed', '4'));
    assert.ok(!fs.readFileSync(model('other')).equals(fs.readFileSync(model('six'))));
    await must(train('six', '--lambda', LAMBDA)); /* and once more changes nothing */
    const list = JSON.parse(await must(['model', 'list', dir, '--json']));
    const six = list.find((m) => m.name === 'six');
    assert.match(six.note, /^Trained by holdout on 72 images of the folder train, 6 classes: 6 random filters/);
    assert.match(six.note, /lambda 0\.1 \(given\), seed 3\. Right about \d+ of 72 of these images \(\d+\.\d %\)/);
    assert.equal(list.filter((m) => m.name === 'six').length, 1);
  });

  await t.test('images of the project, and the best lambda', async () => {
    const r = await holdout(['train', dir, '--name', 'candidates', '--role', 'candidate', '--filters', '4']);
    assert.equal(r.code, 0, r.err);
    const [, right, n, lambda] = /Right about (\d+) of (\d+) images when .*, lambda ([\d.]+)\. Next: /.exec(r.err);
    assert.equal(n, '252');
    assert.ok(right > 252 / 6, `${right} of 252 when held out`);
    assert.ok([0.003, 0.01, 0.03, 0.1, 0.3, 1].includes(Number(lambda)), lambda);
  });

  await t.test('what cannot be trained says why, and adds nothing', async () => {
    const before = fs.readdirSync(path.join(dir, 'models')).sort();
    const copy = path.join(base, 'images');
    const refused = async (code, message, ...args) => {
      const r = await holdout(['train', dir, ...args]);
      assert.equal(r.code, code, `${args.join(' ')}: ${r.err}`);
      assert.match(r.err, message);
    };
    const some = ['--name', 'x', '--filters', '4', '--images', copy];
    fs.cpSync(drawn('train'), copy, { recursive: true });
    const [first] = fs.readdirSync(copy).sort();
    await refused(2, /--name is missing/, '--images', copy);
    await refused(2, /choose one/, ...some, '--role', 'gold');
    await refused(2, /--role must be/, '--name', 'x', '--role', 'train');
    await refused(1, /no such folder/, '--name', 'x', '--images', path.join(base, 'nowhere'));
    await refused(1, /only one training image/, '--name', 'x', '--role', 'reference');
    await refused(1, /too few for 2 fields.*--side/, ...some, '--side', '6');
    await refused(1, /32768 features; at most 8192/, ...some, '--filters', '4096');
    await refused(1, /name/, ...some, '--name', '../x');
    await refused(1, /another model named six/, ...some, '--name', 'six');
    fs.mkdirSync(path.join(copy, 'n00000001'));
    fs.writeFileSync(path.join(copy, 'n00000001', 'a.jpg'), 'nothing');
    await refused(1, /n00000001: the project has no class of that name/, ...some);
    fs.rmSync(path.join(copy, 'n00000001'), { recursive: true });
    fs.rmSync(path.join(copy, first), { recursive: true });
    await refused(1, new RegExp(`Class ${first} has no training images`), ...some);
    assert.deepEqual(fs.readdirSync(path.join(dir, 'models')).sort(), before);
    assert.ok(!fs.readdirSync(dir).some((name) => name.startsWith('.train')), 'nothing is left behind');
  });

  await t.test('a file that is no image is named and left out', async () => {
    const copy = path.join(base, 'damaged');
    fs.cpSync(drawn('train'), copy, { recursive: true });
    const [, file] = images(copy)[5];
    fs.writeFileSync(file, 'not an image');
    const r = await holdout(['train', dir, '--name', 'damaged', '--images', copy, '--filters', '4']);
    assert.equal(r.code, 0, r.err);
    assert.ok(r.err.includes(`${file}: left out: `), r.err);
    assert.match(r.err, /1 of 72 images could not be read[\s\S]*of 71 images when each/);
  });
});
