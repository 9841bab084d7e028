/** What keeps replicas off a node, and what lets them on it all the same. */
export interface Taint {
  readonly key: string;
  readonly value: string;
  /** "no-schedule" rejects replicas that do not tolerate it; "prefer-no-schedule" costs points. */
  readonly effect: "no-schedule" | "prefer-no-schedule";
}

export interface Toleration {
  /** Every key when empty, and then the value is empty, too. */
  readonly key: string;
  /** Any value when empty. */
  readonly value: string;
  /** Any effect when empty or left out. */
  readonly effect?: Taint["effect"] | "";
}
