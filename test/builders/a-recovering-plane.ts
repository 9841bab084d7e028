/**
 * A plane whose `payments/api` runs on `home-1` in eu and keeps room in us: three nodes of it, in two zones, of room for two
 * replicas each.
 */
import { roomOf } from "../../src/core/model/reservation.ts";
import type { SpareRoom } from "../../src/core/protocol/command.ts";
import type { Outcome } from "../../src/core/protocol/outcome.ts";
import { nodeKey, type ObjectKey } from "../../src/core/model/ids.ts";
import type { Reservation, Workload } from "../../src/core/model/objects.ts";
import type { RecoverySpec, RecoveryStatus } from "../../src/core/model/recovery.ts";
import { sparesOf } from "../../src/core/rules/recovery/spare-rooms.ts";
import { aNodeSpec } from "./a-node.ts";
import { Plane, putting, indexKey, WORKLOAD } from "./a-plane.ts";
import type { WorkloadSpecParts } from "./a-workload.ts";

export const RECOVERY: RecoverySpec = { withinMs: 60_000, replicas: 2, regions: ["us"] };

export class RecoveringPlane extends Plane {
  hold(rooms: readonly (string | SpareRoom)[], drop: readonly ObjectKey[] = []): Outcome {
    return this.send({
      kind: "hold-recovery",
      workload: WORKLOAD,
      holds: this.recovery.holds ?? 0,
      rooms: rooms.map((room) => (typeof room === "string" ? { node: room, deviceIds: [] } : room)),
      drop,
    });
  }

  recover(): Outcome {
    // What is planted takes an operation's name of its own.
    const operation = `recover@${this.ledger.revision}`;
    return this.send({ kind: "recover", workload: WORKLOAD }, { operation });
  }

  get recovery(): RecoveryStatus {
    return this.workload().status.recovery ?? {};
  }

  get spares(): readonly Reservation[] {
    return sparesOf(this.ledger.objects, this.workload());
  }

  get spareNodes(): readonly (string | undefined)[] {
    return this.spares.map(({ spec }) => roomOf(spec)?.node);
  }

  /** Both replicas serve, and the authority has said so. */
  up(): this {
    for (const index of [0, 1]) this.serving({ index, node: "home-1" });
    this.recover();
    return this;
  }

  /** The node of both is gone for good, and the loss was told. */
  homeLost(): this {
    this.vouchedGone("home-1");
    this.recover();
    for (const index of [0, 1]) {
      const { session } = this.replica(index).status;
      const evidence = { kind: "node-fenced", node: "home-1", session } as const;
      this.must({ kind: "release", key: indexKey(index), incarnation: 1, evidence });
    }
    return this;
  }

  bindSpare(index: number, node: string, spare: ObjectKey | undefined, incarnation = 2): Outcome {
    const binding = { replica: indexKey(index), incarnation, node, deviceIds: [] };
    return this.send({ kind: "bind", ...binding, ...(spare === undefined ? {} : { spare }) });
  }

  cordon(name: string): void {
    const { spec } = this.node(name);
    const cordons = [{ holder: "user", reason: "" }];
    this.must(putting(nodeKey(name), { kind: "Node", spec: { ...spec, cordons } }));
  }

  resize(name: string, cpuMillis: number): void {
    const { region, zone } = this.node(name).spec;
    const spec = aNodeSpec({ region, zone, cpuMillis });
    this.must(putting(nodeKey(name), { kind: "Node", spec }));
  }

  api(): Workload {
    return this.workload();
  }
}

export const aRecoveringPlane = (of: WorkloadSpecParts = {}): RecoveringPlane =>
  furnished(new RecoveringPlane(), of);

export function furnished<P extends RecoveringPlane>(plane: P, of: WorkloadSpecParts = {}): P {
  plane.tenant({ cpuMillis: 100_000, memoryMiB: 100_000 });
  plane.joined("home-1", { region: "eu", cpuMillis: 2_000 });
  for (const [name, zone] of [
    ["away-1", "us-a"],
    ["away-2", "us-b"],
    ["away-3", "us-b"],
  ] as const) {
    plane.joined(name, { region: "us", zone, cpuMillis: 1_000 });
  }
  plane.putDesired({ replicas: 2, cpuMillis: 500, memoryMiB: 10, recovery: RECOVERY, ...of });
  return plane;
}
