import assert from 'node:assert/strict'
import { createRequire } from 'node:module'
import path from 'node:path'
import { test } from 'node:test'
import { type Manifest, readManifests } from '../support/process/kubernetes.ts'

const requireProgram = createRequire(path.join(import.meta.dirname, 'programs/package.json'))

type Model = new (data: object) => { validate(): void }

/** The class that checks an object against the schema that the Kubernetes API has for it. */
const modelOf = ({ apiVersion, kind }: Manifest): Model =>
  (requireProgram(`kubernetes-models/${apiVersion}/${kind}`) as Record<string, Model>)[kind] as Model

test('every object of deploy/kubernetes is valid for the schemas of the Kubernetes API, and a wrong field is not', () => {
  const kinds = []
  for (const manifest of readManifests()) {
    const Model = modelOf(manifest)
    new Model(manifest).validate()
    assert.throws(() => new Model({ ...manifest, metadata: { labels: 'gatehouse' } }).validate(), manifest.kind)
    kinds.push(manifest.kind)
  }
  assert.deepEqual(kinds.sort(), ['Deployment', 'PodDisruptionBudget', 'Secret', 'Service'])
})
