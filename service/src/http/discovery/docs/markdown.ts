import { raw } from 'hono/html'
import { Marked, type Tokens } from 'marked'
import { codeBlock, commandBlock, fileBlock } from '../../pages/elements.ts'
import { type Html, html } from '../../pages/markup.ts'
import { Anchors, plainText } from './anchors.ts'
import { highlight } from './highlight.ts'

export interface Heading {
  readonly id: string
  readonly words: string
  readonly depth: number
}

interface RenderedPage {
  readonly title: string
  /** The first paragraph, as text. */
  readonly description: string
  readonly body: Html
  /** All but the title. */
  readonly headings: readonly Heading[]
}

/**
 * Renders the Markdown of service/content and of the generated pages. HTML in it is escaped; links are paths, anchors or
 * http(s) URLs; a heading links to itself. A code block with `file=name` links to that file below the path of the page;
 * with `title=name` it only shows the name.
 */
export function renderMarkdown(markdown: string, pagePath: string): RenderedPage {
  const anchors = new Anchors()
  const labels = new Map<string, number>()
  const headings: Heading[] = []
  let title = ''
  let description = ''
  let heading = ''

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
        const inner = this.parser.parseInline(tokens).replace(/\s*\{#[\w-]+\}$/, '')
        if (depth === 1) {
          title = text.replaceAll('`', '')
          heading = title
          return `<h1>${inner}</h1>\n`
        }
        if (inner.includes('<a ')) {
          throw new Error(`A heading links to itself, so it has no link: ${text}`)
        }
        const { id, words } = anchors.next(text)
        heading = words
        headings.push({ id, words, depth })
        return `<h${depth} id="${id}"><a class="anchor" href="#${id}">${inner}</a></h${depth}>\n`
      },
      paragraph({ tokens, text }: Tokens.Paragraph) {
        if (description === '') {
          description = plainText(text)
        }
        return `<p>${this.parser.parseInline(tokens)}</p>\n`
      },
      code({ text, lang = '' }: Tokens.Code) {
        const [, language = '', kind, name] = /^(\S*)(?: (file|title)=(\S+))?$/.exec(lang) ?? []
        const code = highlight(text, language)
        if (name !== undefined) {
          return String(
            fileBlock(name, kind === 'file' ? `${pagePath}/${name}` : null, code, label(name)),
          )
        }
        const block = language === 'sh' ? commandBlock : codeBlock
        return String(block(label(language || 'code'), code))
      },
      table({ header, rows }: Tokens.Table) {
        // On a phone each row is a block, and a cell says which column it is. The roles keep it a table there.
        const cell = ({ tokens }: Tokens.TableCell, column: number): string =>
          `<td role="cell"${column === 0 ? '' : attribute('data-label', header[column]?.text ?? '')}>${this.parser.parseInline(tokens)}</td>`
        const head = header.map(({ tokens, text }) =>
          text === ''
            ? '<td role="cell"></td>'
            : `<th scope="col" role="columnheader">${this.parser.parseInline(tokens)}</th>`,
        )
        const row = (cells: readonly string[]): string => `<tr role="row">${cells.join('')}</tr>`
        // Markdown needs a header row; an empty one is not shown.
        const thead = header.every(({ text }) => text === '')
          ? ''
          : `<thead role="rowgroup">${row(head)}</thead>`
        const table = `<table role="table">${thead}<tbody role="rowgroup">${rows.map((each) => row(each.map(cell))).join('')}</tbody></table>`
        return String(
          html`<div class="scroll" tabindex="0" role="region" aria-label="${label('table')}">${raw(table)}</div>`,
        )
      },
      html: ({ text }: Tokens.HTML | Tokens.Tag) => String(html`${text}`),
      link({ href, tokens }: Tokens.Link) {
        if (!/^(\/|#|https?:\/\/)/.test(href)) {
          throw new Error(`Unsupported link: ${href}`)
        }
        return `<a href="${String(html`${href}`)}">${this.parser.parseInline(tokens)}</a>`
      },
      image({ href }: Tokens.Image) {
        throw new Error(`Images are not supported: ${href}`)
      },
    },
  })
  const body = marked.parse(markdown, { async: false })
  return { title, description, body: raw(body) as Html, headings }
}

const attribute = (name: string, text: string): string =>
  text === '' ? '' : String(html` ${raw(name)}="${text.replaceAll('`', '')}"`)
