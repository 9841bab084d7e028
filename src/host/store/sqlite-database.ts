/**
 * As much of SQLite as the log uses. Behind it stands `@photostructure/sqlite`; a test can stand
 * between to make a commit fail the way a disk would.
 */
export type SqlValue = number | string | Uint8Array | null;

export interface Statement {
  run(...values: readonly SqlValue[]): unknown;
  get(...values: readonly SqlValue[]): unknown;
  all(...values: readonly SqlValue[]): unknown[];
  iterate(...values: readonly SqlValue[]): Iterable<unknown>;
}

export interface Database {
  readonly isTransaction: boolean;
  exec(sql: string): void;
  prepare(sql: string): Statement;
  /**
   * The library cannot finalise statements, so SQLite lets go of the file only when they are
   * collected as garbage or their thread ends. A closing caller ends its transaction and moves the
   * write-ahead file first.
   */
  close(): void;
}

export interface OpenOptions {
  readonly timeout: number;
  /** Nothing can be written, not even by mistake. */
  readonly readOnly?: boolean;
}

export type OpenDatabase = (file: string, options: OpenOptions) => Database;

/** Loaded when it is needed: commands that open no log should not wait for a native library. */
export async function loadSqlite(): Promise<OpenDatabase> {
  const { DatabaseSync } = await import("@photostructure/sqlite");
  return (file, options) => keepStatements(new DatabaseSync(file, options));
}

/** Prepares each statement once: the same few run for every batch. */
function keepStatements(db: Database): Database {
  const statements = new Map<string, Statement>();
  return {
    get isTransaction() {
      return db.isTransaction;
    },
    exec: (sql) => db.exec(sql),
    prepare(sql) {
      const known = statements.get(sql);
      if (known !== undefined) return known;
      const statement = db.prepare(sql);
      statements.set(sql, statement);
      return statement;
    },
    close: () => db.close(),
  };
}
