import assert from 'node:assert/strict'
import { test } from 'node:test'
import { renderMarkdown } from './markdown.ts'

const rendered = (markdown: string): string => String(renderMarkdown(markdown).body)

test('what looks like HTML in a text is text', () => {
  const page = rendered(
    '# A <b>\n\n<script>alert(1)</script>\n\nfor <tenant_id> and `<code>`\n\n```html\n<img src=x>\n```\n',
  )
  assert.doesNotMatch(page, /<(script|b|tenant_id|img)/)
  assert.match(page, /&lt;script&gt;/)
  assert.match(page, /&lt;tenant_id&gt;/)
})

test('a link leads into this site, to a place on the page, or to the web; anything else is a mistake of ours', () => {
  assert.match(
    rendered('[a](/docs#b "c") [d](#e) [f](https://x.example/?a=1&b="2")'),
    /href="\/docs#b".*href="#e".*href="https:/,
  )
  for (const href of ['javascript:alert(1)', 'data:text/html,x', 'docs', 'mailto:a@b.example']) {
    assert.throws(() => rendered(`[x](${href})`), /A link of ours leads to/, href)
  }
  assert.throws(() => rendered('![x](https://x.example/x.png)'), /no pictures/)
})

test('headings can be linked to, by their words or by a name, and no two alike', () => {
  const { title, body } = renderMarkdown('# The `page`\n\n## Same words\n\n## Same words\n\n### `GET /x` {#readX}\n')
  assert.equal(title, 'The page')
  const page = String(body)
  assert.match(page, /<h1>The <code>page<\/code><\/h1>/)
  assert.match(page, /<h2 id="same-words">Same words<\/h2>\s*<h2 id="same-words-2">Same words<\/h2>/)
  assert.match(page, /<h3 id="readX"><code>GET \/x<\/code><\/h3>/)
})

test('code and tables can be reached without a pointer, each by a name of its own', () => {
  const page = rendered('# P\n\n## S\n\n```sh\na\n```\n\n```sh\nb\n```\n\n| a | |\n|---|---|\n| `b` | c |\n')
  const names = [...page.matchAll(/tabindex="0" role="region" aria-label="([^"]+)"/g)].map(([, name]) => name)
  assert.deepEqual(names, ['S: sh', 'S: sh 2', 'S: table'])
  assert.match(page, /<th scope="col">a<\/th><td><\/td>/)
})
