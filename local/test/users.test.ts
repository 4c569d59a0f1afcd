import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLocalFixture, writeTenantFile } from './support/machine.ts'

test('users lists and searches users, and blocks, unblocks and deletes one', async (t) => {
  const { machine, agent, browser } = await createLocalFixture(t)
  const tenant = await agent.createTenant()
  await writeTenantFile(machine, tenant)
  const none = await machine.run('users')
  assert.deepEqual([none.code, none.stdout], [0, ''])
  assert.match(none.stderr, /No users/)

  const pair = await tenant.signIn(browser())
  await tenant.signIn(browser(), 'Grace Hopper')
  assert.match(
    (await machine.run('users')).stdout,
    /^#1 {2}ada@example\.com {2}Ada Lovelace .*\n#2 {2}grace@example/,
  )
  const found = await machine.run('users', '--search', 'gra', '--json')
  assert.deepEqual(
    found.json.map(({ id, blocked }) => [id, blocked]),
    [[2, false]],
  )

  assert.match((await machine.run('users', 'block', '1')).stdout, /ada@example\.com.*blocked/)
  assert.equal(await tenant.isValid(pair.access_token), false)
  assert.equal((await machine.run('users', '--blocked', '--json')).json.length, 1)
  assert.doesNotMatch((await machine.run('users', 'unblock', '1')).stdout, /blocked/)

  for (const args of [[], ['--confirm', 'grace@example.com']]) {
    const rejected = await machine.run('users', 'delete', '1', ...args)
    assert.deepEqual([rejected.code === 0, rejected.stdout], [false, ''])
    assert.match(rejected.stderr, /User 1 is ada@example\.com/)
  }
  assert.equal((await tenant.users()).length, 2, 'nothing is deleted without the address')
  const deleted = await machine.run(
    'users',
    'delete',
    '1',
    '--confirm',
    'ada@example.com',
    '--json',
  )
  assert.deepEqual([deleted.code, deleted.json], [0, [{ success: true }]])
  assert.deepEqual(
    (await tenant.users()).map(({ id }) => id),
    [2],
  )
  for (const args of [
    ['delete', '1'],
    ['block', '999'],
  ]) {
    assert.match((await machine.run('users', ...args)).stderr, /no user with this id/)
  }
  for (const args of [
    ['ban', '1'],
    ['block'],
    ['block', 'x'],
    ['--search', 'a'],
    ['--limit', '0x1'],
  ]) {
    assert.equal((await machine.run('users', ...args)).code, 2, args.join(' '))
  }
})
