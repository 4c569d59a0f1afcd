import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Daily } from '../../../domain/events/daily.ts'
import { projectCard } from '../../console/projects/project-card.ts'
import { roundCeiling } from './bars.ts'
import { CHART_KINDS, type ChartKind, DAYS_SHOWN, lastDays } from './chart-kinds.ts'
import { eventChart } from './event-chart.ts'

const NOW = Date.parse('2026-11-15T14:03:20Z')

const quiet = { refreshes: 0, logouts: 0, failures: 0, starts: 0, denials: 0 }
const day = (date: string, logins: number, changes: Partial<Daily> = {}): Daily => ({
  day: date,
  logins,
  ...quiet,
  ...changes,
})

/** Every number is different, so that the tests notice a swap. */
const month: readonly Daily[] = lastDays([], NOW).map(({ day }, index) => ({
  day,
  logins: 1_000 + index,
  failures: 2_000 + index,
  refreshes: 3_000 + index,
  logouts: 4_000 + index,
  starts: 5_000 + index,
  denials: 6_000 + index,
}))

const chart = (daily: readonly Daily[], kind?: ChartKind): string =>
  String(eventChart(daily, NOW, DAYS_SHOWN, kind))
const rows = (page: string): string[] => page.match(/<tr>.*?<\/tr>/gs)?.slice(1) ?? []

interface Bar {
  readonly kind: string
  readonly x: number
  readonly width: number
  readonly y: number
  readonly height: number
}

const barsOf = (page: string): Bar[] =>
  [
    ...page.matchAll(
      /<rect class="(signed-in|failed)" x="([\d.]+)%" width="([\d.]+)%" y="(-?[\d.]+)" height="(-?[\d.]+)"\/>/g,
    ),
  ].map(([, kind = '', x, width, y, height]) => ({
    kind,
    x: Number(x),
    width: Number(width),
    y: Number(y),
    height: Number(height),
  }))

describe('the days of the chart', () => {
  test('are the last 30, from the oldest to today', () => {
    const days = lastDays([], NOW)
    assert.equal(days.length, DAYS_SHOWN)
    assert.equal(days[0]?.day, '2026-10-17')
    assert.equal(days.at(-1)?.day, '2026-11-15')
  })

  test('without data count zero, and days before the last 30 are omitted', () => {
    const days = lastDays([day('2026-11-14', 3), day('2026-10-16', 9)], NOW)
    assert.equal(days.at(-2)?.logins, 3)
    assert.equal(
      days.reduce((sum, { logins }) => sum + logins, 0),
      3,
    )
  })

  test('change at midnight UTC', () => {
    assert.equal(lastDays([], Date.parse('2026-11-15T23:59:59.999Z')).at(-1)?.day, '2026-11-15')
    assert.equal(lastDays([], Date.parse('2026-11-16T00:00:00.000Z')).at(-1)?.day, '2026-11-16')
  })
})

describe('the chart of events', () => {
  test('has a table with the same numbers, newest first', () => {
    const numbers = rows(chart(month)).map((row) => [
      row.match(/datetime="([^"]*)"/)?.[1],
      ...[...row.matchAll(/<td class="number">([\d,]+)<\/td>/g)].map(([, number = '']) =>
        Number(number.replaceAll(',', '')),
      ),
    ])
    assert.deepEqual(
      numbers,
      month
        .map((d) => [d.day, d.logins, d.starts, d.denials, d.failures, d.refreshes, d.logouts])
        .toReversed(),
    )
  })

  test('has an accessible name with the totals and the busiest day', () => {
    const page = chart([day('2026-11-14', 1_200, { failures: 2 }), day('2026-11-02', 34)])
    assert.match(
      page,
      /role="img" aria-label="1,234 sign-ins and 2 failed in the last 30 days\. Busiest day: 14 Nov, with 1,200 sign-ins\."/,
    )
  })

  test('shows a day and its numbers on hover', () => {
    const page = chart([day('2026-11-14', 1, { failures: 3 }), day('2026-11-15', 2)])
    assert.match(page, /<title>14 Nov: 1 sign-in, 3 failed<\/title>/)
    assert.match(page, /<title>15 Nov: 2 sign-ins<\/title>/)
  })

  test('has a scale of integers', () => {
    const labels = chart([day('2026-11-15', 13)]).match(/(?<=dominant-baseline="middle">)[^<]*/g)
    assert.deepEqual(labels, ['20', '10', '0'])
  })

  test('keeps every bar visible, inside its frame and clear of the next bar, even for extreme counts', () => {
    const extremes: readonly (readonly Daily[])[] = [
      month,
      [day('2026-10-17', 1), day('2026-11-15', 1)],
      [day('2026-11-14', 1), day('2026-11-15', 9e12)],
      [day('2026-11-15', 1_000_000, { failures: 1 })],
      [day('2026-11-15', 1, { failures: 1_000_000 })],
      [day('2026-11-15', 10, { failures: 0 })],
    ]
    for (const daily of extremes) {
      const bars = barsOf(chart(daily))
      assert.ok(bars.length > 0)
      for (const { x, width, y, height } of bars) {
        assert.ok(x >= 0 && x + width <= 100, `${x} + ${width}`)
        assert.ok(width < 100 / DAYS_SHOWN)
        assert.ok(y >= 10 && y + height <= 150.01, `${y} + ${height}`)
        assert.ok(height >= 2, `${height} is too low to see`)
      }
    }
  })

  test('stacks failed sign-ins on successful ones', () => {
    const [signedIn, failed] = barsOf(chart([day('2026-11-15', 6, { failures: 4 })]))
    assert.ok(signedIn && failed)
    assert.deepEqual([signedIn.kind, failed.kind], ['signed-in', 'failed'])
    assert.ok(failed.y + failed.height < signedIn.y)
    assert.equal(failed.x, signedIn.x)
  })

  test('shows a sentence and the table when there were no sign-ins', () => {
    for (const daily of [[], [day('2026-11-15', 0, { refreshes: 5 })], [day('2020-01-01', 7)]]) {
      assert.match(chart(daily), /No sign-ins in the last 30 days\./)
      assert.doesNotMatch(chart(daily), /<svg|NaN|Infinity/)
      assert.equal(rows(chart(daily)).length, DAYS_SHOWN)
    }
  })

  test('counts the kind of event that is chosen, and only that', () => {
    const daily = [
      day('2026-11-15', 7, { refreshes: 40, logouts: 3, failures: 2, starts: 9, denials: 1 }),
    ]
    const names = Object.values(CHART_KINDS).map(
      (kind) => chart(daily, kind).match(/(?<=aria-label=")[^"]*/)?.[0],
    )
    assert.deepEqual(names, [
      '7 sign-ins and 2 failed in the last 30 days. Busiest day: 15 Nov, with 7 sign-ins.',
      '9 started sign-ins in the last 30 days. Busiest day: 15 Nov, with 9 started sign-ins.',
      '1 declined sign-in in the last 30 days. Busiest day: 15 Nov, with 1 declined sign-in.',
      '2 failed sign-ins in the last 30 days. Busiest day: 15 Nov, with 2 failed sign-ins.',
      '40 refreshes in the last 30 days. Busiest day: 15 Nov, with 40 refreshes.',
      '3 sign-outs in the last 30 days. Busiest day: 15 Nov, with 3 sign-outs.',
    ])
    assert.deepEqual(
      Object.values(CHART_KINDS).map((kind) =>
        barsOf(chart(daily, kind)).map(({ kind: color }) => color),
      ),
      [
        ['signed-in', 'failed'],
        ['signed-in'],
        ['signed-in'],
        ['failed'],
        ['signed-in'],
        ['signed-in'],
      ],
    )
    assert.match(chart([], CHART_KINDS.refreshes), /No refreshes in the last 30 days\./)
  })

  test('names no busiest day when every sign-in failed', () => {
    assert.match(
      chart([day('2026-11-15', 0, { failures: 2 })]),
      /aria-label="0 sign-ins and 2 failed in the last 30 days\."/,
    )
  })
})

test('the scale ends on a round number whose half is an integer', () => {
  const cases = [
    [1, 2],
    [2, 2],
    [3, 4],
    [9, 10],
    [10, 10],
    [11, 20],
    [61, 80],
    [99, 100],
    [101, 200],
    [184_000, 200_000],
  ] as const
  for (const [highest, ceiling] of cases) {
    assert.equal(roundCeiling(highest), ceiling, `${highest}`)
  }
})

describe('the project card on the dashboard', () => {
  const card = (daily: readonly Daily[]): string =>
    String(
      projectCard(
        {
          tenant: {
            id: 'swift-fox-running-k3qd',
            suspension: null,
            createdAt: NOW,
            claimedAt: NOW,
          },
          name: 'swift-fox',
          logo: null,
          eventsThisMonth: 0,
          users: { total: 0 },
          activeSessions: 0,
          callbackHosts: [],
          daily,
          activity: [],
        },
        NOW,
      ),
    )

  test('shows a small chart with the same accessible name', () => {
    const page = card([day('2026-11-14', 5, { failures: 1 })])
    assert.match(
      page,
      /role="img" aria-label="5 sign-ins and 1 failed in the last 30 days\. Busiest day: 14 Nov/,
    )
    assert.match(page, /<dt>Sign-ins \(30 days\)<\/dt><dd>5<\/dd>/)
    for (const { y, height } of barsOf(page)) {
      assert.ok(y >= 0 && y + height <= 44)
    }
  })

  test('shows no chart without activity', () => {
    assert.doesNotMatch(card([]), /<svg|NaN/)
    assert.match(card([]), /No activity yet\./)
  })
})
