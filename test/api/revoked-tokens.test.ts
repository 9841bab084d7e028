/** A token that is taken from the list ends what is open under it, and nothing else. */
import { connect, type Socket } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { listen } from "../../src/api/http/listen.ts";
import { type ApiToken, TokenRegistry } from "../../src/api/identity/token-registry.ts";
import { anApi, type Api, aTenantObject, BERTH } from "./an-api.ts";

const ANA: ApiToken = { token: "secret-of-ana-0001", kind: "user", name: "ana" };
const BOB: ApiToken = { token: "secret-of-bob-0001", kind: "user", name: "bob" };
const NODE: ApiToken = { token: "secret-of-a-1-0001", kind: "agent", name: "a-1" };
const ALL = [ANA, BOB, NODE];
const registry = new TokenRegistry(ALL);

let api: Api;
let url: string;
beforeAll(async () => {
  api = await anApi({ auth: registry, admins: ALL });
  url = await listen(api.app, { port: 0, auth: registry });
});
afterAll(() => api.close());
beforeEach(() => void registry.replace(ALL));

const ask = (path: string, { token }: ApiToken, init: RequestInit = {}): Promise<Response> =>
  fetch(`${url}${path}`, { ...init, headers: { authorization: `Bearer ${token}` } });

const post = ({ token }: ApiToken, object: object): Promise<Response> =>
  fetch(`${url}${BERTH}/tenants`, {
    method: "POST",
    body: JSON.stringify(object),
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
  });

/** Resolves when the stream is over, however it ends. */
const ended = (stream: Response): Promise<string> =>
  stream.text().then(
    () => "ended",
    () => "ended",
  );

const STREAMS: readonly (readonly [string, string, ApiToken])[] = [
  ["a watch", `${BERTH}/tenants?watch=true`, ANA],
  ["a watch of events", "/api/v1/events?watch=true", ANA],
  ["a view of the dashboard", "/views/fleet?watch=true", ANA],
  ["the stream of a node", "/stream/watch?node=a-1&from=1", NODE],
];

describe("a revoked token", () => {
  it.each(STREAMS)("[AU2] ends %s at once", async (_, path, of) => {
    const stream = await ask(path, of);
    expect(stream.status).toBe(200);
    expect(registry.find(of.token)?.openCount).toBe(1);
    const over = ended(stream);
    registry.replace(ALL.filter((each) => each !== of));
    expect(await over).toBe("ended");
    expect((await ask(path, of)).status).toBe(401);
  });

  it("[AU2] leaves the streams of others open", async () => {
    const stream = await ask(`${BERTH}/tenants?watch=true`, BOB);
    let isOver = false;
    void ended(stream.clone()).then(() => (isOver = true));
    registry.replace(ALL.filter((each) => each !== ANA));
    expect((await post(BOB, aTenantObject("seen"))).status).toBe(201);
    expect(isOver).toBe(false);
    registry.replace(ALL.filter((each) => each !== BOB));
  });

  it("[AU2] changes nothing with a request whose body is still on its way", async () => {
    const body = JSON.stringify(aTenantObject("late"));
    const { socket, over } = await begun(body);
    registry.replace(ALL.filter((each) => each !== ANA));
    socket.write(body);
    await over;
    expect(api.plane.objects.all("Tenant").has("Tenant//late" as never)).toBe(false);
  });

  it("[AU2] ends a deletion of many objects between two of its parts", async () => {
    const names = Array.from({ length: 150 }, (_, at) => `many-${at}`);
    await Promise.all(names.map((name) => post(BOB, aTenantObject(name))));
    const left = (): number =>
      [...api.plane.objects.all("Tenant").values()].filter(
        ({ meta }) => meta.name.startsWith("many-") && meta.deletingMs === undefined,
      ).length;
    expect(left()).toBe(150);
    const stop = api.plane.onPublish(() => void registry.replace([BOB, NODE]));
    await ask(`${BERTH}/tenants`, ANA, { method: "DELETE" }).catch(() => undefined);
    stop();
    // By each of these the next part would have been carried out.
    for (let at = 0; at < 5; at += 1) await post(BOB, aTenantObject(`after-${at}`));
    expect(left()).toBeGreaterThan(0);
    expect(left()).toBeLessThan(150);
  });

  it("[AU2] is another one when the line behind it says something else", async () => {
    const over = ended(await ask("/stream/watch?node=a-1&from=1", NODE));
    registry.replace([ANA, BOB, { ...NODE, approved: { cpuMillis: 1 } }]);
    expect(await over).toBe("ended");
    expect((await ask("/stream/list?node=a-1", NODE)).status).toBe(200);
  });

  it("[AU1] expires at its time, with what is open under it", async () => {
    const soon = { ...ANA, expiresMs: Date.now() + 3_600_000 };
    registry.replace([soon, BOB]);
    const over = ended(await ask(`${BERTH}/tenants?watch=true`, ANA));
    registry.endExpired(soon.expiresMs - 1);
    expect(registry.find(ANA.token)?.isRevoked).toBe(false);
    registry.endExpired(soon.expiresMs);
    expect(await over).toBe("ended");
    expect((await ask("/version", ANA)).status).toBe(401);
    registry.replace([{ ...ANA, expiresMs: 1 }, BOB]);
    expect((await ask("/version", ANA)).status).toBe(401);
    expect((await ask("/version", BOB)).status).toBe(200);
  });
});

/** A request of Ana's whose head has arrived and whose body has not. */
async function begun(body: string): Promise<{ socket: Socket; over: Promise<void> }> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  const over = new Promise<void>((resolve) => socket.once("close", () => resolve()));
  socket.on("error", () => {});
  socket.write(
    [
      `POST ${BERTH}/tenants HTTP/1.1`,
      `Host: ${hostname}:${port}`,
      `Authorization: Bearer ${ANA.token}`,
      "Content-Type: application/json",
      `Content-Length: ${Buffer.byteLength(body)}`,
      "\r\n",
    ].join("\r\n"),
  );
  const open = () => registry.find(ANA.token)?.openCount;
  await expect.poll(open, { timeout: 120_000, interval: 5 }).toBe(1);
  return { socket, over };
}
