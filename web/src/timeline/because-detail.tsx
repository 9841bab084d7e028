/**
 * Why a controller concluded what it did: which rules turned how many away, what the chosen one
 * scored, who came next.
 */
import type { Because, QueuePlace } from "../../../src/core/protocol/decision.ts";
import { codeWords, exampleWords } from "../../../src/api/views/wait-words.ts";
import { hrefOf } from "../app/route.ts";
import { ageText } from "../parts/age-text.ts";
import { counted } from "../parts/counted.ts";

export function BecauseDetail({ because }: { readonly because: Because }) {
  const { rejected, parts, alternatives, chosen, score, policy, queue } = because;
  return (
    <>
      {rejected !== undefined && <Rejected rejected={rejected} />}
      {chosen !== undefined && (
        <p>
          Chosen: <NodeLink name={chosen} />
          {score !== undefined && ` with ${score} points`}
          {parts !== undefined && <span class="quiet"> ({partsText(parts)})</span>}
          {policy !== undefined && <span class="quiet">, policy {policy}</span>}
        </p>
      )}
      {alternatives !== undefined && alternatives.length > 0 && (
        <p>
          Next best:{" "}
          {alternatives.map(({ name, score: points }, at) => (
            <span key={name}>
              {at > 0 && ", "}
              <NodeLink name={name} /> {points}
            </span>
          ))}
        </p>
      )}
      {queue !== undefined && <InQueue queue={queue} />}
    </>
  );
}

function InQueue({ queue }: { readonly queue: QueuePlace }) {
  const { position, of, replicasAhead, estimateMs, upToMs, basis } = queue;
  return (
    <p>
      In the queue:{" "}
      {position === undefined ? `not in the first places, of ${of}` : `place ${position} of ${of}`}
      {replicasAhead !== undefined && `, ${counted(replicasAhead, "replica")} ahead`}.{" "}
      {estimateMs !== undefined && `About ${ageText(estimateMs)} to go`}
      {upToMs !== undefined && `, 9 of 10 such waits end within ${ageText(upToMs)}`}
      {estimateMs !== undefined && ". "}
      <span class="quiet">{basis}. </span>
      <a href={hrefOf("queue")}>Show the queue</a>
    </p>
  );
}

function Rejected({ rejected }: { readonly rejected: NonNullable<Because["rejected"]> }) {
  const rows = Object.entries(rejected).toSorted(([, a], [, b]) => b.count - a.count);
  return (
    <table class="rules">
      <caption class="unseen">Rules that rejected nodes</caption>
      <thead>
        <tr>
          <th scope="col">Rule</th>
          <th scope="col">Rejected</th>
          <th scope="col">For example</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(([rule, { count, example }]) => (
          <tr key={rule}>
            <th scope="row">{codeWords(rule)}</th>
            <td class="number">{count}</td>
            <td>{exampleWords(example)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const NodeLink = ({ name }: { readonly name: string }) => (
  <a href={hrefOf("fleet", [], { node: name })}>{name}</a>
);

const partsText = (parts: Readonly<Record<string, number>>): string =>
  Object.entries(parts)
    .map(([name, points]) => `${codeWords(name)} ${points}`)
    .join(", ");
