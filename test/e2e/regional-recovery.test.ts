/**
 * The worked example with real processes and shortened times: all agents of eu-central are killed, and risk-api has four
 * replicas serving in eu-west, on a budget that the policy has granted, while a zone is avoided and the policy is taken back.
 */
import { afterAll, beforeAll, expect, it } from "vitest";
import { PlaneAndAgents, regionText } from "./plane-and-agents.ts";

const world = new PlaneAndAgents();

beforeAll(() => world.start());
afterAll(() => world.remove());

/** A grant of the later revision is more than the whole reserve of the earlier one. */
const revision = (name: string, of: { readonly reserve: string; readonly grant: string }) => `---
apiVersion: berth.dev/v1
kind: PolicyRevision
metadata: { name: ${name} }
spec:
  scoring: spread-out
  recovery:
    reserve: { cpu: ${of.reserve}, memory: 1Gi }
    fairnessWindow: 2m
    grants:
      - { region: eu-west, cpu: ${of.grant}, memory: 512Mi, tenants: [payments], classes: [critical], ttl: 20m }
  onRollback: { bindings: preserve, reservations: preserve }
`;

const POLICY = `---
apiVersion: berth.dev/v1
kind: Policy
metadata: { name: default }
spec: { active: default-1 }
---
apiVersion: berth.dev/v1
kind: PriorityClass
metadata: { name: critical }
spec: { value: 1000, preempts: never }
---
apiVersion: berth.dev/v1
kind: Tenant
metadata: { name: payments }
---
apiVersion: berth.dev/v1
kind: Tenant
metadata: { name: lab }
---
apiVersion: berth.dev/v1
kind: Quota
metadata: { name: default, namespace: payments }
spec: { limit: { cpu: 4, memory: 4Gi } }
---
apiVersion: berth.dev/v1
kind: Quota
metadata: { name: default, namespace: lab }
spec: { limit: { cpu: 4, memory: 4Gi } }
`;

const workload = (tenant: string, name: string, spec: string) => `---
apiVersion: berth.dev/v1
kind: Workload
metadata: { name: ${name}, namespace: ${tenant} }
spec: { ${spec}, run: { command: [sleep, "900"] } }
`;

const RISK = "replicas: 6, priorityClass: critical, resources: { cpu: 100m, memory: 64Mi }";
const RISK_API = workload("payments", "risk-api", RISK);
const RISK_API_WITH_RECOVERY = workload(
  "payments",
  "risk-api",
  `${RISK}, recovery: { within: 5m, replicas: 4, in: [eu-west] }`,
);

/** All that is left of a machine on which room is kept for two: what anybody could have is gone. */
const SWEEP = workload(
  "lab",
  "sweep",
  "replicas: 2, resources: { cpu: 800m, memory: 64Mi }, placement: { regions: [eu-west] }",
);

const HOME = ["central-a", "central-b"] as const;
const AWAY = ["west-a", "west-b", "west-c"];

const untilServing = (name: string, ...nodes: readonly string[]) =>
  world.until(`${name} on ${nodes.join()}`, async () => {
    const serving = await world.serving(name);
    const found = serving.map(({ status }) => status.node ?? "").toSorted();
    return found.join() === nodes.join() ? serving : undefined;
  });

/** Two regions with what is theirs, and nobody where somebody wants nothing new. */
async function begin(): Promise<void> {
  const regions = [
    regionText("eu-central", "eu-central-a", "eu-central-b"),
    regionText("eu-west", "eu-west-a", "eu-west-b", "eu-west-c"),
  ].join("");
  const revisions = [
    revision("default-1", { reserve: "500m", grant: "400m" }),
    revision("default-2", { reserve: "2", grant: "600m" }),
  ].join("");
  await world.apply(`${regions}${revisions}${POLICY}`);
  await world.berth("policy", "activate", "default", "default-2", "--reason", "more reserve");
  for (const name of HOME) world.startAgent(name, "eu-central", `eu-${name}`);
  await world.untilReady(HOME);
  await world.apply(RISK_API);
  await world.until("risk-api at home", async () =>
    (await world.serving("risk-api")).length === 6 ? true : undefined,
  );
  const avoid = ["avoid-zone", "--zone", "eu-west-c", "--ttl", "30m", "--reason", "shaky power"];
  await world.berth("override", "create", ...avoid, "--name", "shaky");
  for (const name of AWAY) world.startAgent(name, "eu-west", `eu-${name}`);
  await world.untilReady(AWAY);
  // Not before: the node that is ready first would take all of the recovery reserve.
  await world.apply(RISK_API_WITH_RECOVERY);
  await world.until("room for four outside of the avoided zone", async () => {
    const { reserved, rooms = [] } = (await world.recoveryOf("risk-api")) ?? {};
    const isThere = [...new Set(rooms)].toSorted().join() === "west-a,west-b";
    return reserved === "4/4" && isThere ? true : undefined;
  });
  await world.apply(SWEEP);
  await untilServing("sweep", "west-a", "west-b");
}

it("regional recovery: a region is lost, and four replicas serve in another on a granted budget, around an avoided zone and across a rollback; the recording replays", async () => {
  await begin();
  await world.killTogether(...HOME);
  const [granted] = await world.until("a budget", async () => {
    const budgets = await world.list("recoverybudgets");
    return budgets.length > 0 ? budgets : undefined;
  });
  const budget = granted!.metadata.name;
  expect(budget).toMatch(/^eu-west-\d+$/);
  // In the middle of it the policy is taken back to one whose whole reserve is less than this budget.
  const rolledBack = await world.berth("policy", "rollback", "default", "--reason", "latency");
  expect(rolledBack).toMatch(/default-1 is active/);

  const { missed } = await world.until("risk-api to be back", async () => {
    return (await world.recoveryOf("risk-api"))?.last;
  });
  expect(missed).toBeUndefined();
  const back = await untilServing("risk-api", "west-a", "west-a", "west-b", "west-b");
  expect(back.map(({ status }) => status.budget)).toEqual([budget, budget, budget, budget]);
  const name = back[0]!.metadata.name;
  const described = await world.berth("describe", "replica", name, "-n", "payments");
  expect(described).toMatch(new RegExp(`budget: +${budget}`));

  // What was granted before the rollback stays, and nothing new is granted beside it.
  const listed = await world.berth("budget", "list");
  expect(listed).toMatch(new RegExp(`^${budget} +eu-west +600m cpu.* 400m cpu`, "m"));
  const more = ["eu-west", "--cpu", "100m", "--memory", "64Mi", "--ttl", "5m", "--reason", "more"];
  const refused = await world.run("budget", "grant", ...more);
  expect(refused.code).not.toBe(0);
  expect(refused.err).toMatch(/reserve/);
  // Withdrawn, it holds what is spent of it and no more: the rest has returned to the reserve.
  await world.berth("budget", "withdraw", budget);
  expect(await world.berth("budget", "grant", ...more)).toContain("grants 100m cpu");

  // The two that are left had waited for the zone, which was empty all the time; nothing was lost any more, so no budget pays.
  await world.berth("override", "release", "shaky");
  const six = ["west-a", "west-a", "west-b", "west-b", "west-c", "west-c"];
  const all = await untilServing("risk-api", ...six);
  const unpaid = all.filter(({ status }) => status.budget === undefined);
  expect(unpaid.map(({ status }) => status.node)).toEqual(["west-c", "west-c"]);

  // When the last binding on it ends, it goes.
  await world.berth("delete", "workload", "risk-api", "-n", "payments");
  await world.until("the budget to go", async () => {
    const names = (await world.list("recoverybudgets")).map(({ metadata }) => metadata.name);
    return names.includes(budget) ? undefined : true;
  });
  expect(await world.stopAndReplay()).toMatchObject({
    code: 0,
    out: expect.stringContaining("identical to the recording"),
  });
}, 900_000);
