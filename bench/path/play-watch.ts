/** Role `watch`: a client that is told of every bind, and notes when. */
import { answerParent } from "../part/answer-parent.ts";
import { sharedNowMs } from "../measure/shared-clock.ts";
import { ReplicaWatch } from "./replica-watch.ts";

export interface WatchStanding {
  /** Replicas bound so far, by group. */
  readonly bound: Readonly<Record<string, number>>;
  /** When the last of them was told of, on the clock that processes share. */
  readonly lastMs: number;
  /** Why nothing more will be told; empty while all is well. */
  readonly lost: string;
}

/** In the order in which they were told of. */
export interface BindTimes {
  /** Number of the workload in its group. */
  readonly workloads: Float64Array;
  readonly boundMs: Float64Array;
  /** Since the watch began. */
  readonly relists: number;
}

/** The same for each replica, by what tells it from the others of its group. */
export interface ReplicaTimes {
  readonly replicas: readonly string[];
  readonly boundMs: Float64Array;
}

/** GROUP-NUMBER.GENERATION.INDEX, the name of a replica of a group. */
const REPLICA = /"name":"([a-z\d]+)-(\d+)\.(\d+\.\d+)"/;

class Binds {
  readonly workloads: number[] = [];
  readonly boundMs: number[] = [];
  readonly seen = new Set<string>();
}

export async function playWatch(): Promise<void> {
  const groups = new Map<string, Binds>();
  let watch: ReplicaWatch | undefined;
  let lastMs = sharedNowMs();
  let lost = "";
  const note = (line: string): void => {
    const [, group = "", number = "", rest = ""] = REPLICA.exec(line) ?? [];
    if (group === "") return;
    let binds = groups.get(group);
    if (binds === undefined) groups.set(group, (binds = new Binds()));
    // One that is bound again after it lost its node was waited for only once.
    const replica = `${number}.${rest}`;
    if (binds.seen.has(replica)) return;
    binds.seen.add(replica);
    lastMs = sharedNowMs();
    binds.workloads.push(Number(number));
    binds.boundMs.push(lastMs);
  };
  const lose = (message: string): void => {
    lost = message;
  };
  await answerParent(
    {
      // Asked again, it looks elsewhere, and knows what it was told before.
      watch: async (of: { url: string; tenant?: string }): Promise<void> => {
        watch?.close();
        watch = await ReplicaWatch.open({ ...of, onLine: note, onLost: lose });
      },
      standing: (): WatchStanding => ({
        bound: Object.fromEntries([...groups].map(([name, { seen }]) => [name, seen.size])),
        lastMs,
        lost,
      }),
      times: ({ group }: { group: string }): BindTimes => ({
        workloads: Float64Array.from(groups.get(group)?.workloads ?? []),
        boundMs: Float64Array.from(groups.get(group)?.boundMs ?? []),
        relists: watch?.relists ?? 0,
      }),
      replicas: ({ group }: { group: string }): ReplicaTimes => ({
        replicas: [...(groups.get(group)?.seen ?? [])],
        boundMs: Float64Array.from(groups.get(group)?.boundMs ?? []),
      }),
    },
    () => watch?.close(),
  );
}
