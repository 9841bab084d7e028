/**
 * The messages for logging in and for looking after etcd itself; field numbers are those of etcd's
 * rpc.proto.
 */
import { ProtoReader } from "./proto-reader.ts";
import { ProtoWriter } from "./proto-writer.ts";

export const encodeAuthenticate = (name: string, password: string): Buffer =>
  new ProtoWriter().text(1, name).text(2, password).finish();

/** The token to send with every call. */
export function decodeAuthenticate(message: Uint8Array): string {
  const reader = new ProtoReader(message);
  let token = "";
  for (let field = reader.next(); field !== 0; field = reader.next()) {
    if (field === 2) token = reader.text();
    else reader.skip();
  }
  return token;
}

export interface MemberStatus {
  readonly version: string;
  readonly databaseBytes: number;
  /** What is not free inside the database; the rest comes back to the disk by defragmenting. */
  readonly databaseBytesInUse: number;
  /** 0 when the member knows of none. */
  readonly leader: bigint;
  readonly isLeader: boolean;
  readonly revision: bigint;
}

export function decodeStatus(message: Uint8Array): MemberStatus {
  const reader = new ProtoReader(message);
  const status = { version: "", databaseBytes: 0, databaseBytesInUse: 0, leader: 0n, revision: 0n };
  let member = 0n;
  for (let field = reader.next(); field !== 0; field = reader.next()) {
    if (field === 1) ({ member, revision: status.revision } = decodeMemberHeader(reader.bytes()));
    else if (field === 2) status.version = reader.text();
    else if (field === 3) status.databaseBytes = reader.number();
    else if (field === 4) status.leader = BigInt.asUintN(64, reader.int64());
    else if (field === 9) status.databaseBytesInUse = reader.number();
    else reader.skip();
  }
  return { ...status, isLeader: member !== 0n && member === status.leader };
}

function decodeMemberHeader(message: Uint8Array): { member: bigint; revision: bigint } {
  const reader = new ProtoReader(message);
  const header = { member: 0n, revision: 0n };
  for (let field = reader.next(); field !== 0; field = reader.next()) {
    if (field === 2) header.member = BigInt.asUintN(64, reader.int64());
    else if (field === 3) header.revision = reader.int64();
    else reader.skip();
  }
  return header;
}

export type AlarmKind = "nospace" | "corrupt";

const ALARM_KINDS: readonly (AlarmKind | undefined)[] = [undefined, "nospace", "corrupt"];
const ACTIONS = { get: 0, deactivate: 2 } as const;

export interface MemberAlarm {
  readonly member: bigint;
  readonly kind: AlarmKind;
}

export const encodeAlarmsGet = (): Buffer => new ProtoWriter().int(1, ACTIONS.get).finish();

export const encodeAlarmOff = ({ member, kind }: MemberAlarm): Buffer =>
  new ProtoWriter()
    .int(1, ACTIONS.deactivate)
    .int(2, member)
    .int(3, ALARM_KINDS.indexOf(kind))
    .finish();

export function decodeAlarms(message: Uint8Array): readonly MemberAlarm[] {
  const reader = new ProtoReader(message);
  const alarms: MemberAlarm[] = [];
  for (let field = reader.next(); field !== 0; field = reader.next()) {
    if (field === 2) alarms.push(...decodeAlarm(reader.bytes()));
    else reader.skip();
  }
  return alarms;
}

function decodeAlarm(message: Uint8Array): readonly MemberAlarm[] {
  const reader = new ProtoReader(message);
  let member = 0n;
  let kind: AlarmKind | undefined;
  for (let field = reader.next(); field !== 0; field = reader.next()) {
    if (field === 1) member = BigInt.asUintN(64, reader.int64());
    else if (field === 2) kind = ALARM_KINDS[reader.number()];
    else reader.skip();
  }
  return kind === undefined ? [] : [{ member, kind }];
}
