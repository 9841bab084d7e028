/** The client a command works with, made from its options. */
import { ApiClient } from "./api-client.ts";
import { findServer } from "./find-server.ts";
import type { ServerOptions } from "./server-options.ts";

export const connect = (options: ServerOptions): ApiClient => new ApiClient(findServer(options));
