import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mark } from './mark.ts'
import { stylesheet } from './stylesheet.ts'

test('the address of the stylesheet changes with its content', () => {
  const hash = stylesheet.etag.replaceAll('"', '')
  assert.match(hash, /^[0-9a-f]{12}$/)
  assert.equal(stylesheet.path, `/assets/style.${hash}.css`)
  assert.equal(mark.path, '/assets/mark.svg')
})

test('neither asset asks another site for anything, and the mark has no style or script of its own', () => {
  assert.doesNotMatch(String(stylesheet.body), /url\(|@import|https?:/)
  assert.doesNotMatch(String(mark.body).replace('xmlns="http://www.w3.org/2000/svg"', ''), /https?:|style|script|href/)
})

/** [what stands, on what, at least]: WCAG 2.2 asks 4.5 for text (1.4.3) and 3 for edges and focus rings (1.4.11). */
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
  ['caution-edge', 'caution', 3],
]

const [light = '', dark = ''] = String(stylesheet.body).split('@media (prefers-color-scheme: dark)')

for (const [scheme, css] of Object.entries({ light, dark })) {
  for (const [front, back, least] of pairs) {
    test(`${scheme}: ${front} on ${back} has a contrast of ${least} or more`, () => {
      const ratio = contrast(colour(css, front), colour(css, back))
      assert.ok(ratio >= least, `it has ${ratio.toFixed(2)}`)
    })
  }
}

function colour(css: string, name: string): string {
  const value = css.match(new RegExp(`--${name}: #([0-9a-f]{6});`))?.[1]
  assert.ok(value, `--${name} is not a six-digit colour`)
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
