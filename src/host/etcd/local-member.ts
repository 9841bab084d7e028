/**
 * One etcd process on this machine, which can be killed, paused and started again on the same
 * files.
 */
import { TiedProcess, type TiedProcessOptions } from "../tied-process.ts";

export interface LocalMemberOptions extends TiedProcessOptions {
  /** `host:port` for clients. */
  readonly endpoint: string;
}

export class LocalMember extends TiedProcess {
  readonly endpoint: string;

  constructor({ endpoint, ...of }: LocalMemberOptions) {
    super(of);
    this.endpoint = endpoint;
  }
}
