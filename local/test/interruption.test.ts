import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import { test } from 'node:test'
import { waitUntil } from '../../service/test/support/process/wait-until.ts'
import { listen } from '../../service/test/support/transport/listen.ts'
import { createLocalFixture, createMachine, validCredentialsFile } from './support/machine.ts'
import { inTerminal } from './support/terminal.ts'

test('Ctrl-C during init says what may have happened, and leaves no file behind', async (t) => {
  const { machine, baseUrl } = await createLocalFixture(t)
  let isAsked = false
  const { port } = await listen(t, () => {
    isAsked = true
  })
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    isAsked = false
    const running = machine.start(['init'], { GATEHOUSE_URL: `http://localhost:${port}` })
    await waitUntil('the service is asked', () => isAsked)
    running.child.kill(signal)
    const { code, stdout, stderr } = await running.ended
    assert.deepEqual([code, stdout], [130, ''])
    assert.match(stderr, /^✗ Interrupted.*A guest tenant may have been created\.\n {2}→ .*72 hours/)
    assert.deepEqual(await readdir(machine.project), [])
  }
  const after = await machine.runWith({ env: { GATEHOUSE_URL: baseUrl } }, 'init')
  assert.equal(after.code, 0, after.stderr)
  assert.deepEqual((await readdir(machine.project)).sort(), [
    '.gitignore',
    '.npmrc',
    '.service',
    '.service.secret',
  ])
})

test('Ctrl-C says that it interrupted the command, and what the service may have done', async (t) => {
  let asked = 0
  const { port } = await listen(t, () => {
    asked++
  })
  const machine = await createMachine(t, {})
  await machine.write(validCredentialsFile(`http://localhost:${port}`))
  for (const [command, next] of [
    [['status'], /Nothing was changed\./],
    [['feedback', 'hello'], /The service may have received the request\./],
  ] as const) {
    const before = asked
    const running = inTerminal(t, machine, command)
    await waitUntil('the service is asked', () => asked > before)
    running.child.stdin.write('\u0003')
    const { code, stdout } = await running.ended
    assert.equal(code, 130, stdout)
    assert.match(stdout, /Interrupted\./)
    assert.match(stdout, next)
  }
  // Reading standard input is interrupted too. More than a pipe holds is written when the command has begun to read.
  const reading = machine.start(['feedback', '--json'])
  await new Promise((resolve) => reading.child.stdin.write('x'.repeat(4_000_000), resolve))
  reading.child.kill('SIGINT')
  const { code, json } = await reading.ended
  assert.deepEqual([code, json[0]?.error.code], [130, 'interrupted'])
})
