/* agreement.mjs - coefficients of agreement, counted from their definitions. Rows are items, undefined is nothing said. */

const counts = (values) => values.reduce((n, v) => n.set(v, (n.get(v) ?? 0) + 1), new Map());
const sum = (list) => list.reduce((a, b) => a + b, 0);

/* Pairs [first, second] of one item each (Cohen 1960). */
export function cohen(pairs) {
  const n = pairs.length;
  const [one, two] = [0, 1].map((i) => counts(pairs.map((p) => p[i])));
  const po = pairs.filter(([a, b]) => a === b).length / n;
  const pe = sum([...one].map(([v, k]) => (k / n) * ((two.get(v) ?? 0) / n)));
  return (po - pe) / (1 - pe);
}

/* Of the items that as many judged as any (Fleiss 1971). */
export function fleiss(rows) {
  const most = Math.max(...rows.map((row) => row.filter((v) => v !== undefined).length));
  const full = rows.map((row) => row.filter((v) => v !== undefined)).filter((row) => row.length === most);
  const p = full.map((row) => sum([...counts(row).values()].map((k) => k * (k - 1))) / (most * (most - 1)));
  const pe = sum([...counts(full.flat()).values()].map((k) => (k / (full.length * most)) ** 2));
  return (sum(p) / full.length - pe) / (1 - pe);
}

/* Alpha for names: 1 less observed by expected disagreement, from the matrix of coincidences (Krippendorff 2011). */
export function krippendorff(rows) {
  const units = rows.map((row) => row.filter((v) => v !== undefined)).filter((row) => row.length > 1);
  const coincide = new Map();
  for (const unit of units) {
    unit.forEach((a, i) => unit.forEach((b, k) => {
      if (i !== k) coincide.set(`${a} ${b}`, (coincide.get(`${a} ${b}`) ?? 0) + 1 / (unit.length - 1));
    }));
  }
  const of = counts(units.flat());
  const n = units.flat().length;
  const differ = (f) => sum([...of.keys()].flatMap((a) => [...of.keys()].filter((b) => b !== a).map((b) => f(a, b))));
  return 1 - ((n - 1) * differ((a, b) => coincide.get(`${a} ${b}`) ?? 0)) / differ((a, b) => of.get(a) * of.get(b));
}
