/** What became of requests for machines, in numbers; nothing is decided by them. */
import type { ProvisionAnswer, ProvisionRequest } from "./provision-protocol.ts";

export class ProvisionCounts {
  /** By what was asked for, then by the answer to each try. */
  readonly answers = new Map<string, Map<string, number>>();
  /** Requests that are being made, or wait for a provisioner to be asked again. */
  underWay = 0;
  /** Nodes that were asked for and whose agents have not spoken. */
  provisioning = 0;

  note(action: ProvisionRequest["action"], { kind }: ProvisionAnswer): void {
    let byKind = this.answers.get(action);
    if (byKind === undefined) {
      byKind = new Map();
      this.answers.set(action, byKind);
    }
    byKind.set(kind, (byKind.get(kind) ?? 0) + 1);
  }
}
