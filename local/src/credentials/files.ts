import path from 'node:path'
import { CREDENTIALS_FILENAME } from '@gatehouse/contract'

/** Everything we keep in a project. The pattern in .gitignore covers all of it. */
export const credentialsPath = (root: string): string => path.join(root, CREDENTIALS_FILENAME)

/** Only one program at a time creates a tenant for a project. */
export const lockPath = (root: string): string => path.join(root, `${CREDENTIALS_FILENAME}.lock`)

/** What is written before it gets its name; left behind only by a creation that was killed. */
export const draftPath = (root: string): string => path.join(root, `${CREDENTIALS_FILENAME}.new`)

/** The name of a creation for an account, until it has succeeded. */
export const pendingPath = (root: string): string => path.join(root, `${CREDENTIALS_FILENAME}.pending`)
