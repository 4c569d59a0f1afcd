/** The anchors of one page: unique, from the words of each heading or set by `{#name}` at its end. */
export class Anchors {
  readonly #taken = new Set<string>()

  /** The words of a heading without its `{#name}`, and its anchor. Call it once per heading, in order. */
  next(heading: string): { readonly words: string; readonly id: string } {
    const [, words = heading, name] = /^(.*?)(?:\s*\{#([\w-]+)\})?$/.exec(heading) ?? []
    const plain = words.replaceAll('`', '')
    const id = name ?? slug(plain)
    let free = id
    for (let number = 2; this.#taken.has(free); number++) {
      free = `${id}-${number}`
    }
    this.#taken.add(free)
    return { words: plain, id: free }
  }
}

/** As GitHub makes it. */
const slug = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .trim()
    .replaceAll(' ', '-')

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
