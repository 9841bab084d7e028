/** The plane's recording, as `GET /recordings` answers. */
export interface Recordings {
  readonly recording: boolean;
  readonly reason?: string;
  /** Oldest first. */
  readonly chapters: readonly Chapter[];
}

export interface Chapter {
  readonly number: number;
  readonly plane?: string;
  readonly from?: string;
  readonly until?: string;
  readonly firstRevision?: number;
  readonly lastRevision?: number;
  readonly bytes: number;
  readonly canReplay: boolean;
  readonly obstacle?: string;
}
