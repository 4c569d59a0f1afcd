import { readFileSync } from 'node:fs'

// The relative path is the same from src/ and from dist/.
const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))

export const VERSION: string = version

/** The service rejects creations from generic HTTP clients such as curl. */
export const USER_AGENT = `gatehouse-local/${VERSION}`
