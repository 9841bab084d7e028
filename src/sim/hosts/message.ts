/** A request on its way, with everything faults and latencies are keyed by. */
import type { Request } from "../../core/kernel/component.ts";
import type { ClientProcess } from "./client-process.ts";

export interface Message {
  readonly client: ClientProcess;
  /** The incarnation of the client that asked: a reply never reaches a later one. */
  readonly incarnation: number;
  readonly call: number;
  readonly request: Request;
  /**
   * The operation, with `lookup:` before it when its outcome is asked for; what message faults
   * name.
   */
  readonly label: string;
  readonly labelHash: number;
  readonly attempt: number;
  /**
   * A call ends with its first reply; a second one (of a duplicated request) has nobody waiting.
   */
  isAnswered: boolean;
}
