/**
 * Commits for a log, as an authority would make them: nodes come, change and go, so that what a commit
 * replaced matters. Follows what landed; what did not land is made again differently.
 */
import type { Commit } from "../../src/core/protocol/commit-record.ts";
import { Ledger } from "../../src/core/commit/ledger.ts";
import { restoreLedger, takeSnapshot } from "../../src/core/commit/snapshot.ts";
import type { Snapshot } from "../../src/core/protocol/snapshot.ts";
import { nodeKey, operationId } from "../../src/core/model/ids.ts";
import type { Claimed } from "../../src/host/store/log-store.ts";
import { aCommit } from "../builders/a-commit.ts";
import { aNode } from "../builders/a-node.ts";

const NODES = 5;

export class History {
  readonly commits: Commit[] = [];
  private readonly ledger = new Ledger();
  private made = 0;

  /** The next batch, not yet part of the history. `skip` makes it begin too late or, below 0, too early. */
  propose(epoch: number, count = 1, skip = 0): Commit[] {
    const ahead = restoreLedger(takeSnapshot(this.ledger));
    // A deposed leadership goes on as if nothing had happened since.
    ahead.epoch = Math.min(ahead.epoch, epoch);
    const batch = Array.from({ length: count }, () => {
      const commit = this.commitAfter(ahead, epoch);
      ahead.fold(commit);
      return commit;
    });
    return batch.map((commit) => ({ ...commit, revision: commit.revision + skip }));
  }

  land(batch: readonly Commit[]): void {
    for (const commit of batch) {
      this.ledger.fold(commit);
      this.commits.push(commit);
    }
  }

  next(epoch: number, count = 1): Commit[] {
    const batch = this.propose(epoch, count);
    this.land(batch);
    return batch;
  }

  get revision(): number {
    return this.ledger.revision;
  }

  snapshot(): Snapshot {
    return takeSnapshot(this.ledger);
  }

  /** As a plane that had loaded only so much would take it. */
  snapshotAt(revision: number): Snapshot {
    const ledger = new Ledger();
    for (const commit of this.commits.slice(0, revision)) ledger.fold(commit);
    return takeSnapshot(ledger);
  }

  private commitAfter(ledger: Ledger, epoch: number): Commit {
    this.made += 1;
    const name = `n-${(this.made * 7) % NODES}`;
    const revision = ledger.revision + 1;
    const operation = operationId(`op-${this.made}`);
    const before = ledger.objects.get(nodeKey(name));
    const isRemoval = before !== undefined && this.made % 4 === 0;
    const after = isRemoval ? undefined : aNode({ name, cpuMillis: this.made, revision });
    const commit = aCommit({ revision, epoch, operation, atMs: this.made });
    return { ...commit, changes: [{ key: nodeKey(name), before, after }] };
  }
}

/** What an authority makes of a claimed log. Fails where the log does not fold. */
export function ledgerOf({ snapshot, commits }: Claimed): Ledger {
  const ledger = snapshot ? restoreLedger(snapshot) : new Ledger();
  for (const commit of commits) ledger.fold(commit);
  return ledger;
}

/** The same whatever the order in which objects arrived. */
export function contentOf(snapshot: Snapshot): unknown {
  const objects = snapshot.objects.toSorted((a, b) => (a.key < b.key ? -1 : 1));
  return { ...snapshot, objects };
}
