/** The ready roles in lists, pages, watches and the past, and what writes of them are answered. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { READY_ROLES } from "../../../src/core/rules/access/ready-roles.ts";
import { type Answer, anApiWithTenant, type Api, textAt } from "../an-api.ts";

const ROLES = "/apis/rbac.authorization.k8s.io/v1/clusterroles";
const LABEL = "berth.dev/ready-role";
const READY = READY_ROLES.map(({ name }) => name);

const aRole = (name: string) => ({
  apiVersion: "rbac.authorization.k8s.io/v1",
  kind: "ClusterRole",
  metadata: { name },
  rules: [{ verbs: ["get"], nonResourceURLs: ["/metrics"] }],
});

interface Shown {
  readonly metadata: { readonly name: string; readonly resourceVersion: string };
}
const itemsIn = ({ json }: Answer) => json["items"] as unknown as readonly Shown[];
const namesIn = (answer: Answer): readonly string[] =>
  itemsIn(answer).map(({ metadata }) => metadata.name);

const chosen = async (query: string) => namesIn(await api.get(`${ROLES}?${query}`));

let api: Api;
let before: number;
beforeAll(async () => {
  api = await anApiWithTenant();
  before = api.plane.revision;
  await api.post(ROLES, aRole("metrics"));
});
afterAll(() => api.close());

test("[AZ11] a list has them among the written ones, in one order and with a resourceVersion", async () => {
  const list = await api.get(ROLES);
  expect(namesIn(list)).toEqual([...READY, "metrics"].toSorted());
  expect(itemsIn(list).every(({ metadata }) => Number(metadata.resourceVersion) > 0)).toBe(true);
  const { json } = await api.get(`${ROLES}/view`);
  expect(json).toEqual(itemsIn(list).find(({ metadata }) => metadata.name === "view"));
  expect(json).toMatchObject({
    kind: "ClusterRole",
    metadata: {
      labels: { [LABEL]: "true" },
      annotations: { "berth.dev/about": expect.any(String) },
    },
    rules: READY_ROLES.find(({ name }) => name === "view")?.rules,
  });
});

test("[AZ11] pages and selectors count them", async () => {
  const seen: string[] = [];
  let token = "";
  do {
    const page = await api.get(`${ROLES}?limit=5&continue=${token}`);
    seen.push(...namesIn(page));
    token = (page.json["metadata"] as { readonly continue?: string }).continue ?? "";
  } while (token !== "");
  expect(seen).toEqual([...READY, "metrics"].toSorted());
  expect(await chosen(`labelSelector=${LABEL}`)).toEqual(READY.toSorted());
  expect(await chosen(`labelSelector=!${LABEL}`)).toEqual(["metrics"]);
  expect(await chosen("fieldSelector=metadata.name=edit")).toEqual(["edit"]);
  expect(await chosen(`resourceVersion=${before}&resourceVersionMatch=Exact`)).toEqual(
    READY.toSorted(),
  );
  expect(await chosen(`resourceVersion=${before}&resourceVersionMatch=Exact&limit=500`)).toEqual(
    READY.toSorted(),
  );
});

test("[AZ11] a watch begins with them", async () => {
  const { text } = await api.get(`${ROLES}?watch=true&timeoutSeconds=1`);
  const events = text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as { readonly type: string; readonly object: Shown });
  expect(
    events.filter(({ type }) => type === "ADDED").map(({ object }) => object.metadata.name),
  ).toEqual([...READY, "metrics"].toSorted());
});

test("[AZ11] no write changes one, and a deletion of all leaves them", async () => {
  const { revision } = api.plane;
  const answers = [
    await api.post(ROLES, aRole("view")),
    await api.put(`${ROLES}/view`, aRole("view")),
    await api.patch(`${ROLES}/view`, { metadata: { labels: { a: "b" } } }),
    await api.delete(`${ROLES}/view`),
  ];
  for (const { status, json } of answers) {
    expect(status).toBe(422);
    expect(textAt(json, "message")).toContain("every plane has this role");
  }
  expect(api.plane.revision).toBe(revision);
  expect(namesIn(await api.delete(ROLES))).toEqual(["metrics"]);
  expect(namesIn(await api.get(ROLES))).toEqual(READY.toSorted());
});
