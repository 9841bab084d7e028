import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { deferred } from "../../src/cli/deferred.ts";
import { SharedMemoryLog } from "../builders/shared-memory-log.ts";
import { until } from "../host/a-running-plane.ts";
import { type OnePlane, SeveralPlanes } from "../host/several-planes.ts";

const TENANTS = "/apis/berth.dev/v1/tenants";

let planes = new SeveralPlanes();
let a: OnePlane;
let b: OnePlane;

beforeEach(async () => {
  planes = new SeveralPlanes();
  a = await planes.open("a", { limits: { leaderWaitMs: 20_000, bookmarkEveryMs: 100 } });
  await planes.leader();
  b = await planes.open("b", { limits: { leaderWaitMs: 20_000, futureRevisionWaitMs: 20_000 } });
});
afterEach(() => planes.close());

const tenantNamed = (name: string) => ({
  apiVersion: "berth.dev/v1",
  kind: "Tenant",
  metadata: { name },
  spec: { displayName: name },
});

const create = (at: OnePlane, name: string, headers: Record<string, string> = {}) =>
  fetch(`${at.url}${TENANTS}`, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(tenantNamed(name)),
  });

interface Shown {
  readonly metadata: { readonly name: string; readonly resourceVersion: string };
}

/** Its appends land, and it hears of them only when it is told to. */
function deafen({ log }: OnePlane): () => void {
  const append = log.append.bind(log);
  const told = deferred<void>();
  log.append = async (epoch, commits) => {
    const result = await append(epoch, commits);
    await told.promise;
    return result;
  };
  return () => told.resolve();
}

describe("a plane that follows", () => {
  test("[AP150] sends a write on to the plane that leads, and hands its answer back", async () => {
    const made = await create(b, "shop");
    expect(made.status).toBe(201);
    expect(made.headers.get("content-length")).toBe(String((await made.text()).length));
    expect(a.plane.objects.all("Tenant").size).toBe(1);
    const again = await create(b, "shop");
    expect(again.status).toBe(409);
    expect(await again.json()).toMatchObject({ reason: "AlreadyExists" });
    const gone = await fetch(`${b.url}${TENANTS}/shop`, { method: "DELETE" });
    expect(gone.status).toBe(200);
  });

  test("[AP151] shows every write that was acknowledged anywhere before it was asked", async () => {
    for (let at = 0; at < 25; at += 1) {
      expect((await create(a, `t-${at}`)).status).toBe(201);
      const read = await fetch(`${b.url}${TENANTS}/t-${at}`);
      expect(read.status).toBe(200);
      const listed = (await (await fetch(`${b.url}${TENANTS}`)).json()) as { items: unknown[] };
      expect(listed.items).toHaveLength(at + 1);
    }
  });

  test("[AP151] waits for the revision that a client has seen, and shows what it has for 0", async () => {
    const made = (await (await create(a, "shop")).json()) as Shown;
    const { resourceVersion } = made.metadata;
    const read = await fetch(`${b.url}${TENANTS}/shop?resourceVersion=${resourceVersion}`);
    expect(read.status).toBe(200);
    expect((await fetch(`${b.url}${TENANTS}?resourceVersion=0`)).status).toBe(200);
  });

  test("[AP151] the plane that leads shows what others show, also before it hears that its append has landed", async () => {
    const hear = deafen(a);
    const making = create(a, "shop");
    await until("b to show it", () =>
      b.plane.objects.all("Tenant").size === 1 ? true : undefined,
    );
    expect((await fetch(`${b.url}${TENANTS}/shop`)).status).toBe(200);
    const reading = fetch(`${a.url}${TENANTS}/shop`);
    setTimeout(hear, 100);
    expect((await reading).status).toBe(200);
    expect((await making).status).toBe(201);
  });

  test("[AP151] a write over what another plane has shown is neither a conflict nor about nothing", async () => {
    const hear = deafen(a);
    const making = create(a, "shop");
    await until("b to show it", () =>
      b.plane.objects.all("Tenant").size === 1 ? true : undefined,
    );
    const shown = (await (await fetch(`${b.url}${TENANTS}/shop`)).json()) as Shown;
    const over = (displayName: string, resourceVersion: string) =>
      fetch(`${b.url}${TENANTS}/shop`, {
        method: "PUT",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({
          ...tenantNamed("shop"),
          metadata: { name: "shop", resourceVersion },
          spec: { displayName },
        }),
      });
    const first = over("first", shown.metadata.resourceVersion);
    setTimeout(hear, 100);
    expect((await making).status).toBe(201);
    expect((await first).status).toBe(200);
    const hearAgain = deafen(a);
    const changing = over(
      "second",
      ((await (await first).json()) as Shown).metadata.resourceVersion,
    );
    await until("b to show it", () =>
      [...b.plane.objects.all("Tenant").values()][0]?.spec.displayName === "second"
        ? true
        : undefined,
    );
    const newest = (await (await fetch(`${b.url}${TENANTS}/shop`)).json()) as Shown;
    const last = over("third", newest.metadata.resourceVersion);
    setTimeout(hearAgain, 100);
    expect((await changing).status).toBe(200);
    expect((await last).status).toBe(200);
  });

  test("[AP151] says so when it cannot ask the log how far it has come", async () => {
    b.log.end = () => Promise.reject(new Error("Nobody answers."));
    const read = await fetch(`${b.url}${TENANTS}`);
    expect(read.status).toBe(503);
    expect(await read.json()).toMatchObject({
      message: expect.stringContaining("resourceVersion=0"),
    });
    expect((await fetch(`${b.url}${TENANTS}?resourceVersion=0`)).status).toBe(200);
  });

  test("[AP152] watches go on over a change of leadership without a gap", async () => {
    const over = new AbortController();
    const seen: string[] = [];
    const watch = await fetch(`${b.url}${TENANTS}?watch=true&resourceVersion=1`, {
      signal: over.signal,
    });
    const reading = (async () => {
      const decoder = new TextDecoder();
      for await (const part of watch.body!) {
        for (const line of decoder
          .decode(part as Uint8Array)
          .trim()
          .split("\n")) {
          seen.push((JSON.parse(line) as { object: Shown }).object.metadata.name);
        }
      }
    })().catch(() => {});
    for (let at = 0; at < 5; at += 1) await create(b, `before-${at}`);
    await a.stop();
    for (let at = 0; at < 5; at += 1) expect((await create(b, `after-${at}`)).status).toBe(201);
    await until("all to be seen", () => (seen.length >= 10 ? true : undefined));
    over.abort();
    await reading;
    expect(seen).toEqual([
      ...[0, 1, 2, 3, 4].map((at) => `before-${at}`),
      ...[0, 1, 2, 3, 4].map((at) => `after-${at}`),
    ]);
  });

  test("[AP153] what meets a change of leadership waits for the next leader", async () => {
    // Somebody has the lead of whom nobody has heard yet.
    planes.shared.setLeader(undefined, new SharedMemoryLog(planes.shared));
    const waiting = create(b, "patient");
    await until("a to follow", () => (a.leads.length === 2 ? true : undefined));
    planes.shared.endLease();
    expect((await waiting).status).toBe(201);
  });

  test("[AP153] what a leader took that hangs is sent to the next one if it has one effect, and told if not", async () => {
    let taken = 0;
    const hanging = createServer(() => void (taken += 1)).listen(0, "127.0.0.1");
    await once(hanging, "listening");
    const url = `http://127.0.0.1:${(hanging.address() as AddressInfo).port}`;
    const { epoch } = a.plane;
    planes.shared.setLeader({ name: "hanging", url, epoch }, new SharedMemoryLog(planes.shared));
    const keyed = create(b, "keyed", { "idempotency-key": "one" });
    const bare = create(b, "bare");
    await until("both to hang there", () => (taken === 2 ? true : undefined));
    planes.shared.endLease();
    expect((await keyed).status).toBe(201);
    expect(await (await bare).json()).toMatchObject({ code: 504, reason: "Timeout" });
    hanging.closeAllConnections();
    hanging.close();
  });

  test("[AP153] an agent's stream ends with the lead of its plane, wherever it came from", async () => {
    const streams = await Promise.all(
      [a, b].map(({ url }) => fetch(`${url}/stream/watch?node=n1&from=${a.plane.revision}`)),
    );
    expect(streams.map(({ status }) => status)).toEqual([200, 200]);
    planes.shared.setLeader(undefined, new SharedMemoryLog(planes.shared));
    const ends = streams.map((stream) => stream.text().catch(() => "cut"));
    planes.shared.endLease();
    await Promise.all(ends);
  });

  test("[AP153] a request that was sent on once is not sent on again", async () => {
    const made = await create(b, "shop", { "berth-forwarded-by": "another" });
    expect(made.status).toBe(503);
    expect(made.headers.get("retry-after")).toBe("1");
  });

  test("[AP150] is ready while there is a leader, and names it", async () => {
    expect((await fetch(`${b.url}/readyz`)).status).toBe(200);
    const metrics = await (await fetch(`${b.url}/metrics`)).text();
    expect(metrics).toContain("berth_leading 0");
  });

  test("[AP150] hands on what only the leader knows: decisions, events, operations", async () => {
    for (const path of ["/capacity", "/operations/none", "/api/v1/events"]) {
      expect((await fetch(`${b.url}${path}`)).status).toBe(200);
    }
  });
});
