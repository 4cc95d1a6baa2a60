/** A JSON value as people read it: names and values, long texts as they are, no quotes round them. */
export function pretty(value: unknown, indent = ''): string {
  if (typeof value === 'string') {
    if (!value.includes('\n')) return value;
    return `\n${value
      .replace(/\n$/, '')
      .split('\n')
      .map((line) => indent + line)
      .join('\n')}`;
  }
  if (Array.isArray(value)) {
    if (value.length === 0) return '[]';
    return value
      .map((v) => `\n${indent}- ${pretty(v, `${indent}  `).replace(/^\n\s*/, '')}`)
      .join('');
  }
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value);
    if (entries.length === 0) return '{}';
    return entries
      .map(([key, v]) => {
        const text = pretty(v, `${indent}  `);
        return `\n${indent}${key}:${text.startsWith('\n') ? '' : ' '}${text}`;
      })
      .join('');
  }
  return String(value);
}
