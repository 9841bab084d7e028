/**
 * [INV10] The log is one history: revisions follow each other, epochs never go down and change only
 * where a leadership opens, an operation has at most one effect, and every change starts from what
 * was really there.
 *
 * It would break if a deposed leader could still append, if a retry were checked without looking
 * for its first outcome, or if the authority decided on a value that a commit of the same batch had
 * replaced.
 */
import type { Change, Commit } from "../../../core/protocol/commit-record.ts";
import type { Epoch, ObjectKey, Revision } from "../../../core/model/ids.ts";
import type { Lease } from "../../../core/model/objects.ts";
import type { Checker, Report, Truth } from "../checker.ts";
import { isRenewal } from "../fast-path.ts";

const ORDERS_ITSELF: ReadonlySet<string> = new Set(["lease", "lead", "hear", "take-terms"]);

interface Renewal {
  session: number;
  seq: number;
}

class LogChecker implements Checker {
  readonly name = "log";
  private revision: Revision | undefined;
  private epoch: Epoch = 0;
  /** With whose it is before it. */
  private readonly operations = new Set<string>();
  /**
   * The revision that wrote each object there is; a cell each, so that a change costs one look-up.
   */
  private readonly written = new Map<ObjectKey, { revision: Revision }>();
  private readonly renewals = new Map<ObjectKey, Renewal>();

  beforeCommit(commit: Commit, truth: Truth, report: Report): void {
    const { revision, command } = commit;
    if (this.revision !== undefined && revision !== this.revision + 1) {
      report("INV10", `Revision ${revision} follows revision ${this.revision}.`);
    }
    this.revision = revision;
    if (command === "lead") this.openEpoch(commit, report);
    else if (commit.epoch !== this.epoch) {
      report(
        "INV10",
        `${command} ${commit.operation} was committed under epoch ${commit.epoch} in epoch ${this.epoch}.`,
      );
    }
    // Renewals and exchanges between planes carry an order of their own, which other checkers
    // watch (INV225, INV226), and are far too many to remember each.
    if (!ORDERS_ITSELF.has(command)) this.once(commit, truth, report);
    if (isRenewal(commit) && commit.changes[0]?.after?.kind !== "Lease") {
      report("INV10", `Renewal ${commit.operation} changed ${commit.changes[0]?.key}.`);
    }
    for (const change of commit.changes) this.seeChange(change, commit, report);
  }

  private openEpoch(commit: Commit, report: Report): void {
    if (commit.epoch <= this.epoch) {
      report("INV10", `Epoch ${commit.epoch} was opened after epoch ${this.epoch}.`);
    }
    if (commit.changes.length > 0) {
      report("INV10", `The opening of epoch ${commit.epoch} changed ${commit.changes[0]?.key}.`);
    }
    this.epoch = commit.epoch;
  }

  private once(commit: Commit, truth: Truth, report: Report): void {
    const { operation, command, revision } = commit;
    const known = this.operations.size;
    this.operations.add(`${senderOf(commit)} ${operation}`);
    if (this.operations.size > known) return;
    const isSame = (other: Commit): boolean =>
      other.operation === operation && senderOf(other) === senderOf(commit);
    const first = truth.commits.find(isSame)?.revision;
    report(
      "INV10",
      `${command} ${operation} took effect at revision ${first} and again at ${revision}.`,
    );
  }

  private seeChange({ key, before, after }: Change, commit: Commit, report: Report): void {
    const cell = this.written.get(key);
    const was = cell?.revision;
    if (before?.meta.revision !== was) {
      report(
        "INV10",
        `${commit.command} ${commit.operation} changed ${key} from ${written(before?.meta.revision)}; it was ${written(was)}.`,
        key,
      );
    }
    if (after === undefined) {
      this.written.delete(key);
      this.renewals.delete(key);
      return;
    }
    if (after.meta.revision !== commit.revision) {
      report(
        "INV10",
        `${key} says revision ${after.meta.revision} and was written at ${commit.revision}.`,
        key,
      );
    }
    if (after.key !== key) report("INV10", `${after.key} was written under the key ${key}.`, key);
    if (cell === undefined) this.written.set(key, { revision: commit.revision });
    else cell.revision = commit.revision;
    if (after.kind === "Lease") this.renewed(after, report);
  }

  private renewed({ key, status }: Lease, report: Report): void {
    const { session, seq } = status;
    const last = this.renewals.get(key);
    if (last === undefined) {
      this.renewals.set(key, { session, seq });
      return;
    }
    if (session < last.session || (session === last.session && seq <= last.seq)) {
      report(
        "INV10",
        `${key} went from renewal ${last.session}.${last.seq} to ${session}.${seq}.`,
        key,
      );
    }
    last.session = session;
    last.seq = seq;
  }
}

const written = (revision: Revision | undefined): string =>
  revision === undefined ? "nothing" : `the value of revision ${revision}`;

export const createLogChecker = (): Checker => new LogChecker();

/** People and agents name their operations each for themselves; controllers do so together. */
const senderOf = ({ actor: { role, name } }: Commit): string =>
  role === "user" || role === "agent" ? `${role} ${name}` : "controllers";
