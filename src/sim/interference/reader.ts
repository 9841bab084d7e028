/**
 * Reads, during a run, all that core tells about the fleet, as one tenant's editor is shown it:
 * changes as a watch brings them, decisions as controllers conclude them, and every few seconds
 * lists, next steps, obstacles and what would help. Two runs are compared by what it read, in
 * order.
 */
import { withoutOthers } from "../../core/access/without-others.ts";
import { whatIf, whyNot } from "../../core/explain/what-if.ts";
import { type NextStep, nextStepOfNode, nextStepOfReplica } from "../../core/explain/next-step.ts";
import { incidentSigns } from "../../core/explain/incident-sign.ts";
import { AUTHENTICATED_GROUP, type Subject } from "../../core/model/access.ts";
import { KINDS } from "../../core/model/ids.ts";
import type { AnyObject, Replica } from "../../core/model/objects.ts";
import { hashText, mix } from "../../core/kernel/keyed-hash.ts";
import type { Commit } from "../../core/protocol/commit-record.ts";
import type { DecisionRecord } from "../../core/protocol/decision.ts";
import type { ObjectIndex } from "../../core/observe/object-index.ts";
import type { View } from "../../core/observe/view.ts";
import type { Checker, Report, Truth } from "../check/checker.ts";
import { inOrder } from "../hostile/guessed-operations.ts";
import { ReaderSight } from "./reader-sight.ts";
import { NEIGHBOUR, READER } from "./two-worlds.ts";

const WHO: Subject = { user: READER, groups: [AUTHENTICATED_GROUP] };
/** Looks at what would help are dear: some of what waits, now and then. */
const ASKED_EACH = 2;
const LOOKS_EVERY = 4;

/** One answer that the reader got. */
export interface Read {
  /** What was read, and when: "list of Replica at 15000 ms". */
  readonly what: string;
  readonly hash: number;
}

export class Reader implements Checker {
  readonly name = "reader";
  readonly reads: Read[] = [];
  /** The text of the read at `wanted`. */
  text = "";
  private readonly wanted: number;
  private samples = 0;
  private sight: ReaderSight | undefined;
  private changes = -1;
  private report: Report | undefined;

  /** `wanted`: the read whose text is kept; texts of all would fill the memory. */
  constructor(wanted = -1) {
    this.wanted = wanted;
  }

  afterCommit(commit: Commit, truth: Truth, report: Report): void {
    const { changes, revision, atMs, command, operation, evidence } = commit;
    this.report = report;
    const sight = this.sightAt(truth);
    const seen = changes.filter(({ key }) => sight.sees(key));
    if (seen.length === 0) return;
    const told = { revision, atMs, command, operation, evidence };
    const shown = withoutOthers(told, sight);
    const objects = seen.map(({ key, after }) => ({ key, after }));
    this.keep(`watch at ${truth.nowMs} ms`, { ...shown, objects: withoutOthers(objects, sight) });
  }

  decided(records: readonly DecisionRecord[], _view: View, truth: Truth, report: Report): void {
    this.report = report;
    const sight = this.sightAt(truth);
    for (const record of records) {
      if (!sight.sees(record.key)) continue;
      const { controller, key } = record;
      this.keep(
        `decision of ${controller} on ${key} at ${truth.nowMs} ms`,
        withoutOthers(record, sight),
      );
    }
  }

  sampled(truth: Truth, report: Report): void {
    this.report = report;
    const { objects, nowMs } = truth;
    const sight = this.sightAt(truth);
    this.samples += 1;
    for (const kind of KINDS) {
      const all = inOrder(objects.all(kind).values() as Iterable<AnyObject>);
      const seen = all.filter(({ key }) => sight.sees(key));
      this.keep(`list of ${kind} at ${nowMs} ms`, seen);
      for (const object of seen) this.explain(object, truth, sight);
    }
    if (this.samples % LOOKS_EVERY !== 0) return;
    const waits = inOrder(objects.all("Replica").values()).filter(
      ({ key, status }) => status.node === undefined && sight.sees(key),
    );
    for (const replica of waits.slice(0, ASKED_EACH)) this.lookInto(replica, truth, sight);
  }

  private explain(object: AnyObject, { objects, nowMs }: Truth, sight: ReaderSight): void {
    const step = stepOf(object, objects);
    if (step === undefined) return;
    const told = { step, signs: incidentSigns(object) };
    this.keep(`next step of ${object.key} at ${nowMs} ms`, withoutOthers(told, sight));
  }

  private lookInto(replica: Replica, { objects, nowMs }: Truth, sight: ReaderSight): void {
    const nodes = inOrder(objects.all("Node").values()).map(({ meta }) => meta.name);
    const why = nodes.slice(0, ASKED_EACH).map((node) => whyNot(objects, replica, node));
    const told = { why, help: whatIf(objects, replica) };
    this.keep(`what would help ${replica.key} at ${nowMs} ms`, withoutOthers(told, sight));
  }

  private keep(what: string, answer: unknown): void {
    const text = JSON.stringify(answer) ?? "";
    // Its names are the same in both worlds, where it has work that takes room.
    if (text.includes(NEIGHBOUR)) {
      this.report?.("AZ46", `A tenant read the name of ${NEIGHBOUR} in a ${what}: ${text}`);
    }
    if (this.reads.length === this.wanted) this.text = text;
    this.reads.push({ what, hash: mix(hashText(what), hashText(text)) });
  }

  private sightAt({ objects }: Truth): ReaderSight {
    const { access } = objects;
    if (this.sight === undefined || this.changes !== access.changes) {
      this.sight = new ReaderSight(access, WHO, 0);
      this.changes = access.changes;
    }
    return this.sight;
  }
}

function stepOf(object: AnyObject, objects: ObjectIndex): NextStep | undefined {
  if (object.kind === "Replica") return nextStepOfReplica(object, objects);
  return object.kind === "Node" ? nextStepOfNode(object, objects) : undefined;
}
