import { isDeepStrictEqual } from "node:util";
import { describe, expect, it } from "vitest";
import { believedAt, rowsAt } from "../../test/builders/an-incident-viewer.ts";
import { KINDS, type ObjectKey } from "../core/model/ids.ts";
import { wantsObject } from "../core/observe/interest.ts";
import { parseScenario } from "../scenario/scenario-file.ts";
import type { Checker } from "../sim/check/checker.ts";
import { Engine } from "../sim/engine.ts";
import { type Facts, factsOf } from "../sim/report/facts-of.ts";
import { run } from "../sim/run.ts";
import type { RunOptions, RunResult } from "../sim/report/run-result.ts";
import { drawSwarm } from "../sim/swarm/swarm.ts";
import { takenIn } from "../sim/report/taken-in.ts";
import { documentOfRun } from "./document-of-run.ts";
import type { IncidentDocument } from "./incident-document.ts";

const OF = { title: "a test", version: "0", again: "berth simulate" };

const SMALL = `
scenario: small
world:
  name: small
  regions: [{ name: eu, zones: [a] }]
  nodes: [{ count: 1, name: n, region: eu, zone: a, capacity: { cpu: 4, memory: 8Gi } }]
  tenants: [{ name: shop, quota: { cpu: 8, memory: 16Gi } }]
  workloads:
    - metadata: { name: web, namespace: shop }
      spec: { replicas: 1, resources: { cpu: 500m, memory: 256Mi }, run: { command: [web] } }
  schedulers: 1
  faultsUntil: 20s
expect: clean
faults:
  - lose-request: { from: place-1, operation: bind/Replica/shop/web.1.0/*/1, attempt: 1 }
  - restart-leader: { at: 15s, down: 800ms }
`;

function smallRun(): { readonly result: RunResult; readonly document: IncidentDocument } {
  const { scenario, world } = parseScenario(SMALL, "small.yaml");
  const faults = { explicit: scenario.faults, rates: {} };
  const result = run({ world, seed: 1, faults, witness: true });
  return { result, document: documentOfRun(result, OF) };
}

const REPLICA = "Replica/shop/web.1.0";

describe("documentOfRun()", () => {
  const { result, document } = smallRun();
  const { lanes, turns, arrows, commits, marks } = document;
  const nameOf = (turn: number | undefined): string =>
    lanes[turns[turn ?? -1]?.lane ?? -1]?.name ?? "";
  const find = (start: string): number => turns.findIndex(({ text }) => text.startsWith(start));

  it("has a lane for every component: planes, controllers, agents, the user, the world", () => {
    expect([...new Set(lanes.map(({ kind }) => kind))]).toEqual([
      "plane",
      "controller",
      "agent",
      "user",
      "fault",
    ]);
    expect(lanes[0]).toEqual({ name: "plane-1", kind: "plane" });
    expect(lanes.find(({ kind }) => kind === "agent")).toEqual({
      name: "agent:n-1",
      kind: "agent",
      kinds: ["Replica"],
      node: "n-1",
    });
    const { kinds } = lanes.find(({ name }) => name === "node-health") ?? {};
    expect(kinds).toEqual(expect.arrayContaining(["Lease", "Node"]));
    expect(kinds).not.toContain("Replica");
  });

  it("tells the turns by time, each with its kind, its object and the revision it was left with", () => {
    expect(turns.map(({ atMs }) => atMs)).toEqual(turns.map(({ atMs }) => atMs).toSorted(by));
    expect(turns.map(({ turn }) => turn)).toEqual(turns.map(({ turn }) => turn).toSorted(by));
    const decided = turns.find(({ what, text }) => what === "decide" && text.includes("bind/"));
    expect(decided).toMatchObject({ key: "Workload/shop/web", revision: 8 });
    expect(decided?.decision).toMatchObject({
      controller: "place-1",
      decision: { kind: "propose", because: { chosen: "n-1" } },
    });
    const whats = new Set(turns.map(({ what }) => what));
    expect([...whats].toSorted()).toEqual(
      ["commit", "decide", "fault", "other", "refuse", "see", "send", "start"].toSorted(),
    );
  });

  it("draws a message that was lost without an end, and the one that followed from turn to turn", () => {
    const lost = arrows.filter(({ to, what }) => to === undefined && what.includes("bind/"));
    expect(lost.map(({ from, what }) => [nameOf(from), what])).toEqual([
      ["place-1", `request bind/${REPLICA}/*/1`],
    ]);
    expect(turns[lost[0]?.from ?? -1]?.text).toMatch(/the request was lost$/);
    const again = arrows.find(({ what }) => what === `request bind/${REPLICA}/*/1 (attempt 2)`);
    expect([nameOf(again?.from), nameOf(again?.to)]).toEqual(["place-1", "plane-1"]);
    const reply = arrows.find(({ what }) => what === `reply bind/${REPLICA}/*/1 (attempt 2)`);
    expect([nameOf(reply?.from), nameOf(reply?.to)]).toEqual(["plane-1", "place-1"]);
    expect(turns[reply?.from ?? -1]?.text).toMatch(/committed at revision \d+$/);
    expect(turns[reply?.to ?? -1]?.text).toMatch(/^hears: .* committed at revision \d+$/);
  });

  it("draws the commits that a plane shows to each watcher, up to its revision", () => {
    const watched = arrows.filter(({ what }) => what === "watch");
    expect(watched.length).toBeGreaterThan(20);
    for (const { from, to } of watched) {
      const sent = turns[from];
      const seen = turns[to ?? -1];
      expect(nameOf(from)).toBe("plane-1");
      expect(seen?.what).toBe("see");
      expect(sent?.revision).toBe(seen?.revision);
    }
  });

  it("has every commit as rows of cells, at the turn in which it became durable", () => {
    expect(commits.map(({ revision }) => revision)).toEqual(
      result.commits?.map(({ revision }) => revision),
    );
    const bound = commits.find(({ operation }) => operation.startsWith("bind/"));
    expect(bound).toMatchObject({
      actor: "place-1",
      changes: [
        {
          key: REPLICA,
          cells: { stage: "bound", node: "n-1", incarnation: "1", session: "1", stopping: "–" },
        },
        // What is taken of a node is a sum over others, and changes with them.
        { key: "Node//n-1", cells: { health: "ready", taken: "500m 256Mi" } },
      ],
    });
    expect(turns[bound?.turn ?? -1]).toMatchObject({ what: "commit", key: REPLICA });
    expect(nameOf(bound?.turn)).toBe("plane-1");
  });

  it("marks faults and changes of the lead", () => {
    const told = marks.map(({ kind, text }) => [kind, text]);
    expect(told).toEqual([
      ["lead", "plane-1: claimed the log under epoch 1 at revision 0"],
      ["fault", expect.stringMatching(/^place-1: bind.* the request was lost$/)],
      ["fault", expect.stringMatching(/^plane-1: crashed/)],
      ["lead", expect.stringMatching(/^plane-1: claimed the log under epoch 2/)],
    ]);
    expect(turns[marks[2]?.turn ?? -1]).toMatchObject({ what: "fault", atMs: 15_000 });
    expect(find("heals: no more faults")).toBeGreaterThan(0);
  });

  it("says where it comes from", () => {
    expect(document.source).toEqual({
      kind: "simulation",
      ...OF,
      epochMs: undefined,
      violation: undefined,
    });
    expect(document.leftOut).toBeUndefined();
  });
});

const by = (a: number, b: number): number => a - b;

interface Believed {
  readonly name: string;
  readonly revision: number;
  readonly held: ReadonlyMap<ObjectKey, Facts>;
  /** What it ought to hold of the state at its revision, by what it is shown. */
  readonly wanted: (key: ObjectKey) => boolean;
}

/**
 * Reports a violation at a commit about a replica, and notes what everybody holds in that moment.
 */
class Accuser implements Checker {
  readonly name = "accuser";
  believed: readonly Believed[] = [];
  truth: ReadonlyMap<string, Facts> = new Map();
  private readonly after: number;

  constructor(after: number) {
    this.after = after;
  }

  afterCommit: NonNullable<Checker["afterCommit"]> = ({ revision, changes }, truth, report) => {
    const key = changes.find(({ after }) => after?.kind === "Replica")?.key;
    if (revision < this.after || key === undefined || this.believed.length > 0) return;
    const objects = [...KINDS].flatMap((kind) => [...truth.objects.all(kind).values()]);
    this.truth = new Map(
      objects.map((each) => [each.key, factsOf(each, takenIn(truth.objects, each.key))]),
    );
    this.believed = [...truth.clients()].map(({ name, view }) => {
      const held = [...view.interest.kinds].flatMap((kind) => [...view.objects.all(kind).values()]);
      return {
        name,
        revision: view.revision,
        held: new Map(held.map((each) => [each.key, factsOf(each, undefined)])),
        wanted: (wanted) => {
          const object = truth.objects.get(wanted);
          return object !== undefined && wantsObject(view.interest, object);
        },
      };
    });
    report("INV1", "a replica was found", key);
  };
}

/** `taken` is what the holder counts itself, which is less for who is shown less. */
const withoutTaken = (cells: Facts): Facts =>
  Object.fromEntries(Object.entries(cells).filter(([name]) => name !== "taken"));

/** Where the document says something else than the component held. */
function mistaken(
  document: IncidentDocument,
  { name, revision, held, wanted }: Believed,
  end: number,
): readonly unknown[] {
  const isAlone = document.lanes.some((lane) => lane.name === name);
  const believed = believedAt(document, isAlone ? name : "controllers");
  if (believed.revision !== revision) return [[name, believed.revision, revision]];
  const keys = new Set([...held.keys(), ...(believed.rows.keys() as Iterable<ObjectKey>)]);
  return [...keys].flatMap((key) => {
    const cells = held.get(key);
    // What nobody shows it, or no longer does, it need not hold.
    if (cells === undefined && (revision !== end || !wanted(key))) return [];
    const row = believed.rows.get(key);
    const said = row && withoutTaken(row as Facts);
    return isDeepStrictEqual(said, cells) ? [] : [[name, key, said, cells]];
  });
}

describe("a document's beliefs", () => {
  const seeds = [4, 7, 14, 23, 31];

  it.each(seeds)(
    "property: what each component holds is the state at its revision, with what is astray (seed %i)",
    (seed) => {
      const { world, rates } = drawSwarm(seed);
      const options: RunOptions = { world, seed, faults: { explicit: [], rates }, witness: true };
      const accuser = new Accuser(60 + seed);
      const result = new Engine(options, [accuser]).run();
      const document = documentOfRun(result, OF);
      const violation = document.marks.at(-1);
      expect(violation).toMatchObject({ kind: "violation", turn: document.turns.length - 1 });
      expect(document.turns.at(-1)).toMatchObject({ what: "violate", key: result.violation?.key });
      const end = document.commits.at(-1)?.revision ?? 0;
      expect(end).toBe(result.violation?.revision);
      expect(Object.fromEntries(rowsAt(document, end))).toEqual(Object.fromEntries(accuser.truth));
      expect(accuser.believed.length).toBeGreaterThan(3);
      expect(accuser.believed.flatMap((each) => mistaken(document, each, end))).toEqual([]);
    },
  );

  it("property: the table of the story says the same", () => {
    const { world, rates } = drawSwarm(14);
    const options: RunOptions = { world, seed: 14, faults: { explicit: [], rates }, witness: true };
    const result = new Engine(options, [new Accuser(120)]).run();
    const document = documentOfRun(result, OF);
    expect(result.beliefs?.length).toBeGreaterThan(1);
    for (const { key, truth, taken, revision, clients } of result.beliefs ?? []) {
      expect(rowsAt(document, revision).get(key)).toEqual(truth && factsOf(truth, taken));
      for (const { name, viewRevision, held } of clients) {
        const isAlone = document.lanes.some((lane) => lane.name === name);
        const believed = believedAt(document, isAlone ? name : "controllers");
        expect(believed.revision).toBe(viewRevision);
        const row = believed.rows.get(key);
        expect(row && withoutTaken(row as Facts)).toEqual(held && factsOf(held, undefined));
      }
    }
  });

  it.each(["watch-drop", "blind-agent"] as const)(
    "says from which turn on a view is not the state at its revision, and until when: %s",
    (fault) => {
      const { world } = drawSwarm(2);
      const faults = { explicit: [], rates: { [fault]: 20 } };
      const { turns } = documentOfRun(run({ world, seed: 2, faults, witness: true }), OF);
      const astray = turns.filter((turn) => (turn.astray?.length ?? 0) > 0);
      const mended = turns.filter((turn) => turn.astray?.length === 0);
      expect(astray.length).toBeGreaterThan(0);
      expect(mended.length).toBeGreaterThan(0);
      expect(astray[0]?.atMs).toBeLessThan(mended.at(-1)?.atMs ?? 0);
    },
  );

  it("a witness changes nothing about a run", () => {
    const { world, rates } = drawSwarm(2);
    const options: RunOptions = { world, seed: 2, faults: { explicit: [], rates } };
    expect(run({ ...options, witness: true }).hash).toBe(run(options).hash);
  });
});
