/** A person deletes a replica, with Berth's command line and with the real kubectl: it restarts. */
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { replicaKey } from "../../src/core/model/ids.ts";
import { CommandLine } from "./a-served-plane.ts";

const WORKLOAD = `
apiVersion: berth.dev/v1
kind: Workload
metadata: { name: api, namespace: shop }
spec:
  replicas: 1
  disruption: { maxUnavailable: 1 }
  resources: { cpu: 500m, memory: 256Mi }
  run: { command: [serve] }
`;

let cli: CommandLine;
beforeAll(async () => {
  cli = await CommandLine.start();
  await cli.furnish();
  await cli.must("apply", "-f", cli.write("api.yaml", WORKLOAD));
  await serves();
});
afterAll(() => cli.stop());

const KEY = replicaKey({ tenant: "shop", workload: "api", generation: 1, index: 0 });
const replica = () => cli.plane.objects.replica(KEY);

async function serves(): Promise<string> {
  const bound = await cli.until("a bound replica", () =>
    replica()?.status.stage === "bound" ? replica() : undefined,
  );
  await cli.reportOne(bound, "starting");
  await cli.reportOne(bound, "serving");
  return bound.meta.uid;
}

/** What the agent says once the process has ended. */
async function ends(): Promise<void> {
  const asked = await cli.until("a deleted replica", () =>
    replica()?.meta.deletingMs === undefined ? undefined : replica(),
  );
  expect(asked.status).toMatchObject({ stage: "serving", stopping: { reason: "deleted" } });
  await cli.reportOne(asked, "released");
}

/** kubectl looks at the object and then watches it: a successor in between is all it would see. */
async function isWatched(): Promise<void> {
  await expect
    .poll(async () => (await fetch(`${cli.url}/metrics`)).text(), { timeout: 60_000 })
    .toMatch(/^berth_api_watchers [1-9]/m);
}

const run = promisify(execFile);
const kubectl = (...args: readonly string[]) =>
  run("kubectl", [`--server=${cli.url}`, `--cache-dir=${cli.folder}/kube`, "-n", "shop", ...args]);

test("berth delete replica restarts it, and --wait waits for its end [ST90]", async () => {
  const { uid } = replica()!.meta;
  const deleted = cli.must("delete", "replica/api.1.0", "-n", "shop", "--wait");
  await ends();
  expect(await deleted).toBe("replica/shop/api.1.0 deleted; another takes its index\n");
  expect(await serves()).not.toBe(uid);
  expect(replica()!.status).toMatchObject({ incarnation: 2, failures: 0 });
});

test.each([
  ["pod", 'pod "api.1.0" deleted'],
  ["replica", 'replica.berth.dev "api.1.0" deleted'],
])("kubectl delete %s returns once another has taken the index [AP340]", async (kind, said) => {
  const { uid } = replica()!.meta;
  const deleted = kubectl("delete", kind, "api.1.0");
  await isWatched();
  await ends();
  const { stdout, stderr } = await deleted;
  expect([stdout.split("\n")[0]?.replace(/ from .*/, ""), stderr]).toEqual([said, ""]);
  expect(await serves()).not.toBe(uid);
});

test("a replica that waits has nothing to restart, and says so [ST90]", async () => {
  await cli.must(
    "apply",
    "-f",
    cli.write("big.yaml", WORKLOAD.replace("name: api", "name: big").replace("500m", "900")),
  );
  await cli.until("a replica that waits", () =>
    cli.plane.objects.replica(
      replicaKey({ tenant: "shop", workload: "big", generation: 1, index: 0 }),
    ),
  );
  const { code, err } = await cli.berth("delete", "replica/big.1.0", "-n", "shop");
  expect(code).not.toBe(0);
  expect(err).toMatch(/big\.1\.0.*on a node, or failed/s);
});
