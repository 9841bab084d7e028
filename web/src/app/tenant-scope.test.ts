import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { navigate } from "./router.ts";
import { chooseTenant, isOfScope, startTenantScope, tenantScope } from "./tenant-scope.ts";

/** As much of a browser as an address and what it remembers are. */
let at = "/ui/fleet";
let remembered = new Map<string, string>();
let stop = (): void => {};
const url = () => new URL(at, "http://plane");
const go = (_state: null, _title: string, to: URL) => void (at = to.pathname + to.search);

beforeEach(() => {
  remembered = new Map();
  vi.stubGlobal("location", {
    get href() {
      return url().href;
    },
    get pathname() {
      return url().pathname;
    },
    get search() {
      return url().search;
    },
  });
  vi.stubGlobal("history", { pushState: go, replaceState: go });
  vi.stubGlobal("localStorage", {
    getItem: (key: string) => remembered.get(key) ?? null,
    setItem: (key: string, value: string) => remembered.set(key, value),
    removeItem: (key: string) => remembered.delete(key),
  });
  stop = startTenantScope();
});
afterEach(() => {
  chooseTenant("");
  stop();
  vi.unstubAllGlobals();
});

test("a tenant that was chosen is in the address of every page of tenants, and of no other", () => {
  navigate("/ui/queue?tab=owed");
  chooseTenant("payments");
  expect(at).toBe("/ui/queue?tab=owed&tenant=payments");
  navigate("/ui/steering");
  expect([at, tenantScope.value]).toEqual(["/ui/steering", "payments"]);
  navigate("/ui/workloads/research/etl");
  expect(at).toBe("/ui/workloads/research/etl");
  navigate("/ui/quota?sort=-name");
  expect(at).toBe("/ui/quota?sort=-name&tenant=payments");
  expect([isOfScope("payments"), isOfScope("research")]).toEqual([true, false]);
});

test("an address decides over what was remembered, and all tenants are chosen by leaving it out", () => {
  navigate("/ui/workloads");
  chooseTenant("payments");
  navigate("/ui/audit?tenant=research");
  expect([tenantScope.value, [...remembered.values()]]).toEqual(["research", ["research"]]);
  chooseTenant("");
  expect([at, remembered.size, isOfScope("anybody")]).toEqual(["/ui/audit", 0, true]);
});
