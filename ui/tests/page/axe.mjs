// What axe finds in a page.
import axe from 'axe-core';

export const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
/** Those that a theme can break. */
export const OF_COLOURS = { type: 'rule', values: ['color-contrast', 'link-in-text-block'] };
/** Text that stands out by 7 to 1. */
export const STRONG = { type: 'rule', values: ['color-contrast-enhanced'] };

/** Puts axe into the page, once. */
export const loadAxe = (page) => page.evaluate(axe.source);

/**
 * What it finds by these rules, some left out, in the page or within a part of it. axe runs in the page
 * itself: @axe-core/playwright opens a second page for each report.
 */
export async function axeProblems(page, runOnly, { without = [], within = 'html' } = {}) {
  const rules = Object.fromEntries(without.map((id) => [id, { enabled: false }]));
  const violations = await page.evaluate(
    async ([part, options]) => {
      const report = await window.axe.run(part, options);
      return report.violations;
    },
    [within, { runOnly, rules, resultTypes: ['violations'] }],
  );
  return violations.flatMap(({ id, nodes }) =>
    nodes.map((node) => `${id}: ${node.target.join(' ')}: ${node.failureSummary}`),
  );
}
