/** Whether the sender is an agent of protocol 1: it sends no number and uses the earlier words. */
import type { IncomingHttpHeaders } from "node:http";
import { PROTOCOL_HEADER } from "../../shell/agent-protocol.ts";

export const isOfEarlierAgent = ({ headers }: { readonly headers: IncomingHttpHeaders }): boolean =>
  headers[PROTOCOL_HEADER] === undefined;
