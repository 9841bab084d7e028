/**
 * What is wrong with the fleet, in words and said first; each leads to the node and to what
 * happened to it.
 */
import { type ComponentChildren, Fragment } from "preact";
import type { Explanation } from "../../../src/api/explain/explanation.ts";
import { hrefOf } from "../app/route.ts";
import { hrefWith } from "../app/router.ts";
import { useFetched } from "../live/use-fetched.ts";
import { nowMs } from "../live/clock.ts";
import { RelativeTime } from "../parts/relative-time.tsx";
import { type Tone, TONE_MARKS } from "../parts/stage-tone.ts";
import { OverrideLine, stillHolding } from "../steering/override-line.tsx";
import type { OverrideObject } from "../steering/override-object.ts";
import { isAboutToEnd, isOfPlaces } from "../steering/override-words.ts";
import { isBadProblem, Problem, useProblems } from "./problem-line.tsx";
import type { FleetRow } from "./fleet-row.ts";
import { TOLD, type Trouble, type TroubleGroup } from "./fleet-troubles.ts";
import { countText } from "./resource-text.ts";

const TONES: Readonly<Record<Trouble, Tone>> = {
  fenced: "bad",
  unknown: "bad",
  suspect: "wait",
  draining: "busy",
  cordoned: "off",
  held: "wait",
};

export interface TroubleListProps {
  readonly groups: readonly TroubleGroup[];
  readonly overrides: readonly OverrideObject[];
}

export function TroubleList({ groups, overrides }: TroubleListProps) {
  const told = useProblems();
  // Read only where there is one: it draws the list again every second.
  const steered = overrides.length === 0 ? [] : stillHolding(overrides).filter(isTold);
  if (groups.length + steered.length + told.count === 0) return null;
  const isBad =
    groups.some(({ trouble }) => TONES[trouble] === "bad") || told.problems.some(isBadProblem);
  return (
    <section class={isBad ? "troubles troubles-bad" : "troubles"} aria-label="Needs attention">
      <ul>
        {groups.flatMap((group) => [
          ...toldOneByOne(group).map((row) => (
            <Item key={row[0]} tone={TONES[group.trouble]}>
              <Told trouble={group.trouble} row={row} />
            </Item>
          )),
          ...(group.count > TOLD ? [<Many key={group.trouble} group={group} />] : []),
        ])}
        {told.problems.map((problem) => (
          <Item
            key={`${problem.namespace}/${problem.name} ${problem.reason}`}
            tone={isBadProblem(problem) ? "bad" : "wait"}
          >
            <Problem problem={problem} />
          </Item>
        ))}
        {told.count > told.problems.length && (
          <Item key="more" tone="wait">
            <a href={hrefOf("workloads")}>
              See {countText(told.count - told.problems.length)} more among all workloads
            </a>
          </Item>
        )}
        {steered.map((override) => (
          <Item key={override.metadata.name} tone="wait">
            <OverrideLine override={override} />
          </Item>
        ))}
      </ul>
    </section>
  );
}

/** Those that hold places back, and those that are about to end: what they hold comes back then. */
const isTold = ({ spec, status }: OverrideObject): boolean =>
  isOfPlaces(spec) || isAboutToEnd(status, nowMs.value);

function Item({ tone, children }: { readonly tone: Tone; readonly children: ComponentChildren }) {
  return (
    <li>
      <span class={`trouble-mark tone-${tone}`} aria-hidden="true">
        {TONE_MARKS[tone]}
      </span>
      <span>{children}</span>
    </li>
  );
}

/**
 * Where there are many, what people meant is told in one line; of faults, the newest is still told
 * in full.
 */
function toldOneByOne({ trouble, newest, count }: TroubleGroup): readonly FleetRow[] {
  if (count <= TOLD) return newest;
  return trouble === "draining" || trouble === "cordoned" ? [] : newest.slice(0, 1);
}

function Many({ group }: { readonly group: TroubleGroup }) {
  const { trouble, newest, count } = group;
  const untold = newest.slice(toldOneByOne(group).length);
  const others = count - newest.length;
  return (
    <Item tone={TONES[trouble]}>
      <strong>{countText(count)} nodes</strong> are {trouble}, such as{" "}
      {untold.map(([node], at) => (
        <Fragment key={node}>
          {at > 0 && ", "}
          <a href={hrefWith({ node })}>{node}</a>
        </Fragment>
      ))}{" "}
      and {countText(others)} more.{" "}
      <a href={hrefWith({ show: "table", filter: trouble, sort: "health" })}>
        See all {countText(count)}
      </a>
    </Item>
  );
}

function Told({ trouble, row }: { readonly trouble: Trouble; readonly row: FleetRow }) {
  const [node, , , , , , cordons, drain] = row;
  const link = <a href={hrefWith({ node })}>{node}</a>;
  switch (trouble) {
    case "fenced":
    case "unknown":
    case "suspect":
      return <Unwell trouble={trouble} row={row} />;
    case "draining":
      return (
        <>
          <strong>{link} is draining</strong>
          {drain === null || drain.by === "" ? "" : ` by ${drain.by}`}
          {reasonText(drain?.why)}; {leftText(row)}. <Timeline node={node} />
        </>
      );
    case "cordoned":
      return (
        <>
          <strong>{link} is cordoned</strong> by{" "}
          {cordons.map(({ by, why: reason }) => `${by}${reasonText(reason)}`).join(", ")}.{" "}
          <Timeline node={node} />
        </>
      );
    case "held":
      return (
        <>
          <strong>{link} takes no new work</strong>: {row[3].split(",").slice(1).join(", ")}.{" "}
          <Timeline node={node} />
        </>
      );
  }
}

/** A fault: since when and why, and what became of those who were there. */
function Unwell({ trouble, row }: { readonly trouble: Trouble; readonly row: FleetRow }) {
  const [node, , , , since, why] = row;
  const isOver = trouble === "fenced";
  return (
    <>
      <strong>
        <a href={hrefWith({ node })}>{node}</a> {isOver ? "was" : "is"} {trouble}
      </strong>{" "}
      {!isOver && "for "}
      <RelativeTime at={since} form={isOver ? "ago" : "age"} />: {why}{" "}
      {isOver && <Deed key={node} node={node} />} <Timeline node={node} />{" "}
      {isOver && (
        <a
          href={hrefOf("incidents", [], { about: `node/${node}` })}
          aria-label={`Incidents of ${node}`}
        >
          Incidents →
        </a>
      )}
    </>
  );
}

const reasonText = (why = ""): string => (why === "" ? "" : ` (${why})`);

const leftText = ([, , , , , , , , , , , , replicas, leaving]: FleetRow): string =>
  replicas === 0
    ? "the node is empty"
    : `${replicas} ${replicas === 1 ? "replica is" : "replicas are"} left, ${leaving} stopping`;

function Timeline({ node }: { readonly node: string }) {
  return (
    <a href={hrefOf("timeline", ["node", node])} aria-label={`Timeline of ${node}`}>
      Timeline →
    </a>
  );
}

/** What a controller did about it, in its own words; nothing while that is not known. */
function Deed({ node }: { readonly node: string }) {
  const query = new URLSearchParams({ kind: "node", name: node });
  const { value } = useFetched<Explanation>(`/explain?${query.toString()}`);
  const said = value?.timeline.findLast(({ kind }) => kind === "proposal")?.decided;
  if (said === undefined) return null;
  const { summary } = said.because;
  return <span>{`${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`}</span>;
}
