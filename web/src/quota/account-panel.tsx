/**
 * One account in full: every resource with every column of the ledger, and the bounds by region and
 * class.
 */
import type { AmountsCell, BoundCell } from "../../../src/api/views/view-rows.ts";
import { hrefOf } from "../app/route.ts";
import { hrefWith } from "../app/router.ts";
import { cpuText, memoryText } from "../parts/amount-text.ts";
import { KeyValues } from "../parts/key-values.tsx";
import { Panel } from "../parts/panel.tsx";
import { type AccountRow, shareText } from "./quota-row.ts";

export function AccountPanel({ row }: { readonly row: AccountRow }) {
  const { kind, name, group, tenants, weight, share, turn, waiting, regions, classes } = row;
  return (
    <Panel
      title={kind === "group" ? `group ${name}` : name}
      closeHref={hrefWith({ account: undefined })}
    >
      <KeyValues
        items={[
          [
            "Group",
            group === null ? undefined : (
              <a href={hrefWith({ account: `group/${group}` })}>{group}</a>
            ),
          ],
          ["Tenants", tenants.length === 0 ? undefined : tenants.join(", ")],
          ["Weight", weight ?? undefined],
          ["Dominant share", share === null ? undefined : shareText(share)],
          ["Waits", waitsText(waiting, turn)],
        ]}
      />
      <h3>Quota account</h3>
      <Ledger row={row} />
      <Bounds title="By region" bounds={regions} />
      <Bounds title="By priority class" bounds={classes} />
      {kind === "tenant" && (
        <p class="ways">
          <a class="button" href={hrefOf("workloads", [], { filter: `${name}/` })}>
            Its workloads
          </a>
          <a class="button" href={hrefOf("queue", [], { filter: `/${name}/` })}>
            Its waiting replicas
          </a>
        </p>
      )}
    </Panel>
  );
}

const LINES = ["limit", "borrowed", "overdrawn", "used", "reserved", "free"] as const;

function Ledger({ row }: { readonly row: AccountRow }) {
  return (
    <table class="rules">
      <caption class="unseen">Quota account</caption>
      <thead>
        <tr>
          <th scope="col">Entry</th>
          <th scope="col">CPU</th>
          <th scope="col">Memory</th>
          <th scope="col">Devices</th>
        </tr>
      </thead>
      <tbody>
        {LINES.map((line) => (
          <tr key={line}>
            <th scope="row">{line}</th>
            <Amounts amounts={row[line]} />
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Amounts({ amounts }: { readonly amounts: AmountsCell | null }) {
  if (amounts === null) return <td colSpan={3}>no quota</td>;
  const [cpu, memory, devices] = amounts;
  return (
    <>
      <td>{cpuText(cpu)}</td>
      <td>{memoryText(memory)}</td>
      <td>{devices / 1_000}</td>
    </>
  );
}

function Bounds({
  title,
  bounds,
}: {
  readonly title: string;
  readonly bounds: readonly BoundCell[];
}) {
  if (bounds.length === 0) return null;
  return (
    <>
      <h3>{title}</h3>
      <ul>
        {bounds.map(({ name, limit, used }) => (
          <li key={name}>
            {name}: {cpuText(used[0])} of {cpuText(limit[0])} CPU, {memoryText(used[1])} of{" "}
            {memoryText(limit[1])}
          </li>
        ))}
      </ul>
    </>
  );
}

function waitsText(waiting: number, turn: number | null): string {
  const next = turn === null ? "" : turn === 1 ? "; it is next" : `; ${turn - 1} ahead of it`;
  return waiting === 0 && turn === null
    ? "nothing"
    : `${waiting} ${waiting === 1 ? "replica" : "replicas"} for quota${next}`;
}
