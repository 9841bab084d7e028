/** How far a benchmark has come; the caller decides whether and where to show it. */
export type Progress = (done: number, total: number, label: string) => void;
