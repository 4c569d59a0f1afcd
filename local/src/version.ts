import { readFileSync } from 'node:fs'

/** One level up, both from src/ and from dist/. */
const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))

export const VERSION: string = version

/** The service refuses to create tenants for nameless command-line tools, and its operator sees who calls. */
export const USER_AGENT = `gatehouse-local/${VERSION}`
