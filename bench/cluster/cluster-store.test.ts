import { describe, expect, it } from "vitest";
import { apart } from "./cluster-store.ts";

describe("the place of a measurement in an etcd that the caller names", () => {
  it.each([
    ["etcd://a:1,b:2", "etcd://a:1,b:2/berth/bench-1/"],
    ["etcd://u:p@a:1/mine", "etcd://u:p@a:1/mine/bench-1/"],
    ["etcd://a:1/mine/deep/", "etcd://a:1/mine/deep/bench-1/"],
    ["etcds://a:1?server-name=x", "etcds://a:1/berth/bench-1/?server-name=x"],
  ])("below the prefix of %s", (where, expected) => {
    expect(apart(where, "bench-1")).toBe(expected);
  });
});
