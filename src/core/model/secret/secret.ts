/**
 * Secret: values of a tenant that its replicas are given. The core holds them sealed: it knows
 * their names, their sizes and whether they changed, and nothing in the core can open them.
 */

/** What the values of one secret are sealed with. */
export interface Seal {
  /**
   * Drawn at random when the first value is sealed, and kept. It stands for the object in what each
   * value is bound to: the uid comes into being at the commit, after the sealing.
   */
  readonly id: string;
  /** Names the operator's key, so that a plane knows at its start whether it has it. */
  readonly keyId: string;
  /** The key of the values, itself sealed under the operator's key. */
  readonly dataKey: string;
}

export interface SealedValue {
  readonly box: string;
  /** Of the value, under the data key: equal values have equal digests within a secret. */
  readonly digest: string;
  /** The length of the value. */
  readonly bytes: number;
}

export interface SecretSpec {
  readonly type: string;
  /** True: its values and its type never change again. */
  readonly immutable?: boolean;
  /** Left out while there are no values. */
  readonly seal?: Seal;
  readonly values: Readonly<Record<string, SealedValue>>;
}
