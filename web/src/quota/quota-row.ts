/** One row of the view `quota` by the names of its columns. */
import type { AmountsCell, QuotaRow } from "../../../src/api/views/view-rows.ts";
import type { ViewRow } from "../live/view-message.ts";

export interface AccountRow {
  readonly key: string;
  readonly kind: QuotaRow[1];
  readonly name: string;
  readonly group: QuotaRow[3];
  readonly tenants: QuotaRow[4];
  readonly limit: QuotaRow[5];
  readonly used: AmountsCell;
  readonly reserved: AmountsCell;
  readonly free: AmountsCell;
  readonly borrowed: AmountsCell;
  readonly overdrawn: AmountsCell;
  readonly mayBorrow: QuotaRow[11];
  readonly regions: QuotaRow[12];
  readonly classes: QuotaRow[13];
  readonly weight: QuotaRow[14];
  readonly share: QuotaRow[15];
  readonly turn: QuotaRow[16];
  readonly waiting: number;
}

export function readAccount(cells: ViewRow): AccountRow {
  const row = cells as unknown as QuotaRow;
  const [key, kind, name, group, tenants, limit, used, reserved, free] = row;
  const [, , , , , , , , , borrowed, overdrawn, mayBorrow, regions, classes] = row;
  return {
    key,
    kind,
    name,
    group,
    tenants,
    limit,
    used,
    reserved,
    free,
    borrowed,
    overdrawn,
    mayBorrow,
    regions,
    classes,
    weight: row[14],
    share: row[15],
    turn: row[16],
    waiting: row[17],
  };
}

/** The evenness of the shares: 1 means that the poorest has as much as the richest. */
export function evenness(rows: readonly AccountRow[]): number | undefined {
  const shares = rows.flatMap(({ kind, share, used, waiting }) =>
    kind === "tenant" && share !== null && (waiting > 0 || used.some((part) => part > 0))
      ? [share]
      : [],
  );
  const most = Math.max(0, ...shares);
  return shares.length < 2 || most === 0 ? undefined : Math.min(...shares) / most;
}

/** Millionths as people read them: 125000 → "12.5 %". */
export const shareText = (millionths: number): string => `${(millionths / 10_000).toFixed(1)} %`;
