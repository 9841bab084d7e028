/**
 * Who waits for an override at this moment, as `berth override list` finds them: what names it
 * among what would wake it.
 */
import { Fragment } from "preact";
import { hrefOf } from "../app/route.ts";
import { useFetched } from "../live/use-fetched.ts";
import type { OverrideObject } from "./override-object.ts";
import { useAgain } from "./use-overrides.ts";

interface Waits {
  readonly waits: readonly { readonly key: string; readonly controller: string }[];
}

export interface HeldBackProps {
  readonly override: OverrideObject;
  /** Changes when what waits for any override does; empty: nothing does. */
  readonly turn: string;
}

/** More are told by their number. */
const TOLD = 4;

export function HeldBack({ override, turn }: HeldBackProps) {
  const query = new URLSearchParams({ key: `Override//${override.metadata.name}` });
  const path = turn === "" ? undefined : `/decisions?${query.toString()}`;
  const fetched = useFetched<Waits>(path);
  useAgain(fetched, turn);
  if (override.spec.action === "raise-budget") return <>nothing: it raises a limit</>;
  if (turn === "") return <>nothing now</>;
  if (fetched.failure !== undefined) return <>unknown: {fetched.failure.message}</>;
  if (fetched.value === undefined) return <span aria-busy="true">…</span>;
  const keys = heldKeys(fetched.value);
  if (keys.length === 0) return <>nothing now</>;
  return (
    <>
      {keys.slice(0, TOLD).map((key, at) => (
        <Fragment key={key}>
          {at > 0 && ", "}
          <Subject name={key} />
        </Fragment>
      ))}
      {keys.length > TOLD && ` and ${keys.length - TOLD} more`}{" "}
      <a href={hrefOf("queue", [], { reason: "override" })}>Queue →</a>
    </>
  );
}

/** The controller that waits for the override's own end is not held back. */
const heldKeys = ({ waits }: Waits): readonly string[] =>
  [
    ...new Set(
      waits.filter(({ controller }) => controller !== "expire-override").map(({ key }) => key),
    ),
  ].toSorted();

/** `name` is a key: `Workload/payments/api`, `Node//a-1`. */
function Subject({ name }: { readonly name: string }) {
  const [kind = "", tenant = "", ...rest] = name.split("/");
  const own = rest.join("/");
  const shown = tenant === "" ? own : `${tenant}/${own}`;
  if (kind === "Workload") return <a href={hrefOf("workloads", [tenant, own])}>{shown}</a>;
  if (kind === "Node") return <a href={hrefOf("fleet", [], { node: own })}>{shown}</a>;
  if (kind === "Replica") return <a href={hrefOf("timeline", ["replica", tenant, own])}>{shown}</a>;
  return <>{`${kind.toLowerCase()} ${shown}`}</>;
}
