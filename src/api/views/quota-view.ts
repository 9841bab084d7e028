/**
 * One row a tenant and one a group: what the accounts say, and whose turn it is. A tenant's turn
 * depends on what all others have, so turns are looked at once before rows are sent.
 */
import type { Commit } from "../../core/protocol/commit-record.ts";
import { AMOUNT_NAMES, type Amounts, equalAmounts, NOTHING } from "../../core/model/amounts.ts";
import { tenantKey } from "../../core/model/ids.ts";
import {
  type Account,
  addTo,
  emptyAccount,
  UNBOUNDED,
  zeroBalance,
} from "../../core/observe/accounts/account.ts";
import type { GroupUsage, TenantUsage } from "../../core/observe/accounts/quota-usage.ts";
import type { ObjectIndex } from "../../core/observe/object-index.ts";
import { dominantShare } from "../../core/propose/queue/fair-order.ts";
import type { PlanePort } from "../../host/plane-port.ts";
import type { View } from "./view.ts";
import type { AmountsCell, BoundCell, QuotaRow } from "./view-rows.ts";

const GROUP = "group/";

interface Turn {
  readonly share: number;
  readonly turn: number | null;
}

export class QuotaView implements View {
  private readonly objects: ObjectIndex;
  /** All hard capacity; undefined: some node came, went or is another. */
  private total: Amounts | undefined;
  private turns: ReadonlyMap<string, Turn> = new Map();
  private tenants: ReadonlySet<string> = new Set();

  constructor({ objects }: Pick<PlanePort, "objects">) {
    this.objects = objects;
    this.takeTurns();
  }

  keys(): readonly string[] {
    const all = [...this.objects.all("Tenant").values()].map(({ meta }) => meta.name);
    const groups = [...this.objects.quotaUsage.allGroups()].map(({ name }) => `${GROUP}${name}`);
    return [...new Set([...all, ...this.tenants])].toSorted().concat(groups.toSorted());
  }

  row(key: string): QuotaRow | undefined {
    return key.startsWith(GROUP) ? this.groupRow(key) : this.tenantRow(key);
  }

  *touched(commits: readonly Commit[]): Iterable<string> {
    for (const { changes } of commits) {
      for (const { before, after } of changes) {
        const some = after ?? before;
        if (some?.kind === "Node") this.total = undefined;
        else if (some?.kind === "Tenant") yield some.meta.name;
        else if (some?.kind === "Replica") yield* this.withGroup(some.meta.namespace);
        else if (some?.kind === "Reservation") yield* this.withGroup(some.spec.tenant);
        else if (some?.kind === "Quota") {
          yield* this.withGroup(some.meta.namespace);
          // The group that it has left, which may be there no longer.
          if (before?.kind === "Quota" && before.spec.group !== undefined) {
            yield `${GROUP}${before.spec.group}`;
          }
        }
      }
    }
  }

  settle(): Iterable<string> {
    const before = this.turns;
    this.takeTurns();
    const moved: string[] = [];
    for (const [tenant, { share, turn }] of this.turns) {
      const was = before.get(tenant);
      if (was?.share !== share || was.turn !== turn) moved.push(tenant);
    }
    return moved;
  }

  private *withGroup(tenant: string): Iterable<string> {
    yield tenant;
    const group = this.objects.quotaUsage.groupOf(tenant);
    if (group !== undefined) yield `${GROUP}${group.name}`;
  }

  /** As the scheduler orders tenants, but for what it has promised and is not committed yet. */
  private takeTurns(): void {
    const { objects } = this;
    this.total ??= totalOf(objects);
    const { total } = this;
    this.tenants = new Set(objects.tenantsWithAccount());
    const shares = [...this.tenants].map((tenant) => {
      const { account, spec, admitted } = objects.quotaUsage.of(tenant);
      const share = dominantShare(account.committed, total, spec?.weight ?? 1);
      // What is in the queue holds its quota as reserved; what waits for quota is only admitted.
      return {
        tenant,
        share,
        waits: admitted.size > 0 || !equalAmounts(account.reserved, NOTHING),
      };
    });
    const line = shares
      .filter(({ waits }) => waits)
      .toSorted((a, b) => a.share - b.share || (a.tenant < b.tenant ? -1 : 1));
    const places = new Map(line.map(({ tenant }, at) => [tenant, at + 1]));
    this.turns = new Map(
      shares.map(({ tenant, share }) => [tenant, { share, turn: places.get(tenant) ?? null }]),
    );
  }

  private tenantRow(tenant: string): QuotaRow | undefined {
    const { quotaUsage } = this.objects;
    const usage = this.tenants.has(tenant) ? quotaUsage.of(tenant) : undefined;
    const isThere = this.objects.get(tenantKey(tenant)) !== undefined;
    const account = usage?.account ?? emptyAccount();
    // A deleted tenant leaves its empty usage behind.
    if (!isThere && usage?.spec === undefined && isUnused(account)) return undefined;
    const { share, turn } = this.turns.get(tenant) ?? { share: 0, turn: null };
    const spec = usage?.spec;
    return [
      tenant,
      "tenant",
      tenant,
      spec?.group ?? null,
      [],
      spec === undefined ? null : cell(account.limit),
      ...balances(account, account.borrowed),
      spec?.group === undefined ? null : AMOUNT_NAMES.map((name) => bound(account.mayBorrow[name])),
      boundsOf(spec?.regions, usage?.byRegion),
      boundsOf(spec?.classes, usage?.byClass),
      spec?.weight ?? 1,
      share,
      turn,
      usage?.admitted.size ?? 0,
    ];
  }

  private groupRow(key: string): QuotaRow | undefined {
    const { quotaUsage } = this.objects;
    const group: GroupUsage | undefined = quotaUsage.group(key.slice(GROUP.length));
    if (group === undefined) return undefined;
    const { name, account } = group;
    const tenants = [...group.members].toSorted();
    const lent = zeroBalance();
    let waiting = 0;
    for (const tenant of tenants) {
      const usage: TenantUsage = quotaUsage.of(tenant);
      addTo(lent, usage.account.borrowed, 1);
      waiting += usage.admitted.size;
    }
    const shown = [cell(account.limit), ...balances(account, lent)] as const;
    return [key, "group", name, null, tenants, ...shown, null, [], [], null, null, null, waiting];
  }
}

function totalOf(objects: ObjectIndex): Amounts {
  const total = zeroBalance();
  for (const { spec } of objects.all("Node").values()) {
    if (spec.supply !== "soft") addTo(total, spec.capacity, 1);
  }
  return total;
}

const cell = ({ cpuMillis, memoryMiB, deviceMillis }: Amounts): AmountsCell => [
  cpuMillis,
  memoryMiB,
  deviceMillis,
];

/** used, reserved, free, borrowed, overdrawn. */
const balances = (account: Account, borrowed: Amounts) =>
  [
    cell(account.committed),
    cell(account.reserved),
    cell(account.free),
    cell(borrowed),
    cell(account.overdrawn),
  ] as const;

const bound = (amount: number): number | null => (amount === UNBOUNDED ? null : amount);

const isUnused = ({ committed, reserved }: Account): boolean =>
  equalAmounts(committed, NOTHING) && equalAmounts(reserved, NOTHING);

const boundsOf = (
  bounds: Readonly<Record<string, Amounts>> = {},
  used: ReadonlyMap<string, Amounts> = new Map(),
): readonly BoundCell[] =>
  Object.entries(bounds)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, limit]) => ({ name, limit: cell(limit), used: cell(used.get(name) ?? NOTHING) }));
