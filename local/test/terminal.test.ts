import assert from 'node:assert/strict'
import { test } from 'node:test'
import { localWorld } from './support/bench.ts'
import { inTerminal } from './support/terminal.ts'

// biome-ignore lint/suspicious/noControlCharactersInRegex: colours are what is looked for
const COLOUR = /\u001b\[\d+m/

test('on a terminal there is colour, and nobody who does not want it gets any', async (t) => {
  const { bench } = await localWorld(t)
  const init = await inTerminal(t, bench, ['init']).ended
  assert.equal(init.code, 0, init.stdout)
  assert.match(init.stdout, COLOUR)
  for (const [args, env] of [
    [['status', '--no-color'], {}],
    [['status'], { NO_COLOR: '1' }],
    [['status'], { TERM: 'dumb' }],
    [['doctor'], { NO_COLOR: 'yes' }],
  ] as const) {
    const { code, stdout } = await inTerminal(t, bench, args, env).ended
    assert.equal(code, 0, stdout)
    assert.doesNotMatch(stdout, COLOUR)
  }
  assert.match((await inTerminal(t, bench, ['status']).ended).stdout, COLOUR)
  const wrong = await inTerminal(t, bench, ['status', 'extra']).ended
  assert.equal(wrong.code, 2)
  assert.match(wrong.stdout, COLOUR)
  // For programs there is none, wherever they run.
  const json = await inTerminal(t, bench, ['status', '--json']).ended
  assert.doesNotMatch(json.stdout, COLOUR)
  assert.equal(json.json.length, 1)
})

test('without a text, feedback asks for one instead of waiting for the keyboard', async (t) => {
  const { bench } = await localWorld(t)
  await bench.run('init')
  const { code, stdout } = await inTerminal(t, bench, ['feedback']).ended
  assert.equal(code, 2)
  assert.match(stdout, /Write what you want to say/)
})

test('a dumb terminal is told once that we wait, and nothing moves', async (t) => {
  const { bench } = await localWorld(t)
  await bench.run('init')
  const running = inTerminal(t, bench, ['claim'], { TERM: 'dumb' })
  await running.said('Waiting for the decision')
  await new Promise((done) => setTimeout(done, 300))
  assert.equal(running.output().split('Waiting for the decision').length, 2)
  assert.doesNotMatch(running.output(), /[⠋⠙⠹]/)
  running.child.stdin.write('\u0003')
  assert.equal((await running.ended).code, 130)
})
