/** What the plane of a region may say to the global plane, who may say it, and what people are shown of it. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ApiToken } from "../../src/api/identity/token-registry.ts";
import type { RegionReport } from "../../src/core/protocol/region-exchange.ts";
import { GlobalSide } from "../../src/host/regional/global-side.ts";
import { anApi, type Answer, type Api, BERTH, textAt } from "./an-api.ts";

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const asRoot = bearer("token-of-root-0001");
const asEu = bearer("token-of-eu-000001");
const asAna = bearer("token-of-ana-00001");
const tokens: readonly ApiToken[] = [
  { token: "token-of-root-0001", kind: "local", name: "root" },
  { token: "token-of-eu-000001", kind: "user", name: "region-eu" },
  { token: "token-of-ana-00001", kind: "user", name: "ana" },
];

let api: Api;
let global: GlobalSide;
beforeAll(async () => {
  api = await anApi({ auth: { tokens }, admins: [] });
  global = new GlobalSide(api.plane);
  for (const name of ["eu", "us"]) {
    const spec = { zones: ["a"], plane: { term: "1m" } };
    await post("/regions", { kind: "Region", metadata: { name }, spec });
  }
  await post("/regions", { kind: "Region", metadata: { name: "here" }, spec: { zones: ["a"] } });
  const RBAC = "/apis/rbac.authorization.k8s.io/v1";
  const metadata = { name: "region-eu" };
  const rule = { apiGroups: ["berth.dev"], resources: ["regions"], resourceNames: ["eu"] };
  const role = { kind: "ClusterRole", metadata, rules: [{ ...rule, verbs: ["report"] }] };
  await expectMade(await api.post(`${RBAC}/clusterroles`, role, asRoot));
  const apiGroup = "rbac.authorization.k8s.io";
  const binding = {
    kind: "ClusterRoleBinding",
    metadata,
    roleRef: { apiGroup, kind: "ClusterRole", name: "region-eu" },
    subjects: [{ apiGroup, kind: "User", name: "region-eu" }],
  };
  await expectMade(await api.post(`${RBAC}/clusterrolebindings`, binding, asRoot));
});
afterAll(async () => {
  global.close();
  await api.close();
});

const post = async (path: string, object: object): Promise<void> =>
  expectMade(await api.post(`${BERTH}${path}`, { apiVersion: "berth.dev/v1", ...object }, asRoot));
const expectMade = async ({ status, text }: Answer): Promise<void> =>
  expect(`${status} ${status === 201 ? "" : text}`).toBe("201 ");

const NOTHING = { cpuMillis: 0, memoryMiB: 0, deviceMillis: 0 };
const aReport = (of: Partial<RegionReport> = {}): RegionReport => ({
  region: "eu",
  incarnation: 1,
  learning: false,
  epoch: 1,
  revision: 10,
  from: 0,
  askedMs: 1_000,
  grants: [],
  objectsTo: 0,
  objectsDigest: 0,
  summary: { nodes: 2, capacity: NOTHING, free: NOTHING, replicas: 3, serving: 2, queued: 1 },
  ...of,
});

const exchange = (report: unknown, as = asEu, region = "eu"): Promise<Answer> =>
  api.post(`/regions/${region}/exchange`, report, as);
const said = ({ status, json }: Answer): string => `${status} ${textAt(json, "message") ?? ""}`;

describe("POST /regions/NAME/exchange", () => {
  test("[RG40] takes in a report and answers with the terms for it", async () => {
    const { status, json } = await exchange(aReport());
    expect([status, json["kind"]]).toEqual([200, "terms"]);
    expect(json["terms"]).toMatchObject({
      region: "eu",
      termMs: 60_000,
      asked: { epoch: 1, ms: 1_000 },
    });
    expect(await exchange(aReport({ revision: 9 }))).toMatchObject({
      status: 200,
      json: { kind: "rejected", code: "report-passed" },
    });
  });

  test("[RG40] is for callers with the power over that region, and no other", async () => {
    expect(said(await exchange(aReport(), asAna))).toMatch(/^403 .*cannot report/);
    expect(said(await exchange(aReport({ region: "us" }), asEu, "us"))).toMatch(/^403 /);
    expect(said(await exchange(aReport({ region: "us" })))).toMatch(/^400 .*path names "eu"/);
  });

  test("[RG40] refuses what is no report, with the place of the mistake", async () => {
    const wrong = [
      [{ ...aReport(), incarnation: -1 }, "/incarnation"],
      [{ ...aReport(), grants: [{ tenant: "t" }] }, "/grants/0"],
      [{ ...aReport(), more: 1 }, "additional properties"],
    ] as const;
    for (const [report, place] of wrong) {
      const answer = said(await exchange(report));
      expect(answer).toMatch(/^400 /);
      expect(answer).toContain(place);
    }
    expect((await exchange("{")).status).toBe(400);
  });

  test("[RG40] says what to do where a region is unknown or has no plane of its own", async () => {
    const nowhere = await exchange(aReport({ region: "nowhere" }), asRoot, "nowhere");
    expect(said(nowhere)).toMatch(/^404 .*create the Region with spec\.plane/);
    const here = await exchange(aReport({ region: "here" }), asRoot, "here");
    expect(said(here)).toMatch(/^404 .*Add spec\.plane/);
  });
});

describe("GET /regions", () => {
  test("[RG41] shows for each region with a plane who was heard, and until when it takes new work", async () => {
    await exchange(aReport({ revision: 11, askedMs: 2_000 }));
    const { status, json } = await api.get("/regions", asRoot);
    expect(status).toBe(200);
    expect(json["role"]).toBe("global");
    expect(json["regions"]).toMatchObject([
      { name: "eu", state: "in-contact", nodes: 2, replicas: 3, serving: 2, queued: 1 },
      { name: "us", state: "never-heard" },
    ]);
    expect((await api.get("/regions", asAna)).status).toBe(403);
  });
});

describe("POST /regions/NAME/gone", () => {
  test("[RG42] takes a person's word that a region is gone, once, with a reason and the power to fence", async () => {
    const gone = (body: unknown, as: Record<string, string>, region = "eu") =>
      api.post(`/regions/${region}/gone`, body, as);
    const reason = "the building burnt down";
    expect((await gone({ reason }, asEu)).status).toBe(403);
    expect(said(await gone({}, asRoot))).toMatch(/^400 .*"reason"/);
    expect(said(await gone({ reason }, asRoot, "us"))).toMatch(/^404 .*never heard|ever heard/);
    expect(await gone({ reason }, asRoot)).toMatchObject({
      status: 200,
      json: { outcome: { kind: "committed" } },
    });
    expect(await exchange(aReport({ revision: 12, askedMs: 3_000 }))).toMatchObject({
      json: { kind: "rejected", code: "region-superseded" },
    });
    const { json } = await api.get("/regions", asRoot);
    expect(json["regions"]).toMatchObject([{ name: "eu", state: "gone" }, { name: "us" }]);
  });
});
