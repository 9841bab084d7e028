/** One run of a scenario, and the questions its tests ask about it. */
import type { Change, Commit } from "../../src/core/protocol/commit-record.ts";
import type { Decision, WaitReason } from "../../src/core/protocol/decision.ts";
import type { AnyObject } from "../../src/core/model/objects.ts";
import type { Fault } from "../../src/sim/faults/fault.ts";
import type { RunResult, TraceLine } from "../../src/sim/report/run-result.ts";

type Wait = Extract<Decision, { readonly kind: "wait" }>;

/** A wait with the true time it was decided at; its deadline is on its controller's clock. */
export interface DecidedWait extends Wait {
  readonly atMs: number;
}

export class Told {
  readonly result: RunResult;
  readonly commits: readonly Commit[];
  private readonly listed: readonly Fault[];

  constructor(result: RunResult, listed: readonly Fault[]) {
    this.result = result;
    this.commits = result.commits ?? [];
    this.listed = listed;
  }

  /** What keeps the run from being the story that was meant: faults that hit nothing, and a violation. */
  get surprises(): readonly string[] {
    const fired = new Set(this.result.fired.map((fault) => JSON.stringify(fault)));
    const missed = this.listed.map((fault) => JSON.stringify(fault)).filter((it) => !fired.has(it));
    const { violation } = this.result;
    return violation ? [...missed, `${violation.rule}: ${violation.message}`] : missed;
  }

  /** What a component did or had done to it; a plane says what it answered. */
  lines(component: string, text: RegExp): readonly TraceLine[] {
    return this.result.trace.filter((line) => line.component === component && text.test(line.text));
  }

  /** True time of the one line that matches; a story that has it twice or never is not the one meant. */
  timeOf(component: string, text: RegExp): number {
    const [line, ...others] = this.lines(component, text);
    if (line === undefined || others.length > 0) {
      const found = this.lines(component, text).map((each) => `${each.atMs} ${each.text}`);
      throw new Error(`Expected ${component} once with ${text}, found ${JSON.stringify(found)}.`);
    }
    return line.atMs;
  }

  committed(operation: RegExp): readonly Commit[] {
    return this.commits.filter((commit) => operation.test(commit.operation));
  }

  waits(controller: string, key: string, reason: WaitReason): readonly DecidedWait[] {
    return this.result.trace.flatMap(({ decision: record, atMs }) =>
      record?.controller === controller &&
      record.key === key &&
      record.decision.kind === "wait" &&
      record.decision.reason === reason
        ? [{ ...record.decision, atMs }]
        : [],
    );
  }

  /** Every object of a kind that ever came into being, by key; one that came twice is there twice. */
  made(kind: AnyObject["kind"]): readonly string[] {
    return this.changes()
      .filter(({ before, after }) => before === undefined && after?.kind === kind)
      .map(({ key }) => key);
  }

  /** Where each replica was bound, in order: `replica incarnation N on node`. */
  bindings(): readonly string[] {
    return this.commits
      .filter(({ command }) => command === "bind" || command === "bind-all")
      .flatMap(({ changes }) => changes)
      .flatMap(({ after }) => {
        if (after?.kind !== "Replica") return [];
        const { incarnation, node } = after.status;
        return [`${after.meta.name} incarnation ${incarnation} on ${node}`];
      });
  }

  /** Every health a node went through, in order. */
  healthOf(node: string): readonly string[] {
    const health: string[] = [];
    for (const { after } of this.changes()) {
      if (after?.kind !== "Node" || after.meta.name !== node) continue;
      if (health.at(-1) !== after.status.health) health.push(after.status.health);
    }
    return health;
  }

  /** How everything stood in the end, by key. */
  atEnd(): ReadonlyMap<string, AnyObject> {
    const objects = new Map<string, AnyObject>();
    for (const { key, after } of this.changes()) {
      if (after === undefined) objects.delete(key);
      else objects.set(key, after);
    }
    return objects;
  }

  /** Every replica in the end: `name incarnation N stage on node`. */
  replicasAtEnd(): readonly string[] {
    return [...this.atEnd().values()]
      .flatMap((object) => {
        if (object.kind !== "Replica") return [];
        const { incarnation, stage, node } = object.status;
        return [
          `${object.meta.name} incarnation ${incarnation} ${stage}${node === undefined ? "" : ` on ${node}`}`,
        ];
      })
      .toSorted();
  }

  private changes(): readonly Change[] {
    return this.commits.flatMap(({ changes }) => changes);
  }
}
