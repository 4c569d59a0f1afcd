import path from 'node:path'
import { CREDENTIALS_FILENAME } from '@gatehouse/contract'

// The files of this program in a project. The entries in .gitignore cover all of them.

export const credentialsPath = (root: string): string => path.join(root, CREDENTIALS_FILENAME)

/** Exists while a process creates a tenant for the project. */
export const lockPath = (root: string): string => path.join(root, `${CREDENTIALS_FILENAME}.lock`)

/** The credentials file before it is renamed. Only an interrupted creation leaves it behind. */
export const draftPath = (root: string): string => path.join(root, `${CREDENTIALS_FILENAME}.new`)

/** The idempotency key of a creation for an account, until the creation has succeeded. */
export const pendingPath = (root: string): string => path.join(root, `${CREDENTIALS_FILENAME}.pending`)

/** GATEHOUSE_SECRET of the app, which the recipes read. */
export const appSecretPath = (root: string): string => path.join(root, `${CREDENTIALS_FILENAME}.secret`)

/** The signing secret of a webhook. */
export const webhookSecretPath = (root: string, id: string): string => path.join(root, `${CREDENTIALS_FILENAME}.${id}`)
