import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { test } from 'node:test'
import { ROOT, tsc } from '../../../sdk/test/support/build.ts'
import { freshFolder } from '../support/postgres/engines.ts'
import { slow } from '../support/tags.ts'
import { world } from '../support/world.ts'
import { openApiTypes } from './openapi-types.ts'

const CLIENT = path.join(import.meta.dirname, 'typed-client/client.ts')

test('the types that are generated from openapi.json fit the requests and responses of a client', {
  skip: slow,
}, async () => {
  const folder = await freshFolder()
  const types = path.join(folder, 'types.d.ts')
  const config = path.join(folder, 'tsconfig.json')
  await writeFile(types, await openApiTypes())
  await writeFile(
    config,
    JSON.stringify({
      extends: path.join(ROOT, 'tsconfig.json'),
      compilerOptions: {
        paths: { 'generated-openapi-types': [types] },
        typeRoots: [path.join(ROOT, 'node_modules/@types')],
      },
      files: [CLIENT],
      include: [],
    }),
  )
  await tsc('-p', config)
})

// proves C178
test('a generated client can create a tenant, log in, use the session, read events, claim and delete', {
  skip: slow,
}, async (t) => {
  const { baseUrl, browser, clock } = await world(t, { through: 'port' })
  const user = browser()
  const { useService } = await import(CLIENT)
  await useService({
    baseUrl,
    async signIn(loginUrl: string) {
      await user.open(loginUrl)
      await user.press('Ada Lovelace')
      return (await user.press('Continue')).searchParams
    },
    async approve(approvalUrl: string) {
      clock.advance({ minutes: 1 })
      await user.open(approvalUrl)
      await user.press('Continue with Google')
      await user.press('Ada Lovelace')
      await user.press('Approve')
    },
  })
})
