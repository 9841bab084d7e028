/**
 * Applies what `berth up` starts with. What somebody has changed since is left as they made it:
 * starting again goes on where it was, and does not go back.
 */
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { ApiClient } from "../client/api-client.ts";
import { Refusal } from "../client/refusal.ts";
import { listResources, shownName } from "../client/resources.ts";
import { applyOne, explainingFiles } from "../manifests/apply-manifests.ts";
import { locateManifests } from "../manifests/locate-manifests.ts";
import { parseManifests, readManifests } from "../manifests/read-manifests.ts";

const OF = { fieldManager: "berth-up", force: false } as const;

export async function applyExamples(
  client: ApiClient,
  paths: readonly string[],
  tell: (text: string) => void,
): Promise<void> {
  const manifests = await readManifests(paths);
  for (const each of locateManifests(manifests, await listResources(client), undefined)) {
    const name = shownName(each.target);
    try {
      const outcome = await applyOne(client, each, OF);
      if (outcome !== "unchanged") tell(`${name} ${outcome}`);
    } catch (error) {
      if (!isChangedSince(error)) {
        await explainingFiles(each, () => Promise.reject(error as Error));
      }
      tell(`${name} was modified since; left unchanged`);
    }
  }
}

/** Objects that come from no file, such as the regions of the fleet. */
export async function applyObjects(client: ApiClient, objects: readonly unknown[]): Promise<void> {
  const text = objects.map((object) => `---\n${JSON.stringify(object)}\n`).join("");
  const { manifests } = parseManifests(text, "<regions>");
  for (const each of locateManifests(manifests, await listResources(client), undefined)) {
    try {
      await applyOne(client, each, OF);
    } catch (error) {
      if (!isChangedSince(error)) throw error;
    }
  }
}

const isChangedSince = (error: unknown): boolean =>
  error instanceof Refusal && error.status.code === 409;

/** The examples that come with this package, wherever it is and whether it is built or not. */
export function ownExamples(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, "examples", "tenants.yaml")) && folder !== dirname(folder)) {
    folder = dirname(folder);
  }
  return join(folder, "examples");
}
