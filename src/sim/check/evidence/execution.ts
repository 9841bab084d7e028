/**
 * [INV8] An index never has two live processes, a process runs only for the incarnation that the
 * authority has bound to its node, and when a commit frees a replica none of its processes runs any
 * more. [INV9] Live processes together never use more of a device than exists.
 *
 * It would break if silence were taken for death before the leash is over, or if an agent started a
 * replica from an old list or on the word of a deposed leader. This is the proof that fencing
 * works, so it looks at processes and not at reports about them.
 */
import type { Commit } from "../../../core/protocol/commit-record.ts";
import type { ObjectKey } from "../../../core/model/ids.ts";
import type { Replica } from "../../../core/model/objects.ts";
import type { Checker, LiveProcess, Report, Truth } from "../checker.ts";
import { keepsBinding } from "../fast-path.ts";
import { isHolding } from "../models/holding.ts";

interface Binding {
  incarnation: number;
  /**
   * Undefined once the binding ended; the incarnation stays to tell late starts from early ones.
   */
  node: string | undefined;
  deviceIds: readonly string[];
  shareMillis: number;
}

interface DeviceUser {
  readonly process: LiveProcess;
  readonly millis: number;
}

const WHOLE_MILLIS = 1000;

class ExecutionChecker implements Checker {
  readonly name = "execution";
  readonly ignoresRenewals = true;
  private readonly bindings = new Map<ObjectKey, Binding>();
  private readonly live = new Map<ObjectKey, LiveProcess[]>();
  /** Replicas whose processes or binding changed, until all of their processes fit it. */
  private readonly suspects = new Set<ObjectKey>();
  /** `node/device` → the processes that use it. */
  private readonly deviceUsers = new Map<string, readonly DeviceUser[]>();

  afterCommit(commit: Commit, truth: Truth, report: Report): void {
    for (const change of commit.changes) {
      if (keepsBinding(change)) continue;
      const { key, after } = change;
      if (after === undefined) this.freed(key, commit, truth, report);
      else if (after.kind === "Replica") this.seeReplica(after, commit, truth, report);
    }
  }

  private seeReplica(replica: Replica, commit: Commit, truth: Truth, report: Report): void {
    const { key, status } = replica;
    const was = this.bindings.get(key);
    const node = isHolding(replica) ? status.node : undefined;
    if (was !== undefined && was.node === node && was.incarnation === status.incarnation) return;
    if (was?.node !== undefined) this.freed(key, commit, truth, report);
    if (node !== undefined) {
      const shareMillis = replica.spec.template.ask.device?.shareMillis ?? 0;
      const { incarnation, deviceIds } = status;
      this.bindings.set(key, { incarnation, node, deviceIds, shareMillis });
      this.suspects.add(key);
    }
  }

  /**
   * The fencing proof: when a commit frees a replica, none of its processes may run on any node.
   */
  private freed(key: ObjectKey, commit: Commit, truth: Truth, report: Report): void {
    const binding = this.bindings.get(key);
    if (binding?.node === undefined) return;
    for (const process of this.live.get(key) ?? []) {
      if (process.incarnation > binding.incarnation || !isRunning(process, truth)) continue;
      report(
        "INV8",
        `${commit.command} ${commit.operation} freed ${key} incarnation ${binding.incarnation} from ${binding.node} while its incarnation ${process.incarnation} is running on ${process.node}.`,
        key,
      );
    }
    binding.node = undefined;
    this.suspects.add(key);
  }

  processStarted(process: LiveProcess, truth: Truth, report: Report): void {
    const { replica, incarnation, node } = process;
    const others = this.live.get(replica);
    for (const other of others ?? []) {
      if (isRunning(other, truth)) {
        report(
          "INV8",
          `${replica} incarnation ${incarnation} was started on ${node} while its incarnation ${other.incarnation} is running on ${other.node}.`,
          replica,
        );
      }
    }
    if (others === undefined) this.live.set(replica, [process]);
    else others.push(process);
    this.suspects.add(replica);
    this.checkBinding(process, report);
    this.takeDevices(process, truth, report);
  }

  processEnded(process: LiveProcess): void {
    const { replica } = process;
    const left = (this.live.get(replica) ?? []).filter((other) => !isSame(other, process));
    if (left.length === 0) this.live.delete(replica);
    else this.live.set(replica, left);
    for (const id of this.bindings.get(replica)?.deviceIds ?? []) {
      const place = `${process.node}/${id}`;
      const users = this.deviceUsers.get(place) ?? [];
      const others = users.filter((user) => !isSame(user.process, process));
      if (others.length === 0) this.deviceUsers.delete(place);
      else this.deviceUsers.set(place, others);
    }
  }

  /**
   * A frozen node thaws without an event, so running processes are also compared with the bindings
   * from time to time. Only those of suspects can differ.
   */
  sampled(truth: Truth, report: Report): void {
    for (const key of this.suspects) {
      const unfit = (this.live.get(key) ?? []).filter((process) => !this.fits(process));
      if (unfit.length === 0) this.suspects.delete(key);
      for (const process of unfit) {
        if (isRunning(process, truth)) this.checkBinding(process, report);
      }
    }
  }

  atEnd(truth: Truth, report: Report): void {
    for (const process of truth.processes()) this.checkBinding(process, report);
  }

  private fits({ replica, incarnation, node }: LiveProcess): boolean {
    const binding = this.bindings.get(replica);
    return binding?.incarnation === incarnation && binding.node === node;
  }

  private checkBinding(process: LiveProcess, report: Report): void {
    if (this.fits(process)) return;
    const { replica, incarnation, node } = process;
    const binding = this.bindings.get(replica);
    const bound =
      binding === undefined
        ? "it was never bound"
        : binding.node === undefined
          ? `incarnation ${binding.incarnation} was freed and nothing is bound`
          : `incarnation ${binding.incarnation} is bound to ${binding.node}`;
    report(
      "INV8",
      `A process of ${replica} incarnation ${incarnation} runs on ${node}; ${bound}.`,
      replica,
    );
  }

  private takeDevices(process: LiveProcess, truth: Truth, report: Report): void {
    const { replica, incarnation, node } = process;
    const binding = this.bindings.get(replica);
    if (binding?.incarnation !== incarnation) return;
    for (const id of binding.deviceIds) {
      const place = `${node}/${id}`;
      const users = this.deviceUsers.get(place) ?? [];
      const millis = binding.shareMillis;
      if (isTooMuch(users, millis)) {
        // This list may name processes of a node that froze or died.
        const running = users.filter((user) => isRunning(user.process, truth));
        const [first] = running;
        if (first !== undefined && isTooMuch(running, millis)) {
          const { replica: other, incarnation: itsIncarnation } = first.process;
          report(
            "INV9",
            `${replica} incarnation ${incarnation} was started with device ${id} of ${node} while ${other} incarnation ${itsIncarnation} is using it.`,
            replica,
          );
        }
      }
      this.deviceUsers.set(place, [...users, { process, millis }]);
    }
  }
}

/** Whether one more share exceeds the whole device; one process alone never does. */
const isTooMuch = (users: readonly DeviceUser[], millis: number): boolean =>
  users.reduce((sum, user) => sum + user.millis, millis) > WHOLE_MILLIS && users.length > 0;

const isSame = (a: LiveProcess, b: LiveProcess): boolean =>
  a.replica === b.replica &&
  a.incarnation === b.incarnation &&
  a.node === b.node &&
  a.startedMs === b.startedMs;

/** Asked only after a suspicion: the list may name processes of a node that froze or died. */
function isRunning(process: LiveProcess, truth: Truth): boolean {
  for (const running of truth.processesOn(process.node)) {
    if (isSame(running, process)) return true;
  }
  return false;
}

export const createExecutionChecker = (): Checker => new ExecutionChecker();
