/**
 * What a caller reads does not depend on what another tenant wrote inside its own limits: two worlds that differ in
 * nothing else answer every read route of the server alike, byte by byte.
 */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type GuardedRoute, routesOf } from "../../../src/api/access/add-authorization.ts";
import type { Api } from "../an-api.ts";
import {
  asAna,
  asAud,
  asBen,
  asNil,
  asVic,
  aWorld,
  MARKER,
  type Tenant,
  VALUE,
  type WorldName,
} from "./two-worlds.ts";

let routes: readonly GuardedRoute[] = [];
const open: Api[] = [];

/** The two that are asked for, made once. */
const made = new Map<Tenant, Promise<readonly Api[]>>();
function worldsOf(differs: Tenant): Promise<readonly Api[]> {
  const both = async (): Promise<readonly Api[]> => {
    const worlds = [await aWorld({ name: "one", differs }), await aWorld({ name: "two", differs })];
    open.push(...worlds);
    return worlds;
  };
  const worlds = made.get(differs) ?? both();
  made.set(differs, worlds);
  return worlds;
}

beforeAll(async () => {
  const [one] = await worldsOf("bravo");
  routes = one === undefined ? [] : routesOf(one.app);
});
afterAll(async () => {
  for (const world of open) await world.close();
});

const WORLDS: readonly WorldName[] = ["one", "two"];
const WORKLOADS = ["api", "big", "urgent", "owed", "lent", "w1", "w2", "w3"];
/** As they are called where their tenant writes the same in both worlds, and in either world. */
const ALL_WORKLOADS = WORKLOADS.flatMap((name) => [
  name,
  ...WORLDS.map((world) => `${name}-${MARKER}-${world}`),
]);
const ALL_REPLICAS = ALL_WORKLOADS.map((name) => `${name}.1.0`);
const NAMED: Readonly<Record<string, readonly string[]>> = {
  workloads: ALL_WORKLOADS,
  replicas: ALL_REPLICAS,
  pods: ALL_REPLICAS,
  nodes: ["a-1"],
  tenants: ["alpha", "bravo"],
  namespaces: ["alpha", "bravo"],
};
const namesOf = (of: string): readonly string[] => [...(NAMED[of] ?? ["default"]), "nowhere"];
const NAMESPACES = ["alpha", "bravo", "nowhere"];

const ofEach = (names: readonly string[], path: (tenant: string, name: string) => string) =>
  ["alpha", "bravo"].flatMap((tenant) => names.map((name) => path(tenant, name)));

/** What routes read from their query; a route without an entry is asked without a query. */
const QUERIES: Readonly<Record<string, readonly string[]>> = {
  "/explain": [
    ...ofEach(ALL_WORKLOADS, (tenant, name) => `?kind=workload&namespace=${tenant}&name=${name}`),
    ...ofEach(
      ALL_REPLICAS,
      (tenant, name) => `?kind=replica&namespace=${tenant}&name=${name}&deep=true`,
    ),
    "?kind=workload&namespace=alpha&name=big&whatIf=true&whyNot=a-1",
    "?kind=node&name=a-1",
    ...Array.from({ length: 60 }, (_, at) => `?kind=decision&name=${at + 1}`),
  ],
  "/decisions": [
    "?key=Quota/alpha/default",
    "?key=Quota/bravo/default",
    ...ofEach(ALL_WORKLOADS, (tenant, name) => `?key=Workload/${tenant}/${name}`),
    ...ofEach(ALL_REPLICAS, (tenant, name) => `?key=Replica/${tenant}/${name}`),
    "?key=Node//a-1",
  ],
  "/diff": ["?from=1", "?from=10&to=20", "?from=1&namespace=bravo", "?from=1&namespace=alpha"],
  "/search": ["?q=alpha", "?q=bravo", "?q=w", "?q=a", `?q=${MARKER}`, "?q=a-1"],
  "/audit": ["", "?limit=1000", "?tenant=bravo", "?tenant=alpha", "?kind=human", "?actor=root"],
  "/stream/state": ["?node=a-1"],
  "/stream/list": ["?node=a-1"],
  "/stream/watch": ["?node=a-1&from=1"],
  "/drain-plan": ["?node=a-1"],
  "/revisions": ["", "?revision=5"],
};

function pathsOf({ url }: GuardedRoute): readonly string[] {
  const parts = url.split("/");
  const of = parts.findLast((part) => part in NAMED) ?? "";
  const inNamespaces = url.includes(":namespace")
    ? NAMESPACES.map((namespace) => url.replace(":namespace", namespace))
    : [url];
  const named = inNamespaces.flatMap((path) =>
    path.includes(":name") ? namesOf(of).map((name) => path.replace(":name", name)) : [path],
  );
  const whole = named.map((path) => path.replace(/:\w+/g, "1").replace("*", "nowhere"));
  const queries = QUERIES[url] ?? ["", "?limit=2"];
  return whole.flatMap((path) => queries.map((query) => `${path}${query}`));
}

/** Its levels tell how busy the server is, which all of its callers share (AZ46). */
const SHARED = new Set(["/shares"]);

/** Sessions need a connection of their own; they are refused before it is looked at. */
const reads = (): readonly string[] =>
  [
    ...new Set(
      routes.filter(({ method, url }) => method === "GET" && !SHARED.has(url)).flatMap(pathsOf),
    ),
  ].toSorted();

async function answersOf(world: Api | undefined, headers: Record<string, string>) {
  const answers = new Map<string, string>();
  for (const path of reads()) {
    const answer = await world?.get(path, headers);
    answers.set(path, `${answer?.status} ${answer?.text}`);
  }
  return answers;
}

/** The place, with some of what is before it. */
function differenceOf(one: string, two = ""): string {
  let at = 0;
  while (one[at] === two[at]) at += 1;
  const from = Math.max(0, at - 40);
  return `${one.slice(from, at + 30)} | ${two.slice(from, at + 30)}`;
}

const isTold = (to: ReadonlyMap<string, string>, words: string): boolean =>
  [...to.values()].some((text) => text.includes(words));

describe("two worlds that differ in what one tenant wrote", () => {
  test.each([
    ["an editor of the other tenant", "bravo", asAna],
    ["an editor whose work is preempted", "alpha", asBen],
    ["a caller without roles", "bravo", asNil],
  ] as const)("look the same to %s through every read route [AZ46]", async (_, differs, as) => {
    const worlds = await worldsOf(differs);
    const [one, two] = [await answersOf(worlds[0], as), await answersOf(worlds[1], as)];
    expect(one.size).toBeGreaterThan(300);
    const different = [...one].filter(([path, text]) => two.get(path) !== text);
    expect(
      different.map(([path, text]) => `${path}: ${differenceOf(text, two.get(path))}`),
    ).toEqual([]);
  });

  test("show values of environment variables to callers with env alone [AZ49]", async () => {
    const [world] = await worldsOf("bravo");
    const told = async (as: Record<string, string>) =>
      [...(await answersOf(world, as))].filter(([, text]) => text.includes(VALUE));
    expect((await told(asVic)).map(([path]) => path)).toEqual([]);
    expect((await told(asAud)).map(([path]) => path)).toEqual([]);
    expect((await told(asBen)).length).toBeGreaterThan(10);
  });

  test("show a tenant's editor its own work, and no name of the other's [AZ46]", async () => {
    const [world] = await worldsOf("bravo");
    const answers = await answersOf(world, asAna);
    const told = [...answers].filter(
      ([path, text]) => !path.includes(MARKER) && text.includes(MARKER),
    );
    expect(told).toEqual([]);
    const seen = [...answers].filter(([, text]) => text.startsWith("200")).map(([path]) => path);
    // Otherwise nothing would be left to hide.
    expect(isTold(answers, "quota of another tenant becomes free or larger")).toBe(true);
    expect(isTold(answers, "quota-claim:another tenant")).toBe(true);
    const whyNot = "/explain?kind=workload&namespace=alpha&name=big&whatIf=true&whyNot=a-1";
    expect(answers.get(whyNot)).toMatch(
      /free \d+; room taken by \d replicas of other tenants and 1 replica of its own tenant"/,
    );
    const toBen = await answersOf(world, asBen);
    expect(
      isTold(toBen, "of tenant bravo, which borrows quota, is evicted for work of another"),
    ).toBe(true);
    expect(seen).toContain("/apis/berth.dev/v1/namespaces/alpha/workloads/api");
    expect(seen).toContain("/explain?kind=workload&namespace=alpha&name=big");
    expect(seen.filter((path) => path.includes("/bravo"))).toEqual([]);
  });
});
