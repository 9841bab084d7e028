/** What the table of docs/api-conformance.md asks of every client, and what a client says about it. */

export const CAPABILITIES = [
  "discovery",
  "schemas",
  "list",
  "tables",
  "selectors",
  "watch",
  "create",
  "apply",
  "server-side apply",
  "patch",
  "update with a resourceVersion",
  "status",
  "scale",
  "dry run",
  "diff",
  "wait",
  "pods",
  "logs",
  "events",
  "leases",
  "leader election",
  "finalizers",
  "delete",
  "delete a collection",
  "metrics",
] as const;
export type Capability = (typeof CAPABILITIES)[number];

/** "yes", or a sentence that says what went wrong. */
export type Outcome = string;
export const WORKS = "yes";

/** A capability that is not in here is one that the client does not have. */
export type Outcomes = Partial<Record<Capability, Outcome>>;

/** Throws if the client cannot do it. */
export type Check = () => Promise<void>;

/** What a client is given: a plane that runs one replica in a tenant which is the client's own. */
export interface Stage {
  /** As `berth kubeconfig` writes it. */
  readonly kubeconfig: string;
  readonly url: string;
  readonly token: string;
  readonly namespace: string;
  /** A serving replica of the namespace, whose log has the line "hello". */
  readonly replica: string;
  /** A folder of the client's own. */
  readonly folder: string;
}

/** One after the other; a check that fails does not keep the next one from running. */
export async function runChecks(
  checks: Partial<Record<Capability, Check>>,
  of: readonly Capability[] = CAPABILITIES,
): Promise<Outcomes> {
  const outcomes: Outcomes = {};
  for (const capability of of) {
    const check = checks[capability];
    if (check === undefined) continue;
    outcomes[capability] = await check().then(
      () => WORKS,
      (error: unknown) => (error instanceof Error ? error.message : String(error)),
    );
  }
  return outcomes;
}
