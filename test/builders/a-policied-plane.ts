/** A plane on which policy revisions decide: `default-1` and `default-2` are there, in that order, and `default` points to one. */
import type { Outcome } from "../../src/core/protocol/outcome.ts";
import type { IntentOf } from "../../src/core/protocol/command.ts";
import { policyKey, policyRevisionKey } from "../../src/core/model/ids.ts";
import type { Policy } from "../../src/core/model/objects.ts";
import type { PolicyRules, PolicySpec } from "../../src/core/model/policy.ts";
import { Contest } from "./a-contest.ts";
import { putting } from "./a-plane.ts";

export class PoliciedPlane extends Contest {
  revision(name: string, rules: Partial<PolicyRules> = {}): Outcome {
    const spec: PolicyRules = { scoring: "best-fit", ...rules };
    return this.send(putting(policyRevisionKey(name), { kind: "PolicyRevision", spec }));
  }

  pointer(spec: PolicySpec, name = "default"): Outcome {
    return this.send(putting(policyKey(name), { kind: "Policy", spec }));
  }

  activate(
    from: string,
    to: string,
    of: Partial<IntentOf<"activate">> & { readonly operation?: never } = {},
  ): Outcome {
    const ask = { kind: "activate", policy: "default", from, to, reason: "a test" } as const;
    return this.send({ ...ask, ...of }, { role: "user" });
  }

  policy(name = "default"): Policy {
    return this.ledger.objects.all("Policy").get(policyKey(name))!;
  }

  /** Bound under the revision that is said, and serving. */
  servesUnder(revision: string | undefined, name: string, index = 0, node = "a-1"): void {
    const { key, status } = this.enqueued(name, index);
    const { incarnation } = status;
    const under = revision === undefined ? {} : { policyRevision: revision };
    this.must({ kind: "bind", replica: key, incarnation, node, deviceIds: [], ...under });
    const { session } = this.index(name, index)!.status;
    for (const stage of ["starting", "serving"] as const) {
      this.must({ kind: "report", replica: key, incarnation, node, session, stage });
    }
  }

  /** Asks one to move because of a rollback, as the controller would. */
  unwind(name: string, revision: string, index = 0): Outcome {
    const { key, status } = this.index(name, index)!;
    const evidence = { kind: "policy-rollback", policy: policyKey("default"), revision } as const;
    return this.send(
      { kind: "evict", replica: key, incarnation: status.incarnation, evidence },
      { role: "unwind-policy" },
    );
  }
}

export function aPoliciedPlane(rules: readonly Partial<PolicyRules>[] = [{}, {}]): PoliciedPlane {
  const plane = new PoliciedPlane({ cpuMillis: 10_000, memoryMiB: 10_000 });
  rules.forEach((each, at) => plane.revision(`default-${at + 1}`, each));
  plane.pointer({ active: "default-1" });
  return plane;
}
