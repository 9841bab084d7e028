/** What changed since the last release is written down before the release, on top. */
import type { Finding } from "./source-file.ts";

export function findChangelogFaults(changelog: string): Finding[] {
  const first = /^## (.*)$/m.exec(changelog)?.[1]?.trim();
  if (first === "Unreleased") return [];
  return [
    `CHANGELOG.md begins with "${first ?? "no section"}": its first section must be "## Unreleased".`,
  ];
}
