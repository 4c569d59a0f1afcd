/** The words of Markdown, without its marks: for descriptions and for search. */
export const plainText = (markdown: string): string =>
  markdown
    .replace(/^```.*$/gm, '')
    .replace(/^\|[-|\s]+\|$/gm, '')
    .replace(/\[([^\]]*)\]\([^)\s]*\)/g, '$1')
    .replace(/\*\*|`|^#+ |\s*\{#[\w-]+\}/gm, '')
    .replace(/^\s*(?:-|\d+\.|>) |\s*\|\s*/gm, ' ')
    .replace(/\s+/g, ' ')
    .trim()
