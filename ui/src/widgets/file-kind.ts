/** Whether a file with this name is written in Markdown. */
export const isMarkdown = (name: string) => /\.(md|markdown)$/i.test(name);
