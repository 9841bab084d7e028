/** Rollouts with real processes: a release that works takes over, one that does not goes back, and somebody always answers. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { isDeepStrictEqual } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";
import { LocalBerth, type ShownReplica } from "./local-berth.ts";

const berth = new LocalBerth();
beforeAll(() => berth.build());
afterAll(() => berth.remove());

const EXAMPLE = fileURLToPath(new URL("../../examples/rollouts/rolling.yaml", import.meta.url));

function apply(change: (text: string) => string): void {
  const file = join(berth.data, "greeter.yaml");
  writeFileSync(file, change(readFileSync(EXAMPLE, "utf8")));
  const { status, out } = berth.berth("apply", "-f", file, "--data", berth.data);
  if (status !== 0) throw new Error(out);
}

const follow = () => berth.berth("rollout", "status", "workload/greeter", "--data", berth.data);

const greeters = async (): Promise<readonly ShownReplica[]> => {
  const all = await berth.until("a list", () => berth.list<ShownReplica>("replicas"));
  return all.filter(({ metadata }) => metadata.name.startsWith("greeter."));
};

async function answers(seen?: readonly ShownReplica[]): Promise<readonly string[]> {
  const all = seen ?? (await greeters());
  const serving = all.filter(({ status }) => status.stage === "serving");
  const texts = serving.map(async ({ status }) => {
    const { host, ports } = status.address!;
    // One that was asked to stop a moment ago may be gone.
    return fetch(`http://${host}:${ports.http}/`)
      .then((response) => response.text())
      .catch(() => "");
  });
  return (await Promise.all(texts)).filter((text) => text !== "");
}

/** The fewest that answered at once, seen while something else goes on. */
async function fewestDuring(work: Promise<unknown>): Promise<number> {
  let fewest = Number.POSITIVE_INFINITY;
  const over = new AbortController();
  void work.finally(() => over.abort());
  while (!over.signal.aborted || fewest === Number.POSITIVE_INFINITY) {
    // A look counts when nothing has changed while it went on: one that left between the list and the question has a
    // successor, which the next list shows.
    const before = await greeters();
    const texts = await answers(before);
    if (isDeepStrictEqual(await greeters(), before)) fewest = Math.min(fewest, texts.length);
    await sleep(50);
  }
  return fewest;
}

const generations = async (): Promise<readonly string[]> =>
  (await greeters())
    .filter(({ status }) => status.stage === "serving")
    .map(({ metadata }) => metadata.name.split(".")[1]!);

/** The rollout as the plane itself keeps it. */
const stage = async (): Promise<string> => {
  const all = await berth.list<{
    readonly metadata: { readonly name: string };
    readonly status: { readonly rollout?: { readonly stage: string } };
  }>("workloads");
  const own = all?.find(({ metadata }) => metadata.name === "greeter");
  return own === undefined ? "unknown" : (own.status.rollout?.stage ?? "none");
};

it("berth rollout: a release takes over, a broken one goes back by itself, and three of four answer all the time", async () => {
  berth.start();
  await berth.until("the plane and its tenants", async () =>
    // All of the examples, besides the tenant `default`.
    ((await berth.list("tenants"))?.length ?? 0) > 3 ? true : undefined,
  );
  apply((text) => text);
  expect(follow()).toMatchObject({ status: 0 });
  await berth.until("answers of all four", async () =>
    (await answers()).length === 4 ? true : undefined,
  );

  apply((text) => text.replace('"hello"', '"good day"'));
  const whole = berth.until("the release everywhere", async () =>
    (await stage()) === "none" && (await generations()).join() === "2,2,2,2" ? true : undefined,
  );
  expect(await fewestDuring(whole)).toBeGreaterThanOrEqual(3);
  expect(follow().out).toContain("all 4 replicas serve generation 2");
  expect((await answers()).every((text) => text.startsWith("good day"))).toBe(true);

  apply((text) => text.replace(".listen(PORT_HTTP)", "").replace("deadline: 2m", "deadline: 5s"));
  const back = berth.until("the way back", async () =>
    (await stage()) === "rolled-back" ? true : undefined,
  );
  expect(await fewestDuring(back)).toBeGreaterThanOrEqual(3);
  const failed = follow();
  expect(failed.status).toBe(1);
  expect(failed.out).toMatch(
    /failed: no progress for 5 s: 0 of \d replicas of generation \d serve/,
  );
  expect(failed.out).toContain("all 4 replicas are rolled back to generation 2");
  expect((await answers()).every((text) => text.startsWith("good day"))).toBe(true);

  expect(
    berth.berth("rollout", "undo", "workload/greeter", "--to", "1", "--data", berth.data),
  ).toMatchObject({ status: 0 });
  expect(follow().out).toContain("all 4 replicas serve generation 1");
  expect((await answers()).every((text) => text.startsWith("hello"))).toBe(true);
  expect(await berth.interrupt()).toBe(0);
}, 900_000);
