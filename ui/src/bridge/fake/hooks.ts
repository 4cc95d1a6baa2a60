// The commands of the projects of this page.
import type { Command, HookView } from '../wire';

/** Two commands: what one would have after opening a project of somebody else. */
export const hooksOf = (scenario: string): HookView[] =>
  scenario.includes('hooks')
    ? [
        {
          name: 'tests',
          at: 'accept_gate',
          command: 'cargo test --quiet',
          timeoutS: 600,
          tools: [],
          sha256: '1'.repeat(64),
          trusted: false,
        },
        {
          name: 'no secrets',
          at: 'before_tool_call',
          command: "grep -qi password && { echo 'no passwords in files' >&2; exit 2; }; exit 0",
          timeoutS: 30,
          tools: ['fs_write', 'fs_apply_patch'],
          sha256: '2'.repeat(64),
          trusted: false,
        },
      ]
    : [];

/** Keeps what the person says of them. */
export function trust(hooks: HookView[], asked: Extract<Command, { type: 'trustHooks' }>) {
  for (const hook of hooks) {
    if (asked.hooks.includes(hook.sha256)) hook.trusted = asked.trusted;
  }
}
