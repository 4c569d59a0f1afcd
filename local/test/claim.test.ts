import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openClaim, requestClaim } from '../../service/test/support/actors/claim.ts'
import { world } from '../../service/test/support/world.ts'
import { assertProblem, createLocalFixture, type LocalFixture } from './support/machine.ts'
import { inTerminal } from './support/terminal.ts'

/** Starts `claim` and opens its link in a browser. */
async function startClaim(fixture: LocalFixture, ...args: string[]) {
  const running = fixture.machine.start(['claim', ...args])
  const output = await running.waitForOutput(/Confirmation code: \w+|"confirmation_code"/)
  const approval_url = /http:\S+\/c\/[\w-]+/.exec(output)?.[0] ?? ''
  const browser = fixture.browser()
  await openClaim(browser, { approval_url } as Parameters<typeof openClaim>[1])
  return { running, output, browser }
}

test('claim prints the link and the code, and exits when the user has approved', async (t) => {
  const fixture = await createLocalFixture(t)
  await fixture.machine.run('init')
  const { running, output, browser } = await startClaim(fixture)
  const code = /Confirmation code: (\w+)/.exec(output)?.[1] ?? ''
  assert.ok(browser.page.text.includes(code), 'the approval page shows the same code')
  await browser.press('Approve')
  const { code: exited, stdout, stderr } = await running.ended
  assert.equal(exited, 0, stderr)
  assert.match(stdout, /✓ Approved: the tenant is claimed and no longer expires/)
  assert.equal((await (await fixture.tenant()).status()).status, 'claimed')

  const again = await fixture.machine.run('claim', '--json')
  assert.deepEqual([again.code, again.json.length, again.json[0].status], [0, 1, 'approved'])
  assert.match((await fixture.machine.run('status')).stdout, /claimed, does not expire/)
})

test('claim --json prints two lines: the link and the decision', async (t) => {
  const fixture = await createLocalFixture(t)
  await fixture.machine.run('init')
  const { running, browser } = await startClaim(fixture, '--json')
  await browser.press('Approve')
  const { json } = await running.ended
  assert.deepEqual(
    json.map(({ status }) => status),
    ['pending', 'approved'],
  )
  assert.deepEqual(Object.keys(json[0]), [
    'status',
    'tenant_id',
    'approval_url',
    'confirmation_code',
    'expires_at',
  ])
})

test('a denied claim exits with claimDenied, and the tenant is unchanged', async (t) => {
  const fixture = await createLocalFixture(t)
  await fixture.machine.run('init')
  const { running, browser } = await startClaim(fixture, '--json')
  await browser.press('Deny')
  assertProblem(await running.ended, 1, 'claimDenied')
  assert.equal((await (await fixture.tenant()).status()).status, 'ephemeral')
})

test('a newer claim link ends the wait for an older one with claimExpired', async (t) => {
  const fixture = await createLocalFixture(t)
  await fixture.machine.run('init')
  const { running } = await startClaim(fixture, '--json')
  await requestClaim(await fixture.tenant())
  assertProblem(await running.ended, 1, 'claimExpired')
})

test('claim keeps waiting while the service restarts', async (t) => {
  const fixture = await createLocalFixture(t)
  await fixture.machine.run('init')
  const running = fixture.machine.start(['claim'])
  const output = await running.waitForOutput(/Confirmation code: \w+/)
  await fixture.stop()
  await running.waitForOutput('still waiting')
  const restarted = await world(t, { through: 'port', like: fixture })
  const browser = restarted.browser()
  await openClaim(browser, { approval_url: /http:\S+\/c\/[\w-]+/.exec(output)?.[0] ?? '' } as never)
  await browser.press('Approve')
  assert.equal((await running.ended).code, 0)
})

test('claim shows a spinner on a terminal, and Ctrl-C exits with 130', async (t) => {
  const fixture = await createLocalFixture(t)
  await fixture.machine.run('init')
  const running = inTerminal(t, fixture.machine, ['claim'])
  const output = await running.waitForOutput(/⠙.*⠹/s)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: matches a color escape sequence
  assert.match(output, /\u001b\[1mhttp:/)
  running.child.stdin.write('\u0003')
  const { code, stdout } = await running.ended
  assert.equal(code, 130)
  assert.match(stdout, /Interrupted/)
  assert.equal((await (await fixture.tenant()).status()).status, 'ephemeral')
})
