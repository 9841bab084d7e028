/**
 * `berth policy preview`: what would have been decided otherwise with another revision in force,
 * told from a plane's recording. It reads the recording's files and speaks to no plane.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { DURATION_FORM, parseDuration } from "../../quantity/duration.ts";
import { type ChaptersAsked, chooseChapters } from "../../replay/choose-chapters.ts";
import { counterfactual, type Step } from "../../replay/counterfactual.ts";
import { PreviewRefused } from "../../replay/counterfactual/preview-refused.ts";
import { RecordingUnreadable } from "../../replay/recording-unreadable.ts";
import { dataFolder } from "../client/server-options.ts";
import { UserError } from "../../shell/errors.ts";
import type { Terminal } from "../main.ts";
import { ProgressBar, stderrTarget } from "../text/progress-bar.ts";
import { recordingIn } from "../simulate/replay-folder.ts";
import { readWholeNumber } from "../../shell/read-whole-number.ts";
import { type Previewed, previewReport } from "./preview-report.ts";
import { previewText } from "./preview-text.ts";
import { readRevisionFile, type RevisionInFile } from "./read-revision-file.ts";

export interface PreviewOptions {
  readonly revision?: string;
  readonly file?: string;
  readonly region?: string;
  readonly recording?: string;
  readonly data?: string;
  readonly chapter?: string;
  readonly last?: string;
  readonly json?: boolean;
}

/** Most questions are about the latest events. */
const LAST = "1h";

export async function previewPolicy(
  policy: string,
  options: PreviewOptions,
  terminal: Terminal,
): Promise<void> {
  const asked = chaptersAsked(options);
  const revision = await revisionAsked(options);
  const folder = recordingFolder(options);
  const bar = new ProgressBar(stderrTarget((text) => terminal.err(text)));
  const previewed = await reading(folder, async (): Promise<Previewed> => {
    const { names: chapters, notes } = await chooseChapters(folder, asked);
    const { region } = options;
    const found = counterfactual({
      folder,
      chapters,
      policy,
      revision: revision.name,
      spec: revision.spec,
      region,
      onProgress: (step: Step, done, total) => bar.show(done, total, step),
    });
    return { policy, revision: revision.name, region, notes, ...found };
  }).finally(() => bar.clear());
  terminal.out(
    options.json === true
      ? `${JSON.stringify(previewReport(previewed))}\n`
      : previewText(previewReport(previewed)),
  );
}

function chaptersAsked({ chapter, last }: PreviewOptions): ChaptersAsked {
  if (chapter !== undefined && last !== undefined) {
    throw new UserError("bad-usage", "--chapter and --last cannot be used together.");
  }
  if (chapter !== undefined) return { chapter: readWholeNumber("--chapter", chapter) };
  const lastMs = parseDuration(last ?? LAST);
  if (lastMs !== undefined && lastMs > 0) return { lastMs };
  throw new UserError("bad-usage", `--last: found "${last}", expected ${DURATION_FORM}.`);
}

async function revisionAsked({
  revision,
  file,
}: PreviewOptions): Promise<Pick<RevisionInFile, "name"> & Partial<RevisionInFile>> {
  if ((revision === undefined) === (file === undefined)) {
    throw new UserError(
      "bad-usage",
      "No revision given: use --revision NAME for one in the recording, or -f FILE for one that is not in the plane yet.",
    );
  }
  return file === undefined ? { name: revision ?? "" } : readRevisionFile(file);
}

function recordingFolder(options: PreviewOptions): string {
  const given = options.recording ?? join(dataFolder(options), "recording");
  if (existsSync(given)) return recordingIn(given);
  throw new UserError(
    "unreadable-file",
    "No recording found. Pass its directory with --recording; a plane started with --no-record has none.",
    { file: given },
  );
}

async function reading<T>(folder: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof PreviewRefused) throw new UserError("bad-usage", error.message);
    if (error instanceof RecordingUnreadable) {
      throw new UserError("invalid-file", error.message, { file: folder });
    }
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    const dropped = "A part of the recording was deleted during the preview: the plane";
    throw new UserError(
      "unreadable-file",
      `${dropped} drops the oldest chapters. Try again with a shorter --last or another --chapter.`,
      { file: folder },
    );
  }
}
