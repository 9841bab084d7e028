/**
 * Keeps sandboxed replicas away from what steers them: the planes of their agent, on every address
 * of the machine and on their own addresses, and the address at which clouds hand machines their
 * credentials. The kernel refuses by the user id of the socket's owner (nftables), so it holds with
 * and without an agent. Replicas reach each other, and everything else, as any process does, except
 * those whose template asks for other machines alone.
 */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { isIPv4, isIPv6 } from "node:net";
import { FIRST_OUTBOUND_CONTAINER_UID } from "../image/id-ranges.ts";
import {
  FIRST_OUTBOUND_UID,
  FIRST_UID,
  LAST_OUTBOUND_UID,
  LAST_REPLICA_UID,
} from "./replica-uids.ts";

export interface Fenced {
  /** A number: an IP address; names were looked up. */
  readonly address: string;
  readonly port: number;
}

const METADATA = ["169.254.169.254", "fd00:ec2::254"];
const HASH_LETTERS = 16;
const PATIENCE_MS = 10_000;

export class NetworkFence {
  private readonly table: string;
  private readonly program: string;

  constructor(of: { readonly agentFolder: string; readonly program: string }) {
    const digest = createHash("sha256").update(of.agentFolder).digest("hex");
    this.table = `berth_${digest.slice(0, HASH_LETTERS)}`;
    this.program = of.program;
  }

  /** In one step: what runs meanwhile is never without it. Throws why it cannot be had. */
  raise(fenced: readonly Fenced[]): void {
    this.tell(fenceText(this.table, fenced));
  }

  /** Nothing runs any more. */
  lower(): void {
    this.tell(`add table inet ${this.table}\ndelete table inet ${this.table}\n`);
  }

  private tell(text: string): void {
    const { status, stderr, error } = spawnSync(this.program, ["-f", "-"], {
      input: text,
      encoding: "utf8",
      timeout: PATIENCE_MS,
    });
    if (status === 0) return;
    const [why = ""] = (error?.message ?? stderr).trim().split("\n");
    throw new Error(`nft cannot set the rules that keep replicas from the plane: ${why}`);
  }
}

const REPLICAS = `${FIRST_UID}-${LAST_REPLICA_UID}`;
const OUTBOUND = `${FIRST_OUTBOUND_UID}-${LAST_OUTBOUND_UID}, ${FIRST_OUTBOUND_CONTAINER_UID}-${LAST_REPLICA_UID}`;
const BOTH = "meta l4proto { tcp, udp } th dport";
const DNS_PORT = 53;

/**
 * Nothing of its node but the service for names, which many have on their loopback. Without the
 * second step of its handshake no TCP connection to a replica comes about.
 */
const OTHER_MACHINES = [
  `fib daddr type local ${BOTH} ${DNS_PORT} accept`,
  "fib daddr type { local, broadcast, anycast, multicast } goto refused",
  "tcp flags & (syn | ack) == syn | ack drop",
];

/** A reset, because the kernel bounds how often it says the other: a connection would just hang. */
const REFUSED = ["meta l4proto tcp reject with tcp reset", "reject"];

export function fenceText(table: string, fenced: readonly Fenced[]): string {
  const ports = [...new Set(fenced.map(({ port }) => port))].toSorted((a, b) => a - b);
  const local = `fib daddr type local ${BOTH} { ${ports.join(", ")} } goto refused`;
  const planes = fenced.map(
    ({ address, port }) => `${family(address)} daddr ${address} ${BOTH} ${port} goto refused`,
  );
  const metadata = METADATA.map((address) => `${family(address)} daddr ${address} goto refused`);
  return [
    `add table inet ${table}`,
    `delete table inet ${table}`,
    `table inet ${table} {`,
    ...chain("refused", REFUSED),
    ...chain("outbound", OTHER_MACHINES),
    ...chain("replica", [
      ...(ports.length === 0 ? [] : [local]),
      ...metadata,
      ...planes,
      `meta skuid { ${OUTBOUND} } goto outbound`,
    ]),
    // What has no socket any more, such as the last packet of a connection, has no user either.
    ...chain("output", [
      "type filter hook output priority 0; policy accept;",
      `meta skuid ${REPLICAS} goto replica`,
    ]),
    "}",
    "",
  ].join("\n");
}

const chain = (name: string, rules: readonly string[]): readonly string[] => [
  `  chain ${name} {`,
  ...rules.map((rule) => `    ${rule}`),
  "  }",
];

/** Nothing but an address becomes a word of a rule. */
function family(address: string): "ip" | "ip6" {
  if (isIPv4(address)) return "ip";
  if (isIPv6(address)) return "ip6";
  throw new Error(`${JSON.stringify(address)} is not an IP address.`);
}
