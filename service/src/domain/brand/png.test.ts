import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pngChunk, pngHeader, pngOf, pngPixels, squarePng } from '../../../test/support/png.ts'
import { readPng } from './png.ts'

const HEADER = pngHeader(64)
const PIXELS = pngChunk('IDAT', pngPixels(64))
const END = pngChunk('IEND')
const text = (value: string): Buffer => Buffer.from(value)

const problemOf = (file: Uint8Array): string => {
  const read = readPng(file)
  return read.ok ? '' : read.problem
}

// proves S072
test('a square PNG of 64 to 512 pixels is read with its size', () => {
  for (const size of [64, 200, 512]) {
    const file = squarePng(size)
    assert.deepEqual(readPng(file), { ok: true, png: file, size })
  }
  for (const size of [0, 1, 63, 513, 65_535]) {
    assert.match(problemOf(pngOf(pngHeader(size), PIXELS, END)), /square/)
  }
  assert.match(problemOf(pngOf(pngHeader(64, 65), PIXELS, END)), /square/)
})

// proves C338, S071
test('of a PNG only header, palette, transparency, pixels and end are kept', () => {
  const [before, after] = [pngPixels(64).subarray(0, 20), pngPixels(64).subarray(20)]
  const split = [pngChunk('IDAT', before), pngChunk('IDAT', after)]
  const file = pngOf(
    HEADER,
    pngChunk('tEXt', text('Comment\0<script>alert(1)</script>')),
    pngChunk('eXIf', text('GPS')),
    pngChunk('iCCP', text('profile')),
    pngChunk('acTL', text('animation')),
    ...split,
    pngChunk('tIME', text('now')),
    END,
    text('<script>after the end</script>'),
  )
  assert.deepEqual(readPng(file), { ok: true, png: pngOf(HEADER, ...split, END), size: 64 })
  const palette = pngChunk('PLTE', new Uint8Array(6))
  const transparent = pngOf(HEADER, palette, pngChunk('tRNS', text('a')), PIXELS, END)
  assert.deepEqual(readPng(transparent), { ok: true, png: transparent, size: 64 })
})

// proves S071
test('SVG, HTML, JPEG and any other file is no PNG, whatever it is called', () => {
  for (const file of [
    text('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'),
    text('<!doctype html><script>alert(1)</script>'),
    Buffer.from([0xff, 0xd8, 0xff, 0xe0]),
    text('GIF89a'),
    new Uint8Array(),
    squarePng(64).subarray(1),
  ]) {
    assert.match(problemOf(file), /not a PNG/)
  }
  assert.match(problemOf(Buffer.concat([squarePng(64), new Uint8Array(70_000)])), /larger/)
})

// proves S072
test('a PNG with one wrong byte is refused', () => {
  const file = squarePng(64)
  for (let at = 0; at < file.length; at++) {
    const changed = Buffer.from(file)
    changed[at] = (changed[at] ?? 0) ^ 0x20
    assert.equal(readPng(changed).ok, false, `byte ${at}`)
    assert.equal(readPng(file.subarray(0, at)).ok, false, `the first ${at} bytes`)
  }
})

// proves S072
test('chunks in a wrong order, twice, missing or unknown are refused', () => {
  const palette = pngChunk('PLTE', new Uint8Array(6))
  const wrong: readonly (readonly [RegExp, readonly Buffer[]])[] = [
    [/order/, [PIXELS, HEADER, END]],
    [/order/, [HEADER, HEADER, PIXELS, END]],
    [/order/, [HEADER, END]],
    [/order/, [HEADER, PIXELS, palette, END]],
    [/order/, [HEADER, PIXELS, pngChunk('tRNS', text('ab')), END]],
    [/damaged/, [HEADER, PIXELS]],
    [/critical/, [HEADER, pngChunk('EVIL', text('x')), PIXELS, END]],
    [/header/, [pngChunk('IHDR', new Uint8Array(12)), PIXELS, END]],
  ]
  for (const [problem, chunks] of wrong) {
    assert.match(problemOf(pngOf(...chunks)), problem)
  }
})
