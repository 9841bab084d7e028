/**
 * How people steer the plane: overrides, which hold for a while, and policies, which hold until
 * somebody moves them.
 */
import { queryState } from "../app/query-state.ts";
import { PageHeader } from "../parts/page-header.tsx";
import { Tabs } from "../parts/tabs.tsx";
import { RecoveryBudgetList } from "./recovery-budget-list.tsx";
import { OverrideList } from "./override-list.tsx";
import { PolicyList } from "./policy-list.tsx";
import "./steering.css";

const tab = queryState("tab", { fallback: "overrides" });

const TABS = [
  { id: "overrides", label: "Overrides" },
  { id: "budgets", label: "Recovery budgets" },
  { id: "policies", label: "Policies" },
] as const;

function Side({ side }: { readonly side: string }) {
  if (side === "policies") return <PolicyList />;
  return side === "budgets" ? <RecoveryBudgetList /> : <OverrideList />;
}

/** Each tab has two streams of its own, which is what a page may hold. */
export function SteeringPage() {
  return (
    <>
      <PageHeader
        title="Steering"
        about="Temporary overrides, recovery budgets, and the policies that controllers follow."
      />
      <Tabs label="Steering" parameter="tab" tabs={TABS} current={tab.value} />
      <Side side={tab.value} />
    </>
  );
}
