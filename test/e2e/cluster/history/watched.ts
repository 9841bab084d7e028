/** What one watcher was told, over all its connections to one plane, or of the log itself. */

export interface WatchedLine {
  readonly type: "put" | "deleted";
  readonly key: string;
  readonly revision: number;
  /** Of what was deleted: as it last was. */
  readonly value: string;
  readonly uid: string;
}

export interface Connection {
  /** It was to be told everything after this. */
  readonly from: number;
  /** It was told, by an event or a bookmark, that it has been told everything up to here. */
  readonly upTo: number;
  readonly lines: readonly WatchedLine[];
}

export interface Watched {
  readonly watcher: string;
  readonly connections: readonly Connection[];
}
