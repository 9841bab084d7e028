/**
 * The waits that schedulers estimated in a recording, and how they ended. The recording is
 * replayed: its decisions are what the code says again, as far as it does what was recorded.
 */
import type { Commit } from "../core/protocol/commit-record.ts";
import type { ObjectKey } from "../core/model/ids.ts";
import { workloadOf } from "../core/model/workload-of.ts";
import { chaptersIn, type Divergence, openChapter, playChapter } from "./replay-recording.ts";
import type { Played } from "./stage.ts";
import type { WaitRecord, WaitStatement } from "./score-waits.ts";

export interface RecordedWaits extends WaitRecord {
  readonly turns: number;
  /** Where the replay went another way; what came later is not looked at. */
  readonly firstDivergence: Divergence | null;
}

export function estimatesOfRecording(folder: string): RecordedWaits {
  const statements: WaitStatement[] = [];
  const boundMs = new Map<ObjectKey, number[]>();
  let untilMs = 0;
  let turns = 0;
  for (const name of chaptersIn(folder)) {
    const report = playChapter(openChapter(folder, name), {
      after: ({ atMs }, played) => {
        untilMs = atMs;
        if (played.by === "client") statements.push(...statementsIn(played));
        else for (const commit of played.published) noteBinds(boundMs, commit, atMs);
      },
    });
    turns += report.turns;
    const { firstDivergence } = report;
    if (report.diverged) return { statements, boundMs, untilMs, turns, firstDivergence };
  }
  return { statements, boundMs, untilMs, turns, firstDivergence: null };
}

type ClientTurn = Extract<Played, { by: "client" }>;

function statementsIn({ effects }: ClientTurn): readonly WaitStatement[] {
  return effects.flatMap((effect): readonly WaitStatement[] => {
    if (effect.kind !== "decision" || effect.record.decision.kind !== "wait") return [];
    const { key, atMs, decision } = effect.record;
    const { estimateMs, upToMs } = decision.because.queue ?? {};
    return estimateMs === undefined ? [] : [{ key, atMs, estimateMs, upToMs }];
  });
}

function noteBinds(boundMs: Map<ObjectKey, number[]>, { changes }: Commit, atMs: number): void {
  for (const { before, after } of changes) {
    if (after?.kind !== "Replica" || after.status.node === undefined) continue;
    if (before?.kind !== "Replica" || before.status.stage !== "queued") continue;
    const key = workloadOf(after);
    const times = boundMs.get(key);
    if (times === undefined) boundMs.set(key, [atMs]);
    else times.push(atMs);
  }
}
