import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'

// js-yaml has no types.
const { loadAll } = createRequire(import.meta.url)('js-yaml') as {
  loadAll(text: string): unknown[]
}

const FOLDER = path.resolve(import.meta.dirname, '../../../../deploy/kubernetes')

export interface Manifest {
  readonly apiVersion: string
  readonly kind: string
}

interface Probe {
  readonly httpGet: { readonly path: string }
  readonly periodSeconds: number
  readonly failureThreshold: number
}

/** The fields that tests read. */
export interface Deployment extends Manifest {
  readonly spec: {
    readonly replicas: number
    readonly selector: { readonly matchLabels: object }
    readonly template: {
      readonly metadata: { readonly labels: object }
      readonly spec: {
        readonly terminationGracePeriodSeconds: number
        readonly securityContext: { readonly runAsNonRoot: boolean }
        readonly containers: readonly [
          {
            readonly env: readonly { readonly name: string; readonly value: string }[]
            readonly ports: readonly object[]
            readonly startupProbe: Probe
            readonly livenessProbe: Probe
            readonly readinessProbe: Probe
            readonly securityContext: { readonly readOnlyRootFilesystem: boolean }
            readonly volumeMounts: readonly { readonly mountPath: string }[]
          },
        ]
      }
    }
  }
}

/** Every object of deploy/kubernetes. */
export const readManifests = (): Manifest[] =>
  ['gatehouse.yaml', 'secret.example.yaml'].flatMap(
    (file) => loadAll(readFileSync(path.join(FOLDER, file), 'utf8')) as Manifest[],
  )
