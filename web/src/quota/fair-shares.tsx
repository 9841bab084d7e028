/** The shares of those who compete, largest first: what fairness is about, as lengths. */
import { hrefWith } from "../app/router.ts";
import { type AccountRow, evenness, shareText } from "./quota-row.ts";

/** More would push the table off the screen; it has them all. */
const SHOWN = 8;

export function FairShares({ rows }: { readonly rows: readonly AccountRow[] }) {
  const even = evenness(rows);
  if (even === undefined) return null;
  const tenants = rows
    .filter(({ kind, share }) => kind === "tenant" && (share ?? 0) > 0)
    .toSorted((a, b) => (b.share ?? 0) - (a.share ?? 0));
  const most = tenants[0]?.share ?? 1;
  return (
    <section class="shares" aria-labelledby="shares">
      <h2 id="shares">Dominant shares</h2>
      <p class="quiet">
        The largest share of any resource that a tenant uses, divided by its weight. The smallest is{" "}
        {Math.round(even * 100)} % of the largest. The waiting tenant with the smallest share is
        served next.
      </p>
      <ul>
        {tenants.slice(0, SHOWN).map(({ key, name, share, weight, turn }) => (
          <li key={key}>
            <a href={hrefWith({ account: key })}>{name}</a>
            <span class="bar" aria-hidden="true">
              <span
                class="bar-part fill-busy"
                style={{ width: `${((share ?? 0) / most) * 100}%` }}
              />
            </span>
            <span>
              {shareText(share ?? 0)}
              {weight !== null && weight !== 1 && <span class="quiet"> weight {weight}</span>}
              {turn !== null && <span class="quiet"> turn {turn}</span>}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
