/** One commit in a line for people. */
import type { Commit } from "../core/protocol/commit-record.ts";

export const commitText = ({ operation, actor, revision }: Commit): string =>
  `${operation} by ${actor.name} is durable at revision ${revision}`;
