/** The answer of `GET /promises`, as the dashboard reads it. */

export interface ShownPastVerdict {
  readonly verdict: string;
  readonly reason: string;
  readonly since: string;
}

export interface ShownPromise {
  readonly namespace: string;
  readonly name: string;
  /** The promise as a sentence. */
  readonly promise: string;
  /** The workload that it names, such as "payments/risk-api". */
  readonly workload?: string;
  /** "holds", "breached", "not-shown" or "unchecked". */
  readonly verdict: string;
  readonly reason?: string;
  readonly since?: string;
  readonly checked?: string;
  readonly revision?: number;
  readonly fix?: string;
  readonly history?: readonly ShownPastVerdict[];
}

export interface ShownLoss {
  /** "zone" or "region". */
  readonly by: string;
  readonly place: string;
  readonly nodes: number;
  readonly replicas: number;
  readonly placed: number;
  readonly homeless: readonly {
    readonly namespace: string;
    readonly name: string;
    readonly count: number;
  }[];
}

export interface ShownPromises {
  readonly revision: number;
  /** Nothing that a promise may depend on has changed since the check. */
  readonly isCurrent: boolean;
  /** Left out before the first check. */
  readonly checked?: string;
  readonly checkedRevision?: number;
  readonly fleet?: string;
  readonly promises: readonly ShownPromise[];
  readonly losses: readonly ShownLoss[];
}
