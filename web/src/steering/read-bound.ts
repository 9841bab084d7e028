/**
 * What is bound under which policy revision, and in which region its node is: read in pages when a
 * rollback is considered.
 */
import { recordOf, type ShownObject, textOf } from "../../../src/steering/api-object.ts";
import { bindingsIn, type ShownBinding } from "../../../src/steering/shown-policy.ts";
import { BERTH, getJson } from "../live/api.ts";
import type { ObjectList } from "../live/object-message.ts";

export interface Bound {
  readonly bindings: readonly ShownBinding[];
  readonly regions: ReadonlyMap<string, string>;
  /** How many recovery budgets there are. */
  readonly budgets: number;
}

/** A page of a few megabytes: a hundred thousand replicas come in fifty. */
const PAGE = 2_000;

export async function readBound(signal: AbortSignal): Promise<Bound> {
  const bindings: ShownBinding[] = [];
  // Only bound replicas are kept of each page.
  for await (const page of pagesOf("replicas", signal)) bindings.push(...bindingsIn(page));
  const regions = new Map<string, string>();
  for await (const page of pagesOf("nodes", signal)) {
    for (const { metadata, spec } of page) {
      regions.set(metadata.name, textOf(recordOf(spec)["region"]));
    }
  }
  let budgets = 0;
  for await (const page of pagesOf("recoverybudgets", signal)) budgets += page.length;
  return { bindings, regions, budgets };
}

async function* pagesOf(
  plural: string,
  signal: AbortSignal,
): AsyncGenerator<readonly ShownObject[]> {
  let next: string | undefined;
  do {
    const query = new URLSearchParams({
      limit: String(PAGE),
      ...(next === undefined ? {} : { continue: next }),
    });
    const path = `${BERTH}/${plural}?${query.toString()}`;
    const { items, metadata } = await getJson<ObjectList<ShownObject>>(path, { signal });
    yield items;
    next = metadata.continue;
  } while (next !== undefined && next !== "");
}
