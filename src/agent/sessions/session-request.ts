/** What a plane asks for when a person wants a session with a replica of this node. */
import type { ObjectKey } from "../../core/model/ids.ts";

interface Common {
  /** Names the path that the agent connects to. */
  readonly id: string;
  readonly replica: ObjectKey;
  /** Of the replica that the plane means: a namesake is another. */
  readonly uid: string;
}

export interface ExecRequest extends Common {
  readonly kind: "exec";
  readonly command: readonly string[];
  readonly stdin: boolean;
  readonly tty: boolean;
}

export interface ForwardRequest extends Common {
  readonly kind: "forward";
  /** Name or number of one of the replica's own ports. */
  readonly port: string;
}

export type SessionRequest = ExecRequest | ForwardRequest;

/** Undefined when the line of the stream is about something else. */
export function parseSessionRequest(line: string): SessionRequest | undefined {
  if (!line.startsWith('{"session":')) return undefined;
  const { session } = JSON.parse(line) as { readonly session: SessionRequest };
  const isRequest =
    /^[0-9a-f-]+$/.test(session.id) &&
    typeof session.replica === "string" &&
    typeof session.uid === "string" &&
    (session.kind === "exec"
      ? Array.isArray(session.command) && session.command.every((word) => typeof word === "string")
      : typeof session.port === "string");
  if (!isRequest) throw new Error(`its stream has an invalid session: ${line.slice(0, 300)}`);
  return session;
}
