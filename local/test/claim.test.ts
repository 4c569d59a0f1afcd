import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openClaim, requestClaim } from '../../service/test/support/actors/claim.ts'
import { world } from '../../service/test/support/world.ts'
import { assertApiError, type LocalWorld, localWorld } from './support/bench.ts'
import { inTerminal } from './support/terminal.ts'

/** Starts `claim`, and stands before the page that its link leads to. */
async function waiting(at: LocalWorld, ...args: string[]) {
  const running = at.bench.start(['claim', ...args])
  const said = await running.said(/Confirmation code: \w+|"confirmation_code"/)
  const approval_url = /http:\S+\/c\/[\w-]+/.exec(said)?.[0] ?? ''
  const person = at.browser()
  await openClaim(person, { approval_url } as Parameters<typeof openClaim>[1])
  return { running, said, person }
}

test('claim prints the link and the code, and ends when the person has approved', async (t) => {
  const at = await localWorld(t)
  await at.bench.run('init')
  const { running, said, person } = await waiting(at)
  const code = /Confirmation code: (\w+)/.exec(said)?.[1] ?? ''
  assert.ok(person.page.text.includes(code), 'the page shows the same code')
  await person.press('Approve')
  const { code: exited, stdout, stderr } = await running.ended
  assert.equal(exited, 0, stderr)
  assert.match(stdout, /✓ Approved: the tenant is owned and no longer expires/)
  assert.equal((await (await at.tenant()).status()).status, 'claimed')

  const again = await at.bench.run('claim', '--json')
  assert.deepEqual([again.code, again.json.length, again.json[0].status], [0, 1, 'approved'])
  assert.match((await at.bench.run('status')).stdout, /owned, does not expire/)
})

test('for programs there are two lines: the link, and the decision', async (t) => {
  const at = await localWorld(t)
  await at.bench.run('init')
  const { running, person } = await waiting(at, '--json')
  await person.press('Approve')
  const { json } = await running.ended
  assert.deepEqual(
    json.map(({ status }) => status),
    ['pending', 'approved'],
  )
  assert.deepEqual(Object.keys(json[0]), ['status', 'tenant_id', 'approval_url', 'confirmation_code', 'expires_at'])
})

test('a no is told as such, and the tenant is as it was', async (t) => {
  const at = await localWorld(t)
  await at.bench.run('init')
  const { running, person } = await waiting(at, '--json')
  await person.press('Deny')
  assertApiError(await running.ended, 1, 'claimDenied')
  assert.equal((await (await at.tenant()).status()).status, 'ephemeral')
})

test('a newer link ends the wait for an older one', async (t) => {
  const at = await localWorld(t)
  await at.bench.run('init')
  const { running } = await waiting(at, '--json')
  await requestClaim(await at.tenant())
  assertApiError(await running.ended, 1, 'claimExpired')
})

test('a service that restarts meanwhile does not end the wait', async (t) => {
  const at = await localWorld(t)
  await at.bench.run('init')
  const running = at.bench.start(['claim'])
  const said = await running.said(/Confirmation code: \w+/)
  await at.stop()
  await running.said('still waiting')
  const restarted = await world(t, { like: at })
  const person = restarted.browser()
  await openClaim(person, { approval_url: /http:\S+\/c\/[\w-]+/.exec(said)?.[0] ?? '' } as never)
  await person.press('Approve')
  assert.equal((await running.ended).code, 0)
})

test('on a terminal something moves while it waits, and Ctrl-C ends it in good order', async (t) => {
  const at = await localWorld(t)
  await at.bench.run('init')
  const running = inTerminal(t, at.bench, ['claim'])
  const said = await running.said(/⠙.*⠹/s)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: colours are what is looked for
  assert.match(said, /\u001b\[1mhttp:/)
  running.child.stdin.write('\u0003')
  const { code, stdout } = await running.ended
  assert.equal(code, 130)
  assert.match(stdout, /Stopped/)
  assert.equal((await (await at.tenant()).status()).status, 'ephemeral')
})
