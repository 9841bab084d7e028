/** What an agent's token may say of its node, over HTTP: what its operator stated beside the token counts. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { nodeKey } from "../../src/core/model/ids.ts";
import { anApi, type Api, BERTH } from "./an-api.ts";

const approved = { cpuMillis: 4_000, memoryMiB: 4_096, region: "eu", zone: "eu-a" };
const TOKENS = {
  tokens: [
    { token: "secret-of-ana", kind: "user", name: "ana" },
    { token: "secret-of-known", kind: "agent", name: "known", approved },
    { token: "secret-of-liar", kind: "agent", name: "liar" },
  ],
} as const;
const as = (name: string) => ({ authorization: `Bearer secret-of-${name}` });

const aNode = (name: string, cpu: string, labels: Readonly<Record<string, string>> = {}) => ({
  apiVersion: "berth.dev/v1",
  kind: "Node",
  metadata: { name, labels },
  spec: { region: "eu", zone: "eu-a", capacity: { cpu, memory: "2Gi" } },
});

let api: Api;
beforeAll(async () => {
  api = await anApi({ auth: TOKENS });
});
afterAll(() => api.close());

const reasonOf = ({ json }: Pick<Awaited<ReturnType<Api["get"]>>, "json">) =>
  json["details"]?.["causes"]?.[0]?.["reason"];

const register = (who: string, node: object) => api.post(`${BERTH}/nodes`, node, as(who));

describe("an agent that registers its node", () => {
  it("[NR2] is refused a million CPUs, and more than was stated", async () => {
    const million = await register("liar", aNode("liar", "1000000"));
    expect(million.status).toBe(403);
    expect(reasonOf(million)).toBe("capacity-over-ceiling");
    expect((await register("known", aNode("known", "5"))).status).toBe(403);
  });

  it("[NR3] is refused the labels that others select on", async () => {
    const labels = { "berth.dev/tier": "gold" };
    const { status, json } = await register("liar", aNode("liar", "2", labels));
    expect(status).toBe(403);
    expect(reasonOf({ json })).toBe("label-reserved");
  });

  it("[NR1] is refused finalizers, annotations and cordons", async () => {
    const node = aNode("liar", "2");
    const spec = { ...node.spec, cordons: [{ holder: "ana" }] };
    const metadata = { ...node.metadata, finalizers: ["example.com/keep"] };
    expect((await register("liar", { ...node, metadata })).status).toBe(403);
    expect((await register("liar", { ...node, spec })).status).toBe(403);
  });

  it("[NR4] takes work at once where all was stated, and waits for approval otherwise [NR5]", async () => {
    expect((await register("known", aNode("known", "4"))).status).toBe(201);
    expect(api.plane.objects.node(nodeKey("known"))?.spec.cordons).toEqual([]);
    const made = await register("liar", aNode("liar", "2", { tier: "web" }));
    expect(made.status).toBe(201);
    expect(made.json["spec"]?.["cordons"]?.[0]?.["holder"]).toBe("approval");
    expect(api.plane.since(api.plane.revision - 1)?.[0]?.actor).toMatchObject({
      role: "agent",
      name: "agent:liar",
    });
    // Neither a second time, nor by any other way.
    expect((await register("liar", aNode("liar", "1"))).status).toBe(409);
    const path = `${BERTH}/nodes/liar`;
    expect((await api.put(path, aNode("liar", "1"), as("liar"))).status).toBe(403);
    const whole = { ...aNode("liar", "2", { tier: "web" }) };
    expect((await api.put(path, whole, as("ana"))).status).toBe(200);
    expect(api.plane.objects.node(nodeKey("liar"))?.spec.cordons).toEqual([]);
  });
});
