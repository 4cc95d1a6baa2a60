// What models call the tools of servers: `mcp__server__tool`.

const PREFIX = 'mcp__';

/** True for the name of a tool of a server. */
export const isOfServer = (called: string): boolean => called.startsWith(PREFIX);

/** A tool of a server. */
export interface ServerTool {
  server: string;
  tool: string;
}

/** The tool of a server that is called so; null for any other name, and for one that cannot be told. */
export function serverToolOf(called: string): ServerTool | null {
  if (!isOfServer(called)) return null;
  const [server = '', ...rest] = called.slice(PREFIX.length).split('__');
  const tool = rest.join('__');
  return server && tool ? { server, tool } : null;
}

/** The same as people read it. */
export function wordsOfTool(called: string): string {
  const of = serverToolOf(called);
  return of ? `${of.tool} · ${of.server}` : called;
}
