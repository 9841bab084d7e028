import { describe, expect, it } from "vitest";
import { findBadNames } from "./names.ts";

const scan = (path: string): string[] => findBadNames([{ path, text: "" }]);

describe("findBadNames()", () => {
  it.each([
    "src/core/utils.ts",
    "src/core/utils/place.ts",
    "src/core/string-helpers.ts",
    "src/host/queue-manager.ts",
    "src/common/x.ts",
    "src/core/node-info.ts",
    "src/core/data.ts",
    "test/misc.test.ts",
    "src/core/index.ts",
    "src/core/placeReplica.ts",
    "src/core/Place.ts",
    "src/core/place_replica.ts",
    "src/coreStuff/place.ts",
  ])("finds fault with %s", (path) => {
    expect(scan(path)).toHaveLength(1);
  });

  it.each([
    "src/core/propose/place.ts",
    "src/core/propose/roll-out.test.ts",
    "src/core/data-plane.ts",
    "scripts/test.mjs",
    "vitest.config.ts",
    "docs/SPEC.md",
  ])("is content with %s", (path) => {
    expect(scan(path)).toEqual([]);
  });
});
