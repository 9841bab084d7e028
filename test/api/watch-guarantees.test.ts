/**
 * The six guarantees of a watch, held against what the log says happened, while several clients write at once,
 * watchers come and go, and the plane is restarted in the middle.
 */
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Intent } from "../../src/core/protocol/command.ts";
import type { Role } from "../../src/core/model/actor.ts";
import { type ObjectKey, operationId } from "../../src/core/model/ids.ts";
import { ServedPlane } from "../e2e/served-plane.ts";
import { until } from "../host/a-running-plane.ts";
import type { UnnamedIntent } from "../builders/a-plane.ts";
import { RecordingWatcher } from "./a-recording-watcher.ts";
import { aNodeObject, aTenantObject, aWorkloadObject, BERTH } from "./an-api.ts";
import {
  atomic,
  bookmarkable,
  type Connection,
  ordered,
  reliable,
  resumable,
  type SeenLine,
  type Truth,
  truthOf,
  unique,
  type Validator,
  type WatchHistory,
} from "./watch-history.ts";

const WRITERS = 4;
const WRITES = 30;
const NODES = 5;
/** Replicas on each node: so many events of one revision when it is fenced. */
const REPLICAS = 4;
const ROUNDS = 2;

const served = new ServedPlane({
  createControllers: () => [],
  limits: { bookmarkEveryMs: 15 },
});
let tenants: readonly RecordingWatcher[] = [];
let replicas: readonly RecordingWatcher[] = [];
let truth: { readonly tenants: Truth; readonly replicas: Truth };
let sent = 0;

async function call(method: string, path: string, body?: unknown): Promise<number> {
  const type = method === "PATCH" ? "application/merge-patch+json" : "application/json";
  const response = await fetch(`${served.url}${BERTH}${path}`, {
    method,
    headers: { "content-type": type },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  await response.arrayBuffer();
  return response.status;
}

/** Makes, changes and deletes tenants: some of its own, and some that others write at the same time. */
async function write(writer: number): Promise<void> {
  for (let at = 0; at < WRITES; at++) {
    const name = at % 3 === 0 ? `shared-${at % 5}` : `own-${writer}-${at % 4}`;
    const made = await call("POST", "/tenants", aTenantObject(name));
    expect([201, 409]).toContain(made);
    const labels = { by: `w${writer}`, at: `${at}` };
    expect([200, 404]).toContain(await call("PATCH", `/tenants/${name}`, { metadata: { labels } }));
    if (at % 2 === 1) expect([200, 404]).toContain(await call("DELETE", `/tenants/${name}`));
  }
}

async function send(intent: UnnamedIntent, role: Role): Promise<void> {
  sent += 1;
  const named = { ...intent, operation: operationId(`load-${sent}`) } as Intent;
  const reply = await served.running.submit(named, {
    role,
    name: role === "agent" && "node" in intent ? `agent:${intent.node}` : role,
  });
  expect(reply).toMatchObject({ kind: "outcome", outcome: { kind: "committed" } });
}

/** Brings a node's replicas onto it, has it fenced, which changes all of them at once, and frees them. */
async function fence(at: number, round: number): Promise<void> {
  const [node, workload] = [`n-${at}`, `Workload/load/w-${at}` as ObjectKey];
  const session = round + 1;
  await send({ kind: "lease", node, session, seq: 1, kept: [] }, "agent");
  const indexes = Array.from({ length: REPLICAS }, (_, index) => index);
  const incarnation = session;
  for (const index of indexes) {
    const replica = `Replica/load/w-${at}.1.${index}` as ObjectKey;
    const reservation = `Reservation/load/w-${at}.1.${index}.${incarnation}` as ObjectKey;
    await send({ kind: "admit", workload, generation: 1, index, incarnation }, "admit");
    await send({ kind: "reserve", replica, incarnation, deadlineMs: 1_000 }, "admit");
    const queue = { key: replica, from: "admitted", to: "queued", reservation } as const;
    await send({ kind: "transition", incarnation, ...queue }, "admit");
    await send({ kind: "bind", replica, incarnation, node, deviceIds: [] }, "place");
  }
  const key = `Node//${node}` as ObjectKey;
  const evidence = { kind: "person", name: "ana", statement: "It burns." } as const;
  await send({ kind: "transition", key, session, from: "ready", to: "fenced", evidence }, "user");
  for (const index of indexes) {
    const replica = `Replica/load/w-${at}.1.${index}` as ObjectKey;
    const gone = { kind: "node-fenced", node, session } as const;
    await send({ kind: "release", key: replica, incarnation, evidence: gone }, "release-lost");
  }
}

async function setUp(): Promise<void> {
  await call("POST", "/tenants", aTenantObject("load"));
  const metadata = { name: "default" };
  const spec = { limit: { cpu: 1_000, memory: "1000Gi" } };
  const quota = { apiVersion: "berth.dev/v1", kind: "Quota", metadata, spec };
  expect(await call("POST", "/namespaces/load/quotas", quota)).toBe(201);
  for (let at = 0; at < NODES; at++) {
    expect(await call("POST", "/nodes", aNodeObject(`n-${at}`))).toBe(201);
    const workload = aWorkloadObject(`w-${at}`, { spec: { replicas: REPLICAS } });
    expect(await call("POST", "/namespaces/load/workloads", workload)).toBe(201);
  }
}

const watcher = (
  plural: string,
  habit: ConstructorParameters<typeof RecordingWatcher>[0]["habit"],
): RecordingWatcher =>
  new RecordingWatcher({
    name: `${plural}: ${JSON.stringify(habit)}`,
    url: () => `${served.url}${BERTH}/${plural}?watch=1&allowWatchBookmarks=true`,
    from: served.running.revision,
    habit,
  });

const load = (round: number): Promise<unknown> =>
  Promise.all([
    ...Array.from({ length: WRITERS }, (_, at) => write(at)),
    ...Array.from({ length: NODES }, (_, at) => fence(at, round)),
  ]);

beforeAll(async () => {
  await served.start();
  await setUp();
  const start = served.running.revision;
  tenants = [
    watcher("tenants", { kind: "stays" }),
    watcher("tenants", { kind: "leaves at a bookmark", every: 2 }),
    // A tenant's event is the only one of its revision, so that it is safe to go on from.
    watcher("tenants", { kind: "leaves after events", count: 7 }),
  ];
  replicas = [
    watcher("replicas", { kind: "stays" }),
    watcher("replicas", { kind: "leaves at a bookmark", every: 1 }),
    watcher("replicas", { kind: "leaves at a bookmark", every: 3 }),
  ];
  const all = [...tenants, ...replicas];
  const watching = all.map((each) => each.watch());
  for (let round = 0; round < ROUNDS; round++) {
    await load(round);
    if (round === 0) {
      await served.stop();
      await served.start();
    }
  }
  const head = served.running.revision;
  await until("every watcher to have seen the end", () =>
    all.every(({ at }) => at >= head) ? true : undefined,
  ).catch((error: unknown) => {
    const behind = all.filter(({ at }) => at < head).map(({ story }) => story);
    throw new Error(`${String(error)} The end is ${head}. ${behind.join("; ")}`);
  });
  for (const each of all) each.finish();
  await Promise.all(watching);
  const commits = served.running.since(start) ?? [];
  if (commits.length !== head - start) throw new Error("The log has forgotten what happened.");
  truth = { tenants: truthOf(commits, "Tenant"), replicas: truthOf(commits, "Replica") };
});
afterAll(() => served.remove());

function complaintsOf(validate: Validator): readonly string[] {
  return [
    ...tenants.flatMap(({ history }) => validate(history, truth.tenants)),
    ...replicas.flatMap(({ history }) => validate(history, truth.replicas)),
  ];
}

/** The longest connection of the watcher that stays, for histories that go wrong. */
function good(): { readonly history: WatchHistory; readonly lines: readonly SeenLine[] } {
  const [steady] = replicas;
  const longest = steady!.history.connections.toSorted(
    (a, b) => b.lines.length - a.lines.length,
  )[0];
  const { from, lines } = longest as Connection;
  return { history: { watcher: "made up", connections: [{ from, lines }] }, lines };
}

const withLines = (lines: readonly SeenLine[]): WatchHistory => ({
  watcher: "made up",
  connections: [{ from: good().history.connections[0]!.from, lines }],
});

const eventsOf = (lines: readonly SeenLine[]): readonly SeenLine[] =>
  lines.filter(({ type }) => type !== "BOOKMARK");

const rejoined = (from: number, lines: readonly SeenLine[]): WatchHistory => ({
  watcher: "made up",
  connections: [
    { from: 0, lines: [] },
    { from, lines },
  ],
});

test("the load was one: many events, several in one revision, many connections, a restart", () => {
  expect(truth.tenants.length).toBeGreaterThan(WRITERS * WRITES);
  const together = truth.replicas.filter(
    ({ revision }, at, all) => all[at + 1]?.revision === revision,
  );
  expect(together.length).toBe(NODES * ROUNDS * (REPLICAS - 1));
  for (const { history } of [...tenants, ...replicas]) {
    expect(history.connections.length).toBeGreaterThan(1);
  }
  const bookmarks = [...tenants, ...replicas].flatMap(({ history }) =>
    history.connections.flatMap(({ lines }) => lines.filter(({ type }) => type === "BOOKMARK")),
  );
  expect(bookmarks.length).toBeGreaterThan(20);
});

test("[AP53] ordered", () => {
  expect(complaintsOf(ordered)).toEqual([]);
  const { lines } = good();
  expect(ordered(withLines(lines.toReversed()), truth.replicas)).not.toEqual([]);
});

test("[AP53] unique", () => {
  expect(complaintsOf(unique)).toEqual([]);
  const events = eventsOf(good().lines);
  expect(unique(withLines([...events, events[0]!]), truth.replicas)).not.toEqual([]);
});

test("[AP53] atomic", () => {
  expect(complaintsOf(atomic)).toEqual([]);
  const events = eventsOf(good().lines);
  const at = events.findIndex(({ revision }, index) => events[index + 1]?.revision === revision);
  const { revision } = events[at]!;
  const split = [...events.slice(0, at + 1), { type: "BOOKMARK", revision, key: "" } as const];
  expect(atomic(withLines([...split, ...events.slice(at + 1)]), truth.replicas)).not.toEqual([]);
});

test("[AP53] reliable", () => {
  expect(complaintsOf(reliable)).toEqual([]);
  const events = eventsOf(good().lines);
  const gap = events.filter((_, at) => at !== 3);
  expect(reliable(withLines(gap), truth.replicas)).toHaveLength(1);
  const made = { type: "ADDED", revision: events[3]!.revision, key: "Replica/x/y" } as const;
  expect(reliable(withLines([...events, made]), truth.replicas)).toHaveLength(1);
});

test("[AP53] resumable", () => {
  expect(complaintsOf(resumable)).toEqual([]);
  const events = eventsOf(good().lines);
  const { revision } = events[0]!;
  expect(resumable(rejoined(revision, events.slice(1)), truth.replicas)).toEqual([]);
  expect(resumable(rejoined(revision, events.slice(2)), truth.replicas)).not.toEqual([]);
  expect(resumable(rejoined(revision, events), truth.replicas)).not.toEqual([]);
});

test("[AP53] bookmarkable", () => {
  expect(complaintsOf(bookmarkable)).toEqual([]);
  const events = eventsOf(good().lines);
  const { revision } = events.at(-1)!;
  const early = { type: "BOOKMARK", revision, key: "" } as const;
  expect(bookmarkable(withLines([early, ...events]), truth.replicas)).not.toEqual([]);
  expect(bookmarkable(withLines([...events, early]), truth.replicas)).toEqual([]);
});
