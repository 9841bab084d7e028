/** A tenant that floods a real plane in several ways at once, beside another with a real agent; and a plane that was stopped. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { FloodConnection } from "../../bench/overload/flood-connection.ts";
import type { ShownShares } from "../../src/api/shares/shown-shares.ts";
import { LOAD_LIMITS } from "../../src/core/model/limits/load-limits.ts";
import { HostilePlane } from "./a-hostile-plane.ts";
import { HONEST, OWN_TENANTS } from "./nasty-values.ts";

const world = new HostilePlane();
beforeAll(() => world.start());
afterAll(() => world.remove());

/** In flight at once: far more than one tenant has seats and places in a queue. */
const CONNECTIONS = 700;
const REQUESTS = 6_000;
/** Of the honest tenant, one after the other, while the flood goes on. */
const ASKED = 40;

const [OWN] = OWN_TENANTS;
const WORKLOADS = `/apis/berth.dev/v1/namespaces/${OWN}/workloads`;

const bodyOf = (name: string): string =>
  JSON.stringify({
    apiVersion: "berth.dev/v1",
    kind: "Workload",
    metadata: { name },
    spec: { replicas: 0, resources: { cpu: "10m", memory: "8Mi" }, run: { command: ["true"] } },
  });

function requestOf(at: number, head: string): string {
  const post = (body: string, length = body.length): string =>
    `POST ${WORKLOADS} HTTP/1.1\r\n${head}Content-Type: application/json\r\nContent-Length: ${length}\r\n\r\n${body}`;
  if (at % 50 === 0) return post("{", 9_000);
  return (
    [
      post(bodyOf(`flood-${at}`)),
      post(bodyOf("Not A Name")),
      `GET ${WORKLOADS} HTTP/1.1\r\n${head}\r\n`,
      `GET /apis/berth.dev/v1/replicas HTTP/1.1\r\n${head}\r\n`,
    ][at % 4] ?? ""
  );
}

/** Each connection sends its next request when one is answered, whatever the answer is. */
class Flood {
  readonly statuses = new Map<number, number>();
  private readonly connections: FloodConnection[] = [];
  private sent = 0;
  isOver = false;

  constructor() {
    for (let at = 0; at < CONNECTIONS; at += 1) this.open();
  }

  stop(): void {
    this.isOver = true;
    for (const connection of this.connections) connection.close();
  }

  private open(): void {
    const connection = new FloodConnection(new URL(world.url), "whole");
    this.connections.push(connection);
    this.send(connection);
  }

  private send(connection: FloodConnection): void {
    if (this.isOver) return;
    this.isOver = this.sent >= REQUESTS;
    const token = world.target.tokenOf("mallory") ?? "";
    const head = `Host: localhost\r\nAuthorization: Bearer ${token}\r\n`;
    const request = requestOf(this.sent, head);
    this.sent += 1;
    connection.send(request, (status) => {
      this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1);
      if (connection.isClosed) setTimeout(() => this.isOver || this.open(), 10);
      else setImmediate(() => this.send(connection));
    });
  }
}

const asHonest = (path: string): Promise<Response> =>
  fetch(`${world.url}${path}`, { headers: world.honestHeaders });

describe("a tenant that floods the plane", () => {
  it("[FS1] [FS2] is refused, and another tenant is answered each time, its node renews its lease in time", async () => {
    const before = await world.honestState();
    const flood = new Flood();
    const statuses = new Set<number>();
    const own = `/apis/berth.dev/v1/namespaces/${HONEST.tenant}/workloads`;
    for (let at = 0; at < ASKED; at += 1) {
      const path = [`${own}/${HONEST.workload}`, own, "/whoami", "/shares"][at % 4] ?? own;
      const answer = await asHonest(path);
      statuses.add(answer.status);
      await answer.arrayBuffer();
    }
    expect(await world.runsHonestWork("beside-the-flood")).toBe(true);
    flood.stop();
    expect([...statuses]).toEqual([200]);
    expect(flood.statuses.get(429) ?? 0).toBeGreaterThan(0);
    expect(flood.statuses.get(201) ?? 0).toBeGreaterThan(0);
    expect(await world.honestState()).toBe(before);
    const { levels } = (await (await asHonest("/shares")).json()) as ShownShares;
    const people = levels.find(({ level }) => level === "people");
    expect(people?.refused).toBeGreaterThan(0);
    expect(levels.find(({ level }) => level === "leases")?.refused).toBe(0);
  });
});

describe("a plane that was stopped", () => {
  it("[LB7] counts no node's silence from before: none is suspect, and every replica goes on", async () => {
    const before = await world.honestState();
    // With the time since its last renewal before, the node is silent for 8 s or more most times, and
    // never for as long as its lease: its agent ends nothing either.
    await world.plane.freeze(LOAD_LIMITS.stallMs.value + 2_000);
    await world.until("the plane to answer", async () =>
      (await world.get("/readyz")) ? true : undefined,
    );
    expect(await world.runsHonestWork("after-the-stop")).toBe(true);
    expect(await world.honestState()).toBe(before);
    expect(world.lastWords()).toContain("this plane stalled for");
  });
});
