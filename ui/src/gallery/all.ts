import { conversationItems } from './conversation-items';
import { controls } from './kit-controls';
import { pieces } from './kit-pieces';
import { decisions } from './questions';
import type { Section } from './sections';
import { servers } from './servers';
import { skills } from './skills';
import { standing } from './standing';
import { talks } from './talks';

/** All that the gallery shows. */
export const groups: Readonly<Record<string, readonly Section[]>> = {
  controls,
  pieces,
  conversationItems,
  decisions,
  standing,
  talks,
  servers,
  skills,
};
