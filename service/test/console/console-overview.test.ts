import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  FRAMEWORK_NAMES,
  FRAMEWORKS,
  type Framework,
} from '../../../local/src/recipes/frameworks.ts'
import { FRAMEWORKS as SHOWN } from '../../src/http/console/projects/frameworks.ts'
import { signInToAccount } from '../support/actors/account.ts'
import { claim, openClaim, requestClaim } from '../support/actors/claim.ts'
import { textOf } from '../support/actors/page-checks.ts'
import { ENGINES } from '../support/postgres/engines.ts'
import { world } from '../support/world.ts'

const currentLinks = (html: string): (string | undefined)[] =>
  [...html.matchAll(/<a href="[^"]*" aria-current="true"[^>]*>([^<]*)</g)].map(([, words]) => words)

for (const engine of ENGINES) {
  // proves C265
  test(`[${engine}] the overview counts each kind of event over 7, 30 or 90 days, and its activity is filtered by event and user and listed in pages`, async (t) => {
    const { agent, browser, baseUrl, clock } = await world(t, { engine })
    const tenant = await agent.createTenant()
    await claim(tenant, browser(), 'Alan Turing')
    for (let signIn = 0; signIn < 7; signIn++) {
      await tenant.signIn(browser(), 'Ada Lovelace')
    }
    clock.advance({ days: 40 })
    for (let signIn = 0; signIn < 8; signIn++) {
      await tenant.signIn(browser(), 'Grace Hopper')
    }
    const owner = await signInToAccount(baseUrl, browser(), 'Alan Turing')
    const show = async (query: string): Promise<string> => {
      await owner.open(`${baseUrl}/account/projects/${tenant.id}${query}`)
      assert.equal(owner.page.status, 200)
      return textOf(owner.page.text)
    }
    const events = () => [
      ...owner.page.text.matchAll(
        /<td class="event">(?:<details><summary>)?([^<]*)<.*?\/td>\s*<td class="who">(.*?)<\/td>/g,
      ),
    ]
    assert.match(await show('?days=7'), /Sign-ins \(7 days\) 8/)
    assert.match(await show(''), /Sign-ins \(30 days\) 8/)
    assert.match(await show('?days=90'), /Sign-ins \(90 days\) 15/)
    assert.match(
      await show('?days=5000'),
      /Sign-ins \(30 days\) 8/,
      'an unknown period has no effect',
    )

    const chart = () => /class="bars" role="img" aria-label="([^"]*)"/.exec(owner.page.text)?.[1]
    await show('?days=90&chart=started')
    assert.match(chart() ?? '', /^15 started sign-ins in the last 90 days/)
    assert.deepEqual(currentLinks(owner.page.text), ['90 days', 'Started'])
    await owner.follow('7 days')
    assert.match(
      chart() ?? '',
      /^8 started sign-ins in the last 7 days/,
      'the period keeps the kind',
    )
    await owner.follow('Refreshes')
    assert.match(owner.page.text, /No refreshes in the last 7 days/, 'the kind keeps the period')
    await show('?chart=constructor')
    assert.match(
      chart() ?? '',
      /^8 sign-ins and 0 failed in the last 30 days/,
      'an unknown kind has no effect',
    )

    await show('?event=authorize&user=1')
    assert.deepEqual(
      events().map(([, event, who = '']) => [event, textOf(who).trim()]),
      Array.from({ length: 7 }, () => ['Signed in', 'ada@example.com']),
    )
    await owner.press('Filter', { user: '99' })
    assert.match(owner.page.text, /No event matches/)
    await show('')
    const first = events().filter(([, event]) => event === 'Signed in').length
    assert.equal(first, 15)
    assert.match(owner.page.text, /data-live=/)
    await show('?before=5')
    assert.doesNotMatch(owner.page.text, /data-live=/, 'older pages do not change')
    await show('?event=nonsense&user=x&before=-1')
    assert.equal(events().length, 15, 'one line for each sign-in')
    assert.doesNotMatch(owner.page.text, /not finished/)
    await browser().open(tenant.loginUrl)
    assert.match(await show(''), /1 sign-in was started and not finished/)
  })
}

// proves C266
test('the first steps mark what happened, and are gone after the first sign-in', async (t) => {
  const { app, agent, browser, baseUrl } = await world(t)
  const tenant = await agent.createTenant()
  const owner = browser()
  await openClaim(owner, await requestClaim(tenant))
  // With new keys: those of the guest have been used, which is written within a second.
  await owner.press('Approve', { keys: 'now' })
  const [key = ''] = /svc_man_\w+/.exec(owner.page.text) ?? []
  const stepsShown = (): string[] =>
    [...owner.page.text.matchAll(/<li class="step (done|open)"><h3>([^<]*)/g)].map(
      ([, state, title]) => `${title?.trim()}: ${state}`,
    )
  const steps = async (query = ''): Promise<string[]> => {
    await owner.open(`${baseUrl}/account/projects/${tenant.id}${query}`)
    return stepsShown()
  }
  const marked = (keys: string, framework: string): string[] => [
    'The project is yours: done',
    `Put the keys into your app: ${keys}`,
    `Choose your framework: ${framework}`,
    'Register the callback of your app: done',
    'Sign in for the first time: open',
  ]
  await app.flush()
  assert.deepEqual(await steps(), marked('open', 'open'))
  assert.deepEqual(
    await steps('?framework=cobol'),
    marked('open', 'open'),
    'an unknown framework has no effect',
  )
  assert.doesNotMatch(textOf(owner.page.text), /init --framework/)
  assert.equal(owner.page.text.split('(done)').length - 1, 2, 'only steps that are done say so')
  assert.doesNotMatch(
    textOf(owner.page.text),
    /where users return to/,
    'a step that is done explains nothing',
  )

  const openid = /<details class="openid">.*?<\/details>/s.exec(owner.page.text)?.[0] ?? ''
  assert.equal(
    textOf(openid).trim(),
    `Use any OpenID library Issuer: ${baseUrl}/edge/auth/${tenant.id} Client id: ${tenant.id} Client secret: the line coh_application_key of .service . Pages and apps on a device have no secret and use PKCE. All libraries, with their lines`,
  )
  assert.match(openid, /href="\/docs\/openid">/)
  assert.doesNotMatch(owner.page.text, /svc_/, 'never the key itself')

  await owner.follow('Hono')
  assert.deepEqual(stepsShown(), marked('open', 'done'))
  assert.deepEqual(
    currentLinks(/<nav[^>]*aria-label="Framework".*?<\/nav>/s.exec(owner.page.text)?.[0] ?? ''),
    ['Hono'],
  )
  assert.doesNotMatch(owner.page.text, /framework=\w+#first-steps"[^>]* target=/)
  for (const command of [
    `npx --@gatehouse-auth:registry=${baseUrl}/packages/npm/ @gatehouse-auth/local init --framework hono`,
    'npm install @gatehouse-auth/sdk hono @hono/node-server',
    'node server.js',
  ]) {
    assert.ok(textOf(owner.page.text).includes(command), command)
  }
  await owner.follow('7 days')
  assert.deepEqual(
    stepsShown(),
    marked('open', 'done'),
    'the other links of the page keep the choice',
  )

  assert.equal((await tenant.call('GET', '/api/status', key)).status, 200)
  await app.flush()
  assert.deepEqual(await steps(), marked('done', 'done'), 'a used key completes both')
  assert.doesNotMatch(textOf(owner.page.text), /Prompt for a coding agent|init --framework|OpenID/)
  assert.match(owner.page.text, new RegExp(`href="/edge/auth/${tenant.id}/google" target="_blank"`))
  await tenant.signIn(browser(), 'Ada Lovelace')
  assert.deepEqual(await steps(), [])
})

// proves C266
test('the console names the frameworks of the command line, with its packages and commands', () => {
  assert.deepEqual(SHOWN.map(({ name }) => name).sort(), [...FRAMEWORK_NAMES].sort())
  for (const { name, label, install, start } of SHOWN) {
    const framework: Framework = FRAMEWORKS[name as keyof typeof FRAMEWORKS]
    const { language, packages = '', port } = framework
    assert.deepEqual(
      [label, install, start],
      [
        framework.label,
        language === undefined ? packages : null,
        framework.start.replaceAll('{port}', String(port)),
      ],
    )
  }
})
