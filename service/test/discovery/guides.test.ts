import assert from 'node:assert/strict'
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { type TestContext, test } from 'node:test'
import type { Tenant } from '../support/actors/agent.ts'
import { claim } from '../support/actors/claim.ts'
import { freshFolder } from '../support/postgres/engines.ts'
import { run } from '../support/process/run.ts'
import { slow } from '../support/tags.ts'
import { type World, world } from '../support/world.ts'

const CLI = path.resolve(import.meta.dirname, '../../../local/src/cli.ts')

/** A project with the tenant's `.service`, where `npx` runs the command of this repository. */
async function shellFor(
  tenant: Tenant,
): Promise<{ cwd: string; shell: (commands: string) => Promise<string> }> {
  const folder = await freshFolder()
  const [cwd, bin] = [path.join(folder, 'project'), path.join(folder, 'bin')]
  for (const each of [cwd, bin]) {
    await mkdir(each)
  }
  await writeFile(path.join(cwd, '.service'), tenant.created.credentials_file.content, {
    mode: 0o600,
  })
  await writeFile(
    path.join(bin, 'npx'),
    `#!/bin/sh\nshift\nexec '${process.execPath}' '${CLI}' "$@"\n`,
  )
  await chmod(path.join(bin, 'npx'), 0o755)
  // No request of the command may time out on a busy machine.
  const env = { PATH: `${bin}:${process.env.PATH}`, HOME: folder, GATEHOUSE_TIMEOUT: '600' }
  return { cwd, shell: (commands) => run('/bin/sh', ['-euc', commands], { cwd, env }) }
}

/** The shell commands of a page, in one script. */
async function commandsOf({ agent }: World, page: string): Promise<string> {
  const { status, text } = await agent.call('GET', `/docs/${page}.md`)
  assert.equal(status, 200, page)
  return [...text.matchAll(/^```sh\n(.*?)^```/gms)].map(([, commands]) => commands).join('')
}

async function follow(t: TestContext, page: string) {
  const here = await world(t, { through: 'port' })
  const tenant = await here.agent.createTenant()
  await tenant.signIn(here.browser())
  await claim(tenant, here.browser())
  const { cwd, shell } = await shellFor(tenant)
  return { ...here, tenant, cwd, shell, commands: await commandsOf(here, page) }
}

const audited = async (tenant: Tenant): Promise<string[]> =>
  (await tenant.manage('GET', '/api/audit?after=3')).json.actions.map(
    ({ action }: { action: string }) => action,
  )

test('the commands of the guide to users work as printed', { skip: slow }, async (t) => {
  const { tenant, browser, cwd, shell, commands } = await follow(t, 'users')
  await tenant.signIn(browser(), 'Grace Hopper')
  const output = await shell(commands)
  assert.match(output, /"email":"ada@example\.com".*"blocked":false/)
  assert.match(output, /"created":0,"existing":1,"failed":0/)
  assert.match(await readFile(path.join(cwd, 'users.ndjson'), 'utf8'), /"subject":/)
  // Each by curl and by the command.
  const claims = ['user.claims_changed', 'user.claims_changed']
  const transfers = ['users.exported', 'users.exported', 'users.imported', 'users.imported']
  assert.deepEqual(await audited(tenant), [
    'user.blocked',
    'user.unblocked',
    ...claims,
    'user.merged',
    'user.deleted',
    ...transfers,
  ])
})

// proves C188
test('the commands of the guide to settings work as printed', { skip: slow }, async (t) => {
  const { tenant, shell, commands } = await follow(t, 'settings')
  const output = await shell(commands)
  assert.match(output, /"refresh_leeway_seconds":10/)
  assert.match(output, /^allowed_domains=example\.com$/m)
  const { json } = await tenant.manage('GET', '/api/social-login/settings')
  assert.deepEqual([json.allowed_domains, json.allowed_emails], [[], []])
})

test('the commands of the guide to ID tokens work as printed', { skip: slow }, async (t) => {
  const { tenant, shell, commands } = await follow(t, 'id-tokens')
  assert.match(
    await shell(commands),
    /^id_tokens=\{"audiences":\["my-database"\],"claims":\{"role":"authenticated"\}\}$/m,
  )
  assert.deepEqual(await audited(tenant), ['settings.changed', 'settings.changed'])
})

test('the commands of the guide to invitations work as printed', { skip: slow }, async (t) => {
  const { tenant, shell, commands } = await follow(t, 'invitations')
  const output = await shell(commands)
  const links = output.match(/invitation=svc_in_[\w-]{43}/g)
  assert.deepEqual([links?.length, new Set(links).size], [3, 3], 'each with its own link')
  // Each creation by the command, and the list.
  assert.equal(output.match(/^inv_\w{16} +ada@example\.com +0 of 1 used/gm)?.length, 3)
  assert.equal(output.match(/^inv_\w{16} +anyone with the link +0 of 20 used/gm)?.length, 2)
  const { invitations } = (await tenant.manage('GET', '/api/social-login/invitations')).json
  // All three were created at the same time of the clock.
  assert.deepEqual(
    invitations
      .map(({ email, uses, claims }: Record<string, unknown>) =>
        JSON.stringify([email, uses, claims]),
      )
      .sort(),
    [
      '["ada@example.com",1,{"role":"editor"}]',
      '["ada@example.com",1,{"role":"editor"}]',
      '[null,20,{"role":"editor","team":"docs"}]',
    ],
  )
  assert.equal((await tenant.manage('GET', '/api/social-login/settings')).json.admission, 'invited')
})

// proves C188
test('the commands of the guide to refused sign-ins work as printed', { skip: slow }, async (t) => {
  const { tenant, browser, shell, commands } = await follow(t, 'refusals')
  await browser().open(`${tenant.loginUrl}?redirect_uri=https://app.example.com/calback`)
  const output = await shell(commands)
  assert.match(output, /"sent":"https:\/\/app\.example\.com\/calback".*"fix":"Send redirect_uri=/)
  assert.match(output, /^warn +sign-ins +Refused once \(invalidRedirectUri\)/m)
})

// proves C188
test('the commands of the guide to the audit work as printed', { skip: slow }, async (t) => {
  const { shell, commands } = await follow(t, 'audit')
  const output = await shell(commands)
  assert.match(output, /"action":"social_login\.provisioned"/)
  assert.match(output, /tenant\.claimed +account:/)
})

test('the commands of the guide to webhooks work as printed, and print a secret only where the API does', {
  skip: slow,
}, async (t) => {
  const { tenant, shell, commands } = await follow(t, 'webhooks')
  const { webhook } = (
    await tenant.manage('POST', '/api/webhooks', { url: 'https://app.example.com/first' })
  ).json
  const output = await shell(commands.replaceAll('<id>', webhook.id))
  assert.equal(output.match(/whsec_/g)?.length, 1, 'curl, and not the command')
  const { webhooks } = (await tenant.manage('GET', '/api/webhooks')).json
  assert.equal(webhooks.length, 3)
  const { url } = webhooks.find(({ id }: { id: string }) => id === webhook.id)
  assert.equal(url, 'https://app.example.com/hooks', 'no longer the first')
  assert.deepEqual(await audited(tenant), [
    ...['webhook.created', 'webhook.created', 'webhook.created'],
    // Its URL, then it is enabled by curl and by the command.
    ...['webhook.changed', 'webhook.changed', 'webhook.changed'],
  ])
})

test('the audit guide lists every action', async (t) => {
  const { agent } = await world(t, { through: 'port' })
  const { text } = await agent.call('GET', '/docs/audit.md')
  const { components } = (await agent.call('GET', '/openapi.json')).json
  const actions: string[] = components.schemas.AuditEntry.properties.action.enum
  assert.deepEqual(
    actions.filter((action) => !text.includes(`\`${action}\``)),
    [],
  )
})
