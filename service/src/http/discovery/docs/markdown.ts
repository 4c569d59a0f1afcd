import { raw } from 'hono/html'
import { Marked, type Tokens } from 'marked'
import { codeBlock, commandBlock, fileBlock } from '../../pages/code.ts'
import { type Html, html } from '../../pages/markup.ts'

export interface RenderedPage {
  readonly title: string
  readonly body: Html
}

/**
 * Renders the Markdown of service/content and of the generated pages. HTML in it is escaped; links are paths, anchors or
 * http(s) URLs; a heading's anchor is made from its words or set by `{#name}`. A code block with `file=name` links to that
 * file below the path of the page.
 */
export function renderMarkdown(markdown: string, pagePath: string): RenderedPage {
  const ids = new Set<string>()
  const labels = new Map<string, number>()
  let title = ''
  let heading = ''

  const uniqueId = (id: string): string => {
    let free = id
    for (let number = 2; ids.has(free); number++) free = `${id}-${number}`
    ids.add(free)
    return free
  }
  // Screen readers need unique region names.
  const label = (what: string): string => {
    const name = heading === '' ? what : `${heading}: ${what}`
    const count = (labels.get(name) ?? 0) + 1
    labels.set(name, count)
    return count === 1 ? name : `${name} ${count}`
  }

  const marked = new Marked({
    renderer: {
      heading({ tokens, depth, text }: Tokens.Heading) {
        const [, words = text, name] = /^(.*?)(?:\s*\{#([\w-]+)\})?$/.exec(text) ?? []
        heading = words.replaceAll('`', '')
        if (depth === 1) {
          title = heading
          return `<h1>${this.parser.parseInline(tokens)}</h1>\n`
        }
        const inner = this.parser.parseInline(tokens).replace(/\s*\{#[\w-]+\}$/, '')
        return `<h${depth} id="${uniqueId(name ?? slug(heading))}">${inner}</h${depth}>\n`
      },
      code({ text, lang = '' }: Tokens.Code) {
        const [language, file] = lang.split(' file=')
        if (file !== undefined) return String(fileBlock(file, `${pagePath}/${file}`, text))
        const block = language === 'sh' ? commandBlock : codeBlock
        return String(block(label(language || 'code'), text))
      },
      table({ header, rows }: Tokens.Table) {
        const cell = (tag: string, { tokens }: Tokens.TableCell, attribute = ''): string =>
          `<${tag}${attribute}>${this.parser.parseInline(tokens)}</${tag}>`
        const head = header.map((each) => (each.text === '' ? '<td></td>' : cell('th', each, ' scope="col"')))
        const body = rows.map((row) => `<tr>${row.map((each) => cell('td', each)).join('')}</tr>`)
        const table = `<table><thead><tr>${head.join('')}</tr></thead><tbody>${body.join('')}</tbody></table>`
        return String(
          html`<div class="scroll" tabindex="0" role="region" aria-label="${label('table')}">${raw(table)}</div>`,
        )
      },
      html: ({ text }: Tokens.HTML | Tokens.Tag) => String(html`${text}`),
      link({ href, tokens }: Tokens.Link) {
        if (!/^(\/|#|https?:\/\/)/.test(href)) throw new Error(`Unsupported link: ${href}`)
        return `<a href="${String(html`${href}`)}">${this.parser.parseInline(tokens)}</a>`
      },
      image({ href }: Tokens.Image) {
        throw new Error(`Images are not supported: ${href}`)
      },
    },
  })
  const body = marked.parse(markdown, { async: false })
  return { title, body: raw(body) as Html }
}

/** The anchor of a heading, as GitHub makes it. */
const slug = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .trim()
    .replaceAll(' ', '-')
