import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLocalFixture, writeTenantFile } from './support/machine.ts'

const PROBLEM = /Every callback URL has a wildcard, so the login link works only with redirect_uri/

test('with wildcard callbacks only, provision, status and doctor say that the login link needs redirect_uri', async (t) => {
  const { machine, browser } = await createLocalFixture(t, { realTime: true })
  await machine.run('init')
  const wildcard = await machine.run('provision', 'https://*.example.com/cb')
  assert.match(wildcard.stdout, PROBLEM)
  const link = /(http:\S+\/google)\n/.exec(wildcard.stdout)?.[1] ?? ''
  assert.equal((await browser().request(link)).status, 400, 'the link alone is refused')
  const given = /\?redirect_uri=\S+/.exec(wildcard.stdout)?.[0] ?? ''
  assert.equal(given, `?redirect_uri=${encodeURIComponent('https://app.example.com/cb')}`)
  assert.equal((await browser().request(link + given)).status, 302, 'the example works')
  assert.match((await machine.run('status')).stdout, PROBLEM)
  assert.match(
    (await machine.run('doctor')).stdout,
    new RegExp(`warn {2}callbacks .*${PROBLEM.source}.*\\n +→ .*--add`),
  )

  const both = await machine.run('provision', '--add', 'https://app.example.com/cb')
  assert.doesNotMatch(both.stdout, PROBLEM)
  assert.doesNotMatch((await machine.run('status')).stdout, PROBLEM)
  assert.match((await machine.run('doctor')).stdout, /ok {4}callbacks/)
})

test('status shows both classes of events, and the warning with the step that raises the limit', async (t) => {
  const { machine, agent, browser } = await createLocalFixture(t)
  const tenant = await agent.createTenant()
  await writeTenantFile(machine, tenant)
  const { refresh_token } = await tenant.signIn(browser())
  const calm = await machine.run('status')
  assert.match(calm.stdout, /This minute +2 of 5 events \(1 of 5 sign-ins and refreshes\)\n/)
  assert.match(calm.stdout, /Users +1 of 1,000\n/)
  assert.match(calm.stdout, /This month +2 events \(1 sign-in or refresh\)\n/)
  assert.match(calm.stdout, /Lifetime +2 of 100 events\n/)
  assert.doesNotMatch(calm.stdout, /Warning/)
  const second = await tenant.refresh(refresh_token)
  await tenant.refresh(second.refresh_token)
  const near = await machine.run('status')
  assert.match(
    near.stdout,
    /Warning +Events this minute: 4 of 5 used, 1 left\. Then new logins wait for the next minute/,
  )
  const { stdout } = await machine.run('doctor')
  assert.match(stdout, /warn {2}limits +Events this minute: 4 of 5 used, 1 left\. .*\n +→ Run: gatehouse-local claim/)
})
