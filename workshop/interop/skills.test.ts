import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { test } from 'node:test'
import { freshFolder } from '../../service/test/support/postgres/engines.ts'
import { world } from '../../service/test/support/world.ts'
import { launch, SKILLS, scriptOf } from './program.ts'

const NAMES = ['add-sign-in', 'fix-sign-in', 'manage-users']

test('npx skills finds our three skills at the address of the service, and installs them as they are', async (t) => {
  const { agent, baseUrl } = await world(t, { through: 'port' })
  const cwd = await freshFolder()
  const skills = async (...args: string[]): Promise<string> => {
    const env = { HOME: cwd, CI: '1', DO_NOT_TRACK: '1', DISABLE_TELEMETRY: '1' }
    const { code, output } = await launch(t, process.execPath, [scriptOf(SKILLS), ...args], {
      cwd,
      env,
    }).ended
    assert.equal(code, 0, output)
    return output
  }
  const listed = await skills('add', baseUrl, '--list')
  for (const name of NAMES) {
    assert.ok(listed.includes(name), listed)
  }
  const installed = await skills(
    'add',
    baseUrl,
    '--yes',
    '--copy',
    '--skill',
    '*',
    '--agent',
    'claude-code',
  )
  assert.match(installed, /Installed 3 skills/)
  for (const name of NAMES) {
    const { text } = await agent.call('GET', `/.well-known/agent-skills/${name}/SKILL.md`)
    assert.equal(await readFile(path.join(cwd, '.claude/skills', name, 'SKILL.md'), 'utf8'), text)
  }
})
