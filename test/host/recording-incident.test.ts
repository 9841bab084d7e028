import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { KINDS } from "../../src/core/model/ids.ts";
import { Plane } from "../../src/host/plane.ts";
import { Recorder } from "../../src/host/recording/recorder.ts";
import { MemoryLog } from "../../src/host/store/memory-log.ts";
import type { IncidentDocument } from "../../src/incident/incident-document.ts";
import { incidentOfChapter, type OfChapter } from "../../src/replay/incident-of-chapter.ts";
import { factsOf } from "../../src/sim/report/facts-of.ts";
import { takenIn } from "../../src/sim/report/taken-in.ts";
import { believedAt, rowsAt } from "../builders/an-incident-viewer.ts";
import { PlaneUser, until } from "./a-running-plane.ts";

let folder = "";
/** Every object as the plane had it in the end. */
let truth: Readonly<Record<string, unknown>> = {};
let end = 0;

/** A plane that binds three replicas, is told to run others instead, and turns a write away. */
beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), "berth-recording-incident-"));
  const recorder = new Recorder({ folder, version: "test", chapterBytes: 12_000 });
  const plane = await Plane.open({ store: new MemoryLog(), recorder });
  const user = new PlaneUser(plane);
  await user.furnish();
  await user.lease("n1", 1);
  await user.lease("n2", 1);
  await user.putDesired(3);
  for (const index of [0, 1, 2]) await user.bound(index);
  await user.putDesired(3, { TOKEN: "correct horse" });
  await until("the new generation", () =>
    plane.objects.all("Replica").size > 3 ? true : undefined,
  );
  // Backwards in its own count: that is refused.
  await user.lease("n1", 0);
  await plane.close();
  const { objects } = plane;
  const all = KINDS.flatMap((kind) => [...objects.all(kind).values()]);
  truth = Object.fromEntries(
    all.map((each) => [each.key, factsOf(each, takenIn(objects, each.key))]),
  );
  end = plane.revision;
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const documentOf = (of: Partial<OfChapter> = {}): IncidentDocument =>
  incidentOfChapter({ folder, version: "0", again: "berth replay", ...of }).document;

test("a recording's document has the plane, its controllers and its callers", () => {
  const { lanes, source, turns } = documentOf({ chapter: 1 });
  expect(source).toMatchObject({ kind: "recording", title: "plane plane-1, chapter 1" });
  expect(source.epochMs).toBeGreaterThan(1_600_000_000_000);
  expect(turns[0]?.atMs).toBe(0);
  const kindOf = new Map(lanes.map(({ name, kind }) => [name, kind]));
  expect(kindOf.get("plane-1")).toBe("plane");
  expect(kindOf.get("controllers")).toBe("controller");
  expect(kindOf.get("place-1")).toBe("controller");
  expect(kindOf.get("agent:n1")).toBe("agent");
  expect(kindOf.get("tester")).toBe("user");
});

test("arrows lead from who asked to the plane and back, and from what is shown to who sees it", () => {
  const { lanes, turns, arrows } = documentOf({ chapter: 1 });
  const nameOf = (turn: number | undefined): string =>
    lanes[turns[turn ?? -1]?.lane ?? -1]?.name ?? "";
  const ways = new Set(
    arrows.map(({ from, to, what }) => `${nameOf(from)} ${what.split(" ")[0]} ${nameOf(to)}`),
  );
  expect(ways).toContain("tester request plane-1");
  expect(ways).toContain("plane-1 reply tester");
  expect(ways).toContain("agent:n1 request plane-1");
  expect(ways).toContain("place-1 request plane-1");
  expect(ways).toContain("plane-1 reply controllers");
  expect(ways).toContain("plane-1 watch controllers");
  for (const { from, to, what } of arrows) {
    if (what !== "watch") continue;
    expect(turns[from]?.what).toBe("commit");
    expect(turns[to ?? -1]?.revision).toBeGreaterThanOrEqual(turns[from]?.revision ?? 0);
  }
  const decided = turns.find(({ what, text }) => what === "decide" && text.includes("bind"));
  expect(decided?.decision).toMatchObject({ controller: "place-1", decision: { kind: "propose" } });
});

test("base and commits of each chapter lead to what was there, and the last to what is", () => {
  const numbers = readdirSync(folder).flatMap((name) => /^chapter-0*(\d+)/.exec(name)?.[1] ?? []);
  expect(numbers.length).toBeGreaterThan(1);
  const documents = numbers.map((number) => documentOf({ chapter: Number(number) }));
  const ends = documents.map(
    ({ commits, baseRevision = 0 }) => commits.at(-1)?.revision ?? baseRevision,
  );
  for (const [at, document] of documents.entries()) {
    const before = at === 0 ? 0 : (ends[at - 1] ?? 0);
    expect(document.baseRevision).toBe(before);
    const shown = Object.fromEntries(rowsAt(document, before));
    const was = documents[at - 1];
    expect(shown).toEqual(was === undefined ? {} : Object.fromEntries(rowsAt(was, before)));
    expect(document.marks.every(({ kind }) => kind !== "divergence")).toBe(true);
    expect(JSON.stringify(document)).not.toContain("horse");
  }
  const last = documentOf();
  expect(Object.fromEntries(rowsAt(last, end))).toEqual(truth);
  expect(ends.at(-1)).toBe(end);
  expect(believedAt(last, "controllers").revision).toBe(end);
});

test("what was refused is told, with the rule", () => {
  const { turns } = documentOf();
  const refused = turns.filter(({ what }) => what === "refuse").at(-1);
  expect(refused?.text).toMatch(/^answers agent:n1: (refused|conflict): [\w-]+ \[\w+\]/);
});

test("a stretch has the turns around a revision, and the state from before it", () => {
  const whole = documentOf({ chapter: 1 });
  const middle = whole.commits[Math.floor(whole.commits.length / 2)]?.revision ?? 0;
  const part = documentOf({ chapter: 1, around: middle, turns: 10 });
  const numbers = new Set(part.turns.map(({ turn }) => turn));
  expect(numbers.size).toBeLessThanOrEqual(11);
  expect(part.commits.map(({ revision }) => revision)).toContain(middle);
  expect(part.leftOut?.turns).toBeGreaterThan(0);
  expect(part.leftOut?.why).toMatch(/^These are the turns \d+ to \d+ of \d+\.$/);
  const { baseRevision = 0 } = part;
  expect(Object.fromEntries(rowsAt(part, baseRevision))).toEqual(
    Object.fromEntries(rowsAt(whole, baseRevision)),
  );
  const newest = documentOf({ turns: 5 });
  expect(newest.turns.at(-1)?.text).toBe(documentOf().turns.at(-1)?.text);
});

test.each([
  [{ chapter: 99 }, /Cannot replay chapter 99: the recording has the chapters 1, 2/],
  [{ chapter: 1, around: 999_999 }, /Cannot find revision 999999: chapter-000001.jsonl shows/],
  [{ chapter: 1, fromTurn: 500_000 }, /Cannot show the turns 500000 to \d+/],
])("what is not in the recording is said: %j", (of, sentence) => {
  expect(() => documentOf(of)).toThrow(sentence);
});

test("a turn that comes out differently is marked, also when it is before what was asked for", () => {
  const other = mkdtempSync(path.join(tmpdir(), "berth-diverged-"));
  try {
    for (const name of readdirSync(folder)) {
      writeFileSync(path.join(other, name), readFileSync(path.join(folder, name)));
    }
    const file = path.join(other, "chapter-000001.jsonl");
    const lines = readFileSync(file, "utf8").split("\n");
    const at = lines.findIndex((line) => line.includes('"kind":"watch"'));
    lines[at] = (lines[at] ?? "").replace(/,\[[^[]*\]\]$/, ',[{"kind":"timer","atMs":7}]]');
    writeFileSync(file, lines.join("\n"));
    for (const of of [{}, { fromTurn: at + 5, turns: 4 }]) {
      const { marks, turns } = documentOf({ folder: other, chapter: 1, ...of });
      const mark = marks.find(({ kind }) => kind === "divergence");
      expect(mark?.text).toMatch(/^Diverged: (?:kind: expected timer|atMs: expected 7), got /);
      expect(turns[mark?.turn ?? -1]?.turn).toBe(at);
    }
  } finally {
    rmSync(other, { recursive: true });
  }
});
