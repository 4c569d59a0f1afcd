import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { type TestContext, test } from 'node:test'
import { FAMILIES } from '../../src/http/metrics/families.ts'
import { sqliteOnly } from '../support/postgres/engines.ts'
import { waitUntil } from '../support/process/wait-until.ts'
import { world } from '../support/world.ts'

// js-yaml has no types.
const { load } = createRequire(import.meta.url)('js-yaml') as { load(text: string): unknown }

const read = (file: string): string =>
  readFileSync(new URL(`../../../${file}`, import.meta.url), 'utf8')

interface Rule {
  readonly alert: string
  readonly expr: string
  readonly annotations: { readonly summary: string; readonly runbook_url: string }
}

interface Dashboard {
  readonly panels: readonly {
    readonly id: number
    readonly title: string
    readonly targets: readonly { expr: string }[]
  }[]
  readonly templating: { readonly list: readonly { readonly query: string }[] }
}

const rules = (load(read('deploy/alerts.yaml')) as { groups: { rules: Rule[] }[] }).groups.flatMap(
  (group) => group.rules,
)
const dashboard = JSON.parse(read('deploy/grafana-dashboard.json')) as Dashboard

/** Where each stands, and its expression. */
const expressions = [
  ...rules.map(({ alert, expr }) => [alert, expr] as const),
  ...dashboard.panels.flatMap(({ title, targets }) =>
    targets.map(({ expr }) => [title, expr] as const),
  ),
  ...dashboard.templating.list.map(({ query }) => ['a variable', query] as const),
]

/** Labels that Prometheus adds to every series. */
const ADDED = ['job', 'instance']

test('every metric and label of the dashboard and of the alerts is one that /metrics serves', {
  skip: sqliteOnly,
}, async (t) => {
  const served = await servedMetrics(t)
  const unknown = expressions.flatMap(([where, expr]) =>
    metricsIn(expr).flatMap(({ name, labels }) => {
      const known = served.get(name)
      if (known === undefined) {
        return [`${where}: ${name}`]
      }
      return labels
        .filter((label) => !known.has(label) && !ADDED.includes(label))
        .map((label) => `${where}: ${name}{${label}}`)
    }),
  )
  assert.deepEqual(unknown, [])
})

test('every metric is on the dashboard or in an alert', () => {
  const used = expressions.flatMap(([, expr]) =>
    metricsIn(expr).map(({ name }) => name.replace(/_(?:bucket|sum|count)$/, '')),
  )
  assert.deepEqual(
    Object.keys(FAMILIES).filter((name) => !used.includes(name)),
    [],
  )
})

test('every alert has a summary and links to a section of the documentation that exists', () => {
  assert.ok(rules.length > 5)
  for (const { alert, annotations } of rules) {
    const [file = '', anchor] = annotations.runbook_url.split('#')
    const anchors = [...read(file).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
      anchorOf(heading),
    )
    assert.ok(
      anchor !== undefined && anchors.includes(anchor),
      `${alert}: ${annotations.runbook_url}`,
    )
    assert.match(annotations.summary, /\.$/, alert)
  }
  assert.equal(new Set(rules.map(({ alert }) => alert)).size, rules.length)
})

test('the panels of the dashboard have ids of their own, and each shows something', () => {
  const { panels } = dashboard
  assert.equal(new Set(panels.map(({ id }) => id)).size, panels.length)
  assert.ok(panels.every(({ targets }) => targets.length > 0))
})

/** The names of all series, with the labels of each. */
async function servedMetrics(t: TestContext): Promise<Map<string, Set<string>>> {
  const { agent } = await world(t, { engine: 'postgres' })
  let text = ''
  await waitUntil('the replication is read', async () => {
    ;({ text } = await agent.call('GET', '/metrics'))
    return (
      text.includes('gatehouse_database_synchronous_standbys') && text.includes('event_loop_delay')
    )
  })
  // Prometheus's own: whether the scrape succeeded.
  const served = new Map<string, Set<string>>([['up', new Set()]])
  for (const [, name = '', labels = ''] of text.matchAll(/^(\w+)(?:\{(.*)\})? \S+$/gm)) {
    const known = served.get(name) ?? new Set()
    for (const [, label = ''] of labels.matchAll(/(\w+)="/g)) {
      known.add(label)
    }
    served.set(name, known)
  }
  return served
}

/** The metrics of an expression, with the labels that select them or, if it has only one metric, group them. */
function metricsIn(expr: string): { readonly name: string; readonly labels: string[] }[] {
  const grouped = [...expr.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, list = '']) =>
    list.split(/,\s*/),
  )
  return [...expr.matchAll(/\b(up|(?:gatehouse|process)_\w+)\b(?:\{([^}]*)\})?/g)].map(
    ([, name = '', selector = '']) => ({
      name,
      labels: [
        ...[...selector.matchAll(/(\w+)\s*(?:=~|!=|!~|=)/g)].map(([, label = '']) => label),
        ...grouped,
      ],
    }),
  )
}

/** As GitHub derives it from a heading. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\w\s-]/g, '')
    .replace(/\s/g, '-')
