import assert from 'node:assert/strict'
import { test } from 'node:test'
import { progressOn } from './progress.ts'

function shown(isTTY: boolean, total: number): string {
  let text = ''
  const show = progressOn({
    isTTY,
    write(more) {
      text += more
    },
  })
  for (let done = 1; done <= total; done += 1) {
    show(done, total)
  }
  return text
}

test('progress is a bar that is redrawn at a terminal, and a line for every tenth elsewhere', () => {
  const tenths = Array.from({ length: 10 }, (_, at) => `${(at + 1) * 10}% of the rows\n`).join('')
  assert.equal(shown(false, 5_000), tenths)
  assert.equal(shown(false, 3), '30% of the rows\n60% of the rows\n100% of the rows\n')
  const bars = shown(true, 5_000).split('\r').slice(1)
  assert.equal(bars.length, 100)
  assert.equal(bars[49], `${'█'.repeat(20)}${'░'.repeat(20)} 50%`)
  assert.equal(bars[99], `${'█'.repeat(40)} 100%\n`)
  assert.equal(shown(true, 0), '')
})
