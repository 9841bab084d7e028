/** A workload whose replica has gone through more steps than are looked at of each of many replicas. */
import { expect, it } from "vitest";
import { bind, replica } from "./a-bound-replica.ts";
import { type AnyJson, anApiWithTenant, type Api, textAt } from "./an-api.ts";

/** Ready and unready again: each time two commits. */
const TIMES = 15;

async function flap(api: Api): Promise<void> {
  const report = { kind: "report", replica, incarnation: 1, node: "a-1", session: 1 } as const;
  await api.send({ ...report, stage: "starting" }, "agent");
  for (let at = 0; at < TIMES; at += 1) {
    await api.send({ ...report, stage: "ready" }, "agent");
    const probe = { said: `GET / is 503, try ${at}`, times: 1 };
    await api.send({ ...report, stage: "starting", reason: probe.said, probe }, "agent");
  }
}

it("[AP161] the timeline of a workload keeps all steps of its few replicas, and names no wrong beginning", async () => {
  const api = await anApiWithTenant();
  try {
    await bind(api);
    await flap(api);
    const { json } = await api.get("/explain?kind=workload&namespace=payments&name=api");
    const timeline = json["timeline"] as unknown as AnyJson[];
    const { record } = json;
    expect(record).toMatchObject({ isWhole: true, says: "This is the full history." });
    const commands = timeline.map((step) => textAt(step, "command"));
    expect(commands.filter((command) => command === "report")).toHaveLength(2 * TIMES + 1);
    expect(commands).toContain("bind");
  } finally {
    await api.close();
  }
});
