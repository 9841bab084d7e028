/**
 * Two worlds in which one tenant has written the same, and the other tenant other things of the same size: other names,
 * labels, commands and environments. Both share one node, where alpha's urgent work preempts bravo's and alpha's big work
 * finds no room. Alpha waits for quota that a third tenant has borrowed, and bravo loses quota that it borrowed to a fourth;
 * the names of both are others in each world. Time stands still, so that nothing else is different either.
 */
import { setImmediate as nextTurn } from "node:timers/promises";
import type { ApiToken } from "../../../src/api/identity/token-registry.ts";
import { createControllers } from "../../../src/host/controllers.ts";
import { grant } from "../../builders/grant.ts";
import { aNodeObject, anApi, type Api, aTenantObject, BERTH } from "../an-api.ts";

/** In everything that is written otherwise in the other world. */
export const MARKER = "bmark";
/** In the values of environment variables, in both worlds. */
export const VALUE = "valuemark";
const NOW_MS = 1_800_000_000_000;
/** Turns of the event loop without a commit after which the plane has nothing left to do. */
const QUIET_TURNS = 60;

const TOKENS: readonly ApiToken[] = [
  { token: "token-of-root-0001", kind: "local", name: "root" },
  { token: "token-of-ana-00001", kind: "user", name: "ana" },
  { token: "token-of-ben-00001", kind: "user", name: "ben" },
  { token: "token-of-nil-00001", kind: "user", name: "nil" },
  { token: "token-of-vic-00001", kind: "user", name: "vic" },
  { token: "token-of-aud-00001", kind: "user", name: "aud" },
];
export type WorldName = "one" | "two";
export type Tenant = "alpha" | "bravo";

export interface WorldOf {
  readonly name: WorldName;
  /** Whose objects are others in the other world. */
  readonly differs: Tenant;
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
export const asAna = bearer("token-of-ana-00001");
export const asBen = bearer("token-of-ben-00001");
/** Reads all of bravo, and none of the values of environment variables. */
export const asVic = bearer("token-of-vic-00001");
/** The same, of all tenants and of every path. */
export const asAud = bearer("token-of-aud-00001");
export const asNil = bearer("token-of-nil-00001");
const asRoot = bearer("token-of-root-0001");

export async function aWorld({ name, differs }: WorldOf): Promise<Api> {
  const api = await anApi({
    auth: { tokens: TOKENS },
    admins: [],
    clock: { nowMs: () => NOW_MS },
    controllers: () => createControllers({ schedulers: 1 }),
  });
  const write = writer(api);
  await write("regions", anObject("Region", "eu", { zones: ["eu-a"] }));
  await write("nodes", aNodeObject("a-1"));
  await api.send({ kind: "lease", node: "a-1", session: 1, seq: 1, kept: [] }, "agent");
  await write("priorityclasses", anObject("PriorityClass", "critical", { value: 1_000 }));
  const edit = { kind: "ClusterRole", name: "edit" } as const;
  const [borrower, lender] = [`z1-${MARKER}-${name}`, `z2-${MARKER}-${name}`];
  for (const [tenant, group, memory] of [
    ["alpha", "first", "1500Mi"],
    [borrower, "first", "64Mi"],
    ["bravo", "second", "64Mi"],
    [lender, "second", "1Gi"],
  ] as const) {
    await write("tenants", aTenantObject(tenant));
    const quota = anObject("Quota", "default", { limit: { cpu: 40, memory }, group });
    await write(`namespaces/${tenant}/quotas`, quota);
  }
  await grant(api.plane, { user: "ana", role: edit, namespace: "alpha" });
  await grant(api.plane, { user: "ben", role: edit, namespace: "bravo" });
  const view = { kind: "ClusterRole", name: "view" } as const;
  await grant(api.plane, { user: "vic", role: view, namespace: "bravo" });
  await grant(api.plane, { user: "aud", role: { kind: "ClusterRole", name: "auditor" } });
  const borrows = aWorkload("large", ofMemory("1Gi"), "");
  await write(`namespaces/${borrower}/workloads`, borrows);
  for (const [tenant, workload, spec] of WORK) {
    const secret = tenant === differs ? `${MARKER}-${name}` : "";
    await write(`namespaces/${tenant}/workloads`, aWorkload(workload, spec, secret));
  }
  const isOwed = aWorkload("large", ofMemory("1000Mi"), "");
  await write(`namespaces/${lender}/workloads`, isOwed);
  return api;
}

type Work = readonly [Tenant, name: string, spec: Readonly<Record<string, unknown>>];

const ofMemory = (memory: string) => ({ resources: { cpu: "10m", memory } });

/** Most of it waits for room; alpha's "owed" for quota that another tenant has borrowed. */
const WORK: readonly Work[] = [
  ["alpha", "api", { resources: { cpu: "500m", memory: "64Mi" } }],
  ["bravo", "w1", { resources: { cpu: 1, memory: "64Mi" } }],
  ["bravo", "w2", { resources: { cpu: 1, memory: "64Mi" } }],
  ["bravo", "w3", { resources: { cpu: 1, memory: "64Mi" } }],
  ["alpha", "big", { resources: { cpu: 3, memory: "64Mi" } }],
  ["alpha", "urgent", { resources: { cpu: 2, memory: "64Mi" }, priorityClass: "critical" }],
  ["alpha", "owed", ofMemory("512Mi")],
  ["bravo", "lent", ofMemory("512Mi")],
];

/** Names that sort alike, so that nothing but what they say is different. */
function aWorkload(name: string, spec: Work[2], secret: string): object {
  const object = anObject("Workload", secret === "" ? name : `${name}-${secret}`, {
    replicas: 1,
    run: { command: ["serve", secret], env: { KEY: secret, TOKEN: `${VALUE}-${name}` } },
    ...spec,
  });
  if (secret === "") return object;
  const metadata = { ...object.metadata, labels: { team: secret }, annotations: { why: secret } };
  return { ...object, metadata };
}

type Write = (path: string, body: object) => Promise<void>;

function writer(api: Api): Write {
  let written = 0;
  return async (path, body) => {
    written += 1;
    const headers = { ...asRoot, "idempotency-key": `write-${written}` };
    const { status, text } = await api.post(`${BERTH}/${path}`, body, headers);
    if (status !== 201) throw new Error(`${path}: ${status} ${text}`);
    await quiet(api);
  };
}

async function quiet({ plane }: Api): Promise<void> {
  let before = plane.revision;
  for (let turns = 0; turns < QUIET_TURNS; turns += 1) {
    await nextTurn();
    if (plane.revision !== before) turns = 0;
    before = plane.revision;
  }
}

const anObject = (kind: string, name: string, spec: object) => ({
  apiVersion: "berth.dev/v1",
  kind,
  metadata: { name },
  spec,
});
