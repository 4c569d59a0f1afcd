import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ACCENTS } from '@gatehouse-auth/contract'
import {
  docsStylesheet,
  FAVICON,
  mark,
  PUBLIC_ASSETS,
  sizeOf,
  socialPicture,
  stylesheet,
} from './assets.ts'

test('the URL of the stylesheet changes with its content', () => {
  const hash = stylesheet.etag.replaceAll('"', '')
  assert.match(hash, /^[0-9a-f]{12}$/)
  assert.equal(stylesheet.path, `/assets/style.${hash}.css`)
  assert.equal(mark.path, '/assets/mark.svg')
})

test('no asset loads a third-party resource, and the logo has no style or script', () => {
  for (const { body } of [stylesheet, docsStylesheet]) {
    assert.doesNotMatch(String(body), /url\(|@import|https?:/)
  }
  const scripts = PUBLIC_ASSETS.filter(({ contentType }) =>
    contentType.startsWith('text/javascript'),
  )
  for (const { body } of scripts) {
    assert.doesNotMatch(String(body), /https?:|innerHTML|eval|import/)
  }
  assert.doesNotMatch(
    String(mark.body).replace('xmlns="http://www.w3.org/2000/svg"', ''),
    /https?:|style|script|href/,
  )
})

test('one click selects a whole command in Safari and other WebKit browsers too', () => {
  const css = [stylesheet, docsStylesheet].map(({ body }) => String(body)).join('\n')
  const standard = css.match(/[{;\s]user-select:\s*\w+/g) ?? []
  assert.ok(standard.length > 0)
  assert.equal(css.match(/-webkit-user-select:/g)?.length, standard.length)
})

/** [foreground, background, minimum contrast]: WCAG 2.2 requires 4.5 for text (1.4.3), 3 for edges and focus rings (1.4.11). */
const pairs: readonly [string, string, number][] = [
  ...['ground', 'surface', 'sunken'].flatMap((ground): [string, string, number][] => [
    ['ink', ground, 4.5],
    ['muted', ground, 4.5],
    ['accent', ground, 4.5],
    ['accent-strong', ground, 4.5],
    ['edge', ground, 3],
    ['caution-edge', ground, 3],
    ['danger', ground, 4.5],
  ]),
  ['on-danger', 'danger', 4.5],
  ['on-accent', 'accent', 4.5],
  ['on-accent', 'accent-strong', 4.5],
  ['caution-ink', 'caution', 4.5],
  // Code is highlighted on `sunken`, in these colors.
  ...['green', 'purple', 'orange', 'blue'].map((name): [string, string, number] => [
    name,
    'sunken',
    4.5,
  ]),
  // The colors of apps are on the Continue button only.
  ...ACCENTS.flatMap((accent): [string, string, number][] => [
    ['on-color', accent, 4.5],
    ['on-color', `${accent}-strong`, 4.5],
    [accent, 'surface', 3],
    [`${accent}-strong`, 'surface', 3],
  ]),
  ['caution-edge', 'caution', 3],
]

const [light = '', dark = ''] = String(stylesheet.body).split('@media (prefers-color-scheme: dark)')

for (const [scheme, css] of Object.entries({ light, dark })) {
  for (const [foreground, background, minimum] of pairs) {
    test(`${scheme}: ${foreground} on ${background} has a contrast of at least ${minimum}`, () => {
      const ratio = contrast(color(css, foreground), color(css, background))
      assert.ok(ratio >= minimum, `it has ${ratio.toFixed(2)}`)
    })
  }
}

test('the pictures are small: the link preview is 1200 × 630, and the favicon is an icon file', () => {
  assert.deepEqual(sizeOf(socialPicture), { width: 1_200, height: 630 })
  assert.deepEqual([...FAVICON.body.subarray(0, 4)], [0, 0, 1, 0])
  const pictures = PUBLIC_ASSETS.filter(({ contentType }) => contentType === 'image/png')
  for (const { path, body } of pictures) {
    assert.ok(body.length < 150_000, path)
  }
})

test('every accent of a brand has a class', () => {
  for (const accent of ACCENTS) {
    assert.ok(String(stylesheet.body).includes(`.accent-${accent} {`), accent)
  }
})

function color(css: string, name: string): string {
  const value = css.match(new RegExp(`--${name}: #([0-9a-f]{6});`))?.[1]
  assert.ok(value, `--${name} is not a six-digit color`)
  return value
}

function contrast(one: string, other: string): number {
  const [dim = 0, bright = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b)
  return (bright + 0.05) / (dim + 0.05)
}

/** Relative luminance, as WCAG defines it. */
function luminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [0, 2, 4].map((at) => {
    const part = Number.parseInt(hex.slice(at, at + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
