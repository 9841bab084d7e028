/** One wait in full: who waits for what and why, what would end it, and where to read on. */
import { reasonWords } from "../../../src/api/views/wait-words.ts";
import { hrefOf } from "../app/route.ts";
import { hrefWith } from "../app/router.ts";
import { ageText } from "../parts/age-text.ts";
import { Badge } from "../parts/badge.tsx";
import { KeyValues } from "../parts/key-values.tsx";
import { Panel } from "../parts/panel.tsx";
import { RelativeTime } from "../parts/relative-time.tsx";
import { timelineOf } from "../timeline/timeline-subject.ts";
import { placeText, subjectName, waitSentence, type WaitRow } from "./wait-row.ts";

export function WaitPanel({ row }: { readonly row: WaitRow }) {
  const { subject, reason, text, owner, deadline, since } = row;
  return (
    <Panel title={subjectName(subject)} closeHref={hrefWith({ wait: undefined })}>
      <p>{text === "" ? waitSentence(row) : `${text.charAt(0).toUpperCase()}${text.slice(1)}.`}</p>
      <KeyValues
        items={[
          ["Waiting since", since === null ? undefined : <RelativeTime key="since" at={since} />],
          ["Place", placeText(row)],
          ["Estimate", estimateText(row)],
        ]}
      />
      <h3>Ends when</h3>
      <ul>
        {row.wakes.map((wake) => (
          <li key={wake}>{wake}</li>
        ))}
        <li>
          the deadline, <RelativeTime at={deadline} form="due" />
        </li>
      </ul>
      <Ways subject={subject} />
      <details>
        <summary>For debugging</summary>
        <KeyValues
          items={[
            [
              "Reason",
              <Badge key="reason" tone="wait">
                {reasonWords(reason)}
              </Badge>,
            ],
            ["Code", <code key="code">{reason}</code>],
            ["Controller", owner],
            ["Object", subject.replace("//", "/")],
            ["Retry", <RelativeTime key="deadline" at={deadline} />],
          ]}
        />
      </details>
    </Panel>
  );
}

function Ways({ subject }: { readonly subject: string }) {
  const [kind, tenant = "", name = ""] = subject.split("/");
  const timeline = timelineOf(subject);
  return (
    <p class="ways">
      {kind === "Workload" && (
        <a class="button" href={hrefOf("workloads", [tenant, name])}>
          Its replicas
        </a>
      )}
      {kind === "Node" && (
        <a class="button" href={hrefOf("fleet", [], { node: name })}>
          In the fleet
        </a>
      )}
      {timeline !== undefined && (
        <a class="button" href={timeline}>
          Timeline
        </a>
      )}
    </p>
  );
}

function estimateText({ estimateMs, upToMs, basis, count }: WaitRow): string | undefined {
  if (count === null) return undefined;
  if (estimateMs === null) return `none: ${basis}`;
  const most = upToMs === null ? "" : `, 9 of 10 within ${ageText(upToMs)}`;
  return `about ${ageText(estimateMs)}${most}: ${basis}`;
}
