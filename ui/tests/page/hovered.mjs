// Words on buttons with the pointer over them: axe looks at a page nobody points at, and passes
// over disabled buttons.

/** What tells the looks of buttons apart. Runs in the page. */
function looksOf(buttons) {
  return buttons.map(
    ({ dataset, disabled }) =>
      `${dataset.kind}, ${disabled ? 'disabled' : 'enabled'}, busy ${dataset.busy}`,
  );
}

/** The contrast of a hovered button's words, as WCAG counts it; nothing when something lies over
 * it, so that nobody can point at it. Runs in the page. */
function contrast(button) {
  if (!button.matches(':hover')) return null;
  for (const animation of button.getAnimations()) animation.finish();
  const numbers = (text) => {
    const [r, g, b, a = 1] = text.match(/[\d.]+/g).map(Number);
    return (text.startsWith('color(') ? [r, g, b] : [r / 255, g / 255, b / 255]).concat(a);
  };
  const brightness = (rgb) => {
    const [r, g, b] = rgb.map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  let box = button;
  while (box.parentElement && numbers(getComputedStyle(box).backgroundColor)[3] < 1) {
    box = box.parentElement;
  }
  const [one, other] = [getComputedStyle(button).color, getComputedStyle(box).backgroundColor]
    .map((colour) => brightness(numbers(colour).slice(0, 3)))
    .sort((a, b) => b - a);
  return (one + 0.05) / (other + 0.05);
}

/** Hovers every look of a button, enabled and disabled, and says which cannot be read. */
export async function illegible(page) {
  const seen = new Set();
  const problems = [];
  const buttons = await page.locator('.btn:visible').elementHandles();
  const looks = await page.evaluate(looksOf, buttons);
  for (const [at, button] of buttons.entries()) {
    const look = looks[at];
    const box = seen.has(look) ? null : await button.boundingBox();
    if (!box) continue;
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    const ratio = await button.evaluate(contrast);
    if (ratio === null) continue;
    seen.add(look);
    if (ratio < 4.5) problems.push(`under the pointer: ${look}: contrast ${ratio.toFixed(2)}`);
  }
  return problems;
}
