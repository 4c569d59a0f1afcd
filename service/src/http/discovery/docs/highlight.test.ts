import assert from 'node:assert/strict'
import { test } from 'node:test'
import { highlight } from './highlight.ts'

const marked = (code: string, language: string): string => String(highlight(code, language))

/** [kind, token] of everything that is marked. */
const tokens = (code: string, language: string): string[] =>
  [...marked(code, language).matchAll(/<span class="hl-(\w+)">(.*?)<\/span>/gs)].map(
    ([, kind, text]) => `${kind} ${text}`,
  )

test('the tokens of each language are marked', () => {
  assert.deepEqual(tokens(`const a = await f('x') // y`, 'js'), [
    'keyword const',
    'keyword await',
    'call f',
    'string &#39;x&#39;',
    'comment // y',
  ])
  assert.deepEqual(tokens('{ "a": "b", "c": [1, null] }', 'json'), [
    'property &quot;a&quot;',
    'string &quot;b&quot;',
    'property &quot;c&quot;',
    'number 1',
    'keyword null',
  ])
  assert.deepEqual(tokens('npx x --json "$HOME" # all\ncurl $URL', 'sh'), [
    'call npx',
    'property --json',
    'string &quot;$HOME&quot;',
    'comment # all',
    'call curl',
    'property $URL',
  ])
})

test('highlighting changes no character, whatever the code contains', () => {
  const hostile = `<script>alert("1")</script> '\n# 'open // \`\${x}\` "a\\"b" &amp; --x`
  const text = (html: string): string =>
    html
      .replaceAll(/<\/?span[^>]*>/g, '')
      .replaceAll('&lt;', '<')
      .replaceAll('&gt;', '>')
      .replaceAll('&quot;', '"')
      .replaceAll('&#39;', "'")
      .replaceAll('&amp;', '&')
  for (const language of [
    'js',
    'ts',
    'tsx',
    'json',
    'sh',
    'html',
    'svelte',
    'toml',
    'http',
    'unknown',
    '',
  ]) {
    const page = marked(hostile, language)
    assert.equal(text(page), hostile, language)
    assert.doesNotMatch(page, /<script/, language)
  }
})
