/** Every policy revision with its rules, and where it is in force. */
import { ruleFields } from "../../../src/steering/revision-differences.ts";
import type { ShownPolicy } from "../../../src/steering/shown-policy.ts";
import { RelativeTime } from "../parts/relative-time.tsx";
import { StatusWord } from "../parts/status-word.tsx";
import type { RevisionObject } from "./revision-object.ts";

export interface RevisionListProps {
  readonly revisions: readonly RevisionObject[];
  readonly policies: readonly ShownPolicy[];
}

export function RevisionList({ revisions, policies }: RevisionListProps) {
  return (
    <section class="card" aria-labelledby="revisions">
      <h2 id="revisions">Revisions</h2>
      <p class="quiet">
        The newest first. Revisions are immutable: create a new one to change a rule.
      </p>
      <ul class="revisions">
        {revisions.map((revision) => (
          <li key={revision.metadata.name}>
            <h3>{revision.metadata.name}</h3>
            <p>
              <InForce places={placesOf(revision.metadata.name, policies)} />{" "}
              <span class="quiet">
                made <RelativeTime at={revision.metadata.creationTimestamp} />
              </span>
            </p>
            <Rules revision={revision} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function InForce({ places }: { readonly places: readonly string[] }) {
  if (places.length === 0) return <StatusWord tone="off">not active</StatusWord>;
  return <StatusWord tone="good">{places.join(", ")}</StatusWord>;
}

/** e.g. ["default everywhere", "batch in eu-west"] */
const placesOf = (revision: string, policies: readonly ShownPolicy[]): readonly string[] =>
  policies.flatMap(({ name, active, stages }) => [
    ...(active === revision ? [`${name} ${stages.size === 0 ? "everywhere" : "elsewhere"}`] : []),
    ...[...stages]
      .filter(([, each]) => each === revision)
      .map(([region]) => `${name} in ${region}`),
  ]);

/** A value of a rule as people would write it down: "by zone, maxSkew 1". */
function plainText(value: unknown): string {
  if (Array.isArray(value)) {
    const isNested = value.some((each) => typeof each === "object");
    return value.map(plainText).join(isNested ? "; " : ", ");
  }
  if (typeof value !== "object" || value === null) return String(value);
  return Object.entries(value)
    .map(([name, each]) => `${name} ${plainText(each)}`)
    .join(", ");
}

function Rules({ revision }: { readonly revision: RevisionObject }) {
  return (
    <dl class="key-values rule-values">
      {[...ruleFields(revision.spec)].map(([field, value]) => (
        <div key={field}>
          <dt>{field}</dt>
          <dd>{plainText(JSON.parse(value))}</dd>
        </div>
      ))}
    </dl>
  );
}
