/**
 * Regions with planes of their own: which are cut off since when, what each may still do, and how
 * much of the tenants' quota it holds.
 */
import type { RegionStanding, RegionStandings } from "../../../src/api/regions/region-standing.ts";
import type { Amounts } from "../../../src/core/model/amounts.ts";
import { nowMs } from "../live/clock.ts";
import { useFetched } from "../live/use-fetched.ts";
import { cpuText, memoryText } from "../parts/amount-text.ts";
import { EmptyState } from "../parts/empty-state.tsx";
import { ErrorState } from "../parts/error-state.tsx";
import { PageHeader } from "../parts/page-header.tsx";
import { RelativeTime } from "../parts/relative-time.tsx";
import { SegmentBar } from "../parts/segment-bar.tsx";
import { Skeleton } from "../parts/skeleton.tsx";
import { useAgain } from "../steering/use-overrides.ts";
import { mayText, stateWord, sumText } from "./region-words.ts";
import "./regions.css";

/** A region without news reports every ten seconds. */
const AGAIN_MS = 5_000;

export function RegionsPage() {
  const fetched = useFetched<RegionStandings>("/regions");
  useAgain(fetched, Math.floor(nowMs.value / AGAIN_MS));
  const { value, failure } = fetched;
  return (
    <>
      <PageHeader
        title="Regions"
        about="Planes of regions, what each may do alone, and the quota that it holds."
      />
      {value !== undefined ? (
        <Standings shown={value} />
      ) : failure !== undefined ? (
        <ErrorState
          title="Cannot read the regions."
          failure={failure}
          retry={() => fetched.reload()}
        />
      ) : (
        <Skeleton rows={3} label="Reading the regions" />
      )}
    </>
  );
}

function Standings({ shown: { role, regions } }: { readonly shown: RegionStandings }) {
  if (role === "single") {
    return (
      <EmptyState title="This plane serves all regions itself.">
        <p>
          To give a region a plane of its own, add <code>spec.plane</code> to its Region. See
          docs/regions.md, or try <code>berth up --regional</code>.
        </p>
      </EmptyState>
    );
  }
  return (
    <>
      <p class="regions-sum">
        <strong>
          {role === "regional"
            ? `This is the plane of ${regions[0]?.name ?? "a region"}.`
            : sumText(regions)}
        </strong>
      </p>
      <ul class="regions">
        {regions.map((region) => (
          <li key={region.name}>
            <RegionCard region={region} role={role} />
          </li>
        ))}
      </ul>
    </>
  );
}

interface CardProps {
  readonly region: RegionStanding;
  readonly role: RegionStandings["role"];
}

function RegionCard({ region, role }: CardProps) {
  const { word, mark, tone } = stateWord(region);
  const { name, heardMs, nodes, serving, replicas, queued, tenants, unconfirmed } = region;
  return (
    <article class={`region region-${tone}`}>
      <header>
        <h2>{name}</h2>
        <span class={`badge tone-${tone}`}>
          <span aria-hidden="true">{mark} </span>
          {word}
        </span>
        {heardMs !== undefined && (
          <span class="quiet">
            heard <RelativeTime at={heardMs} />
          </span>
        )}
      </header>
      <p>{mayText(region, role, nowMs.value)}</p>
      {nodes !== undefined && (
        <p class="quiet">
          {nodes} nodes, {serving} of {replicas} replicas serving, {queued} queued
          {role === "global" ? ", as last reported" : ""}
        </p>
      )}
      <Share label="CPU" region={region} of={({ cpuMillis }) => cpuMillis} text={cpuText} />
      <Share label="Memory" region={region} of={({ memoryMiB }) => memoryMiB} text={memoryText} />
      <p class="quiet">
        Quota of {tenants} tenants
        {unconfirmed > 0 && `; ${unconfirmed} with a version that the region has not confirmed`}
      </p>
    </article>
  );
}

interface ShareProps {
  readonly label: string;
  readonly region: RegionStanding;
  readonly of: (amounts: Amounts) => number;
  readonly text: (amount: number) => string;
}

function Share({ label, region: { lent, used, held }, of, text }: ShareProps) {
  const [isUsed, isHeld] = [of(used), Math.max(of(held), of(used))];
  const whole = Math.max(isHeld, of(lent));
  return (
    <div class="region-share">
      <span>{label}</span>
      <SegmentBar
        whole={whole}
        segments={[
          { label: "used", amount: isUsed, tone: "good" },
          { label: "held and unused", amount: isHeld - isUsed, tone: "busy" },
        ]}
      />
      <span class="quiet">
        {text(isUsed)} used, {text(isHeld)} held of {text(of(lent))} lent
      </span>
    </div>
  );
}
