import type { App, Call } from '../dependencies.ts'
import { FAMILIES, type Family, type SeriesName } from './families.ts'

export const METRICS_PATH = '/metrics'

/** One value of one series. */
export interface Sample {
  readonly name: SeriesName
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

export const sample = (name: SeriesName, labels: Sample['labels'], value: number): Sample => ({
  name,
  labels,
  value,
})

/** Writes the Prometheus text format. Every line gets the labels in `common`. */
export function exposition(samples: readonly Sample[], common: Sample['labels']): string {
  return Object.entries(FAMILIES)
    .map(([name, { type, help }]) => {
      const familySamples = samples.filter((each) => familyOf(each.name, type) === name)
      if (familySamples.length === 0) {
        return ''
      }
      return [
        `# HELP ${name} ${help}`,
        `# TYPE ${name} ${type}`,
        ...familySamples.map((each) => line(each, common)),
        '',
      ].join('\n')
    })
    .join('')
}

const familyOf = (name: string, type: Family['type']): string =>
  type === 'histogram' ? name.replace(/_(bucket|sum|count)$/, '') : name

function line({ name, labels, value }: Sample, common: Sample['labels']): string {
  const pairs = Object.entries({ ...common, ...labels }).map(
    ([label, text]) => `${label}="${escapeLabel(text)}"`,
  )
  return `${name}${pairs.length === 0 ? '' : `{${pairs.join(',')}}`} ${value}`
}

const escapeLabel = (text: string): string =>
  text.replace(/[\\"\n]/g, (each) => (each === '\n' ? '\\n' : `\\${each}`))

const LOOPBACK = /^(?:::ffff:)?127\.|^::1$/
/** Headers that proxies add. A request with one is not local, even if its socket is a loopback connection. */
const FORWARDED = ['x-forwarded-for', 'forwarded', 'via', 'x-real-ip']

const CONTENT_TYPE = 'text/plain; version=0.0.4; charset=utf-8'

/** Serves metrics to a collector on the same machine; any other client gets 404, which does not reveal the route. */
export function metricsRoutes(app: App, text: () => string, notFound: (c: Call) => Response): void {
  app.get(METRICS_PATH, (c) => {
    if (!isLocalRequest(c)) {
      return notFound(c)
    }
    c.set('route', METRICS_PATH)
    c.header('Cache-Control', 'no-store')
    return c.body(text(), 200, { 'Content-Type': CONTENT_TYPE })
  })
}

const isLocalRequest = (c: Call): boolean =>
  LOOPBACK.test(c.env.incoming.socket.remoteAddress ?? '') &&
  !FORWARDED.some((name) => c.req.header(name) !== undefined)
