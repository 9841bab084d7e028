import { afterAll, beforeAll, expect, it } from "vitest";
import { VIEW_NAMES } from "../../src/api/views/view-rows.ts";
import { anApiWithTenant, type Api } from "../api/an-api.ts";
import { PATHS } from "./generate-query.ts";

let api: Api;
beforeAll(async () => {
  api = await anApiWithTenant();
});
afterAll(() => api.close());

/** Streams, and what is not there in this world: a recording, a replica, a lease, a role, a dashboard. */
const MAY_BE_MISSING =
  /^\/(?:$|ui|assets|recordings|audit\/verify|backup)|\/log$|\/(?:leases|roles|rolebindings|clusterrolebindings)\//;

it.each(PATHS.filter((path) => !MAY_BE_MISSING.test(path)))(
  "the fuzzer reads %s, which the server has",
  async (path) => {
    const { status, text } = await api.get(path);
    expect([path, status, status === 404 ? text : ""]).not.toContain(404);
  },
);

it("the fuzzer reads every view", () => {
  expect(
    VIEW_NAMES.filter((name) => !(PATHS as readonly string[]).includes(`/views/${name}`)),
  ).toEqual([]);
});

/** As fastify draws them: a tree, whose lines name their methods in brackets. */
function routesOf(): readonly string[] {
  const above: string[] = [];
  return api.app
    .printRoutes({ commonPrefix: false })
    .split("\n")
    .flatMap((line) => {
      const level = line.search(/[├└]/) / 4;
      if (level < 0) return [];
      const [, part = "", methods = ""] = /── (\S*)(?: \(([A-Z, ]+)\))?/.exec(line) ?? [];
      above.splice(level, above.length, part);
      return methods.split(", ").includes("GET") ? [above.join("")] : [];
    });
}

const isDrawn = (route: string): boolean => {
  const pattern = route.replaceAll(/[.]/g, String.raw`\.`).replaceAll(/:[a-z]+|\*/gi, "[^?]+");
  return PATHS.some((path) => new RegExp(`^${pattern}$`).test(path));
};

it("the fuzzer reads every path that the server answers, but those of kinds, which it is told by discovery", () => {
  const routes = routesOf();
  expect(routes.length).toBeGreaterThan(40);
  const ofKinds = /^\/(?:apis\/berth\.dev\/v1|api\/v1)\//;
  expect(routes.filter((route) => !ofKinds.test(route) && !isDrawn(route))).toEqual([]);
});
