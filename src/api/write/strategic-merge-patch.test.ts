import { describe, expect, it } from "vitest";
import { applyStrategicMergePatch } from "./strategic-merge-patch.ts";

const held = {
  metadata: { name: "shop", labels: { a: "1", b: "2" }, finalizers: ["x/a", "x/b"] },
};
const metadataAfter = (patch: object) =>
  applyStrategicMergePatch(held, { metadata: patch })["metadata"];

describe("applyStrategicMergePatch()", () => {
  it.each([
    {
      title: "merges maps and removes what is null",
      patch: { labels: { a: null, c: "3" } },
      after: { labels: { b: "2", c: "3" } },
    },
    {
      title: "adds to finalizers, each once",
      patch: { finalizers: ["x/b", "x/c"], "$setElementOrder/finalizers": ["x/b", "x/c"] },
      after: { finalizers: ["x/a", "x/b", "x/c"] },
    },
    {
      title: "takes entries off a list",
      patch: { "$deleteFromPrimitiveList/finalizers": ["x/a"] },
      after: { finalizers: ["x/b"] },
    },
    {
      title: "replaces a map",
      patch: { labels: { $patch: "replace", z: "9" } },
      after: { labels: { z: "9" } },
    },
    {
      title: "keeps only some fields of a map",
      patch: { labels: { $retainKeys: ["b"] } },
      after: { labels: { b: "2" } },
    },
  ])("$title", ({ patch, after }) => {
    expect(metadataAfter(patch)).toEqual({ ...held.metadata, ...after });
  });

  it("deletes a map", () => {
    expect(metadataAfter({ labels: { $patch: "delete" } })).not.toHaveProperty("labels");
  });
});
