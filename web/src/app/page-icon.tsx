/** A small drawing for each page of the navigation; the word beside it says the same. */
import type { PageName } from "./route.ts";

/** On a grid of 20, in lines of one width. */
const DRAWINGS: Readonly<Partial<Record<PageName, string>>> = {
  // Racks in two zones.
  fleet: "M3 3h6v6H3zM11 3h6v6h-6zM3 11h6v6H3zM11 11h6v6h-6z",
  // A stack of layers.
  workloads: "M10 2.5 17.5 6.5 10 10.5 2.5 6.5zM2.5 10 10 14l7.5-4M2.5 13.5 10 17.5l7.5-4",
  // Lines that wait, the first one ahead.
  queue: "M3 5h14M3 10h10M3 15h6M17 10l-2 2M17 10l-2-2",
  // A balance.
  quota: "M10 3v14M6 17h8M4 5.5h12M4 5.5 1.8 11h4.4zM16 5.5 13.8 11h4.4z",
  // A shield with a tick.
  promises: "M10 2.5 16.5 5v5c0 4-2.8 6.4-6.5 7.5C6.3 16.4 3.5 14 3.5 10V5zM7 10l2.2 2.2L13.2 8",
  // Three places around one, joined.
  regions:
    "M10 8a2 2 0 1 0 0 4 2 2 0 1 0 0-4zM10 8V5.5M8.3 11.2l-2.4 1.6M11.7 11.2l2.4 1.6M10 1.5a2 2 0 1 0 0 4 2 2 0 1 0 0-4zM4.2 12.2a2 2 0 1 0 0 4 2 2 0 1 0 0-4zM15.8 12.2a2 2 0 1 0 0 4 2 2 0 1 0 0-4z",
  // A wheel with its spokes.
  steering:
    "M10 3.5a6.5 6.5 0 1 0 0 13 6.5 6.5 0 1 0 0-13zM10 8.2a1.8 1.8 0 1 0 0 3.6 1.8 1.8 0 1 0 0-3.6zM10 1v7.2M10 11.8V19M1 10h7.2M11.8 10H19",
  // A pulse that is out of step.
  incidents: "M2 11h3.5L8 4l4 12 2.5-5H18",
  // A page with lines, read.
  audit: "M4 2.5h8.5L16 6v11.5H4zM7 9h6M7 12h6M7 15h3",
};

/** Three dots, filled: circles of no width in lines of the same width. */
export function MoreIcon() {
  return (
    <svg class="nav-mark" viewBox="0 0 20 20" aria-hidden="true">
      <path d="M4 10h.01M10 10h.01M16 10h.01" stroke-width="3" />
    </svg>
  );
}

export function PageIcon({ page }: { readonly page: PageName }) {
  return (
    <svg class="nav-mark" viewBox="0 0 20 20" aria-hidden="true">
      <path d={DRAWINGS[page] ?? ""} />
    </svg>
  );
}
