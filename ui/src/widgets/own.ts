/**
 * What a record holds under a name itself. A model chooses the names of fields and items, and every
 * object answers to some names (`constructor`, `toString`) without holding them.
 */
export const own = <T>(record: Record<string, T>, name: string): T | undefined =>
  Object.hasOwn(record, name) ? record[name] : undefined;
