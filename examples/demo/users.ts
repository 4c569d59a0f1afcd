import type { Profile } from '../../service/src/domain/login/identity-provider.ts'

/** The development Google. */
export const issuerOf = (baseUrl: string): string => `${baseUrl}/dev/google`

export const USERS = 48
const FIRST = ['Mary', 'Katherine', 'Barbara', 'Radia', 'Edsger', 'Tony', 'Donald', 'Frances']
const LAST = ['Jackson', 'Johnson', 'Liskov', 'Perlman', 'Dijkstra', 'Hoare', 'Knuth', 'Allen']

/** Each pair of names once. */
export const userProfile = (baseUrl: string, number: number): Profile => {
  const name = `${FIRST[number % 8]} ${LAST[(number + Math.floor(number / 8)) % 8]}`
  const email = `${name.toLowerCase().replace(' ', '.')}@example.com`
  return { issuer: issuerOf(baseUrl), subject: `demo-${number}`, email, name, picture: null }
}
