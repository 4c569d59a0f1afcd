import assert from 'node:assert/strict'
import path from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { type Manifest, readManifests } from '../../service/test/support/process/kubernetes.ts'

const MODELS = path.join(import.meta.dirname, 'programs/node_modules/kubernetes-models')

type Model = new (data: object) => { validate(): void }

/** The class that checks an object against the schema that the Kubernetes API has for it. */
async function modelOf({ apiVersion, kind }: Manifest): Promise<Model> {
  const file = pathToFileURL(path.join(MODELS, apiVersion, `${kind}.js`))
  return ((await import(file.href)) as Record<string, Model>)[kind] as Model
}

test('every object of deploy/kubernetes is valid for the schemas of the Kubernetes API, and a wrong field is not', async () => {
  const kinds = []
  for (const manifest of readManifests()) {
    const Model = await modelOf(manifest)
    new Model(manifest).validate()
    assert.throws(
      () => new Model({ ...manifest, metadata: { labels: 'gatehouse' } }).validate(),
      manifest.kind,
    )
    kinds.push(manifest.kind)
  }
  assert.deepEqual(kinds.sort(), ['Deployment', 'PodDisruptionBudget', 'Secret', 'Service'])
})
