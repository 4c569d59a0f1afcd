import { readFileSync } from 'node:fs'

const TEXT = readFileSync(new URL('refresh.sql', import.meta.url), 'utf8')

/** For pgbench, with named parameters. */
export const pgbenchScript = (sessions: number, now: number): string =>
  `\\set session random(1, ${sessions})\n\\set now ${now}\n${TEXT}`

/** For `pg`: $1 is the session, $2 the time. */
export const numberedStatement = TEXT.replaceAll(':session', '$1').replaceAll(':now', '$2')
