import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLocalFixture } from './support/machine.ts'
import { inTerminal } from './support/terminal.ts'

// biome-ignore lint/suspicious/noControlCharactersInRegex: matches color escape sequences
const COLOR = /\u001b\[\d+m/

test('output on a terminal has color, unless --no-color, NO_COLOR or TERM=dumb is set', async (t) => {
  const { machine } = await createLocalFixture(t)
  const init = await inTerminal(t, machine, ['init']).ended
  assert.equal(init.code, 0, init.stdout)
  assert.match(init.stdout, COLOR)
  for (const [args, env] of [
    [['status', '--no-color'], {}],
    [['status'], { NO_COLOR: '1' }],
    [['status'], { TERM: 'dumb' }],
    [['doctor'], { NO_COLOR: 'yes' }],
  ] as const) {
    const { code, stdout } = await inTerminal(t, machine, args, env).ended
    assert.equal(code, 0, stdout)
    assert.doesNotMatch(stdout, COLOR)
  }
  assert.match((await inTerminal(t, machine, ['status']).ended).stdout, COLOR)
  const wrong = await inTerminal(t, machine, ['status', 'extra']).ended
  assert.equal(wrong.code, 2)
  assert.match(wrong.stdout, COLOR)
  // --json never has color, also on a terminal.
  const json = await inTerminal(t, machine, ['status', '--json']).ended
  assert.doesNotMatch(json.stdout, COLOR)
  assert.equal(json.json.length, 1)
})

test('feedback without a text on a terminal is a usage error', async (t) => {
  const { machine } = await createLocalFixture(t)
  await machine.run('init')
  const { code, stdout } = await inTerminal(t, machine, ['feedback']).ended
  assert.equal(code, 2)
  assert.match(stdout, /Usage: npx @gatehouse-auth\/local feedback <text/)
})

test('on a dumb terminal the spinner text is printed once, without animation', async (t) => {
  const { machine } = await createLocalFixture(t)
  await machine.run('init')
  const running = inTerminal(t, machine, ['claim'], { TERM: 'dumb' })
  await running.waitForOutput('Waiting for the decision')
  running.child.stdin.write('\u0003')
  const { code, stdout } = await running.ended
  assert.equal(code, 130)
  assert.equal(stdout.split('Waiting for the decision').length, 2)
  // An animation begins with a frame in front of the text.
  assert.doesNotMatch(stdout, /[⠋⠙⠹]/)
})
