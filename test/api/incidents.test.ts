import fastify from "fastify";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { DEFAULT_LIMITS } from "../../src/api/http/limits.ts";
import type { ShownIncidents } from "../../src/api/incidents/shown-incident.ts";
import { addIncidentRoutes } from "../../src/api/routes/routes-incidents.ts";
import { setCaller } from "../../src/api/http/caller.ts";
import { ADMIN, anAuthorizer } from "../builders/an-authorizer.ts";
import { nodeKey, type ObjectKey } from "../../src/core/model/ids.ts";
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

  it("[AP310] lists objectives that this plane found breached among them", async () => {
    await bind(api);
    const app = fastify();
    const began = { revision: api.plane.revision, atMs: 1_000 };
    const key = "Slo//fast" as ObjectKey;
    const breaches = [{ key, began, good: 0.5, ended: undefined }];
    app.addHook("onRequest", async (request) => setCaller(request, ADMIN));
    addIncidentRoutes(
      app,
      { plane: api.plane, limits: DEFAULT_LIMITS, authorizer: anAuthorizer() },
      { breaches },
    );
    await fence();
    const read = async (query: string) =>
      (await app.inject(`/incidents${query}`)).json<ShownIncidents>().incidents;
    expect((await read("")).map(({ kind, about }) => [kind, about])).toEqual([
      ["NodeFenced", "node/a-1"],
      ["SloBreached", "slo/fast"],
    ]);
    expect(await read("?limit=1")).toHaveLength(1);
    expect((await read(`?before=${began.revision + 1}`)).map(({ message }) => message)).toEqual([
      "Its error budget was spent: only 50% of the samples were good.",
    ]);
    expect(await read("?about=node/a-1")).toHaveLength(1);
    await app.close();
  });

  it.each(["limit=0", "limit=501", "before=x"])("[AP310] rejects %s", async (query) => {
    const { status, text } = await api.get(`/incidents?${query}`);
    expect([status, text]).toEqual([400, expect.stringContaining("whole number")]);
  });
});
