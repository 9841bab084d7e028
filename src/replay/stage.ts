/** The components of one chapter of a recording, played again, and the log they make. */
import { Authority } from "../core/commit/authority.ts";
import type { Commit } from "../core/protocol/commit-record.ts";
import { restoreLedger } from "../core/commit/snapshot.ts";
import type { Snapshot } from "../core/protocol/snapshot.ts";
import type {
  AuthorityEffect,
  AuthorityInput,
  ClientEffect,
  ClientInput,
} from "../core/kernel/component.ts";
import type { KeyedTurn } from "../core/kernel/keyed-turn.ts";
import type { Revision } from "../core/model/ids.ts";
import { type Interest, wants } from "../core/observe/interest.ts";
import { listObjects } from "../core/observe/list-objects.ts";
import { type ClientComponent } from "../host/local-client.ts";
import { migrated } from "../host/formats.ts";
import { PublishedLog } from "../host/published-log.ts";
import {
  type ChapterStart,
  contentsFormatOf,
  type RecordedInput,
} from "../host/recording/entry.ts";
import { readContents } from "./read-contents.ts";
import { recordedControllers } from "./recorded-controllers.ts";
import { recordedKeys, type RecordedKeys } from "./recorded-keys.ts";

/** One turn: what the component was given, in full, and what it did. */
export type Played =
  | {
      readonly by: "plane";
      readonly input: AuthorityInput;
      readonly effects: readonly AuthorityEffect[];
      /** What became visible by it. */
      readonly published: readonly Commit[];
      readonly revision: Revision;
    }
  | {
      readonly by: "client";
      readonly input: ClientInput;
      readonly effects: readonly ClientEffect[];
      /** Of its view, afterwards. */
      readonly revision: Revision;
      readonly interest: Interest;
    };

/** The components of one chapter, and the log they make. */
export class Stage {
  private readonly folder: string;
  private readonly format: number;
  private readonly authority: Authority;
  private readonly authorityTurn: KeyedTurn;
  private readonly clients: ReadonlyMap<string, { component: ClientComponent; turn: KeyedTurn }>;
  readonly log = new PublishedLog();
  readonly keys: RecordedKeys;

  constructor(folder: string, start: ChapterStart) {
    this.folder = folder;
    this.format = contentsFormatOf(start);
    this.keys = recordedKeys(this.format);
    const { plane: name, seed, state, isStandby } = start;
    if (state === undefined) this.authority = new Authority({ name });
    else {
      const { snapshot } = readContents(folder, state, this.format) as { snapshot: Snapshot };
      const ledger = restoreLedger(snapshot);
      this.authority = isStandby
        ? Authority.following({ name, ledger })
        : Authority.resumed({ name, ledger });
      this.log.load(snapshot, []);
    }
    this.authorityTurn = this.keys.turnOf(seed, name);
    this.clients = new Map(
      recordedControllers(start).map((component) => [
        component.name,
        { component, turn: this.keys.turnOf(seed, component.name) },
      ]),
    );
  }

  /** The name of the plane, which is that of its authority. */
  get plane(): string {
    return this.authority.name;
  }

  /** A stored input in the format of this build. */
  inputOf(stored: RecordedInput): RecordedInput {
    return migrated(stored, "input", this.format) as RecordedInput;
  }

  /** What the component does now, or what is wrong with asking it. */
  play(name: string, atMs: number, stored: RecordedInput): Played | string {
    const recorded = this.inputOf(stored);
    if (name === this.plane) return this.playAuthority(atMs, recorded);
    const client = this.clients.get(name);
    if (client === undefined) return `no component ${name}`;
    const input = this.clientInput(client.component, recorded);
    if (typeof input === "string") return input;
    client.turn.now = atMs;
    const effects = client.component.receive(input, client.turn);
    const { revision, interest } = client.component.view;
    return { by: "client", input, effects, revision, interest };
  }

  private playAuthority(atMs: number, recorded: RecordedInput): Played {
    this.authorityTurn.now = atMs;
    const input = this.authorityInput(recorded);
    const effects = this.authority.receive(input, this.authorityTurn);
    const published = effects.flatMap((effect) => this.follow(effect));
    return { by: "plane", input, effects, published, revision: this.log.revision };
  }

  private follow(effect: AuthorityEffect): readonly Commit[] {
    if (effect.kind === "append") this.log.stage(effect.commits);
    return effect.kind === "publish" ? this.log.publish(effect.to) : [];
  }

  private authorityInput(recorded: RecordedInput): AuthorityInput {
    if (recorded.kind !== "claimed") return recorded as AuthorityInput;
    const claimed = readContents(this.folder, recorded.contents, this.format);
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
}
