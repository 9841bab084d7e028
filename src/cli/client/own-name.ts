/**
 * The name in which all commands of a person act where the plane has no other: on its own machine,
 * and with the token that the plane made for this user. Another token has a name of its own.
 */
import { loginName } from "../../shell/login-name.ts";
import type { Server } from "./find-server.ts";

export const ownName = ({ token, login, isOwner }: Server): string | undefined =>
  (token === undefined && login === undefined) || isOwner === true ? loginName() : undefined;
