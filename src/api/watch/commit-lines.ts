/**
 * Commits as the lines of an agent's stream: as many in a line as are worth one, so that no line is
 * made for long.
 */
import type { Commit } from "../../core/protocol/commit-record.ts";
import type { Revision } from "../../core/model/ids.ts";

export interface Heading {
  /** How far the stream has come with the last line. */
  readonly to: Revision;
  readonly epoch: number;
  /** The length that ends a line; a commit is never split. */
  readonly bytes: number;
  /** The words of an earlier agent; left out: today's. */
  readonly shownAs?: ((commit: Commit) => unknown) | undefined;
}

/** One line at least: it says how far the stream has come. */
export function* commitLines(
  commits: readonly Commit[],
  { to, epoch, bytes, shownAs }: Heading,
): Generator<Buffer> {
  let texts: string[] = [];
  let length = 0;
  const line = (upTo: Revision): Buffer =>
    Buffer.from(`{"commits":[${texts.join(",")}],"to":${upTo},"epoch":${epoch}}\n`);
  for (const [at, commit] of commits.entries()) {
    const text = JSON.stringify(shownAs === undefined ? commit : shownAs(commit));
    texts.push(text);
    length += text.length;
    if (length < bytes || at === commits.length - 1) continue;
    yield line(commit.revision);
    texts = [];
    length = 0;
  }
  yield line(to);
}
