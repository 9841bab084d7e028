/** How far a benchmark has come; whoever runs it decides whether and where that is shown. */
export type Progress = (done: number, total: number, label: string) => void;
