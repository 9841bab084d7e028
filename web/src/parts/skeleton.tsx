/** The place of what is on its way, as large as it will be. */
export interface SkeletonProps {
  readonly rows?: number;
  /** For screen readers: "Loading the fleet". */
  readonly label: string;
}

export function Skeleton({ rows = 6, label }: SkeletonProps) {
  return (
    <div class="skeleton" role="status" aria-label={label} aria-busy="true">
      {Array.from({ length: rows }, (_, at) => (
        <span key={at} class="skeleton-row" />
      ))}
    </div>
  );
}
