/**
 * The return of held-back replicas after an override has ended: whether they all return at one
 * moment, and whether one still waits for it. Only waits for overrides alone count: another reason
 * may have woken any other replica.
 */
import type { Commit } from "../../../core/protocol/commit-record.ts";
import type { DecisionRecord } from "../../../core/protocol/decision.ts";
import { type ObjectKey, workloadKey } from "../../../core/model/ids.ts";
import type { Override } from "../../../core/model/objects.ts";
import type { OverrideAction } from "../../../core/model/override.ts";
import type { View } from "../../../core/observe/view.ts";
import type { Owed } from "../../../core/runner/runner.ts";
import type { Report, Truth } from "../checker.ts";

/** A group this small may return at one moment by chance. */
const CROWD = 5;
/** Returns are spread over ten seconds, so a whole crowd cannot draw the same second. */
const AT_ONCE_MS = 1_000;
/** The next list finds a lost end, and a delayed look follows within the window. */
const FORGOTTEN_MS = 120_000;

const CLOSES: ReadonlySet<OverrideAction> = new Set([
  "avoid-zone",
  "avoid-node",
  "mark-partitioned",
]);

interface Return {
  readonly override: ObjectKey;
  readonly client: string;
  readonly view: View;
  /** The sweeps in its view at the end of the override. */
  readonly sweeps: ReadonlySet<string>;
  /** Without the keys that had another reason for a look since. */
  readonly held: Set<ObjectKey>;
  /** When this client began to return; undefined: it has not heard of the end. */
  firstMs: number | undefined;
  readonly back: Set<ObjectKey>;
}

const isPure = ({ key, reason, wakes }: Owed): boolean =>
  reason === "override" && wakes.every((fact) => fact === key || fact.startsWith("Override/"));

/**
 * Objects that make a scheduler look at its whole queue: another policy, or an override that begins
 * to close places. Each is named by its content, so that a changed one has another name. The end of
 * an override is not among them.
 */
function sweepsIn(client: string, { objects }: View): ReadonlySet<string> {
  const isPlacing = client.startsWith("place-");
  if (!isPlacing && client !== "preempt") return new Set();
  const policies = [...objects.all("Policy").values()];
  const closing = [...objects.all("Override").values()].filter(
    ({ spec }) => isPlacing && CLOSES.has(spec.action),
  );
  return new Set([
    `${policies.length} policies`,
    ...policies.map(({ key, meta }) => `${key} as of ${meta.revision}`),
    ...closing.map(({ key, meta }) => `${key} ${meta.uid}`),
  ]);
}

const isSwept = ({ client, view, sweeps }: Return): boolean =>
  [...sweepsIn(client, view)].some((name) => !sweeps.has(name));

export class OverrideReturns {
  private returns: Return[] = [];
  /** Since when, in true time, each workload has waited for an override that is gone. */
  private since = new Map<string, number>();

  ended({ key }: Override, truth: Truth): void {
    for (const { name: client, view, owed } of truth.clients()) {
      const held = new Set(
        owed.filter((each) => isPure(each) && each.wakes.includes(key)).map((each) => each.key),
      );
      if (held.size < CROWD) continue;
      const sweeps = sweepsIn(client, view);
      const back = new Set<ObjectKey>();
      this.returns.push({ override: key, client, view, sweeps, held, firstMs: undefined, back });
    }
  }

  /** A change of a key, or of a replica of it, wakes it at once: its return proves nothing. */
  changed({ changes }: Commit): void {
    if (this.returns.length === 0) return;
    for (const { before, after, key } of changes) {
      const of = after ?? before;
      const about = of?.kind === "Replica" ? workloadKey(of.meta.namespace, of.spec.workload) : key;
      for (const { held, back } of this.returns) if (!back.has(about)) held.delete(about);
    }
  }

  decided(
    records: readonly DecisionRecord[],
    {
      view,
      truth,
      report,
    }: { readonly view: View; readonly truth: Truth; readonly report: Report },
  ): void {
    if (this.returns.length === 0) return;
    // A sweep looks at all keys: their returns prove nothing from then on.
    this.returns = this.returns.filter((found) => found.view !== view || !isSwept(found));
    for (const found of this.returns) {
      if (found.view !== view || view.objects.get(found.override) !== undefined) continue;
      for (const { controller, key } of records) {
        // Several controllers may share a view, and look at the same keys for their own reasons.
        if (controller === found.client && found.held.has(key)) found.back.add(key);
      }
      if (found.back.size > 0) found.firstMs ??= truth.nowMs;
      const lateMs = truth.nowMs - (found.firstMs ?? truth.nowMs);
      const isCrowd = found.held.size >= CROWD && found.back.size === found.held.size;
      if (!isCrowd || lateMs > AT_ONCE_MS) continue;
      const what = `${found.held.size} keys were looked at within ${lateMs} ms`;
      report("INV136", `${what} of the end of ${found.override}.`, found.override);
    }
  }

  sampled(truth: Truth, report: Report): void {
    this.returns = this.returns.filter(({ back, held }) => back.size < held.size).slice(-CROWD);
    if (truth.nowMs < truth.world.faultsUntilMs) return;
    const since = new Map<string, number>();
    for (const { name, owed } of truth.clients()) {
      for (const each of owed) {
        const named = each.wakes.filter((fact) => fact.startsWith("Override/"));
        const isGone = named.every((fact) => truth.objects.get(fact as ObjectKey) === undefined);
        if (!isPure(each) || named.length === 0 || !isGone) continue;
        const id = `${name} ${each.key} ${each.sinceRevision}`;
        const sinceMs = this.since.get(id) ?? truth.nowMs;
        since.set(id, sinceMs);
        if (truth.nowMs - sinceMs < FORGOTTEN_MS) continue;
        report("LIV56", `${name} still lets ${each.key} wait for ${named.join()}, gone.`, each.key);
      }
    }
    this.since = since;
  }
}
