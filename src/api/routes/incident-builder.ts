/** Where documents of this plane's recording are made: one at a time, and only for so long. */
import { chapterNamed } from "../../replay/incident-of-chapter.ts";
import { type IncidentAsked, startIncidentThread } from "../../replay/incident-thread.ts";
import { RecordingUnreadable } from "../../replay/recording-unreadable.ts";
import { ApiError } from "../errors.ts";
import type { ApiLimits } from "../http/limits.ts";

type Thread = ReturnType<typeof startIncidentThread>;

export class IncidentBuilder {
  private readonly limits: Pick<ApiLimits, "incidentMs" | "incidentBytes">;
  private busy: Thread | undefined;

  constructor(limits: Pick<ApiLimits, "incidentMs" | "incidentBytes">) {
    this.limits = limits;
  }

  /** The document as JSON. */
  async make(asked: Omit<IncidentAsked, "maxBytes">): Promise<string> {
    const { incidentMs, incidentBytes: maxBytes } = this.limits;
    if (this.busy !== undefined) {
      throw new ApiError(
        "too-many-requests",
        "Another part of the recording is being replayed: try again later.",
        { retryAfterSeconds: 2 },
      );
    }
    assertThere(asked);
    const thread = startIncidentThread({ ...asked, maxBytes });
    this.busy = thread;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      const said = `It took more than ${Math.round(incidentMs / 1_000)} s. Choose another chapter, or copy the recording and use berth replay FOLDER --html FILE.`;
      timer = setTimeout(() => reject(new ApiError("incident-late", said)), incidentMs);
    });
    try {
      return await Promise.race([thread.json, late]);
    } catch (error) {
      throw asApiError(error);
    } finally {
      clearTimeout(timer);
      thread.json.catch(() => {});
      await thread.end();
      this.busy = undefined;
    }
  }

  async close(): Promise<void> {
    await this.busy?.end();
  }
}

/** Before a thread is started for it. */
function assertThere({ folder, chapter }: Omit<IncidentAsked, "maxBytes">): void {
  try {
    chapterNamed(folder, chapter);
  } catch (error) {
    throw asApiError(error);
  }
}

const asApiError = (error: unknown): unknown =>
  error instanceof RecordingUnreadable ? new ApiError("not-found", error.message) : error;
