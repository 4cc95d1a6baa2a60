/** The last segment of an alias path. */
export const fileName = (path: string): string => path.slice(path.lastIndexOf('/') + 1);
