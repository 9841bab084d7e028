/**
 * What `berth bench dashboard` measures, and what came of it. Plain values: some travel between
 * processes.
 */

export interface DashboardSize {
  readonly nodes: number;
  readonly replicas: number;
}

export interface DashboardTask extends DashboardSize {
  /**
   * Of the nodes and replicas that the first view is measured with, where it is not the plane that
   * takes time.
   */
  readonly small: DashboardSize;
  readonly updatesPerSecond: number;
  readonly seconds: number;
  /** How often a view is opened anew; told is the median. */
  readonly loads: number;
}

/** What the browser fetched until the first page was there. */
export interface FirstView {
  /**
   * Of the document, scripts, styles and pictures, as they came over the wire: in gzip, with their
   * headers.
   */
  readonly bytes: number;
  readonly requests: number;
  /**
   * From the beginning of the navigation until the page shows what the plane has told it, and can
   * be used.
   */
  readonly usableMs: number;
}

/** How busy the thread was on which everything happens that a reader could notice. */
export interface MainThread {
  readonly seconds: number;
  /** The part of the time in which it was at work, of 1. */
  readonly busy: number;
  readonly longestTaskMs: number;
  /** Tasks after which a reader notices a delay: more than 50 ms. */
  readonly longTasks: number;
  readonly framesPerSecond: number;
}

export interface DashboardFigures {
  readonly browser: string;
  readonly firstView: FirstView;
  /**
   * The same with all nodes and replicas; its bytes are those of the first view and not told again.
   */
  readonly firstViewFullMs: number;
  readonly updates: MainThread & { readonly sent: number };
  readonly map: MainThread;
  readonly table: MainThread & { readonly rows: number };
}
