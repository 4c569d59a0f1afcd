import type { HandledRequest } from '../router.ts'
import { type Sample, sample } from './exposition.ts'

/** Upper ends, in seconds. Long polls are held for 25. */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 30] as const
const METHODS = new Set(['GET', 'POST', 'DELETE', 'HEAD', 'OPTIONS'])
/** Routes are names in our own code, and no caller can make one up; this is for a mistake of ours. */
const SERIES_MAX = 2_000

interface Series {
  readonly method: string
  readonly route: string
  readonly byStatus: Map<number, number>
  /** As many as ended in each bucket; the last one is for what took longer than all of them. */
  readonly buckets: number[]
  seconds: number
}

/** How many requests each route answered, with which status, and how long it took. */
export class RequestCounts {
  /** By route, then by method: no key has to be put together for each request. */
  readonly #series = new Map<string, Map<string, Series>>()
  #count = 0

  observe({ method, route, status, ms }: Pick<HandledRequest, 'method' | 'route' | 'status' | 'ms'>): void {
    const series = this.#seriesOf(METHODS.has(method) ? method : 'other', route)
    series.byStatus.set(status, (series.byStatus.get(status) ?? 0) + 1)
    const seconds = ms / 1_000
    const found = BUCKETS.findIndex((end) => seconds <= end)
    const at = found === -1 ? BUCKETS.length : found
    series.buckets[at] = (series.buckets[at] ?? 0) + 1
    series.seconds += seconds
  }

  samples(): Sample[] {
    const all = [...this.#series.values()].flatMap((ofRoute) => [...ofRoute.values()])
    return all.flatMap(({ method, route, byStatus, buckets, seconds }) => {
      const labels = { method, route }
      let reached = 0
      const upTo = [...BUCKETS, Number.POSITIVE_INFINITY].map((end, index) => {
        reached += buckets[index] ?? 0
        const le = Number.isFinite(end) ? String(end) : '+Inf'
        return sample('gatehouse_request_duration_seconds_bucket', { ...labels, le }, reached)
      })
      return [
        ...[...byStatus].map(([status, count]) =>
          sample('gatehouse_requests_total', { ...labels, status: String(status) }, count),
        ),
        ...upTo,
        sample('gatehouse_request_duration_seconds_sum', labels, seconds),
        sample('gatehouse_request_duration_seconds_count', labels, reached),
      ]
    })
  }

  #seriesOf(method: string, asked: string): Series {
    const known = this.#series.get(asked)?.get(method)
    if (known !== undefined) return known
    const route = this.#count < SERIES_MAX ? asked : '(other)'
    const ofRoute = this.#series.get(route) ?? new Map<string, Series>()
    this.#series.set(route, ofRoute)
    const series = ofRoute.get(method) ?? { method, route, byStatus: new Map(), buckets: [], seconds: 0 }
    if (!ofRoute.has(method)) this.#count++
    ofRoute.set(method, series)
    return series
  }
}
