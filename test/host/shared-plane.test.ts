import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { tenantKey } from "../../src/core/model/ids.ts";
import { Recorder } from "../../src/host/recording/recorder.ts";
import { replayRecording } from "../../src/replay/replay-recording.ts";
import { PlaneUser, until } from "./a-running-plane.ts";
import { SeveralPlanes } from "./several-planes.ts";

let planes = new SeveralPlanes();
afterEach(async () => {
  await planes.close();
  planes = new SeveralPlanes();
});

const tenant = { kind: "Tenant", spec: { displayName: "Shop" } } as const;

const committed = (revision: number) =>
  expect.objectContaining({ kind: "outcome", outcome: { kind: "committed", revision } });

describe("planes that share a log", () => {
  test("one leads, and the others show what it commits", async () => {
    const a = await planes.open("a");
    await until("a to lead", () => (a.plane.isLeading ? true : undefined));
    const b = await planes.open("b");
    await new PlaneUser(a.plane).put(tenantKey("shop"), tenant);
    await until("b to show it", () => b.plane.objects.get(tenantKey("shop")));
    expect(b.plane.isLeading).toBe(false);
    expect(b.plane.leader).toMatchObject({ name: "a", url: a.url });
    expect(b.plane.since(1)).toEqual(a.plane.since(1));
    expect(await new PlaneUser(b.plane).put(tenantKey("x"), tenant)).toEqual({
      kind: "unavailable",
    });
  });

  test("one that begins late shows all there is when it opens", async () => {
    const a = await planes.open("a");
    await planes.leader();
    const user = new PlaneUser(a.plane);
    for (let at = 0; at < 20; at += 1) await user.put(tenantKey(`t-${at}`), tenant);
    const b = await planes.open("b");
    expect(b.plane.objects.all("Tenant").size).toBe(20);
  });

  test("the next one leads as soon as the lead is given up, and knows every operation", async () => {
    const a = await planes.open("a");
    await planes.leader();
    const b = await planes.open("b");
    const user = new PlaneUser(a.plane);
    expect(await user.put(tenantKey("shop"), tenant)).toEqual(committed(2));
    await a.stop();
    await until("b to lead", () => (b.plane.isLeading ? true : undefined));
    const operation = [...(b.plane.since(1) ?? [])].find(({ command }) => command === "put");
    expect(
      await b.plane.request("test", {
        kind: "lookup",
        operation: operation!.operation,
        actor: operation!.actor,
        attempt: 1,
      }),
    ).toMatchObject({ kind: "found", first: { revision: 2 } });
    expect(b.leads).toEqual([true]);
  });

  test("[EP7] a plane that slept over its lease answers nothing and writes nothing when it wakes", async () => {
    const a = await planes.open("a");
    await planes.leader();
    const b = await planes.open("b");
    // The store ends the lease; a does not know, except for what its own clock says.
    planes.shared.endLease();
    await until("b to lead", () => (b.plane.isLeading ? true : undefined));
    await new PlaneUser(b.plane).put(tenantKey("new"), tenant);
    expect(await new PlaneUser(a.plane).put(tenantKey("shop"), tenant)).toEqual({
      kind: "unavailable",
    });
    await until("a to follow", () => a.plane.objects.get(tenantKey("new")));
    expect(a.plane.objects.get(tenantKey("shop"))).toBeUndefined();
    expect(a.plane.leader).toMatchObject({ name: "b" });
    expect(a.leads).toEqual([true, false]);
  });

  test("an append whose outcome is unknown is settled by leading again, and its sender is answered", async () => {
    const a = await planes.open("a");
    await planes.leader();
    const user = new PlaneUser(a.plane);
    planes.shared.log.orderFault("landed-unknown");
    expect(await user.put(tenantKey("shop"), tenant)).toEqual(committed(2));
    planes.shared.log.orderFault("lost-unknown");
    expect(await user.put(tenantKey("lost"), tenant)).toEqual({ kind: "unavailable" });
    expect(a.plane.objects.get(tenantKey("lost"))).toBeUndefined();
    expect(a.plane.isLeading).toBe(true);
  });

  test("what was under way when the lead was lost is answered by what became of it, not by what is hoped", async () => {
    const a = await planes.open("a");
    await planes.leader();
    const b = await planes.open("b");
    const append = a.log.append.bind(a.log);
    const heard = new AbortController();
    a.log.append = async (epoch, commits) => {
      const isLost = commits.some(({ changes }) => changes.some(({ key }) => key.endsWith("lost")));
      const result = isLost ? "unknown" : await append(epoch, commits);
      if (!heard.signal.aborted) await once(heard.signal, "abort");
      return result;
    };
    const user = new PlaneUser(a.plane);
    const landed = user.put(tenantKey("landed"), tenant);
    await until("b to show it", () => b.plane.objects.get(tenantKey("landed")));
    // Behind it, and never sent: one append at a time.
    const lost = user.put(tenantKey("lost"), tenant);
    planes.shared.endLease();
    await until("b to lead", () => (b.plane.isLeading ? true : undefined));
    expect(await landed).toEqual(committed(2));
    expect(await lost).toEqual({ kind: "unavailable" });
    expect(b.plane.objects.get(tenantKey("lost"))).toBeUndefined();
    heard.abort();
  });

  test("[RC1] each leadership is a chapter that can be replayed", async () => {
    const folder = mkdtempSync(join(tmpdir(), "berth-shared-"));
    try {
      const recorder = new Recorder({ folder, version: "test" });
      const a = await planes.open("a");
      await planes.leader();
      const b = await planes.open("b", { recorder });
      await new PlaneUser(a.plane).furnish();
      await a.stop();
      await until("b to lead", () => (b.plane.isLeading ? true : undefined));
      await new PlaneUser(b.plane).putDesired(2);
      planes.shared.endLease();
      await until("b to lead again", () => (b.leads.length === 3 ? true : undefined));
      await new PlaneUser(b.plane).putDesired(3);
      await b.stop();
      const report = replayRecording(folder);
      expect(report).toMatchObject({ diverged: false });
      expect(report.turns).toBeGreaterThan(5);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
