/**
 * Why: the verdict of a decision with its rules, its score, what came next, and what ends a wait.
 */
import { codeWords, exampleWords } from "../../../src/api/views/wait-words.ts";
import { KeyValues } from "../parts/key-values.tsx";
import { momentText } from "./moment-text.ts";
import { readDecision, type ShownDecision } from "./reading/read-decision.ts";

export interface DecisionTableProps {
  readonly decision: unknown;
  readonly epochMs: number | undefined;
}

export function DecisionTable({ decision, epochMs }: DecisionTableProps) {
  const shown = readDecision(decision);
  if (!shown) return null;
  const { verdict, summary, facts, wakes, deadlineMs, rest } = shown;
  return (
    <div class="incident-decision">
      <h3>{verdict}</h3>
      {summary !== "" && <p>{summary}</p>}
      <KeyValues
        items={[
          ...facts,
          ["retries on", wakes.length === 0 ? undefined : wakes.join(", ")],
          ["and by", deadlineMs === undefined ? undefined : momentText(deadlineMs, epochMs)],
        ]}
      />
      <Rejected rejected={shown.rejected} />
      <Scores title="score component" scores={shown.parts} />
      <Scores title="next best" scores={shown.alternatives} />
      {rest !== "" && <pre class="incident-rest">{rest}</pre>}
    </div>
  );
}

function Rejected({ rejected }: Pick<ShownDecision, "rejected">) {
  if (rejected.length === 0) return null;
  return (
    <table class="incident-table">
      <thead>
        <tr>
          <th scope="col">rule</th>
          <th scope="col">rejected</th>
          <th scope="col">such as</th>
        </tr>
      </thead>
      <tbody>
        {rejected.map(({ rule, count, example }) => (
          <tr key={rule}>
            <th scope="row">{codeWords(rule)}</th>
            <td>{count}</td>
            <td>{exampleWords(example)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Scores(of: {
  readonly title: string;
  readonly scores: readonly { readonly name: string; readonly score: number }[];
}) {
  if (of.scores.length === 0) return null;
  return (
    <table class="incident-table">
      <thead>
        <tr>
          <th scope="col">{of.title}</th>
          <th scope="col">score</th>
        </tr>
      </thead>
      <tbody>
        {of.scores.map(({ name, score }) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td>{score}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
