/**
 * Etcd understood the call and will not do it, whichever member is asked: trying again makes no
 * sense.
 */
import { EtcdUnavailable } from "./etcd-api.ts";

export class EtcdRefused extends EtcdUnavailable {
  override readonly name = "EtcdRefused";
  /** What etcd said, such as "etcdserver: requested lease not found". */
  readonly says: string;

  constructor(what: string, says: string) {
    super(`Etcd rejected the request ${what}: ${says}.`);
    this.says = says;
  }
}
