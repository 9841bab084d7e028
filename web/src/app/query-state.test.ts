import { effect } from "@preact/signals";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { queryState } from "./query-state.ts";
import { hrefWith, navigate, route, setQuery } from "./router.ts";

/** As much of a browser as an address and its history are. */
let entries: string[] = [];
const at = (): URL => new URL(entries.at(-1) ?? "", "http://plane");

beforeEach(() => {
  entries = ["/ui/fleet"];
  vi.stubGlobal("location", {
    get href() {
      return at().href;
    },
    get pathname() {
      return at().pathname;
    },
    get search() {
      return at().search;
    },
  });
  vi.stubGlobal("history", {
    pushState: (_state: null, _title: string, url: URL) => entries.push(url.pathname + url.search),
    replaceState: (_state: null, _title: string, url: URL) =>
      entries.splice(-1, 1, url.pathname + url.search),
  });
});
afterEach(() => vi.unstubAllGlobals());

test("a parameter follows the address, writes it, and leaves out what goes without saying", () => {
  navigate("/ui/workloads?filter=api");
  const filter = queryState("filter");
  const sort = queryState("sort", { fallback: "name" });
  const seen: string[] = [];
  const stop = effect(() => void seen.push(`${filter.value} by ${sort.value}`));
  sort.value = "-age";
  expect(hrefWith({ tab: "events" })).toBe("/ui/workloads?filter=api&sort=-age&tab=events");
  sort.value = "name";
  filter.value = "";
  stop();
  expect(seen).toEqual(["api by name", "api by -age", "api by name", " by name"]);
  expect(entries).toEqual(["/ui/fleet", "/ui/workloads"]);
});

test("what is chosen is a step back in the history, what is typed is not", () => {
  const node = queryState("node", { history: "push" });
  const filter = queryState("filter");
  node.value = "a-1";
  filter.value = "x";
  filter.value = "xy";
  node.value = "a-1";
  setQuery({ node: "", tab: "events" });
  expect(entries).toEqual([
    "/ui/fleet",
    "/ui/fleet?node=a-1&filter=xy",
    "/ui/fleet?filter=xy&tab=events",
  ]);
});

test("the route does not change with the query alone", () => {
  navigate("/ui/workloads/payments/api");
  const seen: unknown[] = [];
  const stop = effect(() => void seen.push(route.value));
  setQuery({ tab: "events" });
  navigate("/ui/queue");
  stop();
  expect(seen).toEqual([
    { page: "workloads", rest: ["payments", "api"] },
    { page: "queue", rest: [] },
  ]);
});
