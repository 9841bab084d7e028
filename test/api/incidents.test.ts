import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { nodeKey } from "../../src/core/model/ids.ts";
import { bind } from "./a-bound-replica.ts";
import { anApiWithTenant, type Api } from "./an-api.ts";

let api: Api;
beforeEach(async () => {
  api = await anApiWithTenant();
});
afterEach(() => api.close());

async function fence(): Promise<void> {
  const statement = "a-1 has no power";
  const evidence = { kind: "person", name: "ana", statement } as const;
  const of = { kind: "transition", key: nodeKey("a-1"), session: 1, evidence } as const;
  await api.send({ ...of, from: "ready", to: "fenced" }, "user", "ana");
}

describe("GET /incidents", () => {
  it("[AP310] lists what the log tells of: its kind, its object, when it began and ended", async () => {
    await bind(api);
    expect((await api.get("/incidents")).json).toMatchObject({
      incidents: [],
      says: "This is the full history.",
    });
    await fence();
    const began = { revision: api.plane.revision, time: expect.stringMatching(/^20.*Z$/) };
    const fenced = {
      kind: "NodeFenced",
      about: "node/a-1",
      message: expect.stringContaining("a-1 was fenced"),
      began,
    };
    const { json } = await api.get("/incidents");
    expect(json["incidents"]).toEqual([{ ...fenced, id: "NodeFenced node/a-1 lasts" }]);
    await api.send({ kind: "lease", node: "a-1", session: 2, seq: 1, kept: [] }, "agent");
    const ended = { revision: api.plane.revision, time: expect.any(String) };
    const after = await api.get("/incidents?about=node/a-1");
    expect(after.json["incidents"]).toMatchObject([{ ...fenced, ended }]);
    expect((await api.get("/incidents?about=node/a-2")).json["incidents"]).toEqual([]);
    const older = await api.get(`/incidents?before=${began.revision}`);
    expect(older.json["incidents"]).toEqual([]);
  });

  it("[AP310] gives `next` where there may be more", async () => {
    await bind(api);
    await fence();
    const { json } = await api.get("/incidents?limit=1");
    expect(json["next"]).toBe(api.plane.revision);
  });

  it.each(["limit=0", "limit=501", "before=x"])("[AP310] rejects %s", async (query) => {
    const { status, text } = await api.get(`/incidents?${query}`);
    expect([status, text]).toEqual([400, expect.stringContaining("whole number")]);
  });
});
