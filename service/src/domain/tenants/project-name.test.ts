import assert from 'node:assert/strict'
import { test } from 'node:test'
import { projectName, readProjectName } from './tenant.ts'

test('a project name is one line of at most 60 characters without invisible ones; an empty one removes the name', () => {
  assert.deepEqual(readProjectName('  Notes\n\u202e\u200b for  teams '), {
    ok: true,
    name: 'Notes for teams',
  })
  assert.deepEqual(readProjectName(' \u200b '), { ok: true, name: null })
  assert.deepEqual(readProjectName('é'.repeat(60)), { ok: true, name: 'é'.repeat(60) })
  assert.deepEqual(readProjectName('x'.repeat(61)), {
    ok: false,
    problem: 'A name has at most 60 characters.',
  })
})

test('a project without a name is called by its brand, its first callback host or its id', () => {
  const project = {
    tenantId: 'swift-fox',
    name: 'Notes',
    brandName: 'Acme',
    callbackHosts: ['a.example', 'b.example'],
  }
  assert.equal(projectName(project), 'Notes')
  assert.equal(projectName({ ...project, name: null }), 'Acme')
  assert.equal(projectName({ ...project, name: null, brandName: null }), 'a.example')
  assert.equal(
    projectName({ ...project, name: null, brandName: null, callbackHosts: [] }),
    'swift-fox',
  )
})
