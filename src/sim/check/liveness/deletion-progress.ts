/**
 * The part of deletions in `unfinished.ts`: a deleted workload loses its replicas, a deleted tenant
 * its contents, and each of them goes.
 */
import type { ObjectKey } from "../../../core/model/ids.ts";
import type { Truth } from "../checker.ts";
import type { Unfinished } from "./unfinished-work.ts";

export function* deletionsLeft(truth: Truth, stallMs: number): Iterable<Unfinished> {
  const left = [...workloadsLeft(truth), ...tenantsLeft(truth), ...quotasLeft(truth)];
  for (const each of left) yield { rule: "LIV4", patienceMs: stallMs, ...each };
  for (const each of disowned(truth)) yield { rule: "LIV81", patienceMs: stallMs, ...each };
}

type Left = Pick<Unfinished, "key" | "stuckAs" | "message">;

const withCount = (key: ObjectKey, left: number, message: string): Left => ({
  key,
  stuckAs: `deleting with ${left}`,
  message,
});

function* workloadsLeft({ objects }: Truth): Iterable<Left> {
  for (const { key, meta } of objects.all("Workload").values()) {
    if (meta.deletingMs === undefined) continue;
    const left = objects.replicasOf(key).size;
    yield withCount(key, left, `${key} is being deleted and has ${left} replicas left.`);
  }
}

function* tenantsLeft({ objects }: Truth): Iterable<Left> {
  for (const { key, meta } of objects.all("Tenant").values()) {
    if (meta.deletingMs === undefined) continue;
    const owned = [...objects.all("Workload").values(), ...objects.all("Quota").values()];
    const left = owned.filter((object) => object.meta.namespace === meta.name).length;
    yield withCount(
      key,
      left,
      `${key} is being deleted and still owns ${left} workloads and quotas.`,
    );
  }
}

/** A quota goes after the last workload that could use it (QT4). */
function* quotasLeft({ objects }: Truth): Iterable<Left> {
  for (const { key, meta } of objects.all("Quota").values()) {
    if (meta.deletingMs === undefined) continue;
    const workloads = [...objects.all("Workload").values()];
    if (workloads.some((workload) => workload.meta.namespace === meta.namespace)) continue;
    const message = `${key} is being deleted, and no workload of its tenant is left.`;
    yield { key, stuckAs: "deleting", message };
  }
}

/** What has lost its owners is deleted. In worlds, only workloads have any. */
function* disowned({ objects }: Truth): Iterable<Left> {
  for (const { key, meta } of objects.all("Workload").values()) {
    const { owners = [], deletingMs } = meta;
    if (owners.length === 0 || deletingMs !== undefined) continue;
    const alive = owners.filter((owner) => objects.get(owner.key)?.meta.uid === owner.uid);
    if (alive.length > 0) continue;
    yield { key, stuckAs: "disowned", message: `${key} has lost its owners and is not deleted.` };
  }
}
