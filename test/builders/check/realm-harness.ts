/** A global plane and two regions for the tests of the checkers that look across planes. Nothing here checks. */
import { grantKey, PLANE_KEY, regionKey } from "../../../src/core/model/ids.ts";
import type { Grant, Plane, Region } from "../../../src/core/model/objects.ts";
import type { Amounts } from "../../../src/core/model/amounts.ts";
import type { RegionHeard } from "../../../src/core/model/regional/region-plane.ts";
import type { GrantStatus } from "../../../src/core/model/regional/grant.ts";
import type { PlaneStatus, RegionalPlane } from "../../../src/core/model/regional/plane.ts";
import type {
  EstateTruth,
  Realm,
  RegionalChecker,
  RunningWork,
} from "../../../src/sim/check/regional/realm.ts";
import { CheckerHarness, type Deed } from "./checker-harness.ts";
import { aQuota } from "./fixtures.ts";

const meta = aQuota().meta;

class HarnessPlane implements EstateTruth {
  readonly name: string;
  readonly truth: CheckerHarness;
  readonly termMs = 60_000;
  incarnation = 1;
  isLost = false;
  work: RunningWork[] = [];

  constructor(name: string, of: RealmHarness) {
    this.name = name;
    this.truth = new CheckerHarness({
      name: "across",
      afterCommit: (commit) => of.checker.committed?.(commit, this, of.realm, of.report),
    });
  }

  running(): readonly RunningWork[] {
    return this.work;
  }
}

export class RealmHarness {
  readonly found: string[] = [];
  readonly checker: RegionalChecker;
  readonly global: HarnessPlane;
  readonly west: HarnessPlane;
  readonly east: HarnessPlane;
  readonly realm: Realm;

  constructor(checker: RegionalChecker) {
    this.checker = checker;
    this.global = new HarnessPlane("global", this);
    this.west = new HarnessPlane("west", this);
    this.east = new HarnessPlane("east", this);
    const { global, west, east } = this;
    this.realm = {
      get nowMs() {
        return global.truth.nowMs;
      },
      global,
      regions: [west, east],
    };
  }

  readonly report = (rule: string, message: string): void =>
    void this.found.push(`${rule} ${message}`);

  at(ms: number): void {
    for (const { truth } of [this.global, this.west, this.east]) truth.nowMs = ms;
  }

  commit(plane: "global" | "west" | "east", deed: Deed): void {
    this[plane].truth.commit(deed);
  }
}

export const aPlane = (status: PlaneStatus): Plane => ({
  kind: "Plane",
  key: PLANE_KEY,
  meta,
  spec: {},
  status,
});

export const regional = (of: Partial<RegionalPlane> = {}): Plane =>
  aPlane({ role: "regional", region: "west", incarnation: 1, global: 1, objectsTo: 0, ...of });

export const aGrant = (
  side: "lent" | "accepted",
  of: { readonly version: number; readonly amounts: Amounts; readonly region?: string },
  status: GrantStatus = {},
): Grant => {
  const { region = "west", version, amounts } = of;
  const key = grantKey("payments", region);
  const spec = { region, side, incarnation: 1, version, amounts };
  return { kind: "Grant", key, meta: { ...meta, name: region }, spec, status };
};

export const aRegion = (heard: Partial<RegionHeard> = {}): Region => ({
  kind: "Region",
  key: regionKey("west"),
  meta: { ...meta, namespace: "", name: "west" },
  spec: { zones: [], plane: { termMs: 60_000 } },
  status: {
    heard: {
      incarnation: 1,
      epoch: 1,
      revision: 1,
      atMs: 0,
      under: 1,
      asked: { epoch: 1, ms: 0 },
      termMs: 60_000,
      termUntilMs: 60_000,
      settledBy: 1,
      confirmed: 1,
      learning: false,
      ...heard,
    },
  },
});
