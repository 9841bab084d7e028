/** How often tokens and certificates were read again since the plane began, for the metrics. */
export interface ReloadCounts {
  /** By what was read: `tokens`, `tls`, `peer-ca`. */
  readonly done: ReadonlyMap<string, number>;
  readonly failed: ReadonlyMap<string, number>;
  /** Those whose files are wrong at present: the previous version is in force. */
  readonly stale: ReadonlySet<string>;
}

/** Of a server whose tokens and certificates come from no files. */
export const NO_RELOADS: ReloadCounts = { done: new Map(), failed: new Map(), stale: new Set() };
