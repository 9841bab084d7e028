/** Three planes whose log is in three etcd members, as a user tries them: whatever is killed, the work goes on. */
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, it } from "vitest";
import { untilLeasesAreFresh } from "./agent-leases.ts";
import { LocalBerth, type ShownReplica } from "./local-berth.ts";

const berth = new LocalBerth();
beforeAll(() => berth.build());
afterAll(() => berth.remove());

const example = (file: string): string =>
  fileURLToPath(new URL(`../../examples/${file}`, import.meta.url));

const SIZE = ["--planes", "3", "--etcd", "--agents", "2", "--regions", "2"];
const OPTIONS = [...SIZE, "--apply", example("tenants.yaml"), example("risk-api.yaml")];

const LATER = `
apiVersion: berth.dev/v1
kind: Workload
metadata: { name: later, namespace: payments }
spec: { replicas: 1, resources: { cpu: 100m, memory: 64Mi }, run: { command: [sleep, "600"] } }
`;
const tenant = (name: string): string =>
  `apiVersion: berth.dev/v1\nkind: Tenant\nmetadata: { name: ${name} }\n`;

function apply(name: string, text: string): Promise<{ readonly status: number | null }> {
  const file = join(berth.data, `${name}.yaml`);
  writeFileSync(file, text);
  return berth.run("apply", "-f", file, "--data", berth.data);
}

const replicasOf = async (workload: string): Promise<readonly ShownReplica[] | undefined> =>
  (await berth.list<ShownReplica>("replicas"))?.filter(({ metadata }) =>
    metadata.name.startsWith(`${workload}.`),
  );

const serving = (workload: string, count: number): Promise<readonly ShownReplica[]> =>
  berth.until(`${count} of ${workload} to serve`, async () => {
    const all = await replicasOf(workload);
    const are = all?.filter(({ status }) => status.stage === "serving") ?? [];
    return are.length === count ? are : undefined;
  });

/** Which process stands for which incarnation of which replica. */
const incarnationsOf = (replicas: readonly ShownReplica[]) =>
  replicas
    .map(({ metadata: { name, uid }, status: { incarnation } }) => {
      const running = berth
        .replicaProcesses()
        .filter(({ replica }) => replica.endsWith(`/${name}`));
      return { name, uid, incarnation, pids: running.map(({ pid }) => pid) };
    })
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));

/**
 * Four that serve, once the planes know what has become of those that ran before: until the agents are back, they show
 * what they last heard. A second process of one is told at once.
 */
const untilTrue = (workload: string) =>
  berth.until("what is shown to be true", async () => {
    const incarnations = incarnationsOf(await serving(workload, 4));
    return incarnations.every(({ pids }) => pids.length > 0) ? incarnations : undefined;
  });

/** Asks every replica again and again; remembers who did not answer. */
function keepAsking(replicas: readonly ShownReplica[]) {
  const over = new AbortController();
  const silent: string[] = [];
  let answers = 0;
  const asking = (async () => {
    while (!over.signal.aborted) {
      for (const { metadata, status } of replicas) {
        const { host, ports } = status.address!;
        const answer = await fetch(`http://${host}:${ports.http}/`).catch(() => undefined);
        if (answer?.ok === true) answers += 1;
        else silent.push(metadata.name);
      }
      await sleep(50);
    }
  })();
  const stop = async () => {
    over.abort();
    await asking;
    return { silent, answers };
  };
  return { stop };
}

const leaders = (): readonly string[] =>
  [...berth.output.matchAll(/^planes: (plane-\d) leads/gm)].map(([, name = ""]) => name);

it("berth up --planes 3 --etcd: the leading plane, an etcd member and all of it are killed; work goes on, nothing twice", async () => {
  berth.start(...OPTIONS);
  const first = await serving("risk-api", 4);
  const before = incarnationsOf(first);
  expect(before.flatMap(({ pids }) => pids)).toHaveLength(4);
  const asking = keepAsking(first);

  // The plane that leads: another does, and whoever knows them all notices little.
  const terms = leaders().length;
  const leading = leaders().at(-1)!;
  const killed = berth.pidOfPlane(leading)!;
  // What runs lives on leases until the next leader is found.
  const agents = readdirSync(join(berth.data, "agents"));
  await untilLeasesAreFresh(agents.map((node) => berth.agentFolder(node)));
  process.kill(killed, "SIGKILL");
  // Its address first: the command has to go on with another.
  const at = Number(leading.slice(-1)) - 1;
  const server = [berth.urls[at], ...berth.urls.filter((_, other) => other !== at)].join(",");
  expect(
    await berth.run("get", "workloads", "--server", server, "--data", berth.data),
  ).toMatchObject({ status: 0 });
  expect(await apply("later", LATER)).toMatchObject({ status: 0 });
  // Perhaps the same plane, in its next incarnation.
  await berth.until("the next leader to be shown", () => leaders().length > terms || undefined);
  await serving("later", 1);
  await berth.until("every agent to have found the next leader", async () => {
    const logs = before.map(({ name }) => berth.run("logs", name, "--data", berth.data));
    return (await Promise.all(logs)).every(({ out }) => out.includes("listens on")) || undefined;
  });
  await berth.until("the killed plane to be back", () => {
    const pid = berth.pidOfPlane(leading);
    return pid === undefined || pid === killed ? undefined : true;
  });

  // One of three etcd members: what is left of them agrees without it.
  const member = berth.etcdPid("member-1")!;
  process.kill(member, "SIGKILL");
  for (const name of ["kept-1", "kept-2"]) {
    expect(await apply(name, tenant(name))).toMatchObject({ status: 0 });
  }
  await berth.until("the member to be back", () => {
    const pid = berth.etcdPid("member-1");
    return pid === undefined || pid === member ? undefined : true;
  });

  const { silent, answers } = await asking.stop();
  expect(silent).toEqual([]);
  expect(answers).toBeGreaterThan(20);
  expect(incarnationsOf((await replicasOf("risk-api"))!)).toEqual(before);

  // All of it: the next one ends what is left, and goes on where it was.
  await berth.kill();
  berth.start(...OPTIONS);
  await berth.until("the next one", () => /Stopped \d+ processes/.test(berth.output) || undefined);
  await berth.until("all planes", () => (berth.urls.length === 3 ? true : undefined));
  const after = await untilTrue("risk-api");
  expect(after.map(({ pids }) => pids.length)).toEqual([1, 1, 1, 1]);
  expect(after.map(({ uid }) => uid)).toEqual(before.map(({ uid }) => uid));
  expect(await berth.run("get", "tenant", "kept-2", "--data", berth.data)).toMatchObject({
    status: 0,
  });

  expect(await berth.interrupt()).toBe(0);
  await berth.nothingLeft();
}, 900_000);
