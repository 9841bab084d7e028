/** What of a view one reader is shown. */
export interface RowsShown {
  sees(key: string): boolean;
  /** A row as JSON, as this reader may read it. */
  row(key: string, text: string | undefined): string | undefined;
}
