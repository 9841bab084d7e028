/** A role that does not say what its author meant must not land anywhere, least of all with a wider meaning. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Api, anApiWithTenant } from "../an-api.ts";

const RBAC = "/apis/rbac.authorization.k8s.io/v1";
const IN = `${RBAC}/namespaces/payments`;
let api: Api;
beforeAll(async () => {
  api = await anApiWithTenant();
});
afterAll(() => api.close());

const RULE = { apiGroups: ["berth.dev"], resources: ["workloads"], verbs: ["get"] };
const role = (rule: object, metadata: object = {}) => ({
  apiVersion: "rbac.authorization.k8s.io/v1",
  kind: "Role",
  metadata: { name: "reader", ...metadata },
  rules: [rule],
});
const ROLE_REF = { apiGroup: "rbac.authorization.k8s.io", kind: "Role", name: "reader" };
const SUBJECT = { apiGroup: "rbac.authorization.k8s.io", kind: "User", name: "ana" };
const binding = (of: object) => ({
  apiVersion: "rbac.authorization.k8s.io/v1",
  kind: "RoleBinding",
  metadata: { name: "readers" },
  roleRef: ROLE_REF,
  subjects: [SUBJECT],
  ...of,
});

test.each([
  ["no verbs", role({ ...RULE, verbs: undefined })],
  ["no groups, which is not the core group", role({ ...RULE, apiGroups: undefined })],
  ["no resources, which is not all of them", role({ ...RULE, resources: undefined })],
  ["a misspelt field", role({ ...RULE, resourceName: ["api"] })],
  ["a namespace inside a rule", role({ ...RULE, namespace: "fraud" })],
  ["paths in a role of one namespace", role({ nonResourceURLs: ["/metrics"], verbs: ["get"] })],
  ["another namespace than its path", role(RULE, { namespace: "fraud" })],
])("a role with %s is rejected, and nothing is kept of it [AZ19]", async (_, body) => {
  const answer = await api.post(`${IN}/roles`, body);
  expect([400, 422]).toContain(answer.status);
  expect((await api.get(`${RBAC}/roles`)).json["items"]).toHaveLength(0);
});

test.each([
  ["no role", binding({ roleRef: undefined })],
  ["a role without a kind", binding({ roleRef: { ...ROLE_REF, kind: undefined } })],
  ["a role of an unknown kind", binding({ roleRef: { ...ROLE_REF, kind: "Policy" } })],
  ["a role of another group", binding({ roleRef: { ...ROLE_REF, apiGroup: "berth.dev" } })],
  ["a subject of an unknown kind", binding({ subjects: [{ ...SUBJECT, kind: "Tenant" }] })],
  ["a subject without a name", binding({ subjects: [{ ...SUBJECT, name: undefined }] })],
])("a binding with %s is rejected, and nothing is kept of it [AZ19]", async (_, body) => {
  expect((await api.post(`${RBAC}/namespaces/payments/roles`, role(RULE))).status).toBeLessThan(
    500,
  );
  const answer = await api.post(`${IN}/rolebindings`, body);
  expect([400, 422]).toContain(answer.status);
  expect((await api.get(`${RBAC}/rolebindings`)).json["items"]).toHaveLength(0);
});

test("a binding of the whole cluster names no role of one namespace [AZ19]", async () => {
  const answer = await api.post(`${RBAC}/clusterrolebindings`, {
    ...binding({}),
    kind: "ClusterRoleBinding",
  });
  expect([400, 422]).toContain(answer.status);
  expect((await api.get(`${RBAC}/clusterrolebindings`)).json["items"]).toHaveLength(0);
});
