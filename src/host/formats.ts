/**
 * The formats of everything that outlives the build that wrote it. Each artefact says its number;
 * every opener asks `whyUnread` before it reads further and before it writes anything. What stands
 * inside all of them, the JSON of objects, commits and commands, is migrated when it is read and
 * never rewritten: the hash chain over the batches (docs/adr/0011) stays what people wrote down.
 *
 * To change that JSON in a way that an older build would misread, add one migration to the end of
 * MIGRATIONS. Every number below rises with the list, so each older build refuses what the new one
 * writes.
 */
import { VERSION } from "../shell/version.ts";
import { inTodaysWords } from "./earlier-words.ts";
import { withSplitWords } from "./split-words.ts";
import { LogOfOtherFormat } from "./store/log-store.ts";

/** A piece of JSON as it is stored: which one a migration is given. */
export type StoredPiece =
  /** `{ templates, commits }`, see `store/batch-encoding.ts`. */
  | "batch"
  /** `{ templates, objects, operations, … }`, see `store/snapshot-chunks.ts`. */
  | "chunk"
  /** What a component was given, see `recording/entry.ts`. */
  | "input"
  /** `{ snapshot, commits }`, which a recording keeps in a file of its own. */
  | "contents";

/**
 * Turns what one format wrote into what the next one writes; a piece that it does not concern stays
 * as it is.
 */
export type Migration = (piece: unknown, kind: StoredPiece) => unknown;

/** The first leads from contents of format 1 to format 2, the next from there to 3, and so on. */
export const MIGRATIONS: readonly Migration[] = [inTodaysWords, withSplitWords];

export interface Format {
  /** What this build writes. */
  readonly written: number;
  /** The oldest that this build reads. */
  readonly oldest: number;
}

const RISEN = MIGRATIONS.length;

export const FORMATS = {
  /** `PRAGMA user_version` of a log in SQLite; 1 and 2 were never released. */
  logFile: { written: 3 + RISEN, oldest: 3 },
  /** `format` in the key `meta` of a log in etcd. */
  etcdLog: { written: 1 + RISEN, oldest: 1 },
  /** The first line of a backup. */
  backup: { written: 1 + RISEN, oldest: 1 },
  /**
   * `berthRecording` in the first line of a chapter. In format 1 a claim was one JSON text; up to
   * format 2 a turn had only a digest of its effects.
   */
  recording: { written: 3 + RISEN, oldest: 1 },
} as const satisfies Readonly<Record<string, Format>>;

/** What the pieces of JSON inside are written in. One that does not say it is of format 1. */
export const CONTENTS_FORMAT = 1 + RISEN;

/** The member that a piece carries; format 1 leaves it out. */
export const saidFormat = (format = CONTENTS_FORMAT): { readonly format?: number } =>
  format === 1 ? {} : { format };

/**
 * Why this build does not read the format, and what to do, as the end of a sentence; undefined: it
 * reads it.
 */
export function whyUnread({ written, oldest }: Format, found: unknown): string | undefined {
  if (typeof found !== "number" || !Number.isSafeInteger(found) || found < 1) {
    return "it does not say its format, so Berth did not write it. Check that this is the right file or key. Nothing was changed";
  }
  if (found >= oldest && found <= written) return undefined;
  const reads = oldest === written ? `format ${written}` : `the formats ${oldest} to ${written}`;
  const by = found > written ? "a newer" : "an older";
  const advice =
    found > written
      ? "Run the version of Berth that wrote it, or a newer one"
      : "Run the version of Berth that wrote it, and upgrade from there one version at a time";
  return `it is written in format ${found} by ${by} version of Berth, and this version (${VERSION}) reads ${reads}. ${advice}. Nothing was changed`;
}

/**
 * The piece as this build writes it. Left out, `from` is what the piece itself says. Throws
 * LogOfOtherFormat.
 */
export function migrated(
  piece: unknown,
  kind: StoredPiece,
  from: number = formatIn(piece),
  migrations: readonly Migration[] = MIGRATIONS,
): unknown {
  const why = whyUnread({ written: 1 + migrations.length, oldest: 1 }, from);
  if (why !== undefined) throw new LogOfOtherFormat(`Cannot read a stored ${kind}: ${why}.`);
  return migrations.slice(from - 1).reduce((value, migrate) => migrate(value, kind), piece);
}

function formatIn(piece: unknown): number {
  const isSaid = typeof piece === "object" && piece !== null && "format" in piece;
  return isSaid ? (piece.format as number) : 1;
}
