import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { readConfig } from '../../src/config.ts'
import { readDockerfile } from '../support/process/dockerfile.ts'
import { type Deployment, readManifests } from '../support/process/kubernetes.ts'

// What the manifests say about the image and the service. workshop/interop/kubernetes.test.ts validates them against the
// schemas of the Kubernetes API.

const ROOT = path.resolve(import.meta.dirname, '../../..')
const manifests = readManifests()
const find = <T>(kind: string): T => {
  const found = manifests.find((each) => each.kind === kind)
  assert.ok(found, kind)
  return found as T
}
const { spec } = find<Deployment>('Deployment')
const pod = spec.template.spec
const [container] = pod.containers
const image = readDockerfile(readFileSync(path.join(ROOT, 'Dockerfile'), 'utf8'))
const inImage = (name: string): string => image.findLast((each) => each.name === name)?.rest ?? ''
const environment = Object.fromEntries(container.env.map(({ name, value }) => [name, value]))

test('the settings of the Deployment and its Secret are valid, and the Secret has those that are secret', () => {
  const { stringData } = find<{ stringData: Record<string, string> }>('Secret')
  const inDockerfile = Object.fromEntries(
    inImage('ENV')
      .split(/\s+/)
      .map((pair) => pair.split('=')),
  )
  const settings = readConfig({ ...inDockerfile, ...environment, ...stringData })
  assert.ok(settings.ok, settings.ok ? '' : settings.problems.join('\n'))
  assert.deepEqual(Object.keys(stringData), [
    'DATABASE_URL',
    'SERVICE_KEYS',
    'GOOGLE_CLIENT_ID',
    'GOOGLE_CLIENT_SECRET',
  ])
})

test('the Service, the probes and the volumes are those of the image', () => {
  const { selector, ports } = find<{ spec: { selector: object; ports: { targetPort: string }[] } }>(
    'Service',
  ).spec
  assert.deepEqual(selector, spec.template.metadata.labels)
  assert.deepEqual(spec.selector.matchLabels, spec.template.metadata.labels)
  const budget = find<{ spec: { minAvailable: number; selector: { matchLabels: object } } }>(
    'PodDisruptionBudget',
  ).spec
  assert.deepEqual(budget.selector.matchLabels, spec.template.metadata.labels)
  assert.ok(budget.minAvailable < spec.replicas, 'a node can be drained')
  assert.deepEqual(container.ports, [
    { name: ports[0]?.targetPort, containerPort: Number(inImage('EXPOSE')) },
  ])
  const probes = [container.startupProbe, container.livenessProbe, container.readinessProbe]
  assert.deepEqual(
    probes.map(({ httpGet }) => httpGet.path),
    ['/healthz', '/healthz', '/readyz'],
  )
  assert.ok(container.volumeMounts.some(({ mountPath }) => mountPath === inImage('VOLUME')))
  assert.equal(container.securityContext.readOnlyRootFilesystem, true)
  assert.equal(pod.securityContext.runAsNonRoot, true)
})

test('an instance that stops is out of the Service before its port closes, and has the time that a stop takes', () => {
  const { periodSeconds, failureThreshold } = container.readinessProbe
  const stopAfterMs = Number(environment.STOP_AFTER_MS)
  assert.ok(stopAfterMs > periodSeconds * failureThreshold * 1_000)
  assert.equal(pod.terminationGracePeriodSeconds * 1_000, 20_000 + stopAfterMs)
})
