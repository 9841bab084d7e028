import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Commit } from "../../src/core/protocol/commit-record.ts";
import { type Epoch, keyOf } from "../../src/core/model/ids.ts";
import { type Controllers, createControllers } from "../../src/host/controllers.ts";
import { Recorder } from "../../src/host/recording/recorder.ts";
import type { AppendResult } from "../../src/host/store/log-store.ts";
import { MemoryLog } from "../../src/host/store/memory-log.ts";
import { counterfactual, type Counterfactual } from "../../src/replay/counterfactual.ts";
import { chaptersIn } from "../../src/replay/replay-recording.ts";
import { RecordedFleet } from "./a-recorded-fleet.ts";
import { PlaneUser, until } from "./a-running-plane.ts";
import { SeveralPlanes } from "./several-planes.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "berth-counterfactual-"));
});
afterEach(() => {
  // Also where a test ended before its fleet was closed.
  vi.useRealTimers();
  rmSync(folder, { recursive: true, force: true });
});

/** Scoring alone decides: no replica keeps apart from its siblings (PR5). */
const REVISIONS = {
  fit: { scoring: "best-fit", spread: [] },
  spread: { scoring: "spread-out", spread: [] },
} as const;
const NODES = ["n1", "n2", "n3", "n4"];
const NOTHING = { placements: [], waits: [], preemptions: [] };

const preview = (revision: string, of: { chapters?: readonly string[] } = {}): Counterfactual =>
  counterfactual({ folder, chapters: chaptersIn(folder), policy: "default", revision, ...of });

/** Where each was placed, e.g. `{ "api.1.0#1": "n1" }`. */
const placed = ({ placements }: Counterfactual["before"]): Record<string, string> =>
  Object.fromEntries(
    [...placements.values()].map(({ replica, incarnation, node }) => [
      `${replica.split("/")[2]}#${incarnation}`,
      node,
    ]),
  );

/**
 * What the two ways of scoring mean, worked out by hand: quarters of nodes, one replica after the other, the fullest node
 * with room or the emptiest, of equals the first by name.
 */
class Pencil {
  readonly on = new Map(NODES.map((node) => [node, 0]));
  readonly places: Record<string, string> = {};
  private readonly scoring: "fit" | "spread";

  constructor(scoring: "fit" | "spread") {
    this.scoring = scoring;
  }

  put(name: string, quarters: number): void {
    const room = [...this.on].filter(([, used]) => used + quarters <= 4);
    const way = this.scoring === "fit" ? -1 : 1;
    const [best] = room.toSorted(([a, x], [b, y]) => way * (x - y) || (a < b ? -1 : 1));
    if (best === undefined) throw new Error(`no room for ${name}`);
    this.on.set(best[0], best[1] + quarters);
    this.places[name] = best[0];
  }

  putAll(workload: string, count: number, quarters: number): void {
    for (let index = 0; index < count; index += 1) this.put(`${workload}.1.${index}#1`, quarters);
  }
}

/** Those that are elsewhere, or nowhere, in the second. */
const differing = (a: Record<string, string>, b: Record<string, string>): string[] =>
  [...new Set([...Object.keys(a), ...Object.keys(b)])]
    .filter((name) => a[name] !== b[name])
    .toSorted();

const named = ({ changed }: Counterfactual): string[] =>
  changed.placements
    .map(({ replica, incarnation }) => `${replica.split("/")[2]}#${incarnation}`)
    .toSorted();

async function twoWorkloads(fleet: RecordedFleet): Promise<void> {
  await fleet.furnish(REVISIONS, "fit");
  await fleet.putDesired("api", { replicas: 3, quarters: 1 });
  await fleet.serving(3);
  await fleet.putDesired("web", { replicas: 3, quarters: 2 });
  await fleet.serving(6);
}

function pencilled(scoring: "fit" | "spread"): Pencil {
  const pencil = new Pencil(scoring);
  pencil.putAll("api", 3, 1);
  pencil.putAll("web", 3, 2);
  return pencil;
}

test("[PY9] [PY10] under the same policy nothing differs, under another exactly what that policy places elsewhere", async () => {
  const fleet = await RecordedFleet.open({ folder, nodes: NODES });
  await twoWorkloads(fleet);
  await fleet.close();
  const files = (): string[] =>
    readdirSync(folder).map((name) => name + readFileSync(path.join(folder, name), "utf8"));
  const before = files();
  const same = preview("fit");
  expect(same.control).toEqual({ compared: 6, ...NOTHING });
  expect(same.changed).toEqual({ compared: 6, ...NOTHING });
  const other = preview("spread");
  const fit = pencilled("fit").places;
  const spread = pencilled("spread").places;
  expect(other.control).toEqual({ compared: 6, ...NOTHING });
  expect(placed(other.before)).toEqual(fit);
  expect(placed(other.after)).toEqual(spread);
  expect(named(other)).toEqual(differing(fit, spread));
  expect(named(other).length).toBeGreaterThan(3);
  for (const { after } of other.changed.placements)
    expect(after).toMatchObject({ revision: "spread" });
  expect(files()).toEqual(before);
});

test("[PY10] [PY11] with a node that dies the control is clean, and what is lost is what the other policy had put there", async () => {
  const fleet = await RecordedFleet.open({ folder, nodes: NODES });
  await twoWorkloads(fleet);
  fleet.speaking.delete("n1");
  await fleet.pass(60_000);
  await fleet.serving(6);
  await fleet.close();
  const { control, before, after } = preview("spread");
  expect(control).toMatchObject(NOTHING);
  for (const [account, scoring] of [
    [before, "fit"],
    [after, "spread"],
  ] as const) {
    const { places } = pencilled(scoring);
    const lost = Object.keys(places).filter((name) => places[name] === "n1");
    const again = lost.map((name) => name.replace("#1", "#2")).toSorted();
    const placements = placed(account);
    expect(Object.keys(placements).toSorted()).toEqual(
      [...Object.keys(places), ...again].toSorted(),
    );
    // The silent node is silent in both: nobody is placed there again.
    for (const name of again) expect(placements[name]).not.toBe("n1");
    expect([...account.waiting]).toEqual([]);
    expect(account.stages).toEqual({ serving: 6 });
  }
});

/** Says once that it does not know whether an append landed, which it did. */
class ForgetfulLog extends MemoryLog {
  left = 8;

  override async append(epoch: Epoch, commits: readonly Commit[]): Promise<AppendResult> {
    const result = await super.append(epoch, commits);
    this.left -= 1;
    return this.left === 0 ? "unknown" : result;
  }

  /** It is the same log that the next plane opens. */
  override async close(): Promise<void> {}
}

test("[PY10] over chapters, a lost answer of the store and a restart the control is clean, and each chapter can be asked", async () => {
  const store = new ForgetfulLog();
  const of = { folder, nodes: NODES, store, chapterBytes: 12_000 };
  const first = await RecordedFleet.open(of);
  await twoWorkloads(first);
  await first.pass(20_000);
  await first.close();
  expect(store.left).toBeLessThan(0);
  const second = await RecordedFleet.open({ ...of, after: first });
  await second.pass(4_000);
  await second.putDesired("more", { replicas: 2, quarters: 1 });
  await second.serving(8);
  await second.close();
  const chapters = chaptersIn(folder);
  expect(chapters.length).toBeGreaterThan(2);
  const { control, script, before, after } = preview("spread");
  expect(control).toEqual({ compared: 8, ...NOTHING });
  expect(script.chapters).toEqual(chapters);
  const pencils = [pencilled("fit"), pencilled("spread")];
  for (const pencil of pencils) pencil.putAll("more", 2, 1);
  expect([placed(before), placed(after)]).toEqual(pencils.map(({ places }) => places));
  for (const chapter of chapters) {
    const alone = preview("fit", { chapters: [chapter] });
    expect([alone.control, alone.changed]).toMatchObject([NOTHING, NOTHING]);
  }
  // A chapter that is missing in the middle: what came before it cannot be gone on from.
  const gap = preview("fit", { chapters: chapters.toSpliced(1, 1) });
  expect(gap.script.chapters).toEqual(chapters.slice(2));
  expect([gap.control, gap.changed]).toMatchObject([NOTHING, NOTHING]);
  expect(gap.control.compared).toBe(2);
  expect(gap.script.notes).toEqual([expect.stringContaining(`${chapters[0]} left out`)]);
});

const allControllers = (): Controllers => createControllers({ schedulers: 1 });

test("[PY10] the chapters of a plane that took over, lost the lead and took over again are one run, and the control is clean", async () => {
  const planes = new SeveralPlanes();
  try {
    const recorder = new Recorder({ folder, version: "test" });
    const a = await planes.open("a");
    await planes.leader();
    const b = await planes.open("b", { recorder, createControllers: allControllers });
    await new PlaneUser(a.plane).furnish();
    await a.stop();
    await until("b to lead", () => (b.plane.isLeading ? true : undefined));
    const user = new PlaneUser(b.plane);
    for (const node of ["n1", "n2"]) await user.lease(node, 1);
    await user.putDesired(2);
    for (const index of [0, 1]) await user.bound(index);
    planes.shared.endLease();
    await until("b to lead again", () => (b.leads.length === 3 ? true : undefined));
    await user.putDesired(4);
    for (const index of [2, 3]) await user.bound(index);
    await b.stop();
    expect(chaptersIn(folder)).toHaveLength(2);
    const spec = { scoring: "best-fit", spread: [] } as const;
    const of = { folder, chapters: chaptersIn(folder), policy: "default", revision: "new" };
    const { script, control, changed } = counterfactual({ ...of, spec });
    expect(script.chapters).toEqual(chaptersIn(folder));
    expect(control).toEqual({ compared: 4, ...NOTHING });
    // Siblings keep apart; packed, every second one would share n1 with the others.
    const moved = changed.placements.map(({ replica, after }) => [replica, after]);
    expect(moved).toMatchObject([
      ["Replica/shop/api.1.1", { node: "n1" }],
      ["Replica/shop/api.1.3", { node: "n1" }],
    ]);
  } finally {
    await planes.close();
  }
});

const BANDS = {
  takes: { scoring: "best-fit" },
  spares: { scoring: "best-fit", preemption: { never: ["web"] } },
} as const;

/** Two nodes full of what may be preempted, then one that may preempt, if the policy lets it. */
async function fullNodes(active: "takes" | "spares"): Promise<void> {
  const fleet = await RecordedFleet.open({ folder, nodes: NODES.slice(0, 2) });
  await fleet.furnish(BANDS, active);
  const classes = { low: ["base", 1], high: ["web", 10] } as const;
  for (const [name, [band, value]] of Object.entries(classes)) {
    const spec = { value, band };
    await fleet.put(keyOf({ kind: "PriorityClass", namespace: "", name }), {
      kind: "PriorityClass",
      spec,
    });
  }
  await fleet.putDesired("base", { replicas: 4, quarters: 2, priorityClass: "low" });
  await fleet.serving(4);
  await fleet.putDesired("top", { replicas: 1, quarters: 2, priorityClass: "high" });
  await fleet.pass(10_000);
  await fleet.serving(4);
  await fleet.close();
}

test.each([
  ["takes", "spares"],
  ["spares", "takes"],
] as const)(
  "[PY9] [PY11] with %s recorded and %s previewed, who makes room and who waits is told",
  async (recorded, other) => {
    await fullNodes(recorded);
    const { control, changed, before, after } = preview(other);
    expect(control).toMatchObject(NOTHING);
    const taking = recorded === "takes" ? before : after;
    const sparing = recorded === "takes" ? after : before;
    expect([taking.preemptions.size, sparing.preemptions.size]).toEqual([1, 0]);
    expect(changed.preemptions).toMatchObject([{ by: "Replica/shop/top.1.0" }]);
    const [victim = ""] = [...taking.preemptions.values()].flatMap(({ victims }) => victims);
    // The one that takes a place serves; its victim waits for its next incarnation, and the other way round.
    expect([...taking.waiting.keys()]).toEqual([`${victim}#2`]);
    expect([...sparing.waiting.keys()]).toEqual(["Replica/shop/top.1.0#1"]);
    const waits = changed.waits.map(({ replica, afterMs }) => [replica, afterMs === undefined]);
    expect(Object.fromEntries(waits)).toEqual({
      "Replica/shop/top.1.0": recorded === "takes",
      [victim]: recorded === "spares",
    });
  },
);

test("[PY12] what cannot be previewed is refused with what there is", async () => {
  const fleet = await RecordedFleet.open({ folder, nodes: NODES });
  await fleet.furnish(REVISIONS, "fit");
  await fleet.close();
  expect(() => preview("nope")).toThrow(
    "has the revisions fit, spread. Give its manifest with -f.",
  );
  const of = { folder, chapters: chaptersIn(folder), policy: "default" };
  const spec = { scoring: "fragmentation", retries: { attempts: 99 } } as const;
  expect(() => counterfactual({ ...of, revision: "wild", spec })).toThrow(
    /attempts: expected a whole number from 1 to 6, found 99/,
  );
  const [chapter = ""] = chaptersIn(folder);
  const file = path.join(folder, chapter);
  const lines = readFileSync(file, "utf8").split("\n");
  const at = lines.findIndex((line) => line.includes('"kind":"watch"'));
  lines[at] = (lines[at] ?? "").replace(/,\[[^[]*\]\]$/, ',[{"kind":"timer","atMs":7}]]');
  writeFileSync(file, lines.join("\n"));
  expect(() => preview("spread")).toThrow(
    /recorded by version test, and this one decides something/,
  );
});
