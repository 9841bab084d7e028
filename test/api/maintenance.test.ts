import { afterEach, describe, expect, it } from "vitest";
import { anApi, anApiWithTenant, aNodeObject, type Api, BERTH } from "./an-api.ts";
import { loginName } from "../../src/shell/login-name.ts";

let api: Api;
afterEach(() => api.close());

const NODE = `${BERTH}/nodes/a-1`;
const MERGE = "application/merge-patch+json";
const as = (name: string) => ({ "berth-as": name });
const cordons = (...holders: string[]) => ({
  spec: { cordons: holders.map((holder) => ({ holder, reason: "" })) },
});

describe("GET /whoami", () => {
  it("[AP122] without tokens the caller is who it says it is", async () => {
    api = await anApi();
    expect((await api.get("/whoami")).json).toMatchObject({
      kind: "local",
      name: loginName(),
      groups: ["system:masters", "system:authenticated"],
    });
    const ada = await api.get("/whoami", { "berth-as": "ada" });
    expect(ada.json).toMatchObject({ kind: "local", name: "ada" });
    expect((await api.get("/whoami", { "berth-as": "x".repeat(200) })).status).toBe(400);
  });

  it("[AP122] a token has a name, and speaks for no other", async () => {
    api = await anApi({ auth: { tokens: [{ token: "secret", kind: "user", name: "ana" }] } });
    const token = { authorization: "Bearer secret" };
    expect((await api.get("/whoami", token)).json).toMatchObject({ kind: "user", name: "ana" });
    expect((await api.get("/whoami", { ...token, "berth-as": "ana" })).status).toBe(200);
    expect((await api.get("/whoami", { ...token, "berth-as": "bob" })).status).toBe(403);
  });
});

describe("what others hold of a node", () => {
  it("[AP123] is lifted by them, or with force and in one's own name", async () => {
    api = await anApiWithTenant();
    await api.post(`${BERTH}/nodes`, aNodeObject());
    expect((await api.patch(NODE, cordons("ada"), MERGE, as("ada"))).status).toBe(200);
    const refused = await api.patch(NODE, cordons(), MERGE, as("bob"));
    expect(refused.status).toBe(403);
    expect(refused.json["message"]).toMatch(
      /The cordon or drain belongs to another holder.*expected ada, found bob/,
    );
    expect((await api.patch(`${NODE}?force=true`, cordons(), MERGE, as("bob"))).status).toBe(200);
  });

  it("[AP123] is not lifted by the force of an apply", async () => {
    api = await anApiWithTenant();
    await api.post(`${BERTH}/nodes`, aNodeObject());
    await api.patch(NODE, cordons("ada"), MERGE, as("ada"));
    const applied = { ...aNodeObject(), spec: { ...aNodeObject().spec, ...cordons().spec } };
    const type = "application/apply-patch+yaml";
    const path = `${NODE}?force=true&fieldManager=gitops`;
    expect((await api.patch(path, applied, type)).status).toBe(403);
  });
});

describe("GET /drain-plan", () => {
  it("[AP121] says what a drain would do, and wants a node that is there", async () => {
    api = await anApiWithTenant();
    await api.post(`${BERTH}/nodes`, aNodeObject());
    const { revision } = api.plane;
    const plan = await api.get("/drain-plan?node=a-1");
    expect(plan.json).toEqual({ node: "a-1", revision, moves: [] });
    expect(api.plane.revision).toBe(revision);
    expect((await api.get("/drain-plan")).status).toBe(400);
    expect((await api.get("/drain-plan?node=nowhere")).status).toBe(404);
  });
});
