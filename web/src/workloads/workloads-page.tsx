/**
 * What runs: all workloads at `/ui/workloads`, one with its replicas at
 * `/ui/workloads/TENANT/NAME`.
 */
import type { PageProps } from "../app/pages.ts";
import { hrefOf } from "../app/route.ts";
import { EmptyState } from "../parts/empty-state.tsx";
import { PageHeader } from "../parts/page-header.tsx";
import { WorkloadDetail } from "./workload-detail.tsx";
import { WorkloadList } from "./workload-list.tsx";
import "./workloads.css";

export function WorkloadsPage({ rest }: PageProps) {
  const [tenant, name] = rest;
  if (tenant === undefined) return <WorkloadList />;
  if (name !== undefined && rest.length === 2) {
    return <WorkloadDetail key={`${tenant}/${name}`} tenant={tenant} name={name} />;
  }
  return (
    <>
      <PageHeader title="Workloads" />
      <EmptyState title="This address does not name a workload.">
        The address of a workload has its tenant and its name.{" "}
        <a href={hrefOf("workloads")}>All workloads</a>
      </EmptyState>
    </>
  );
}
