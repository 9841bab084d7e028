import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { policyKey } from "../../src/core/model/ids.ts";
import type { Replica } from "../../src/core/model/objects.ts";
import { CommandLine, workloadText } from "./a-served-plane.ts";

const revision = (name: string, spec: string): string => `
apiVersion: berth.dev/v1
kind: PolicyRevision
metadata: { name: ${name} }
spec: ${spec}
`;
/** Named before what it names: manifests are made in the order in which they can be. */
const POLICIES = [
  `
apiVersion: berth.dev/v1
kind: Policy
metadata: { name: default }
spec: { active: default-1 }
`,
  revision("default-1", "{ scoring: best-fit }"),
  revision("default-2", "{ scoring: spread-out, onRollback: { bindings: drain } }"),
].join("---");

let cli: CommandLine;
beforeAll(async () => {
  cli = await CommandLine.start();
  await cli.furnish();
});
afterAll(() => cli.stop());

const replicas = (): readonly Replica[] => [...cli.plane.objects.all("Replica").values()];

/** Does what an agent does, until all of them serve under the revision. */
async function serveUnder(name: string): Promise<void> {
  for (;;) {
    for (const replica of replicas()) {
      const { stage, stopping } = replica.status;
      if (stopping && stage !== "released") await cli.reportOne(replica, "released");
      else if (stage === "bound") await cli.reportOne(replica, "serving");
    }
    const done = replicas().filter(
      ({ status }) => status.stage === "serving" && status.policyRevision === name,
    );
    if (done.length === 2 && replicas().every(({ status }) => !status.stopping)) return;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

describe("berth policy", () => {
  it("moves a pointer, in one region first, and says what is bound under what [PY4] [PY5]", async () => {
    expect(await cli.must("policy", "list")).toBe(
      "no policies: the built-in defaults apply everywhere\n",
    );
    await cli.must("apply", "-f", cli.write("policies.yaml", POLICIES));
    expect(await cli.must("policy", "diff", "default-1", "default-2")).toBe(
      [
        "default-1 and default-2 differ:",
        '  onRollback.bindings: (none) -> "drain"',
        '  scoring: "best-fit" -> "spread-out"',
        "",
      ].join("\n"),
    );
    const activate = ["policy", "activate", "default", "default-2", "--as", "ana"];
    expect(await cli.must(...activate, "--region", "eu", "--reason", "CHG-17")).toBe(
      "policy/default: activated default-2 in eu; before: default-1\n",
    );
    await cli.must("apply", "-f", cli.write("api.yaml", workloadText("api")));
    await serveUnder("default-2");
    const listed = await cli.must("policy", "list");
    expect(listed).toMatch(/^default +eu +default-2 +\S+ +ana$/m);
    expect(listed).toMatch(/^default-2 +spread-out +drain\/preserve +2$/m);
    expect(await cli.must("explain", "replica/api.1.0", "-n", "shop")).toContain(
      "under policy default-2",
    );
  });

  it("takes it back, and says what becomes of what before and after [PY7] [PY8]", async () => {
    const back = ["policy", "rollback", "default", "--region", "eu", "--as", "ana"];
    const dry = await cli.must(...back, "--dry-run");
    expect(dry).toBe(
      [
        "policy/default: rollback from default-2 to default-1, in eu",
        "  bindings: drain: 2 replicas move, as fast as their workloads can spare them",
        "  reservations: preserve: room that is held stays held",
        "dry run: nothing was changed",
        "",
      ].join("\n"),
    );
    const told = await cli.must(...back, "--reason", "latency");
    expect(told).toContain("policy/default: default-1 is active in eu\n");
    expect(told.match(/bindings: drain/g)).toHaveLength(2);
    await serveUnder("default-1");
    expect(await cli.must("policy", "history", "default")).toMatch(
      /eu +default-2 +default-1 +ana +latency \(rollback; bindings: drain, reservations: preserve\)\n$/,
    );
  });

  it("is told what is in the way: a pointer that moved, a manifest, a revision that is used [PY1] [PY3] [PY4]", async () => {
    const refused = async (...args: string[]) => {
      const { code, err } = await cli.berth(...args);
      expect(code).toBe(2);
      return err;
    };
    expect(await refused("policy", "activate", "default", "default-1")).toContain("already-active");
    expect(await refused("policy", "activate", "default", "default-9")).toContain(
      "berth policy list",
    );
    const pointer = cli.write(
      "moved.yaml",
      POLICIES.replace("active: default-1", "active: default-2"),
    );
    expect(await refused("apply", "-f", pointer)).toContain("Only activation moves");
    const other = cli.write("other.yaml", POLICIES.replace("best-fit", "fragmentation"));
    expect(await refused("apply", "-f", other)).toContain("create a new one and activate it");
    expect(await refused("delete", "policyrevision", "default-1")).toContain("default-1");
    expect(await refused("policy", "rollback", "default")).toContain("no previous revision");
    const { spec } = cli.plane.objects.all("Policy").get(policyKey("default"))!;
    expect(spec).toEqual({ active: "default-1" });
  });
});
