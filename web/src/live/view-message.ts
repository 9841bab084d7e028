/** What a watched view sends, a line each; docs/api-conformance.md describes it. */
export type ViewCell =
  | string
  | number
  | boolean
  | null
  | readonly ViewCell[]
  | { readonly [name: string]: ViewCell };

/** The first cell is the row's key. */
export type ViewRow = readonly [key: string, ...cells: ViewCell[]];

export type ViewMessage =
  | {
      readonly type: "table";
      readonly view: string;
      readonly revision: number;
      readonly columns: readonly string[];
      readonly rows: readonly ViewRow[];
      readonly more?: boolean;
    }
  | {
      readonly type: "rows";
      readonly revision?: number;
      readonly rows?: readonly ViewRow[];
      readonly gone?: readonly string[];
      readonly more?: boolean;
    }
  | { readonly type: "bookmark"; readonly revision: number };
