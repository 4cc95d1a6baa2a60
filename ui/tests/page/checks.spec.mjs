// What the page does where only a real browser can tell.
import { checks } from './checks.mjs';
import { test } from './test.mjs';

for (const { name, run, ...scenario } of checks) {
  test(name, async ({ open }) => run(await open(scenario)));
}
