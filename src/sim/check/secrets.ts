/**
 * [INV194] Secrets are given to an agent only for a replica that is bound to its node at that
 * moment and begins there, and only if all that its template names are there. [INV195] No process
 * starts before its agent was given its secrets.
 *
 * They would break if the word of an agent decided, or a view: a node that a replica has left would
 * read what it has no part in any more, and programs would begin without their passwords.
 */
import type { Commit } from "../../core/protocol/commit-record.ts";
import type { Reply } from "../../core/protocol/outcome.ts";
import type { SecretsAsk } from "../../core/protocol/secrets-ask.ts";
import type { ObjectKey, OperationId } from "../../core/model/ids.ts";
import type { Replica } from "../../core/model/objects.ts";
import type { Checker, LiveProcess, Report, Truth } from "./checker.ts";

class SecretsChecker implements Checker {
  readonly name = "secrets";
  /** What was true until the batch in which it ended: an answer of that batch may rest on it. */
  private readonly until = new Map<ObjectKey, { replica: Replica; atMs: number }>();
  /** When a secret last went or lost a key. */
  private readonly lostMs = new Map<ObjectKey, number>();
  /** Of each agent, the starts that it was given secrets for. */
  private readonly given = new Set<string>();

  beforeCommit({ changes }: Commit, { nowMs }: Truth): void {
    for (const { key, before } of changes) {
      if (before?.kind === "Replica") this.until.set(key, { replica: before, atMs: nowMs });
      if (before?.kind === "Secret") this.lostMs.set(key, nowMs);
    }
  }

  secretsAnswered(to: string, ask: SecretsAsk, reply: Reply, truth: Truth, report: Report): void {
    if (reply.kind !== "secrets" || reply.decided.kind !== "given") return;
    const now = truth.objects.replica(ask.replica);
    const was = this.until.get(ask.replica);
    const states = [now, was?.atMs === truth.nowMs ? was.replica : undefined];
    // A hostile sender with an agent's credential is that agent to the plane.
    const agent = to.replace(/^hostile:/, "");
    const bound = states.find((each) => each !== undefined && beginsAt(each, agent, ask));
    if (bound === undefined) {
      const where = now === undefined ? "gone" : `${now.status.stage} on ${now.status.node}`;
      report(
        "INV194",
        `${to} was given the secrets of ${ask.replica}, which is ${where}.`,
        ask.replica,
      );
      return;
    }
    const lacked = namedBy(bound).find((ref) => !this.isThere(ref, truth));
    if (lacked === undefined) return;
    report(
      "INV194",
      `${to} was given the secrets of ${ask.replica} without ${lacked.secret}, key ${lacked.key}.`,
      ask.replica,
    );
  }

  replied(to: string, operation: OperationId, reply: Reply): void {
    if (reply.kind === "secrets" && reply.decided.kind === "given") {
      this.given.add(`${to} ${operation}`);
    }
  }

  processStarted(process: LiveProcess, truth: Truth, report: Report): void {
    const replica = truth.objects.replica(process.replica);
    if (replica?.status.incarnation !== process.incarnation) return;
    if (namedBy(replica).length === 0) return;
    const start = `agent:${process.node} secrets/${process.replica}/${process.incarnation}`;
    if (this.given.has(start)) return;
    report(
      "INV195",
      `${process.replica} began on ${process.node} without its secrets.`,
      replica.key,
    );
  }

  private isThere(ref: Named, { objects, nowMs }: Truth): boolean {
    const held = objects.all("Secret").get(ref.secret);
    return held?.spec.values[ref.key] !== undefined || this.lostMs.get(ref.secret) === nowMs;
  }
}

interface Named {
  readonly secret: ObjectKey;
  readonly key: string;
}

/** Read from the template by hand, not by the function of the core. */
function namedBy({ meta, spec }: Replica): readonly Named[] {
  const { secretEnv = {}, secretFiles = {} } = spec.template.run ?? {};
  return [...Object.values(secretEnv), ...Object.values(secretFiles)].map(({ name, key }) => ({
    secret: `Secret/${meta.namespace}/${name}` as ObjectKey,
    key,
  }));
}

const beginsAt = ({ meta, status }: Replica, to: string, ask: SecretsAsk): boolean =>
  `agent:${status.node}` === to &&
  status.stage === "starting" &&
  status.stopping === undefined &&
  status.incarnation === ask.incarnation &&
  meta.uid === ask.uid;

export const createSecretsChecker = (): Checker => new SecretsChecker();
