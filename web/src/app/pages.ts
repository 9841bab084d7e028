/** The pages there are. Each is loaded when it is first opened. */
import type { ComponentType } from "preact";
import type { PageName } from "./route.ts";

export interface PageProps {
  /** What follows the page's name in the address, decoded. */
  readonly rest: readonly string[];
}

export type PageComponent = ComponentType<PageProps>;

export interface Page {
  readonly name: PageName;
  readonly label: string;
  /** The second key after `g`; undefined for a page that is reached from others. */
  readonly key?: string;
  /** On a phone it stands behind "More": a bar with more than five tabs cannot be read. */
  readonly isSecondary?: true;
  readonly load: () => Promise<PageComponent>;
}

export const PAGES: readonly Page[] = [
  {
    name: "fleet",
    label: "Fleet",
    key: "f",
    load: async () => (await import("../fleet/fleet-page.tsx")).FleetPage,
  },
  {
    name: "workloads",
    label: "Workloads",
    key: "w",
    load: async () => (await import("../workloads/workloads-page.tsx")).WorkloadsPage,
  },
  {
    name: "queue",
    label: "Queue",
    key: "q",
    load: async () => (await import("../queue/queue-page.tsx")).QueuePage,
  },
  {
    name: "quota",
    label: "Quota",
    key: "u",
    isSecondary: true,
    load: async () => (await import("../quota/quota-page.tsx")).QuotaPage,
  },
  {
    name: "promises",
    label: "Promises",
    key: "p",
    isSecondary: true,
    load: async () => (await import("../promises/promises-page.tsx")).PromisesPage,
  },
  {
    name: "regions",
    label: "Regions",
    key: "r",
    isSecondary: true,
    load: async () => (await import("../regions/regions-page.tsx")).RegionsPage,
  },
  {
    name: "steering",
    label: "Steering",
    key: "s",
    isSecondary: true,
    load: async () => (await import("../steering/steering-page.tsx")).SteeringPage,
  },
  {
    name: "incidents",
    label: "Incidents",
    key: "i",
    load: async () => (await import("../incidents/incidents-page.tsx")).IncidentsPage,
  },
  {
    name: "audit",
    label: "Audit",
    key: "a",
    isSecondary: true,
    load: async () => (await import("../audit/audit-page.tsx")).AuditPage,
  },
  {
    name: "timeline",
    label: "Timeline",
    load: async () => (await import("../timeline/timeline-page.tsx")).TimelinePage,
  },
];
