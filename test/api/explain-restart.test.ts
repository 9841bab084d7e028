/** What is told of the past by a plane that was started after it. */
import { afterEach, expect, it } from "vitest";
import { createApiServer } from "../../src/api/http/create-api-server.ts";
import { Ledger } from "../../src/core/commit/ledger.ts";
import { takeSnapshot } from "../../src/core/commit/snapshot.ts";
import { createHostClock } from "../../src/host/host-clock.ts";
import { Plane } from "../../src/host/plane.ts";
import { MemoryLog } from "../../src/host/store/memory-log.ts";
import { PlaneUser, until } from "../host/a-running-plane.ts";

const silent = { info: () => {}, warn: () => {}, error: () => {} };
const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

/** An incarnation of a plane in which a replica waits, then a restart of which only a snapshot is loaded. */
async function restarted(keptRevisions: number) {
  const store = new MemoryLog({ keptRevisions });
  const first = await Plane.open({ store });
  const user = new PlaneUser(first);
  await user.furnish();
  await user.putDesired(1);
  await until("the scheduler to wait", () =>
    first.owed().find(({ controller }) => controller === "place-1"),
  );
  const ledger = new Ledger();
  for (const commit of first.since() ?? []) ledger.fold(commit);
  const { epoch } = first;
  await first.close();
  await store.compact(epoch, takeSnapshot(ledger));
  const clock = createHostClock();
  const plane = await Plane.open({ store, clock, createControllers: () => [] });
  const app = createApiServer({ plane, clock, log: silent });
  closing.push(async () => {
    await app.close();
    await plane.close();
  });
  const get = async (url: string) => {
    const { statusCode: status, payload } = await app.inject({ method: "GET", url });
    return { status, payload, json: JSON.parse(payload) };
  };
  const [replica] = plane.objects.all("Replica").values();
  return { get, name: replica?.meta.name ?? "", end: ledger.revision, start: plane.past.start };
}

const WORKLOADS = "/apis/berth.dev/v1/workloads";
const at = (revision: number) => `?resourceVersion=${revision}&resourceVersionMatch=Exact`;

it("[AP161] after a restart the timeline goes on into the store, without the reasons of before", async () => {
  const { get, name, start, end } = await restarted(50);
  expect(start).toBe(end);
  const { json } = await get(`/explain?kind=replica&namespace=shop&name=${name}`);
  expect(json.timeline.map(({ command }: { command: string }) => command)).toEqual(["enqueue"]);
  expect(json.timeline[0].decided).toBeUndefined();
  expect(json.record).toMatchObject({ isWhole: true });
});

it("[AP161] what was compacted is said to be", async () => {
  const { get, end } = await restarted(1);
  const { json } = await get("/explain?kind=node&name=n1");
  expect(json.timeline).toEqual([]);
  expect(json.record).toEqual({
    from: end - 1,
    isWhole: false,
    says: `Revisions before ${end - 1} were compacted.`,
  });
});

it("[AP164] exact revisions are read from the store, and those that are gone are 410 with the oldest", async () => {
  const kept = await restarted(50);
  const counts = await Promise.all(
    Array.from({ length: kept.end }, async (_, index) => {
      const { json } = await kept.get(`${WORKLOADS}${at(index + 1)}`);
      return json.items.length as number;
    }),
  );
  // The desired state is the last put of the user, after the tenant, the quota and two nodes.
  expect(counts.filter((count) => count === 0).length).toBeGreaterThan(3);
  expect(counts.at(-1)).toBe(1);
  const cut = await restarted(1);
  const { status, payload } = await cut.get(`${WORKLOADS}${at(2)}`);
  expect(status).toBe(410);
  expect(payload).toContain(`the oldest known revision of workloads is ${cut.end - 1}`);
});
