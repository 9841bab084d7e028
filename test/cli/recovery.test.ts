import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { nodeKey, operationId } from "../../src/core/model/ids.ts";
import { createHostClock } from "../../src/host/host-clock.ts";
import { CommandLine, workloadText } from "./a-served-plane.ts";

let cli: CommandLine;
beforeAll(async () => {
  cli = await CommandLine.start(createHostClock());
  await cli.furnish();
  await cli.speakFor("n1");
});
afterAll(() => cli.stop());

const AWAY = `
apiVersion: berth.dev/v1
kind: Region
metadata: { name: us }
spec: { zones: [us-a] }
---
apiVersion: berth.dev/v1
kind: Node
metadata: { name: n2 }
spec: { region: us, zone: us-a, capacity: { cpu: 4, memory: 4Gi } }
`;

describe("a service with a recovery objective", () => {
  it("shows the room that is kept for it, in the table, the description and the capacity [RV2] [RV9]", async () => {
    const objective = "  recovery: { within: 5m, replicas: 2, in: [us] }";
    await cli.must("apply", "-f", cli.write("api.yaml", workloadText("api", objective)));
    await cli.report(2, "serving");
    await cli.must("apply", "-f", cli.write("away.yaml", AWAY));
    await cli.speakFor("n2");
    await cli.until("two rooms", () =>
      cli.plane.objects.useOf("n2").held.size === 2 ? true : undefined,
    );
    expect(await cli.must("get", "workloads", "-n", "shop", "-o", "wide")).toMatch(/5m 2\/2/);
    const described = await cli.must("describe", "workload", "api", "-n", "shop");
    expect(described).toContain("reserved: 2/2");
    expect(described).toMatch(
      /RecoveryReserved +True +RoomKept +Headroom is reserved for 2 of 2 replicas in us/,
    );
    expect(await cli.must("capacity")).toMatch(/^us +4 4Gi +0 0 +0 0 +1 /m);
    const rooms = await cli.must("get", "reservations", "-n", "shop");
    expect(rooms).toMatch(/api\.recovery\.1 +recovery +api +1 +n2/);
  });

  it("tells of a loss with its deadline [RV6]", async () => {
    const { session, health: from } = cli.plane.objects.node(nodeKey("n1"))!.status;
    const evidence = { kind: "person", name: "ops", statement: "scrapped" } as const;
    const gone = { kind: "transition", key: nodeKey("n1"), session, from, to: "fenced" } as const;
    const operation = operationId("fence/n1");
    await cli.plane.submit({ ...gone, evidence, operation }, { role: "user", name: "ops" });
    await cli.until("a recovery", () =>
      [...cli.plane.objects.all("Workload").values()].find(({ status }) => status.recovery?.under),
    );
    const described = await cli.must("describe", "workload", "api", "-n", "shop");
    expect(described).toMatch(/RecoveryInTime +Unknown +Recovering/);
    expect(described).toMatch(
      /RecoveryBegan +.*2 replicas were lost; they are to be back within 5m/,
    );
  });
});
