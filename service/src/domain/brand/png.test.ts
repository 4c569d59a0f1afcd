import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deflateSync } from 'node:zlib'
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

test('a square PNG of 64 to 512 pixels is read with its size', () => {
  for (const size of [64, 200, 512]) {
    const file = squarePng(size)
    assert.deepEqual(readPng(file), { ok: true, png: file, size })
  }
  for (const size of [0, 1, 63, 513, 65_535]) {
    assert.match(problemOf(pngOf(pngHeader(size), PIXELS, END)), /square/)
  }
  assert.match(problemOf(pngOf(pngHeader(64, { height: 65 }), PIXELS, END)), /square/)
})

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
  const indexed = pngChunk('IDAT', deflateSync(new Uint8Array(64 * 9)))
  const transparent = pngOf(
    pngHeader(64, { depth: 1, color: 3 }),
    palette,
    pngChunk('tRNS', text('a')),
    indexed,
    END,
  )
  assert.deepEqual(readPng(transparent), { ok: true, png: transparent, size: 64 })
})

test('every bit depth and color type of PNG has its own length of pixels', () => {
  for (const [color, depth, bits] of [
    ...[1, 2, 4, 8, 16].map((depth) => [0, depth, depth]),
    ...[8, 16].flatMap((depth) => [
      [2, depth, 3 * depth],
      [4, depth, 2 * depth],
      [6, depth, 4 * depth],
    ]),
  ] as [number, number, number][]) {
    const length = 64 * (1 + (64 * bits) / 8)
    const file = (bytes: number): Buffer =>
      pngOf(
        pngHeader(64, { color, depth }),
        pngChunk('IDAT', deflateSync(new Uint8Array(bytes))),
        END,
      )
    assert.equal(readPng(file(length)).ok, true, `${color} ${depth}`)
    for (const bytes of [length - 1, length + 1]) {
      assert.match(problemOf(file(bytes)), /damaged/, `${color} ${depth} ${bytes}`)
    }
  }
  for (const [color, depth] of [
    [1, 8],
    [3, 16],
    [2, 4],
    [7, 8],
    [0, 3],
  ] as const) {
    assert.match(problemOf(pngOf(pngHeader(64, { color, depth }), PIXELS, END)), /does not define/)
  }
  assert.match(problemOf(pngOf(pngHeader(64, { interlace: 1 }), PIXELS, END)), /interlacing/)
})

test('a decompression bomb is refused before it is inflated', () => {
  const bomb = deflateSync(new Uint8Array(20 * 1_024 * 1_024))
  assert.ok(bomb.length < 64 * 1_024)
  const before = process.memoryUsage().arrayBuffers
  assert.match(problemOf(pngOf(HEADER, pngChunk('IDAT', bomb), END)), /more than its header states/)
  assert.ok(process.memoryUsage().arrayBuffers - before < 10 * 1_024 * 1_024)
})

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

test('a PNG with one wrong byte is refused', () => {
  const file = squarePng(64)
  for (let at = 0; at < file.length; at++) {
    const changed = Buffer.from(file)
    changed[at] = (changed[at] ?? 0) ^ 0x20
    assert.equal(readPng(changed).ok, false, `byte ${at}`)
    assert.equal(readPng(file.subarray(0, at)).ok, false, `the first ${at} bytes`)
  }
})

test('chunks in a wrong order, twice, missing or unknown are refused', () => {
  const palette = pngChunk('PLTE', new Uint8Array(6))
  for (const chunks of [
    [PIXELS, HEADER, END],
    [HEADER, HEADER, PIXELS, END],
    [HEADER, END],
    [HEADER, PIXELS, palette, END],
    [HEADER, PIXELS, pngChunk('tRNS', text('ab')), END],
    [HEADER, PIXELS, pngChunk('IEND', text('x'))],
    [HEADER, PIXELS],
    [HEADER, pngChunk('EVIL', text('x')), PIXELS, END],
    [pngChunk('IHDR', new Uint8Array(12)), PIXELS, END],
    [HEADER, pngChunk('tRNS', text('ab')), PIXELS, END],
    [pngHeader(64, { depth: 8, color: 3 }), PIXELS, END],
    [pngHeader(64, { depth: 1, color: 3 }), pngChunk('PLTE', new Uint8Array(9)), PIXELS, END],
    [HEADER, pngChunk('IDAT', Buffer.concat([pngPixels(64), text('hidden')])), END],
  ]) {
    assert.equal(readPng(pngOf(...chunks)).ok, false)
  }
  const filtered = new Uint8Array(64 * (1 + 64 * 4)).fill(5)
  assert.match(problemOf(pngOf(HEADER, pngChunk('IDAT', deflateSync(filtered)), END)), /damaged/)
})
