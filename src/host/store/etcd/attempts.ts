/**
 * Numbers for what takes several transactions to write, so that no two tries share a key: a
 * transaction of an abandoned try that etcd does late then spoils nothing. Remembers which tries
 * may still come to count.
 */
import type { Epoch } from "../../../core/model/ids.ts";
import type { Attempt } from "./log-layout.ts";

export class Attempts {
  private made = 0;
  private readonly open = new Set<number>();

  begin(epoch: Epoch): Attempt {
    this.made += 1;
    this.open.add(this.made);
    return { epoch, attempt: this.made };
  }

  /** What it wrote counts by now or never will. One with an unknown outcome is never settled. */
  settle({ attempt }: Attempt): void {
    this.open.delete(attempt);
  }

  /**
   * Whether what was written in this try, under this epoch or an earlier one, may be dropped where
   * nothing refers to it. Those of earlier epochs are fenced, so nothing can refer to them any
   * more.
   */
  isOver({ epoch, attempt }: Attempt, now: Epoch): boolean {
    return epoch < now || !this.open.has(attempt);
  }
}
