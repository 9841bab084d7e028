/** A request on its way, with everything faults and latencies are keyed by. */
import type { Request } from "../../core/kernel/component.ts";
import type { ClientProcess } from "./client-process.ts";

export interface Message {
  readonly client: ClientProcess;
  /** The incarnation of the sender: a reply never reaches a later one. */
  readonly incarnation: number;
  readonly call: number;
  readonly request: Request;
  /**
   * The operation, with `lookup:` before it for a request of its outcome; message faults use this
   * name.
   */
  readonly label: string;
  readonly labelHash: number;
  readonly attempt: number;
  /** A call ends with its first reply; a second one (of a duplicated request) is dropped. */
  isAnswered: boolean;
}
