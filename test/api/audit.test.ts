/** Who wrote what, when and on which grounds, as the API tells it. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { type AuditEntry, auditEntry } from "../../src/api/audit/audit-entry.ts";
import { createApiServer } from "../../src/api/http/create-api-server.ts";
import { Ledger } from "../../src/core/commit/ledger.ts";
import { takeSnapshot } from "../../src/core/commit/snapshot.ts";
import { createHostClock } from "../../src/host/host-clock.ts";
import { Plane } from "../../src/host/plane.ts";
import { MemoryLog } from "../../src/host/store/memory-log.ts";
import { PlaneUser, until } from "../host/a-running-plane.ts";
import { bind, replica, serve } from "./a-bound-replica.ts";
import { aWatch } from "./a-watch.ts";
import { anApiWithTenant, aWorkloadObject, type Api, BERTH, textAt, WORKLOADS } from "./an-api.ts";
import { loginName } from "../../src/shell/login-name.ts";

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

async function anApi(limits = {}): Promise<Api> {
  const api = await anApiWithTenant({ limits });
  closing.push(() => api.close());
  return api;
}

interface Page {
  readonly revision: number;
  readonly entries: readonly AuditEntry[];
  readonly next?: number;
  readonly says: string;
}

async function page(api: Api, query = ""): Promise<Page> {
  const { status, text } = await api.get(`/audit${query}`);
  if (status !== 200) throw new Error(text);
  return JSON.parse(text) as Page;
}

const renew = (api: Api, seq: number) =>
  api.send({ kind: "lease", node: "a-1", session: 1, seq, kept: [] }, "agent", "agent:a-1");

const put = (name: string, spec: Readonly<Record<string, unknown>>) =>
  aWorkloadObject(name, { spec: { replicas: 1, ...spec } });

it("[AP195] every commit but a heartbeat is an entry: who, what in words, on which grounds", async () => {
  const api = await anApi();
  await bind(api);
  await serve(api);
  for (const seq of [2, 3, 4]) await renew(api, seq);
  const ana = { "berth-as": "ana" };
  const node = `${BERTH}/nodes/a-1`;
  const merge = "application/merge-patch+json";
  await api.put(`${WORKLOADS}/api`, put("api", { replicas: 6 }), ana);
  const cordons = [{ holder: "ana", reason: "new disk" }];
  await api.patch(node, { spec: { cordons } }, merge, ana);
  await api.patch(node, { spec: { cordons: [] } }, merge, ana);
  await api.patch(`${WORKLOADS}/api`, { metadata: { labels: { tier: "one" } } }, merge, ana);
  const evidence = { kind: "surplus", workload: "Workload/payments/api" as never } as const;
  await api.put(`${WORKLOADS}/api`, put("api", { replicas: 0 }), ana);
  await api.send({ kind: "evict", replica, incarnation: 1, evidence }, "admit");

  const { entries, says } = await page(api);
  const lines = entries.map(({ actor, summary }) => `${actor.kind} ${actor.name}: ${summary}`);
  expect(lines.toReversed()).toEqual([
    "controller plane-1: began to lead, in epoch 1",
    `human ${loginName()}: created tenant payments`,
    `human ${loginName()}: created quota payments/default`,
    `human ${loginName()}: created node a-1`,
    `human ${loginName()}: created workload payments/api with 1 replica`,
    "agent agent:a-1: marked a-1 ready",
    "controller admit: admitted payments/api.1.0",
    "controller admit: reserved quota for payments/api.1.0",
    "controller admit: queued payments/api.1.0, and 1 more",
    "controller place: placed payments/api.1.0 on a-1",
    "agent agent:a-1: started payments/api.1.0 on a-1",
    "agent agent:a-1: reported payments/api.1.0 ready on a-1",
    "agent agent:a-1: reported payments/api.1.0 serving on a-1",
    "human ana: scaled payments/api from 1 to 6",
    "human ana: cordoned a-1: new disk",
    "human ana: uncordoned a-1",
    "human ana: changed the metadata of workload payments/api",
    "human ana: scaled payments/api from 6 to 0",
    "controller admit: asked payments/api.1.0 to stop: its workload no longer wants it",
  ]);
  expect(says).toBe("This is the full history.");
  expect(entries[0]).toMatchObject({
    revision: api.plane.revision,
    epoch: 1,
    actor: { kind: "controller", role: "admit", name: "admit" },
    command: "evict",
    operation: expect.stringMatching(/./),
    evidence: "The workload Workload/payments/api no longer wants it.",
    outcome: "committed",
    objects: [{ key: "replica/payments/api.1.0", change: "changed" }],
    more: 0,
  });
  // Whoever reads a commit back, from a file or over a wire, makes the same entry of it.
  const commits = api.plane.since() ?? [];
  expect(commits.map((commit) => auditEntry(structuredClone(commit)))).toEqual(
    commits.map(auditEntry),
  );
  expect(Date.parse(entries[0]?.time ?? "")).toBe(api.plane.past.commit(api.plane.revision)?.atMs);
});

it("[AP196] pages go backwards without a gap, filters say whose and of what, and a wrong query is 400", async () => {
  const api = await anApi();
  await bind(api);
  for (const seq of [2, 3]) await renew(api, seq);
  const all = await page(api);
  const paged: AuditEntry[] = [];
  let before: number | undefined;
  do {
    const part = await page(api, `?limit=3${before === undefined ? "" : `&before=${before}`}`);
    expect(part.entries.length).toBeLessThanOrEqual(3);
    paged.push(...part.entries);
    before = part.next;
  } while (before !== undefined);
  expect(paged).toEqual(all.entries);

  const summaries = async (query: string) =>
    (await page(api, query)).entries.map(({ summary }) => summary);
  expect(await summaries("?kind=agent")).toEqual(["marked a-1 ready"]);
  expect(await summaries("?actor=place")).toEqual(["placed payments/api.1.0 on a-1"]);
  expect(await summaries("?key=node/a-1")).toEqual(["marked a-1 ready", "created node a-1"]);
  expect(await summaries("?key=Node//a-1&kind=human")).toEqual(["created node a-1"]);
  expect(await summaries("?command=lead")).toEqual(["began to lead, in epoch 1"]);
  expect(await summaries("?key=workload/payments/other")).toEqual([]);
  expect(await summaries("?tenant=payments&kind=human")).toEqual([
    "created workload payments/api with 1 replica",
    "created quota payments/default",
    "created tenant payments",
  ]);
  expect(await summaries("?tenant=a-1")).toEqual([]);

  for (const [query, says] of [
    ["limit=0", 'limit is "0"; it is a whole number, 1 to 1000.'],
    ["limit=1001", "1 to 1000"],
    ["before=x", 'before is "x"; it is a whole number, 1 or more.'],
    ["kind=robot", 'kind is "robot"; there are human, controller, agent.'],
    ["key=workload", 'key is "workload"; it is KIND/TENANT/NAME or KIND/NAME'],
    ["watch=true&after=999", 'after is "999"; it is a whole number, 0 to'],
  ]) {
    const { status, json } = await api.get(`/audit?${query}`);
    expect([query, status, textAt(json, "message")]).toEqual([
      query,
      400,
      expect.stringContaining(says ?? ""),
    ]);
  }
});

/** What is told of an incarnation of a plane before and after a restart that loads a snapshot only. */
async function restarted(keptRevisions: number, kept: { readonly auditFolder?: string } = {}) {
  const store = new MemoryLog({ keptRevisions });
  const first = await Plane.open({ store });
  const clock = createHostClock();
  const entriesOf = async (plane: Plane, before: number) => {
    const log = { info: () => {}, warn: () => {}, error: () => {} };
    const app = createApiServer({ plane, clock, log, ...kept });
    const { payload } = await app.inject({ url: `/audit?before=${before}` });
    await app.close();
    return JSON.parse(payload) as Page;
  };
  const user = new PlaneUser(first);
  await user.furnish();
  await user.putDesired(1);
  await until("the scheduler to wait", () =>
    first.owed().find(({ controller }) => controller === "place-1"),
  );
  await user.putDesired(3);
  await until("three replicas", () =>
    [...first.objects.all("Replica")].length === 3 ? true : undefined,
  );
  const end = first.revision;
  const fresh = await entriesOf(first, end + 1);
  const ledger = new Ledger();
  for (const commit of first.since() ?? []) ledger.fold(commit);
  const { epoch } = first;
  await first.close();
  await store.compact(epoch, takeSnapshot(ledger));
  const second = await Plane.open({ store, clock, createControllers: () => [] });
  closing.push(() => second.close());
  expect(second.past.start).toBeGreaterThanOrEqual(end);
  return { fresh, stored: await entriesOf(second, end + 1), end: ledger.revision };
}

it("[AP196] what the store keeps is told as it was when it was new; what was compacted is said to be", async () => {
  const { fresh, stored } = await restarted(1_000);
  expect(fresh.entries.map(({ summary }) => summary)).toContain("scaled shop/api from 1 to 3");
  expect(stored.entries).toEqual(fresh.entries);
  expect(stored.says).toBe("This is the full history.");

  const cut = await restarted(2);
  expect(cut.stored.entries.length).toBeLessThanOrEqual(2);
  expect(cut.stored.next).toBeUndefined();
  expect(cut.stored.says).toMatch(/^Revisions before \d+ were compacted\.$/);
});

const humans = ({ entries }: Page) =>
  entries
    .filter(({ actor }) => actor.kind === "human")
    .map(({ revision, objects }) => ({ revision, key: objects[0]?.key }));

it("[ID8] what people did is told after the log was compacted, from what is kept beside it", async () => {
  const auditFolder = join(mkdtempSync(join(tmpdir(), "berth-audit-")), "audit");
  const { fresh, stored } = await restarted(2, { auditFolder });
  expect(humans(fresh).length).toBeGreaterThan(4);
  expect(humans(stored)).toEqual(humans(fresh));
  // In the words of when it was new: what it replaced is not in the log any more.
  expect(stored.entries.map(({ summary }) => summary)).toContain(
    "created workload shop/api with 1 replica",
  );
  expect(stored.entries.length).toBeLessThan(fresh.entries.length);
  expect(stored.says).toMatch(/were compacted; entries of people and tokens/);
  rmSync(join(auditFolder, ".."), { recursive: true });
});

it("[AP197] a watch tells what is new and where the log stands, and goes on after the revision it is given", async () => {
  const api = await anApi({ bookmarkEveryMs: 20 });
  const from = api.plane.revision;
  const watch = await aWatch(api.app, "/audit?watch=true&kind=human");
  await api.post(WORKLOADS, aWorkloadObject("one"));
  await bind(api);
  const told: string[] = [];
  let seen = 0;
  // The lines of entries and of bookmarks come as they may; what is told never goes back.
  while (seen < api.plane.revision) {
    const line = await watch.next();
    if (line === "end") throw new Error("The watch ended.");
    const revision = Number(line["revision"]);
    expect(revision).toBeGreaterThanOrEqual(seen);
    seen = revision;
    if (textAt(line, "type") === "entry") told.push(textAt(line, "summary"));
  }
  watch.close();
  expect(told).toEqual([
    "created workload payments/one with 1 replica",
    "created quota payments/default",
    "created node a-1",
    "created workload payments/api with 1 replica",
  ]);

  const later = await aWatch(api.app, `/audit?watch=true&kind=human&after=${from}`);
  const again = await later.take(told.length);
  expect(again.map((line) => textAt(line, "summary"))).toEqual(told);
  later.close();
  api.forget(from + 1);
  const { status } = await api.get(`/audit?watch=true&after=${from}`);
  expect(status).toBe(410);
});
