/** Requests of an etcd operator: how its members are, its alarms, and room on their disks. */
import type { Effect, EtcdCaller } from "./etcd-caller.ts";
import {
  decodeAlarms,
  decodeStatus,
  encodeAlarmOff,
  encodeAlarmsGet,
  type MemberAlarm,
  type MemberStatus,
} from "./operator-messages.ts";

const NOTHING: Uint8Array = new Uint8Array(0);

/**
 * Over a caller with one endpoint it speaks of that member; `alarms` and `disarm` are about all of
 * them.
 */
export class EtcdOperator {
  private readonly caller: EtcdCaller;

  constructor(caller: EtcdCaller) {
    this.caller = caller;
  }

  async status(): Promise<MemberStatus> {
    return decodeStatus(await this.ask("for its status", "Status"));
  }

  /** Agreed upon by the members. */
  async alarms(): Promise<readonly MemberAlarm[]> {
    return decodeAlarms(await this.ask("for its alarms", "Alarm", { message: encodeAlarmsGet() }));
  }

  async disarm(alarm: MemberAlarm): Promise<void> {
    await this.ask("to end an alarm", "Alarm", {
      message: encodeAlarmOff(alarm),
      effect: "repeatable",
    });
  }

  /**
   * The member does not answer while it does this, seconds for a gigabyte: give the caller
   * patience.
   */
  async defragment(): Promise<void> {
    await this.ask("to defragment its database", "Defragment", { effect: "repeatable" });
  }

  private ask(
    what: string,
    method: string,
    { message = NOTHING, effect = "none" }: { message?: Uint8Array; effect?: Effect } = {},
  ): Promise<Uint8Array> {
    const path = `/etcdserverpb.Maintenance/${method}`;
    return this.caller.call({ what, path, message, effect });
  }
}
