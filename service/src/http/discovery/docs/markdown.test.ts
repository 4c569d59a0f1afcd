import assert from 'node:assert/strict'
import { test } from 'node:test'
import { renderMarkdown } from './markdown.ts'

const rendered = (markdown: string): string => String(renderMarkdown(markdown, '/docs/page').body)

test('HTML in Markdown is escaped', () => {
  const page = rendered(
    '# A <b>\n\n<script>alert(1)</script>\n\nfor <tenant_id> and `<code>`\n\n```html\n<img src=x>\n```\n',
  )
  assert.doesNotMatch(page, /<(script|b|tenant_id|img)/)
  assert.match(page, /&lt;script&gt;/)
  assert.match(page, /&lt;tenant_id&gt;/)
})

test('a link may be a path, an anchor or an http(s) URL; anything else, and an image, throws', () => {
  assert.match(
    rendered('[a](/docs#b "c") [d](#e) [f](https://x.example/?a=1&b="2")'),
    /href="\/docs#b".*href="#e".*href="https:/,
  )
  for (const href of ['javascript:alert(1)', 'data:text/html,x', 'docs', 'mailto:a@b.example']) {
    assert.throws(() => rendered(`[x](${href})`), /Unsupported link/, href)
  }
  assert.throws(() => rendered('![x](https://x.example/x.png)'), /Images are not supported/)
})

test('every heading links to itself by a unique anchor, from its words or from {#name}', () => {
  const { title, body, headings } = renderMarkdown(
    '# The `page`\n\n## Same words\n\n## Same words\n\n### `GET /x` {#readX}\n',
    '/docs/page',
  )
  assert.equal(title, 'The page')
  const page = String(body)
  assert.match(page, /<h1>The <code>page<\/code><\/h1>/)
  assert.match(
    page,
    /<h2 id="same-words"><a class="anchor" href="#same-words">Same words<\/a><\/h2>/,
  )
  assert.match(
    page,
    /<h2 id="same-words-2"><a class="anchor" href="#same-words-2">Same words<\/a><\/h2>/,
  )
  assert.match(
    page,
    /<h3 id="readX"><a class="anchor" href="#readX"><code>GET \/x<\/code><\/a><\/h3>/,
  )
  assert.deepEqual(
    headings.map(({ id, words, depth }) => [id, words, depth]),
    [
      ['same-words', 'Same words', 2],
      ['same-words-2', 'Same words', 2],
      ['readX', 'GET /x', 3],
    ],
  )
  assert.throws(() => rendered('## See [this](/docs)'), /A heading links to itself/)
})

test('on a phone, where each row is a block, every cell but the first says which column it is', () => {
  const page = rendered('# P\n\n| Field | `Type` | |\n|---|---|---|\n| a | "b" | c |\n')
  assert.match(
    page,
    /<td role="cell">a<\/td><td role="cell" data-label="Type">.*<\/td><td role="cell">c<\/td>/,
  )
})

test('a table whose headings are all empty has no row of headings', () => {
  assert.doesNotMatch(rendered('# P\n\n| | |\n|---|---|\n| a | b |\n'), /<thead/)
})

test('the description of a page is its first paragraph, as text', () => {
  const { description } = renderMarkdown('# P\n\nA `b` and [c](/docs).\n\nMore.\n', '/docs/page')
  assert.equal(description, 'A b and c.')
})

test('code blocks and tables are focusable regions with unique names', () => {
  const page = rendered(
    '# P\n\n## S\n\n```sh\na\n```\n\n```sh\nb\n```\n\n| a | |\n|---|---|\n| `b` | c |\n',
  )
  const names = [...page.matchAll(/tabindex="0" role="region" aria-label="([^"]+)"/g)].map(
    ([, name]) => name,
  )
  assert.deepEqual(names, ['S: sh', 'S: sh 2', 'S: table'])
  assert.match(page, /<th scope="col" role="columnheader">a<\/th><td role="cell"><\/td>/)
})

test('a code block that names a file shows the name, which links to the file below the page', () => {
  const page = rendered(
    '# P\n\n```js file=app/server.js\na <b>\n```\n\n```sh\nnpm install x\n```\n',
  )
  assert.match(
    page,
    /<figcaption><a href="\/docs\/page\/app\/server.js">app\/server.js<\/a><\/figcaption>/,
  )
  assert.match(page, /<code>a &lt;b&gt;<\/code><\/pre><\/figure>/)
  assert.match(
    page,
    /<pre class="command"[^>]*><code><span class="hl-call">npm<\/span> install x<\/code>/,
  )
  const titled = rendered('# P\n\n```json title=.mcp.json\n{}\n```\n')
  assert.match(titled, /<figcaption>\.mcp\.json<\/figcaption>/)
})
