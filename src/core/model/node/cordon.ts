/** Several holders may cordon a node at once; each lifts only its own. */
export interface Cordon {
  readonly holder: string;
  readonly reason: string;
}
