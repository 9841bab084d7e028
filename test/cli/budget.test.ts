import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { recoveryBudgetKey } from "../../src/core/model/recovery-budget.ts";
import { nodeKey, operationId } from "../../src/core/model/ids.ts";
import type { Replica } from "../../src/core/model/objects.ts";
import { createHostClock } from "../../src/host/host-clock.ts";
import { CommandLine, workloadText } from "./a-served-plane.ts";

let cli: CommandLine;
beforeAll(async () => {
  cli = await CommandLine.start(createHostClock());
  await cli.furnish();
  await cli.must("apply", "-f", cli.write("us.yaml", REGION));
});
afterAll(async () => {
  await cli.stop();
});

const REGION = `
apiVersion: berth.dev/v1
kind: Region
metadata: { name: us }
spec: { zones: [us-a] }
`;

const AWAY = `
apiVersion: berth.dev/v1
kind: Node
metadata: { name: n2 }
spec: { region: us, zone: us-a, capacity: { cpu: 1, memory: 1Gi } }
`;

const RULES = `
apiVersion: berth.dev/v1
kind: PolicyRevision
metadata: { name: default-1 }
spec:
  scoring: best-fit
  recovery: { reserve: { cpu: 2, memory: 2Gi }, fairnessWindow: 5m }
---
apiVersion: berth.dev/v1
kind: Policy
metadata: { name: default }
spec: { active: default-1 }
`;

const grant = (...words: string[]) => cli.berth("budget", "grant", ...words);
const US = ["us", "--cpu", "1", "--memory", "1Gi", "--ttl", "30m", "--reason", "eu is dark"];

const replicas = (): readonly Replica[] => [...cli.plane.objects.all("Replica").values()];

/** Far longer than anything here takes; it only bounds a hang. */
const PATIENCE = { timeout: 120_000 };

/** By a person who knows: nobody waits for it to be silent long enough. */
async function lose(node: string): Promise<void> {
  const key = nodeKey(node);
  const { session, health: from } = cli.plane.objects.node(key)!.status;
  const evidence = { kind: "person", name: "ops", statement: "scrapped" } as const;
  const gone = { kind: "transition", key, session, from, to: "fenced" } as const;
  const operation = operationId(`fence/${node}`);
  await cli.plane.submit({ ...gone, evidence, operation }, { role: "user", name: "ops" });
}

describe("berth budget", () => {
  it("says that recoveries are not budgeted, and what would make them so [BU2]", async () => {
    const listed = await cli.must("budget", "list");
    expect(listed).toMatch(/^Recoveries are not budgeted: .*`recovery.reserve`/);
    expect(listed).toContain("No recovery budgets found.");
    const { code, err } = await grant(...US, "--as", "ana");
    expect(code).toBe(2);
    expect(err).toMatch(/exceed the reserve/);
    expect(err).toMatch(/Recoveries are not budgeted: the policy in force has no reserve/);
    await cli.must("apply", "-f", cli.write("rules.yaml", RULES));
    expect(await cli.must("budget", "list")).toMatch(
      /^Budget ceiling of 2 cpu, 2Gi memory \(policy revision default-1\): 0 cpu, 0 memory granted, of which 0 cpu, 0 memory spent; 2 cpu, 2Gi memory free\.\n/,
    );
  });

  it("lets no person grant more than there is, and says how much is free and who has the rest [BU2]", async () => {
    const said = await cli.must(
      "budget",
      "grant",
      "eu",
      "--cpu",
      "1500m",
      "--memory",
      "1Gi",
      "--tenant",
      "bank",
      "--ttl",
      "30m",
      "--reason",
      "audit",
      "--as",
      "ana",
    );
    expect(said).toMatch(
      /^recoverybudget\/eu-ana grants 1500m cpu, 1Gi memory in eu to recoveries of tenant bank, granted by ana, until .+Z, or `berth budget withdraw eu-ana`\n$/,
    );
    const { code, err } = await grant(...US, "--as", "bob");
    expect(code).toBe(2);
    expect(err).toMatch(
      /Of the reserve of 2 cpu, 2Gi memory, 500m cpu, 1Gi memory are free: eu-ana of ana holds 1500m cpu, 1Gi memory \(until .+Z\)\. Grant less, or withdraw one\./,
    );
    const stolen = await cli.berth("budget", "withdraw", "eu-ana", "--as", "bob");
    expect(stolen.err).toMatch(
      /Another user owns the recovery budget; only its owner can extend or withdraw it/,
    );
    const moved = await cli.must("budget", "extend", "eu-ana", "--ttl", "1h", "--as", "ana");
    expect(moved).toMatch(/^recoverybudget\/eu-ana is now in force until .+Z\n$/);
    expect(await cli.must("budget", "withdraw", "eu-ana", "--as", "ana")).toBe(
      "recoverybudget/eu-ana withdrawn; it binds no more replicas\n",
    );
  });

  it("is what a replica waits for that has kept room and no budget, and what it is bound on then [AP213] [BU4]", async () => {
    const objective =
      "  placement: { regions: [eu, us] }\n  recovery: { within: 5m, replicas: 2, in: [us] }";
    await cli.speakFor("n1");
    await cli.must("apply", "-f", cli.write("api.yaml", workloadText("api", objective)));
    await cli.report(2, "serving");
    cli.fallSilent("n1");
    await cli.must("apply", "-f", cli.write("away.yaml", AWAY));
    await cli.speakFor("n2");
    await cli.until("two rooms", () =>
      cli.plane.objects.useOf("n2").held.size === 2 ? true : undefined,
    );
    await lose("n1");
    await cli.until("somebody to wait for a budget", () =>
      cli.plane
        .owed()
        .some(
          ({ reason, controller }) =>
            reason === "recovery-budget" && controller.startsWith("place"),
        )
        ? true
        : undefined,
    );
    const [waiting] = replicas();
    const explain = () => cli.must("explain", "replica", waiting!.meta.name, "-n", "shop");
    // It may be looked at again at this very moment, and wait for nothing.
    await expect
      .poll(explain, PATIENCE)
      .toMatch(
        /place-1 waits for workload\/shop\/api: recovery-budget, .*berth budget grant us[^]*retries when .*a recovery budget is granted, freed or raised/,
      );
    expect(await cli.must("get", "events", "-n", "shop")).toMatch(/Warning.*budget/);
    const asked = ["explain", "--what-if", `replica/${waiting!.meta.name}`, "-n", "shop"] as const;
    expect(await cli.must(...asked)).toMatch(
      /1\. grant a budget in us of at least 500m of CPU, 256Mi of memory \(berth budget grant us\) → n2/,
    );

    await cli.must("budget", "grant", ...US, "--as", "ana");
    await cli.until("both on the budget", () =>
      replicas().filter(({ status }) => status.budget === "us-ana" && status.node === "n2")
        .length === 2
        ? true
        : undefined,
    );
    expect(await explain()).toMatch(
      /It is bound to node n2.*, on recovery budget us-ana \(granted by ana until .+Z\)/,
    );
    const described = await cli.must("describe", "replica", waiting!.meta.name, "-n", "shop");
    expect(described).toMatch(/budget: us-ana/);
    expect(await cli.must("get", "replicas", "-n", "shop", "-o", "wide")).toMatch(/us-ana/);
  });

  it("stays as it is when the policy goes back to an earlier revision in the middle of it all [BU2]", async () => {
    const later = RULES.slice(0, RULES.indexOf("---")).replace("default-1", "default-2");
    await cli.must("apply", "-f", cli.write("later.yaml", later.replace("cpu: 2", "cpu: 4")));
    expect(await cli.must("policy", "diff", "default-1", "default-2")).toMatch(
      /recovery\.reserve\.cpu: "2" -> "4"/,
    );
    await cli.must("policy", "activate", "default", "default-2", "--reason", "more", "--as", "ana");
    const back = await cli.must("policy", "rollback", "default", "--as", "ana");
    expect(back).toContain(
      "budgets: preserve: 1 recovery budget stays until its end, whatever the reserve is then",
    );
    expect(await cli.must("policy", "history", "default")).toMatch(/budgets: preserve 1/);
    expect(await cli.must("get", "budgets")).toMatch(/us-ana +us +1 +1Gi/);
  });

  it("shows who spends it, and gives it back when they are gone [BU6] [BU7]", async () => {
    const table = await cli.must("get", "budgets");
    expect(table).toMatch(
      /^NAME +REGION +CPU +MEMORY +SPENT +FOR +OWNER +UNTIL +STATE +AGE\nus-ana +us +1 +1Gi +1\/1 cpu, 512Mi\/1Gi +\* +ana +\S+Z +used-up/,
    );
    const listed = await cli.must("budget", "list");
    expect(listed).toMatch(/1 cpu, 1Gi memory granted, of which 1 cpu, 512Mi memory spent/);
    expect(listed).toMatch(/us-ana +us +1 cpu, 1Gi memory.*shop\/api\.1\.0 and 1 more +eu is dark/);
    const said = await cli.must("budget", "withdraw", "us-ana", "--as", "ana");
    expect(said).toMatch(
      /2 replicas keep running; 1 cpu, 512Mi memory return to the reserve when they end/,
    );
    expect(await cli.must("get", "budgets")).toMatch(/withdrawn/);
    expect(await cli.must("describe", "budget", "us-ana")).toMatch(
      /InForce +False +Withdrawn +It covers no new bindings\. 2 replicas still spend 1 cpu/,
    );
    cli.fallSilent("n2");
    await lose("n2");
    await cli.until("the budget to be gone", () =>
      cli.plane.objects.get(recoveryBudgetKey("us-ana")) === undefined ? true : undefined,
    );
    expect(await cli.must("get", "events")).toMatch(/BudgetSettled/);
  });
});

describe("mistakes", () => {
  const cases: readonly [words: readonly string[], text: RegExp][] = [
    [["us", "--cpu", "1", "--memory", "1Gi", "--ttl", "1m"], /--reason/],
    [["mars", ...US.slice(1)], /Unknown region "mars"\. Known regions: eu, us\./],
    [["us", "--cpu", "much", ...US.slice(3)], /spec\.cpu: found "much"/],
    [[...US.slice(0, 5), "--ttl", "9d", "--reason", "x"], /spec\.ttl: found "9d"/],
    [[...US, "--name", "Not A Name"], /metadata\.name/],
  ];
  it.each(cases)("%j is told what is wrong", async (words, text) => {
    const { code, err } = await grant(...words, "--as", "ana");
    expect(err).toMatch(text);
    expect(code).toBe(2);
  });

  it("is told the new name of the kind in a manifest of an earlier version", async () => {
    const old = "apiVersion: berth.dev/v1\nkind: Budget\nmetadata: { name: old }\nspec: {}\n";
    const { code, err } = await cli.berth("apply", "-f", cli.write("old.yaml", old));
    expect([code, err]).toEqual([
      2,
      expect.stringMatching(/old\.yaml:2:1: .*kind: Budget is now called RecoveryBudget/),
    ]);
  });

  it("is told of a budget that is not there, and of a time that is none", async () => {
    const missing = await cli.berth("budget", "withdraw", "nothing", "--as", "ana");
    expect(missing.err).toMatch(/recoverybudgets\.berth\.dev "nothing" not found/);
    const soon = await cli.berth("budget", "extend", "us-ana", "--ttl", "soon", "--as", "ana");
    expect(soon.err).toMatch(/--ttl: found "soon"/);
  });
});
