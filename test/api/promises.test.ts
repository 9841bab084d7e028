import { afterEach, describe, expect, it } from "vitest";
import { anApiWithTenant, type Api, BERTH } from "./an-api.ts";

let api: Api;
afterEach(() => api.close());
const COMMITMENTS = `${BERTH}/namespaces/payments/commitments`;
describe("promises", () => {
  it("x", async () => {
    api = await anApiWithTenant({ promisesQuietMs: 1 });
    const a = await api.post(COMMITMENTS, {
      apiVersion: "berth.dev/v1",
      kind: "Commitment",
      metadata: { name: "room" },
      spec: { headroom: {}, when: { lose: "node" } },
    });
    expect(a.status, a.text).toBe(201);
    for (let i = 0; i < 100; i++) {
      await new Promise((r) => setTimeout(r, 100));
      const { json, text } = await api.get("/promises");
      if (i % 20 === 0 || json["checked"]) console.log(text);
      if (json["checked"]) break;
    }
    console.log(
      (await api.get(COMMITMENTS)).text,
      (await api.get("/problems")).text,
      (await api.get("/api/v1/events")).text,
      (await api.get("/metrics")).text
        .split("\n")
        .filter((l) => l.includes("commitment"))
        .join("\n"),
    );
  });
});
