import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { authenticateBearer } from '../../service/src/operations/oauth/tokens.ts'
import { type Engine, sqliteOnly } from '../../service/test/support/postgres/engines.ts'
import { type World, world } from '../../service/test/support/world.ts'
import { CLAUDE_CODE } from './claude-code.ts'
import { CODEX } from './codex.ts'
import {
  copyOf,
  expireStored,
  type Home,
  newHome,
  runSession,
  signIn,
  storedTokens,
} from './coding-agent.ts'
import { scriptedModel } from './scripted-model.ts'

const RUNS = 5

/** On other systems they store tokens in the developer's keychain, whatever the home folder. */
const skip = process.platform === 'linux' ? false : 'needs Linux'

/** Both agents, installed from npm and signed in with their own commands, and the OAuth responses that they get afterwards. */
async function signedInAgents(t: TestContext, engine: Engine) {
  const here = await world(t, { through: 'port', engine })
  const urls = { mcp: `${here.baseUrl}/mcp`, model: await scriptedModel(t) }
  const [claude, codex] = [await newHome(CLAUDE_CODE, urls), await newHome(CODEX, urls)]
  for (const home of [claude, codex]) {
    await signIn(t, here, home)
  }
  const oauthResponses: string[] = []
  here.app.server.on('request', ({ url = '' }, response) => {
    if (url.startsWith('/oauth/')) {
      response.on('finish', () => oauthResponses.push(`${url} ${response.statusCode}`))
    }
  })
  return { here, claude, codex, oauthResponses }
}

const grantOf = async (here: World, home: Home) =>
  (await authenticateBearer(here.app.ctx, (await storedTokens(here, home)).access)).id

/** An hour later each session starts with an expired access token; all of them start at once. */
async function runAtOnce(t: TestContext, here: World, homes: readonly Home[]): Promise<void> {
  here.clock.advance({ hours: 1 })
  for (const home of new Set(homes)) {
    await expireStored(home)
  }
  const outputs = await Promise.all(homes.map((home) => runSession(t, home)))
  for (const output of outputs) {
    assert.match(output, /The tenant is claimed\./)
  }
}

// proves C118
test('three claude -p and two codex exec that start at once with an expired access token stay signed in, five times in a row', {
  skip,
}, async (t) => {
  const { here, claude, codex, oauthResponses } = await signedInAgents(t, 'sqlite')
  const grants = [await grantOf(here, claude), await grantOf(here, codex)]
  for (let run = 0; run < RUNS; run++) {
    await runAtOnce(t, here, [claude, claude, claude, codex, codex])
  }
  assert.deepEqual(
    [await grantOf(here, claude), await grantOf(here, codex)],
    grants,
    'no grant was revoked',
  )
  assert.ok(oauthResponses.length >= 2 * RUNS)
  assert.deepEqual(
    new Set(oauthResponses),
    new Set(['/oauth/token 200']),
    'no session signed in again',
  )
})

// proves C118
test('three claude -p and two codex exec, each with a copy of one stored refresh token, stay signed in five times in a row, and so do two more 7 min 45 s later', {
  skip: skip || sqliteOnly,
}, async (t) => {
  const { here, claude, codex, oauthResponses } = await signedInAgents(t, 'postgres')
  const grants = [await grantOf(here, claude), await grantOf(here, codex)]
  // Copies have no common lock file, so every session sends the same refresh token.
  const claudes = [claude, await copyOf(claude), await copyOf(claude)]
  const codexes = [codex, await copyOf(codex)]
  let late: Home[] = []
  for (let run = 0; run < RUNS; run++) {
    late = [await copyOf(claude), await copyOf(codex)]
    await runAtOnce(t, here, [...claudes, ...codexes])
  }
  here.clock.advance({ minutes: 7, seconds: 45 })
  for (const home of late) {
    await expireStored(home)
    assert.match(await runSession(t, home), /The tenant is claimed\./)
  }
  for (const homes of [
    [...claudes, ...late.slice(0, 1)],
    [...codexes, ...late.slice(1)],
  ]) {
    const tokens = await Promise.all(homes.map((home) => storedTokens(here, home)))
    assert.equal(
      new Set(tokens.map(({ refresh }) => refresh)).size,
      1,
      'one current refresh token, no second chain',
    )
    assert.equal(
      new Set(tokens.map(({ access }) => access)).size,
      homes.length,
      'an access token for each session',
    )
  }
  assert.deepEqual(
    [await grantOf(here, claude), await grantOf(here, codex)],
    grants,
    'no grant was revoked',
  )
  const refreshes = RUNS * (claudes.length + codexes.length) + late.length
  assert.deepEqual(
    oauthResponses,
    Array(refreshes).fill('/oauth/token 200'),
    'every session refreshed by itself',
  )
})
