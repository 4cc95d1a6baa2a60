import '@testing-library/jest-dom/vitest';
import { cleanup } from '@testing-library/react';
import { afterEach } from 'vitest';

afterEach(() => {
  cleanup();
  sessionStorage.clear();
});

// jsdom lays nothing out: whatever is in the document is in sight.
globalThis.IntersectionObserver ??= class {
  tell: IntersectionObserverCallback;
  constructor(tell: IntersectionObserverCallback) {
    this.tell = tell;
  }
  observe(target: Element) {
    this.tell([{ target, intersectionRatio: 1 } as IntersectionObserverEntry], this as never);
  }
  disconnect() {}
} as never;

// Nor does it tell where a part of a text lies.
Range.prototype.getClientRects ??= () => [] as never;

// jsdom has neither of these two; the components only listen to them.
window.matchMedia ??= (query: string) =>
  ({ matches: false, media: query, addEventListener() {}, removeEventListener() {} }) as never;
globalThis.ResizeObserver ??= class {
  observe() {}
  unobserve() {}
  disconnect() {}
} as never;
Element.prototype.scrollIntoView ??= () => undefined;
