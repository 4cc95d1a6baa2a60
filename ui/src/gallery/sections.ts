// What the gallery is made of: components, and each of their states.
import type { ReactNode } from 'react';

/** One state of a component. */
export interface Entry {
  /** Its name, in the words of the code. */
  state: string;
  node: ReactNode;
}

/** Where in the window it is seen, for the widths and the ground that it has there. */
export type Place = 'plain' | 'list' | 'dock' | 'inspector' | 'sidebar';

/** A component in its states. */
export interface Section {
  /** Its name, in the words of the code. */
  name: string;
  /** The components that are seen here. */
  of: readonly unknown[];
  place?: Place;
  entries: readonly Entry[];
}

/** An entry for each state of a kind. The map is exhaustive, so that no kind can be forgotten. */
export const each = (states: Record<string, ReactNode>, kind = ''): Entry[] =>
  Object.entries(states).map(([state, node]) => ({
    state: kind ? `${kind} ${state}` : state,
    node,
  }));
