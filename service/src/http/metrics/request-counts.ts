import type { HandledRequest } from '../router.ts'
import { type Sample, sample } from './exposition.ts'

/** Upper bounds in seconds. A long poll takes up to 25. */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 30] as const
const METHODS = new Set(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'])
/** Bounds the label cardinality if a bug records raw paths. Route names come from code, so no client can add one. */
const SERIES_MAX = 2_000

interface Series {
  readonly method: string
  readonly route: string
  readonly byStatus: Map<number, number>
  /** Requests per bucket, not cumulative; the last one counts requests above every bound. */
  readonly buckets: number[]
  seconds: number
}

/** Request counts and durations by route, method and status. */
export class RequestCounts {
  /** Nested by route and method, so that no request has to build a string key. */
  readonly #series = new Map<string, Map<string, Series>>()
  #count = 0

  observe({ method, route, status, ms }: Pick<HandledRequest, 'method' | 'route' | 'status' | 'ms'>): void {
    const series = this.#seriesOf(METHODS.has(method) ? method : 'other', route)
    series.byStatus.set(status, (series.byStatus.get(status) ?? 0) + 1)
    const seconds = ms / 1_000
    let at = 0
    while (at < BUCKETS.length && seconds > (BUCKETS[at] as number)) at++
    series.buckets[at] = (series.buckets[at] ?? 0) + 1
    series.seconds += seconds
  }

  samples(): Sample[] {
    const all = [...this.#series.values()].flatMap((ofRoute) => [...ofRoute.values()])
    return all.flatMap(({ method, route, byStatus, buckets, seconds }) => {
      const labels = { method, route }
      let cumulative = 0
      const upTo = [...BUCKETS, Number.POSITIVE_INFINITY].map((end, index) => {
        cumulative += buckets[index] ?? 0
        const le = Number.isFinite(end) ? String(end) : '+Inf'
        return sample('gatehouse_request_duration_seconds_bucket', { ...labels, le }, cumulative)
      })
      return [
        ...[...byStatus].map(([status, count]) =>
          sample('gatehouse_requests_total', { ...labels, status: String(status) }, count),
        ),
        ...upTo,
        sample('gatehouse_request_duration_seconds_sum', labels, seconds),
        sample('gatehouse_request_duration_seconds_count', labels, cumulative),
      ]
    })
  }

  #seriesOf(method: string, requestedRoute: string): Series {
    const known = this.#series.get(requestedRoute)?.get(method)
    if (known !== undefined) return known
    const route = this.#count < SERIES_MAX ? requestedRoute : '(other)'
    const ofRoute = this.#series.get(route) ?? new Map<string, Series>()
    this.#series.set(route, ofRoute)
    const series = ofRoute.get(method) ?? { method, route, byStatus: new Map(), buckets: [], seconds: 0 }
    if (!ofRoute.has(method)) this.#count++
    ofRoute.set(method, series)
    return series
  }
}
