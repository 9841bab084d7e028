/**
 * Runs a recording again with today's code: the same components, given the same inputs in the same order at
 * the same times. Where a turn does something else than it did, the two have diverged, and the first such
 * turn is the one to look at.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { allControllers } from "../core/all-controllers.ts";
import { Authority } from "../core/commit/authority.ts";
import type { Commit } from "../core/commit/commit-record.ts";
import { restoreLedger, type Snapshot } from "../core/commit/snapshot.ts";
import type {
  AuthorityEffect,
  AuthorityInput,
  ClientEffect,
  ClientInput,
} from "../core/kernel/component.ts";
import { KeyedTurn } from "../core/kernel/keyed-turn.ts";
import { wants } from "../core/observe/interest.ts";
import { listObjects } from "../core/observe/list-objects.ts";
import { createControllers } from "../host/controllers.ts";
import { type ClientComponent } from "../host/local-client.ts";
import { PublishedLog } from "../host/published-log.ts";
import { readClaimCopy } from "../host/recording/claim-copy.ts";
import { effectDigest } from "../host/recording/effect-digest.ts";
import {
  type ChapterStart,
  COPY_SUFFIX,
  type Entry,
  FORMATS_READ,
  type RecordedInput,
} from "../host/recording/entry.ts";

export interface Divergence {
  readonly chapter: string;
  readonly turn: number;
  readonly component: string;
  readonly input: string;
  readonly expected: string;
  readonly got: string;
}

export interface ReplayReport {
  readonly turns: number;
  readonly diverged: boolean;
  readonly firstDivergence: Divergence | null;
}

/** A recording that cannot be read; the message says which file and what to do. */
export class RecordingUnreadable extends Error {
  override readonly name = "RecordingUnreadable";
}

export function replayRecording(
  folder: string,
  untilTurn = Number.POSITIVE_INFINITY,
): ReplayReport {
  const chapters = readdirSync(folder)
    .filter((name) => /^chapter-\d+\.jsonl$/.test(name))
    .toSorted();
  if (chapters.length === 0) {
    throw new RecordingUnreadable(
      `Cannot replay ${folder}: it has no chapter-*.jsonl. Name the folder that --record wrote; a plane that never led has recorded nothing.`,
    );
  }
  let turns = 0;
  for (const chapter of chapters) {
    const report = replayChapter(folder, chapter, untilTurn - turns);
    turns += report.turns;
    if (report.diverged) return { ...report, turns };
    if (turns >= untilTurn) break;
  }
  return { turns, diverged: false, firstDivergence: null };
}

function replayChapter(folder: string, chapter: string, untilTurn: number): ReplayReport {
  const [first = "", ...lines] = readFileSync(path.join(folder, chapter), "utf8").split("\n");
  const stage = new Stage(folder, readStart(first, chapter));
  let turns = 0;
  for (const line of lines) {
    if (turns >= untilTurn) break;
    const entry = readEntry(line);
    // A plane that was killed leaves half a line behind; the turn it belongs to had no effect.
    if (entry === undefined) break;
    turns += 1;
    const [component, atMs, input, digest] = entry;
    const got = stage.play(component, atMs, input);
    if (got === digest) continue;
    const expected = `effects with digest ${digest}`;
    const found = typeof got === "number" ? `effects with digest ${got}` : got;
    const where = { chapter, turn: turns, component, input: input.kind, expected, got: found };
    return { turns, diverged: true, firstDivergence: where };
  }
  return { turns, diverged: false, firstDivergence: null };
}

function readStart(line: string, chapter: string): ChapterStart {
  let start: Partial<ChapterStart> = {};
  try {
    start = JSON.parse(line) as Partial<ChapterStart>;
  } catch {
    // Falls through to the sentence below: an empty or cut first line says as little as a foreign one.
  }
  if (FORMATS_READ.includes(start.berthRecording ?? 0)) return start as ChapterStart;
  throw new RecordingUnreadable(
    `Cannot replay ${chapter}: its first line is not the start of a recording of format ${FORMATS_READ.join(" or ")}. ` +
      "Use the version of berth that wrote it, or remove the file.",
  );
}

function readEntry(line: string): Entry | undefined {
  if (!line.endsWith("]")) return undefined;
  try {
    return JSON.parse(line) as Entry;
  } catch {
    return undefined;
  }
}

/** The components of one chapter, and the log they make. */
class Stage {
  private readonly folder: string;
  private readonly authority: Authority;
  private readonly authorityTurn: KeyedTurn;
  private readonly clients: ReadonlyMap<string, { component: ClientComponent; turn: KeyedTurn }>;
  private readonly log = new PublishedLog();

  constructor(folder: string, start: ChapterStart) {
    this.folder = folder;
    const { plane: name, seed, controllers, state, isStandby } = start;
    if (state === undefined) this.authority = new Authority({ name });
    else {
      const { snapshot } = this.contents(state) as { snapshot: Snapshot };
      const ledger = restoreLedger(snapshot);
      this.authority = isStandby
        ? Authority.following({ name, ledger })
        : Authority.resumed({ name, ledger });
      this.log.load(snapshot, []);
    }
    this.authorityTurn = new KeyedTurn(seed, name);
    const schedulers = controllers.filter((controller) => controller.startsWith("place-")).length;
    const without = allControllers(schedulers)
      .map(([controller]) => controller)
      .filter((controller) => !controllers.includes(controller));
    this.clients = new Map(
      createControllers({ schedulers, without }).map((component) => [
        component.name,
        { component, turn: new KeyedTurn(seed, component.name) },
      ]),
    );
  }

  /** The digest of what the component does now, or what is wrong with asking it. */
  play(name: string, atMs: number, recorded: RecordedInput): number | string {
    if (name === this.authority.name) return this.playAuthority(atMs, recorded);
    const client = this.clients.get(name);
    if (client === undefined) return `no component ${name}`;
    const input = this.clientInput(client.component, recorded);
    if (typeof input === "string") return input;
    client.turn.now = atMs;
    const effects: readonly ClientEffect[] = client.component.receive(input, client.turn);
    return effectDigest(effects);
  }

  private playAuthority(atMs: number, recorded: RecordedInput): number {
    this.authorityTurn.now = atMs;
    const input = this.authorityInput(recorded);
    const effects = this.authority.receive(input, this.authorityTurn);
    for (const effect of effects) this.follow(effect);
    return effectDigest(effects);
  }

  private follow(effect: AuthorityEffect): void {
    if (effect.kind === "append") this.log.stage(effect.commits);
    else if (effect.kind === "publish") this.log.publish(effect.to);
  }

  private authorityInput(recorded: RecordedInput): AuthorityInput {
    if (recorded.kind !== "claimed") return recorded as AuthorityInput;
    const claimed = this.contents(recorded.contents);
    const { snapshot, commits } = claimed as { snapshot?: Snapshot; commits: Commit[] };
    this.log.load(snapshot, commits);
    return { kind: "claimed", epoch: recorded.epoch, commits, ...(snapshot ? { snapshot } : {}) };
  }

  private clientInput(component: ClientComponent, recorded: RecordedInput): ClientInput | string {
    const { interest } = component.view;
    switch (recorded.kind) {
      case "listed": {
        const { revision, epoch } = recorded;
        if (revision !== this.log.revision) return `a list at revision ${this.log.revision}`;
        return {
          kind: "listed",
          objects: listObjects(this.log.objects, interest),
          revision,
          epoch,
        };
      }
      case "watch": {
        const { from, to, epoch } = recorded;
        if (to > this.log.revision) return `a log that ends at revision ${this.log.revision}`;
        const commits = (this.log.since(from) ?? []).filter(
          ({ revision, changes }) =>
            revision <= to && changes.some((change) => wants(interest, change)),
        );
        return { kind: "watch", commits, to, epoch };
      }
      default:
        return recorded as ClientInput;
    }
  }

  private contents(name: string): unknown {
    const file = path.join(this.folder, name);
    if (!existsSync(file)) {
      throw new RecordingUnreadable(
        `Cannot replay: ${file} is missing. It belongs to the recording: copy the whole folder. A plane that was killed while it wrote it leaves none.`,
      );
    }
    return file.endsWith(COPY_SUFFIX)
      ? readClaimCopy(file)
      : JSON.parse(readFileSync(file, "utf8"));
  }
}
