/** What every route of one server works with. */
import type { HostClock } from "../../host/host-clock.ts";
import type { PlanePort } from "../../host/plane-port.ts";
import type { HeldSecretKeys } from "../../host/seal/secret-keys.ts";
import type { AccessDecider } from "../access/access-decider.ts";
import type { Authorizer } from "../access/authorizer.ts";
import type { Veil } from "../access/env-values.ts";
import type { Refusals } from "../access/refusals.ts";
import type { Uses } from "../access/uses.ts";
import type { OpenReads } from "../access/open-reads.ts";
import type { HttpBounds } from "../bounds/http-bounds.ts";
import type { AgentStreams } from "../routes/agent-streams.ts";
import type { ApiLimits } from "./limits.ts";
import type { LogRelay } from "../routes/log-relay.ts";
import type { AgentLines } from "../sessions/agent-lines.ts";
import type { SessionRelay } from "../sessions/session-relay.ts";
import type { ShownRevisions } from "../list/shown-revisions.ts";
import type { Texts } from "../list/shown-texts.ts";
import type { SortedLists } from "../list/sorted-lists.ts";
import type { WatchHub } from "../watch/watch-hub.ts";

/** The part of a logger that the server needs; pino's fits. */
export interface ApiLog {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

export interface ApiContext {
  readonly plane: PlanePort;
  /** Who may do what. */
  readonly access: AccessDecider;
  readonly clock: HostClock;
  readonly log: ApiLog;
  readonly limits: ApiLimits;
  readonly bounds: HttpBounds;
  readonly shown: ShownRevisions;
  readonly hub: WatchHub;
  readonly lists: SortedLists;
  readonly texts: Texts;
  readonly logs: LogRelay;
  readonly streams: AgentStreams;
  readonly lines: AgentLines;
  readonly sessions: SessionRelay;
  readonly secretKeys: HeldSecretKeys;
  readonly authorizer: Authorizer;
  /** What is shown of objects; every caller's own in the routes that show them (AZ49). */
  readonly veil: Veil;
  readonly openReads: OpenReads;
  readonly refusals: Refusals;
  /** Which rights callers use. */
  readonly uses: Uses;
}
