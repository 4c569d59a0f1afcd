import type { Warn } from '../database.ts'
import { rejectMoved } from '../postgres/moved.ts'
import { beginExclusively, connectExclusively, POSTGRES, readsOf } from './postgres-side.ts'
import type { Source } from './sides.ts'

export async function postgresSource(url: string, now: number, warn: Warn): Promise<Source> {
  const client = await connectExclusively(url, warn)
  return {
    engine: 'postgres',
    name: POSTGRES,
    ...readsOf(client),
    async begin(tables) {
      await rejectMoved(client)
      await beginExclusively(
        client,
        tables.map(({ name }) => name),
      )
    },
    async retire() {
      await client.query('insert into moved (at_ms) values ($1)', [now])
      await client.query('commit')
      return `${POSTGRES} keeps its rows and is marked as moved: the service refuses to start on it. Drop it when you no longer need it.`
    },
    close: () => client.end(),
  }
}
