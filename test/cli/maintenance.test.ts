import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { nodeKey, operationId } from "../../src/core/model/ids.ts";
import { CommandLine, workloadText } from "./a-served-plane.ts";

const SECOND_NODE = `
apiVersion: berth.dev/v1
kind: Node
metadata: { name: n2 }
spec: { region: eu, zone: eu-a, capacity: { cpu: 500m, memory: 1Gi } }
`;

let cli: CommandLine;
beforeAll(async () => {
  cli = await CommandLine.start();
  await cli.furnish();
  const guarded = workloadText("api", "  disruption: { maxUnavailable: 0 }");
  await cli.must("apply", "-f", cli.write("api.yaml", guarded));
  await cli.report(2, "ready");
  await cli.until("both to serve", () => {
    const ready = [...cli.plane.objects.all("Replica").values()];
    return ready.every(({ status }) => status.stage === "ready") ? true : undefined;
  });
  for (const replica of cli.plane.objects.all("Replica").values()) {
    await cli.reportOne(replica, "serving");
  }
  await cli.must("apply", "-f", cli.write("n2.yaml", SECOND_NODE));
  await cli.lease("n2");
});
afterAll(() => cli.stop());

const n1 = () => cli.plane.objects.node(nodeKey("n1"))!;

describe("a node that its agent has registered", () => {
  it("takes work once it is approved, and what it claims is shown before [NR5]", async () => {
    const spec = { ...n1().spec, cordons: [] };
    const intent = {
      kind: "put",
      operation: operationId("register/n9"),
      key: nodeKey("n9"),
      desired: { kind: "Node", spec },
      labels: { tier: "web" },
      finalizers: [],
      expect: { revision: 0 },
    } as const;
    await cli.plane.submit(intent, { role: "agent", name: "agent:n9" });
    const n9 = () => cli.plane.objects.node(nodeKey("n9"))!;
    const shown = await cli.must("node", "approve", "n9", "--dry-run");
    expect(shown).toMatch(
      /^node\/n9 claims\n {2}region {2}eu, zone eu-a\n {2}cpu {5}4, memory 4Gi/,
    );
    expect(shown).toMatch(/labels {2}tier=web\n/);
    expect(n9().spec.cordons).toMatchObject([{ holder: "approval" }]);
    expect(await cli.must("node", "approve", "n9", "--as", "ann")).toMatch(
      /node\/n9 approved by ann; it is schedulable now\n$/,
    );
    expect(n9().spec.cordons).toEqual([]);
    const again = await cli.berth("node", "approve", "n9");
    expect(again).toMatchObject({
      code: 2,
      err: expect.stringMatching(/is not waiting for approval/),
    });
    await cli.must("delete", "node", "n9");
  });
});

describe("whose a hold is", () => {
  it("is the holder's, and another lifts it by force and under their own name", async () => {
    await cli.must("cordon", "n1", "--as", "ann", "--reason", "new disk");
    expect(n1().spec.cordons).toEqual([{ holder: "ann", reason: "new disk" }]);
    const asked = await cli.berth("uncordon", "n1", "--holder", "ann", "--as", "bob");
    expect(asked.code).toBe(2);
    expect(asked.err).toMatch(
      /ann holds node\/n1 \(new disk\), and you are bob\. Ask ann, or remove the hold with --force;/,
    );
    const forced = await cli.must("uncordon", "n1", "--holder", "ann", "--as", "bob", "--force");
    expect(forced).toBe("node/n1 is schedulable again, forced by bob\n");
    const described = await cli.must("describe", "node", "n1");
    expect(described).toMatch(/CordonForced +.*bob lifted the cordon of ann by force/);
  });

  it("is not to be got around by writing the whole node", async () => {
    await cli.must("cordon", "n1", "--as", "ann");
    const text = `
apiVersion: berth.dev/v1
kind: Node
metadata: { name: n1 }
spec: { region: eu, zone: eu-a, capacity: { cpu: 4, memory: 4Gi }, cordons: [] }
`;
    const { code, err } = await cli.berth("apply", "-f", cli.write("n1.yaml", text), "--force");
    expect(code).toBe(2);
    expect(err).toMatch(/The cordon or drain belongs to another holder/);
    expect(n1().spec.cordons).toHaveLength(1);
    await cli.must("uncordon", "n1", "--as", "ann");
  });
});

describe("berth drain", () => {
  beforeEach(() => cli.must("undrain", "n1", "--force"));

  it("--dry-run says who waits, who goes where and who has no place, and changes nothing", async () => {
    const { revision } = cli.plane;
    const plan = await cli.must("drain", "n1", "--dry-run");
    expect(plan.split("\n")).toEqual([
      "REPLICA        LEAVES                                   MOVES TO",
      "shop/api.1.0   waits for shop/api's disruption budget   n2",
      "shop/api.1.1   waits for shop/api's disruption budget   no node fits: capacity rejected 1 node",
      "",
      "0 would leave node/n1 now, 2 would wait for their disruption budget, 1 would fit no other node. Nothing was changed.",
      "",
    ]);
    expect(cli.plane.revision).toBe(revision);
    expect(n1().spec.draining).toBe(false);
  });

  it("stops at its deadline, names who remains and why, and leaves with 1", async () => {
    const args = ["--as", "ann", "--reason", "new disk", "--deadline", "300ms", "--wait"];
    const { code, out, err } = await cli.berth("drain", "n1", ...args);
    expect({ code, out: out.split("\n")[1] }).toEqual({
      code: 1,
      out: "2 replicas left: 0 stopping, 2 not evicted yet",
    });
    expect(err).toMatch(
      /node\/n1 still has shop\/api\.1\.0, shop\/api\.1\.1\. .*\[drain-incomplete\]/,
    );
    expect(err).toMatch(
      /shop\/api\.1\.0: the disruption budget of shop\/api did not allow it by the deadline/,
    );
    const described = await cli.must("describe", "node", "n1");
    expect(described).toMatch(/Drained +False +DrainIncomplete +The deadline has passed/);
    const wide = await cli.must("get", "nodes", "-o", "wide");
    expect(wide).toMatch(/n1 +ready,draining .*draining by ann \(new disk\)/);
    const again = await cli.berth("drain", "n1", ...args);
    expect(again.err).toMatch(/already stopped at this deadline/);
    const other = await cli.berth("undrain", "n1", "--as", "bob");
    expect(other.err).toMatch(
      /The cordon or drain belongs to another holder.*expected ann, found bob/,
    );
  });

  it("asks all who remain by force when it was told to", async () => {
    const args = ["--deadline", "200ms", "--at-deadline", "force"];
    await cli.must("drain", "n1", ...args);
    await cli.until("all to be asked", () => {
      const left = [...cli.plane.objects.replicasOn("n1").values()];
      return left.every(({ status }) => status.stopping?.reason === "drain") ? true : undefined;
    });
    expect(await cli.must("describe", "node", "n1")).toMatch(/DrainForced/);
  });

  it.each([
    [["drain", "n1", "--deadline", "soon"], /--deadline: found "soon"/],
    [["drain", "n1", "--at-deadline", "force"], /requires --deadline/],
    [["drain", "n9", "--dry-run"], /"n9" not found/],
    [["cordon", "n1", "--as", ""], /--as: found an empty value/],
  ])("refuses %j", async (args, expected) => {
    const { code, err } = await cli.berth(...args);
    expect(code).toBe(2);
    expect(err).toMatch(expected);
  });
});
