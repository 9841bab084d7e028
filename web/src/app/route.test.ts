import { describe, expect, test } from "vitest";
import { changeQuery, hrefOf, parseRoute } from "./route.ts";

describe("parseRoute()", () => {
  test.each([
    ["/", { page: "fleet", rest: [] }],
    ["/ui", { page: "fleet", rest: [] }],
    ["/ui/", { page: "fleet", rest: [] }],
    ["/ui/queue", { page: "queue", rest: [] }],
    ["/ui/workloads/payments/api/", { page: "workloads", rest: ["payments", "api"] }],
    ["/ui/timeline/replica/a%2Fb/c%20d", { page: "timeline", rest: ["replica", "a/b", "c d"] }],
    ["/ui/workloads/100%", { page: "workloads", rest: ["100%"] }],
    ["/ui/nothing/here", { page: undefined, rest: ["here"] }],
    ["/apis/fleet", { page: undefined, rest: [] }],
  ])("reads %s", (path, route) => {
    expect(parseRoute(path)).toEqual(route);
  });

  test("reads what hrefOf() wrote", () => {
    const rest = ["pay/ments", "ä b?c#d", "100%"];
    const { pathname, searchParams } = new URL(
      hrefOf("workloads", rest, { q: "a&b=c" }),
      "http://x",
    );
    expect(parseRoute(pathname)).toEqual({ page: "workloads", rest });
    expect(searchParams.get("q")).toBe("a&b=c");
  });
});

test("changeQuery() sets, keeps and takes off, and leaves no lone question mark", () => {
  expect(changeQuery("?filter=api&sort=-age", { sort: "name" })).toBe("?filter=api&sort=name");
  expect(changeQuery("?filter=api&sort=-age", { filter: "", tab: "events" })).toBe(
    "?sort=-age&tab=events",
  );
  expect(changeQuery("?filter=api", { filter: undefined })).toBe("");
});
