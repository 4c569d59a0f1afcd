/** One value of one series. */
export interface Sample {
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

export const sample = (name: string, labels: Sample['labels'], value: number): Sample => ({ name, labels, value })

export interface Family {
  readonly name: string
  readonly type: 'counter' | 'gauge' | 'histogram'
  readonly help: string
}

export const CONTENT_TYPE = 'text/plain; version=0.0.4; charset=utf-8'

/** Writes the Prometheus text format. Every line gets the labels in `common`. */
export function exposition(families: readonly Family[], samples: readonly Sample[], common: Sample['labels']): string {
  return families
    .map(({ name, type, help }) => {
      const familySamples = samples.filter((each) => familyOf(each.name, type) === name)
      if (familySamples.length === 0) return ''
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
  const pairs = Object.entries({ ...common, ...labels }).map(([label, text]) => `${label}="${escapeLabel(text)}"`)
  return `${name}${pairs.length === 0 ? '' : `{${pairs.join(',')}}`} ${value}`
}

const escapeLabel = (text: string): string => text.replace(/[\\"\n]/g, (each) => (each === '\n' ? '\\n' : `\\${each}`))
