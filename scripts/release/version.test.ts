import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  changelogSection,
  datedChangelog,
  documentWithVersion,
  lockWithVersion,
  withVersion,
} from './version.ts'

const CHANGELOG = '# Changelog\n\n## 0.2.0, unreleased\n\nNew.\n\n## 0.1.0, 2026-11-20\n\nOld.\n'

test('a release gives its section of the changelog the date, and says what to write if there is none', () => {
  const dated = datedChangelog(CHANGELOG, '0.2.0', '2027-01-31')
  assert.equal(dated, CHANGELOG.replace('unreleased', '2027-01-31'))
  assert.equal(changelogSection(dated, '0.2.0'), 'New.')
  assert.throws(
    () => datedChangelog(CHANGELOG, '0.3.0', '2027-01-31'),
    /no section "## 0\.3\.0, unreleased"/,
  )
  assert.throws(
    () => datedChangelog(CHANGELOG, '0.1.0', '2027-01-31'),
    /no section/,
    'it is released',
  )
  const empty = CHANGELOG.replace('New.', '')
  assert.throws(() => datedChangelog(empty, '0.2.0', '2027-01-31'), /is empty/)
})

test('a release sets the version of every package and of our packages that it depends on, and of no other', () => {
  const service = {
    name: 's',
    version: '0.1.0',
    dependencies: { '@gatehouse-auth/contract': '0.1.0', hono: '4.13.0' },
  }
  const released = {
    ...service,
    version: '0.2.0',
    dependencies: { '@gatehouse-auth/contract': '0.2.0', hono: '4.13.0' },
  }
  assert.deepEqual(withVersion(service, '0.2.0'), released)
  assert.deepEqual(withVersion({ version: '0.1.0' }, '0.2.0'), { version: '0.2.0' })
  const lock = {
    version: '0.1.0',
    packages: { '': { version: '0.1.0' }, service, 'node_modules/x': { version: '0.1.0' } },
  }
  assert.deepEqual(lockWithVersion(lock, ['', 'service'], '0.2.0'), {
    version: '0.2.0',
    packages: {
      '': { version: '0.2.0' },
      service: released,
      'node_modules/x': { version: '0.1.0' },
    },
  })
})

test('documents name the files and images of the release', () => {
  assert.equal(
    documentWithVersion(
      'gatehouse-auth-0.1.0.tgz, gatehouse:0.1.0, sdk-0.1.0.tgz, zod 0.1.0, gatehouse-0.1.01',
      '0.1.0',
      '0.2.0',
    ),
    'gatehouse-auth-0.2.0.tgz, gatehouse:0.2.0, sdk-0.2.0.tgz, zod 0.1.0, gatehouse-0.1.01',
  )
})
