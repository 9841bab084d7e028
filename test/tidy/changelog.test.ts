import { expect, it } from "vitest";
import { findChangelogFaults } from "./changelog.ts";

it("findChangelogFaults() wants Unreleased as the first section", () => {
  expect(findChangelogFaults("# Changelog\n\n## Unreleased\n\n## 0.1.0\n")).toEqual([]);
  expect(findChangelogFaults("# Changelog\n\n## 0.1.0\n\n## Unreleased\n")).toHaveLength(1);
  expect(findChangelogFaults("# Changelog\n")).toHaveLength(1);
});
