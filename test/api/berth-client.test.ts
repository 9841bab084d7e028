/** The client library against a real plane over a real socket; no controllers run. */
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, describe, expect, it, test } from "vitest";
import { BerthClient, type Kinds, type WatchEvent } from "../../src/client/client.ts";
import { RESOURCES } from "../../src/client/kinds/all-kinds.ts";
import { addressOf } from "./a-watch.ts";
import { anApiWithTenant, type Api } from "./an-api.ts";

let api: Api;
let client: BerthClient;
const fakes: Server[] = [];
beforeEach(async () => {
  api = await anApiWithTenant();
  client = new BerthClient({ server: await addressOf(api.app), namespace: "payments" });
});
afterEach(async () => {
  for (const fake of fakes.splice(0)) fake.closeAllConnections();
  await api.close();
});

const SPEC = {
  resources: { cpu: "500m", memory: "64Mi" },
  run: { command: ["serve"] },
} as const satisfies Kinds["Workload"]["spec"];

const aWorkload = (name: string, replicas = 1) => ({
  metadata: { name },
  spec: { ...SPEC, replicas },
});

async function aPlaneThatSays(
  ...answers: readonly { status: number; body?: string }[]
): Promise<{ readonly server: string; readonly seen: IncomingMessage["headers"][] }> {
  const seen: IncomingMessage["headers"][] = [];
  const fake = createServer((request, response) => {
    const { status, body = "{}" } = answers[Math.min(seen.length, answers.length - 1)]!;
    seen.push(request.headers);
    response.writeHead(status).end(body);
  });
  fakes.push(fake);
  await new Promise<void>((resolve) => fake.listen(0, "127.0.0.1", resolve));
  return { server: `http://127.0.0.1:${(fake.address() as AddressInfo).port}`, seen };
}

describe("the client library", () => {
  it("[AP350] creates, gets, lists, patches and deletes an object of a typed kind", async () => {
    const workloads = client.kind("Workload");
    const made = await workloads.create(aWorkload("api"));
    expect(made.spec.replicas).toBe(1);
    const patched = await workloads.patch("api", { spec: { replicas: 3 } });
    expect(patched.metadata.generation).toBe(2);
    expect((await workloads.get("api")).spec.replicas).toBe(3);
    const { items } = await workloads.list({ labelSelector: "team!=x", limit: 10 });
    expect(items.map(({ metadata }) => metadata.name)).toEqual(["api"]);
    const deleted = await workloads.delete("api");
    expect(deleted.metadata.deletionTimestamp).toBeDefined();
  });

  it("[AP350] applies fields under its field manager, and a conflict names the owner", async () => {
    const server = await addressOf(api.app);
    const other = new BerthClient({ server, namespace: "payments", fieldManager: "other" });
    await client.kind("Workload").apply(aWorkload("api", 2));
    const contested = other.kind("Workload").apply(aWorkload("api", 5));
    await expect(contested).rejects.toMatchObject({ status: 409, reason: "Conflict" });
    await expect(contested).rejects.toThrow('conflict with "berth-client"');
    const taken = await other.kind("Workload").apply(aWorkload("api", 5), { force: true });
    expect(taken.spec.replicas).toBe(5);
  });

  it("[AP350] tries a write out without a change", async () => {
    await client.kind("Workload").create(aWorkload("api"), { dryRun: true });
    await expect(client.kind("Workload").get("api")).rejects.toMatchObject({ status: 404 });
  });

  it("[AP350] writes a condition of its own to the status", async () => {
    await client.kind("Workload").create(aWorkload("api"));
    const condition = { type: "example.com/Seen", status: "True", reason: "Seen", message: "" };
    const { status } = await client
      .kind("Workload")
      .patchStatus("api", { conditions: [condition] });
    expect(status?.conditions.map(({ type }) => type)).toContain("example.com/Seen");
  });

  it("[AP350] explains a workload", async () => {
    await client.kind("Workload").create(aWorkload("api"));
    const { timeline, now } = await client.explain("workload", "api");
    expect(timeline).toHaveLength(1);
    expect(now.exists).toBe(true);
  });

  it("[AP350] rejects with the plane's own words and the fields that are wrong", async () => {
    const wrong = { metadata: { name: "api" }, spec: { ...SPEC, replicas: -1 } };
    const refused = client.kind("Workload").create(wrong);
    await expect(refused).rejects.toMatchObject({
      name: "BerthError",
      status: 422,
      details: { causes: [{ field: "spec.replicas" }] },
    });
    const log = client.logs("api-0")[Symbol.asyncIterator]();
    await expect(log.next()).rejects.toMatchObject({ status: 404 });
    const homeless = new BerthClient({ server: await addressOf(api.app) });
    expect(() => homeless.kind("Workload").get("api")).toThrow("belongs to a tenant");
  });
});

describe("a call of the client library", () => {
  it("[AP351] is sent again under the same key while the plane says not now", async () => {
    const { server, seen } = await aPlaneThatSays({ status: 503 }, { status: 200 });
    await new BerthClient({ server }).kind("Tenant").create({ metadata: { name: "shop" } });
    expect(seen).toHaveLength(2);
    expect(seen[0]?.["idempotency-key"]).toBe(seen[1]?.["idempotency-key"]);
  });

  it("[AP351] gives up after its attempts", async () => {
    const { server, seen } = await aPlaneThatSays({ status: 503, body: "busy" });
    const asked = new BerthClient({ server, attempts: 2 }).kind("Node").list();
    await expect(asked).rejects.toMatchObject({ status: 503, message: "HTTP 503: busy" });
    expect(seen).toHaveLength(2);
  });

  it("[AP351] keeps the failure of the network as its cause", async () => {
    const away = new BerthClient({ server: "http://127.0.0.1:1", attempts: 1 });
    const error = await away
      .kind("Node")
      .list()
      .catch((failure: unknown) => failure);
    expect(error).toMatchObject({ name: "BerthError", reason: "Unreachable" });
    expect((error as Error).message).toContain("http://127.0.0.1:1: ");
    expect((error as Error).cause).toBeInstanceOf(Error);
  });

  test.each(["", "ftp://x", "berth"])("[AP351] to the server %j is rejected", (server) => {
    expect(() => new BerthClient({ server })).toThrow("expected an address");
  });
});

type WorkloadEvent = WatchEvent<Kinds["Workload"]>;

const story = (event: WorkloadEvent): string =>
  event.type === "LISTED"
    ? `LISTED ${event.objects.map(({ metadata }) => metadata.name).join(" ")}`.trim()
    : `${event.type} ${event.object.metadata.name} ${event.object.spec.replicas}`;

async function take(
  events: AsyncGenerator<WorkloadEvent, void, undefined>,
  count: number,
): Promise<readonly string[]> {
  const taken: string[] = [];
  while (taken.length < count) {
    const { value, done } = await events.next();
    if (done === true) break;
    taken.push(story(value));
  }
  return taken;
}

describe("a watch of the client library", () => {
  const end = new AbortController();

  it("[AP352] begins with a list and goes on with every change", async () => {
    const workloads = client.kind("Workload");
    await workloads.create(aWorkload("a"));
    const events = workloads.watch({ signal: end.signal });
    expect(await take(events, 1)).toEqual(["LISTED a"]);
    await workloads.create(aWorkload("b"));
    await workloads.patch("b", { spec: { replicas: 2 } });
    expect(await take(events, 2)).toEqual(["ADDED b 1", "MODIFIED b 2"]);
    await events.return();
  });

  it("[AP352] resumes after a cut connection without a gap and without a repetition", async () => {
    const workloads = client.kind("Workload");
    const failures: string[] = [];
    const onError = ({ message }: Error): void => void failures.push(message);
    const events = workloads.watch({ onError });
    expect(await take(events, 1)).toEqual(["LISTED"]);
    await workloads.create(aWorkload("a"));
    expect(await take(events, 1)).toEqual(["ADDED a 1"]);
    api.app.server.closeAllConnections();
    await workloads.create(aWorkload("b"));
    expect(await take(events, 1)).toEqual(["ADDED b 1"]);
    expect(failures).toHaveLength(1);
    await events.return();
  });

  it("[AP353] lists again when the plane no longer has the changes in between", async () => {
    const workloads = client.kind("Workload");
    await workloads.create(aWorkload("a"));
    await workloads.create(aWorkload("b"));
    api.forget(api.plane.revision);
    const events = workloads.watch({ resourceVersion: "1" });
    expect(await take(events, 1)).toEqual(["LISTED a b"]);
    await events.return();
  });

  it("[AP352] ends when its signal says so, and throws a refusal that stays one", async () => {
    const stop = new AbortController();
    const events = client.kind("Workload").watch({ signal: stop.signal });
    await take(events, 1);
    const next = events.next();
    stop.abort();
    expect(await next).toEqual({ value: undefined, done: true });
    const wrong = client.kind("Workload").watch({ labelSelector: "((" });
    await expect(wrong.next()).rejects.toMatchObject({ status: 400 });
  });
});

test("[AP350] the client library knows every kind that the plane serves", async () => {
  const { json } = await api.get("/apis/berth.dev/v1");
  const resources = json["resources"] as unknown as readonly { name: string }[];
  const plurals = resources.map(({ name }) => name).filter((name) => !name.includes("/"));
  const known = Object.values(RESOURCES).map(({ plural }): string => plural);
  expect(known.filter((plural) => !plurals.includes(plural))).toEqual([]);
});
