/**
 * One thing and how it came to be as it is: where it stands, what would help it, and every step
 * with who took it and why.
 */
import type { Explanation } from "../../../src/api/explain/explanation.ts";
import { hrefOf } from "../app/route.ts";
import type { PageProps } from "../app/pages.ts";
import { queryState } from "../app/query-state.ts";
import { hrefWith } from "../app/router.ts";
import { useFetched } from "../live/use-fetched.ts";
import { CopyButton } from "../parts/copy-button.tsx";
import { EmptyState } from "../parts/empty-state.tsx";
import { ErrorState } from "../parts/error-state.tsx";
import { PageHeader } from "../parts/page-header.tsx";
import { IncidentLinks } from "../incidents/found/incident-links.tsx";
import { Skeleton } from "../parts/skeleton.tsx";
import { Follow } from "./follow.tsx";
import { MomentBar } from "./moment-bar.tsx";
import { StandCard } from "./stand-card.tsx";
import { StepList } from "./step-list.tsx";
import "./timeline.css";
import {
  type Asked,
  explainCommand,
  explainPath,
  readSubject,
  type Subject,
} from "./timeline-subject.ts";
import { WhatIfCard } from "./what-if-card.tsx";
import { WhyNotCard } from "./why-not-card.tsx";

const revision = queryState("revision", { history: "push" });
const at = queryState("at", { history: "push" });
const whyNot = queryState("whynot", { history: "push" });
const whatIf = queryState("whatif", { history: "push" });

export function TimelinePage({ rest }: PageProps) {
  const subject = readSubject(rest);
  if (subject !== undefined) return <SubjectTimeline key={rest.join("/")} subject={subject} />;
  return (
    <>
      <PageHeader title="Timeline" />
      <EmptyState title="Choose a replica, workload, node or decision.">
        Choose a replica under <a href={hrefOf("workloads")}>Workloads</a>, a node in the{" "}
        <a href={hrefOf("fleet")}>Fleet</a> or a line of the <a href={hrefOf("audit")}>Audit</a>. Or
        enter the address: <code>/ui/timeline/replica/TENANT/NAME</code>.
      </EmptyState>
    </>
  );
}

function SubjectTimeline({ subject }: { readonly subject: Subject }) {
  const asked: Asked = {
    moment: { revision: revision.value, at: at.value },
    whyNot: whyNot.value,
    whatIf: whatIf.value === "yes",
  };
  const fetched = useFetched<Explanation>(explainPath(subject, asked));
  const { value, failure, isLoading } = fetched;
  const reload = (): void => fetched.reload();
  const isNow = asked.moment.revision === "" && asked.moment.at === "";
  const owner = subject.tenant === undefined ? "" : `${subject.tenant}/`;
  return (
    <div class="timeline">
      {isNow && <Follow subject={subject} explained={value} reload={reload} />}
      <PageHeader
        title={`${subject.kind} ${owner}${subject.name}`}
        about={<Kin subject={subject} />}
      >
        <CopyButton text={explainCommand(subject, asked)} label="Copy the command" />
      </PageHeader>
      <MomentBar moment={asked.moment} explained={value} />
      {isLoading && <Skeleton label="Reading the log" rows={8} />}
      {failure !== undefined && (
        <ErrorState title="Cannot explain it." failure={failure} retry={reload} />
      )}
      {value !== undefined && <Explained explained={value} asked={asked} />}
      {value !== undefined && isNow && <IncidentsOfIt subject={subject} />}
    </div>
  );
}

function Explained({
  explained,
  asked,
}: {
  readonly explained: Explanation;
  readonly asked: Asked;
}) {
  const isWaiting = explained.kind === "replica" && explained.now.waits.length > 0;
  return (
    <>
      <StandCard explained={explained} />
      {isWaiting && explained.whatIf === undefined && (
        <p>
          <a class="button button-main" href={hrefWith({ whatif: "yes" })}>
            What would let it fit?
          </a>
        </p>
      )}
      {explained.whatIf !== undefined && <WhatIfCard whatIf={explained.whatIf} />}
      {isWaiting && <WhyNotCard whyNot={explained.whyNot} node={asked.whyNot} choose={whyNot} />}
      <StepList explained={explained} />
      {explained.kind === "replica" && !isWaiting && (
        <WhyNotCard whyNot={explained.whyNot} node={asked.whyNot} choose={whyNot} />
      )}
    </>
  );
}

/** A replica's are told with its workload's. */
function IncidentsOfIt({ subject: { kind, tenant, name } }: { readonly subject: Subject }) {
  if (kind === "node") return <IncidentLinks about={`node/${name}`} />;
  return tenant === undefined ? null : <IncidentLinks about={`${kind}/${tenant}/${name}`} />;
}

/** The way to what it belongs to. */
function Kin({ subject: { kind, tenant, name } }: { readonly subject: Subject }) {
  if (kind === "node")
    return <a href={hrefOf("fleet", [], { node: name })}>show it in the fleet</a>;
  if (tenant === undefined) return null;
  const workload = kind === "workload" ? name : name.replace(/\.\d+\.\d+$/, "");
  return <a href={hrefOf("workloads", [tenant, workload])}>{`workload ${tenant}/${workload}`}</a>;
}
