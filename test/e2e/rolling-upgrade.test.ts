/** Planes that are replaced one after the other, as an upgrade does it, while somebody goes on writing and reading. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { ApiClient } from "../../src/cli/client/api-client.ts";
import { findServer } from "../../src/cli/client/find-server.ts";
import { Cluster } from "./cluster/cluster.ts";

const TENANTS = "/apis/berth.dev/v1/tenants";

/** Nobody waits for its end here: so long that no machine which stands still for seconds takes the lead away. */
const cluster = new Cluster({ leaseSeconds: 20 });
beforeAll(() => cluster.start(), 240_000);
afterAll(() => cluster.remove());

interface Tenants {
  readonly items: readonly { readonly metadata: { readonly name: string } }[];
}

interface Writer {
  readonly who: string;
  readonly made: string[];
}

/** Enough that some of them meet each stop. */
const EACH_AT_LEAST = 11;

/** Makes tenants one after the other, and looks each time whether all of them are there. Ends at the first failure. */
async function writeUntil(
  over: AbortSignal,
  { who, made }: Writer,
  client: ApiClient,
): Promise<void> {
  while (!over.aborted) {
    const name = `${who}-${made.length}`;
    await client.send("POST", TENANTS, {
      body: {
        apiVersion: "berth.dev/v1",
        kind: "Tenant",
        metadata: { name },
        spec: { displayName: name },
      },
    });
    made.push(name);
    const { items } = await client.get<Tenants>(TENANTS);
    const shown = items.map(({ metadata }) => metadata.name).filter((one) => one.startsWith(who));
    if (shown.length !== made.length)
      throw new Error(`${who} made ${made.length}, sees ${shown.length}.`);
  }
}

it("every plane is replaced in turn, the leader last, and no request of a client that knows them all fails", async () => {
  const leaders: string[] = [];
  const over = new AbortController();
  const writers = cluster.planes.map(({ name }): Writer => ({ who: name, made: [] }));
  const writing = writers.map((writer, at) => {
    // Each begins with another plane, and so meets its stop.
    const urls = [...cluster.planes.slice(at), ...cluster.planes.slice(0, at)].map(
      ({ url }) => url,
    );
    const client = new ApiClient(findServer({ server: urls.join(",") }));
    return writeUntil(over.signal, writer, client);
  });
  const upgrade = async (): Promise<void> => {
    const followers = await cluster.followers();
    const leader = await cluster.leader();
    for (const plane of [...followers, leader]) {
      leaders.push((await cluster.leader()).name);
      await plane.replace();
      await cluster.served();
    }
    leaders.push((await cluster.leader()).name);
    await cluster.until("enough writes", () =>
      writers.every(({ made }) => made.length >= EACH_AT_LEAST) ? true : undefined,
    );
  };
  const failed = Promise.all(writing);
  await Promise.race([upgrade(), failed]);
  over.abort();
  await failed;
  const made = writers.flatMap((writer) => writer.made);
  // Two stops of followers leave the lead where it is; the leader's own stop hands it over.
  expect(new Set(leaders.slice(0, 3)).size).toBe(1);
  expect(leaders[3]).not.toBe(leaders[0]);
  for (const { url } of cluster.planes) {
    const { items } = (await (await fetch(`${url}${TENANTS}`)).json()) as Tenants;
    expect(items.map(({ metadata }) => metadata.name).toSorted()).toEqual(made.toSorted());
  }
  expect(made.length).toBeGreaterThan(30);
}, 900_000);
