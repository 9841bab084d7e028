/** One entry of the audit trail in full, with the ways to what it changed. */
import type { AuditEntry } from "../../../src/api/audit/audit-entry.ts";
import { credentialText } from "../../../src/api/audit/credential-text.ts";
import { hrefOf } from "../app/route.ts";
import { hrefWith } from "../app/router.ts";
import { KeyValues } from "../parts/key-values.tsx";
import { Panel } from "../parts/panel.tsx";
import { RelativeTime } from "../parts/relative-time.tsx";
import { timelineOf } from "../timeline/timeline-subject.ts";

export function EntryPanel({ entry }: { readonly entry: AuditEntry }) {
  const { revision, actor, time, command, epoch, operation, evidence, objects, more } = entry;
  const role = actor.role === actor.name ? "" : ` (${actor.role})`;
  return (
    <Panel title={`Revision ${revision}`} closeHref={hrefWith({ entry: undefined })}>
      <p class="message">{entry.summary}</p>
      <KeyValues
        items={[
          [
            "Who",
            <a
              key="who"
              href={hrefWith({ actor: actor.name, entry: undefined })}
            >{`${actor.name}${role}`}</a>,
          ],
          ["Credential", credentialText(actor)],
          ["When", <RelativeTime key="when" at={time} />],
          ["Command", command],
          ["Evidence", evidence],
          ["Operation", <code key="operation">{operation}</code>],
          ["Epoch", epoch],
        ]}
      />
      <h3>Changes</h3>
      <ul>
        {objects.map(({ key, change, says }) => (
          <li key={key}>
            <Subject of={key} /> was {change}. {says}
          </li>
        ))}
        {more > 0 && <li class="quiet">{`and ${more} more`}</li>}
      </ul>
      <p class="ways">
        <a class="button" href={hrefOf("timeline", ["decision", String(revision)])}>
          Reason
        </a>
      </p>
    </Panel>
  );
}

/** `replica/payments/api.1.0` or `node/n1`. */
function Subject({ of }: { readonly of: string }) {
  const [kind = "", ...rest] = of.split("/");
  const href = timelineOf([kind, ...(rest.length === 1 ? [""] : []), ...rest].join("/"));
  return href === undefined ? <span>{of}</span> : <a href={href}>{of}</a>;
}
