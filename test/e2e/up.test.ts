/** `berth up` as a user runs it, with everything killed in turn: it heals, and nothing runs twice. */
import { setTimeout as sleep } from "node:timers/promises";
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { untilRenewed } from "./agent-leases.ts";
import { LocalBerth, type ShownReplica } from "./local-berth.ts";

const berth = new LocalBerth();
beforeAll(() => berth.build());
afterAll(() => berth.remove());

const INDEXES = [0, 1, 2, 3].map((index) => `risk-api.1.${index}`);

async function replica(name: string): Promise<ShownReplica | undefined> {
  return (await berth.list<ShownReplica>("replicas"))?.find(
    ({ metadata }) => metadata.name === name,
  );
}

/** Four serve, and what the plane says of them is true: each has one process, and it is the newest incarnation's. */
async function fourServing(): Promise<readonly ShownReplica[]> {
  return berth.until("four serving replicas", async () => {
    const all = await berth.list<ShownReplica>("replicas");
    const serving = all?.filter(({ status }) => status.stage === "serving") ?? [];
    const running = berth.replicaProcesses().filter(({ replica: of }) => of.includes("/risk-api."));
    const isWhole =
      serving.length === 4 &&
      running.length === 4 &&
      INDEXES.every((index) => serving.some(({ metadata }) => metadata.name === index));
    return isWhole ? serving : undefined;
  });
}

const pidOf = (name: string): number | undefined =>
  berth.replicaProcesses().find(({ replica: of }) => of === `payments/${name}`)?.pid;

/** Looks all the time whether any index has two processes. */
function watchForDoubles(): { readonly seen: Set<string>; stop(): Promise<void> } {
  const seen = new Set<string>();
  const over = new AbortController();
  const looking = (async () => {
    while (!over.signal.aborted) {
      const names = berth.replicaProcesses().map(({ replica: of }) => of);
      for (const name of names)
        if (names.filter((each) => each === name).length > 1) seen.add(name);
      await sleep(50);
    }
  })();
  return {
    seen,
    stop: async () => {
      over.abort();
      await looking;
    },
  };
}

async function answerOf({ status }: ShownReplica): Promise<unknown> {
  const { host, ports } = status.address!;
  return (await fetch(`http://${host}:${ports.http}/`)).json();
}

/** The tokens are nobody else's to see, and a signal to read them again stops nobody. */
async function keepsToItself(): Promise<void> {
  const files = [join(berth.data, "tokens"), join(berth.data, "admin.token")];
  const agents = readdirSync(join(berth.data, "agents"));
  files.push(...agents.map((node) => join(berth.data, "agents", node, "agent.token")));
  for (const file of files) expect(statSync(file).mode & 0o777).toBe(0o600);
  const secrets = files.slice(1).map((file) => readFileSync(file, "utf8").trim());
  expect(new Set(secrets).size).toBe(agents.length + 1);
  const said = [
    berth.output,
    readFileSync(join(berth.data, "plane.log"), "utf8"),
    ...berth.commandLines(),
  ].join("\n");
  for (const secret of secrets) expect(said).not.toContain(secret);
  const signalled = [berth.planePid!, berth.agentPid(agents[0]!)!];
  for (const pid of signalled) process.kill(pid, "SIGHUP");
  await berth.until("the plane to read its tokens again", () =>
    readFileSync(join(berth.data, "plane.log"), "utf8").includes("Reloaded the credentials")
      ? true
      : undefined,
  );
  expect([berth.planePid, berth.agentPid(agents[0]!)]).toEqual(signalled);
}

it("berth up: the examples run; a replica, an agent and the plane are killed; all heals, nothing twice, nothing lost", async () => {
  const doubles = watchForDoubles();
  berth.start("--no-incident");
  const first = await fourServing();
  await berth.until("the batch to succeed", async () =>
    (await replica("fraud-batch.1.0"))?.status.stage === "succeeded" ? true : undefined,
  );
  expect(new Set(first.map(({ status }) => status.node)).size).toBe(4);
  expect(await answerOf(first[0]!)).toMatchObject({ replica: "payments/risk-api.1.0" });
  expect(berth.berth("logs", "fraud-batch.1.0", "--data", berth.data).out).toContain("step 4 of 4");

  await keepsToItself();

  // A replica's process: its index gets another incarnation.
  process.kill(pidOf("risk-api.1.0")!, "SIGKILL");
  await berth.until("the next incarnation", async () =>
    (await replica("risk-api.1.0"))?.status.incarnation === 2 ? true : undefined,
  );
  const healed = await fourServing();
  expect(await answerOf(healed[0]!)).toMatchObject({ replica: "payments/risk-api.1.0" });

  // An agent: the next one takes over what runs.
  const { node } = healed[1]!.status;
  const before = { agent: berth.agentPid(node!), process: pidOf("risk-api.1.1") };
  process.kill(before.agent!, "SIGKILL");
  await berth.until("another agent", () => {
    const pid = berth.agentPid(node!);
    return pid === undefined || pid === before.agent ? undefined : true;
  });
  // Before its plane goes, too: what runs lives on a lease.
  await untilRenewed(berth.agentFolder(node!));

  // The plane, right after it has acknowledged a write.
  const tenant = "apiVersion: berth.dev/v1\nkind: Tenant\nmetadata: { name: kept }\n";
  const file = join(berth.data, "kept.yaml");
  writeFileSync(file, tenant);
  expect(berth.berth("apply", "-f", file, "--data", berth.data)).toMatchObject({ status: 0 });
  const plane = berth.planePid!;
  process.kill(plane, "SIGKILL");
  await berth.until("another plane", () =>
    berth.planePid === undefined || berth.planePid === plane ? undefined : true,
  );
  await fourServing();
  expect(berth.berth("get", "tenant", "kept", "--data", berth.data)).toMatchObject({ status: 0 });
  expect((await replica("risk-api.1.1"))?.status.incarnation).toBe(1);
  expect(pidOf("risk-api.1.1")).toBe(before.process);

  expect(await berth.interrupt()).toBe(0);
  await berth.nothingLeft();

  // It goes on where it was: what was done is not done again, and a stop that was asked for is no failure.
  // This time the demonstration is on: a node is killed with all it runs, once everything serves.
  const told = berth.output.length;
  berth.start("--incident", "1s");
  await fourServing();
  for (const index of INDEXES) {
    const failures = index === INDEXES[0] ? 1 : 0;
    expect((await replica(index))?.status).toMatchObject({ failures });
  }
  expect((await replica("fraud-batch.1.0"))?.status).toMatchObject({
    stage: "succeeded",
    incarnation: 1,
  });
  expect(berth.berth("get", "tenant", "kept", "--data", berth.data)).toMatchObject({ status: 0 });
  const [, dead = ""] = await berth.until("the end of the incident", () => {
    const news = berth.output.slice(told);
    return /all replicas serve again \d+ s after (\S+) was killed/.exec(news) ?? undefined;
  });
  const news = berth.output.slice(told);
  const [url = ""] = berth.urls;
  expect(news).toContain(`${url}/ui/workloads/research/risk-model\n`);
  expect(news).toContain(`${url}/ui/fleet?node=${dead}\n`);
  expect(news).toMatch(/\/ui\/timeline\/replica\/payments\/risk-api\.1\.\d\n/);
  expect(news).toContain(`Killed node ${dead} with the replica on it`);
  expect(berth.agentPid(dead)).toBeUndefined();
  expect(berth.processesOn(dead)).toEqual([]);
  const moved = await fourServing();
  expect(moved.map(({ status }) => status.node)).not.toContain(dead);
  expect((await replica("risk-model.1.0"))?.status.stage).toBe("queued");
  expect(await berth.interrupt()).toBe(0);
  await berth.nothingLeft();

  await doubles.stop();
  expect([...doubles.seen]).toEqual([]);
  expect(berth.berth("replay", berth.data)).toMatchObject({
    status: 0,
    out: expect.stringContaining("identical to the recording"),
  });
}, 900_000);
