import { describe, expect, it } from "vitest";
import { shownStore } from "./place-options.ts";

describe("the store in a report", () => {
  it.each([
    ["sqlite", "sqlite"],
    ["etcd", "etcd"],
    ["etcd://user:secret@a:1,b:2/mine", "etcd at a:1, b:2 under /mine/"],
  ])("%s is shown without a password", (store, shown) => {
    expect(shownStore(store)).toBe(shown);
  });
});
