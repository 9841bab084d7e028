import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parseKey } from "../../src/core/model/ids.ts";
import { CommandLine, workloadText } from "./a-served-plane.ts";

const MORE = `
apiVersion: berth.dev/v1
kind: PriorityClass
metadata: { name: urgent }
spec: { value: 100 }
---
apiVersion: berth.dev/v1
kind: PriorityClass
metadata: { name: low }
spec: { value: 1 }
---
apiVersion: berth.dev/v1
kind: Quota
metadata: { name: default, namespace: bank }
spec: { limit: { cpu: 8, memory: 8Gi } }
---
apiVersion: berth.dev/v1
kind: Node
metadata: { name: n2 }
spec: { region: eu, zone: eu-b, capacity: { cpu: 4, memory: 4Gi } }
---
${workloadText("filler", "  priorityClass: low\n", "bank").replace("500m", "3")}`;

const urgent = workloadText("pay", "  priorityClass: urgent\n")
  .replace("500m", "2")
  .replace("replicas: 2", "replicas: 1");

const autoscaler = (name: string): string => `
apiVersion: berth.dev/v1
kind: Autoscaler
metadata: { name: ${name}, namespace: bank }
spec:
  workload: filler
  min: 1
  max: 3
  target: { cpu: 50 }
`;

let cli: CommandLine;
beforeAll(async () => {
  cli = await CommandLine.start();
  await cli.furnish();
  await cli.speakFor("n1");
  await cli.must("apply", "-f", cli.write("more.yaml", MORE));
  await cli.speakFor("n2");
  await cli.report(2, "serving");
});
afterAll(() => cli.stop());

interface Shown {
  readonly placed: readonly { readonly replica: string; readonly node: string }[];
}

const simulate = (text: string, ...more: string[]) =>
  cli.berth("apply", "--simulate", "-f", cli.write("simulated.yaml", text), ...more);

/** The log goes on without us: agents renew leases. */
const commandsSince = (revision: number): readonly string[] =>
  (cli.plane.since(revision) ?? []).map(({ command }) => command);

describe("berth apply --simulate", () => {
  it("shows who is preempted for whom, the wait, and the use of quota, and writes nothing", async () => {
    const { revision } = cli.plane;
    const { code, out } = await simulate(urgent);
    expect(code).toBe(0);
    const lines = out.split("\n").map((line) => line.replaceAll(/ {2,}/g, "|"));
    expect(lines[0]).toBe("workload/shop/pay would be created");
    // Two nodes are alike: which one makes room is the scheduler's to say.
    expect(lines).toContainEqual(expect.stringMatching(/^shop\/pay\|1\|n[12]\|10s\|15s$/));
    expect(lines).toContainEqual(
      expect.stringMatching(/^bank\/filler\.1\.[01]\|low\|n[12]\|shop\/pay\.1\.0\|waits$/),
    );
    expect(lines).toContainEqual(
      "bank/filler|1|no-feasible-node: capacity rejected 2 nodes|not known; more than 590s",
    );
    expect(lines).toContain("shop|0 → 2 of 4|0 → 256Mi of 4Gi|0 → 0 of 0");
    const commands = commandsSince(revision);
    for (const command of ["put", "admit", "bind", "preempt"]) {
      expect(commands).not.toContain(command);
    }
  });

  it("tells a wait for quota from a wait for room", async () => {
    const { out } = await simulate(workloadText("big").replace("replicas: 2", "replicas: 9"));
    expect(out).toMatch(/shop\/big {3}\d +no-feasible-node: capacity rejected 2 nodes/);
    expect(out).toMatch(/shop\/big {3}1 +quota-exhausted: the quota of tenant shop is used up/);
  });

  it("shows what a rollout replaces and when it is over", async () => {
    const { out } = await simulate(
      workloadText("filler", "  priorityClass: low\n", "bank").replace("500m", "1"),
    );
    const [, row] = /^Rollouts:\n.*\n(.*)$/m.exec(out) ?? [];
    expect(row).toMatch(/^bank\/filler +2 +n1, n2 +20s +finished after 20s$/);
  });

  it("takes the time of a start from its option", async () => {
    const { out } = await simulate(workloadText("web"), "--start-takes", "90s");
    expect(out).toMatch(/^shop\/web +2 +n1, n2 +0s +90s$/m);
  });

  it("says so if no replica moves", async () => {
    const { out } = await simulate(
      "apiVersion: berth.dev/v1\nkind: Tenant\nmetadata: { name: idle }\n",
    );
    expect(out).toMatch("No replica would be placed, stopped or kept waiting.");
    expect(out).toMatch("Nothing was changed.");
  });

  it("shows a mistake at its line, also one that only a document before it makes", async () => {
    const unknown = await simulate(workloadText("web", "  replcas: 3\n"));
    expect(unknown.code).toBe(2);
    expect(unknown.err).toMatch(/simulated\.yaml:9:3: .*unknown field "spec\.replcas"/);
    const twice = await simulate(`${autoscaler("one")}---${autoscaler("two")}`);
    expect(twice.code).toBe(2);
    expect(twice.err).toMatch(/simulated\.yaml:13:13: Invalid manifest\. .*rule AS/);
  });

  it("rejects options that contradict each other", async () => {
    const both = await simulate(urgent, "--dry-run");
    expect(both.err).toMatch("--dry-run and --simulate cannot be used together.");
    const file = cli.write("simulated.yaml", urgent);
    const alone = await cli.berth("apply", "-f", file, "-o", "json");
    expect(alone.err).toMatch("add --simulate");
  });

  it("places replicas where an apply then places them", async () => {
    const text = workloadText("web").replace("500m", "900m");
    const simulated = await simulate(text, "-o", "json");
    const { placed } = JSON.parse(simulated.out) as Shown;
    await cli.must("apply", "-f", cli.write("web.yaml", text));
    const bound = await cli.until("the replicas of web", () => {
      const all = [...cli.plane.objects.all("Replica").values()]
        .filter(({ spec, status }) => spec.workload === "web" && status.node !== undefined)
        .map(({ key, status }) => `${parseKey(key).name} on ${status.node}`);
      return all.length === 2 ? all.toSorted() : undefined;
    });
    expect(placed.map(({ replica, node }) => `${replica.slice(5)} on ${node}`).toSorted()).toEqual(
      bound,
    );
  });
});
