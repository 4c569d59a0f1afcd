import { SECRET_PREFIXES } from '@gatehouse/contract'
import { randomBase62 } from '../tokens/base62.ts'
import type { Keyring } from '../tokens/keyring.ts'
import { seal, unseal } from '../tokens/seal.ts'
import type { RandomBytes } from '../tokens/uniform.ts'
import type { WebhookRef } from './webhook.ts'

/** 44 characters of base64 are 33 bytes; Standard Webhooks asks for 24 to 64. */
const CHARACTERS = 44

/**
 * `whsec_` and base64, of its letters and digits only: 262 random bits, one word for every shell, and matched whole by the
 * filters of the log.
 */
export const mintWebhookSecret = (random: RandomBytes): string =>
  SECRET_PREFIXES.webhookSecret + randomBase62(CHARACTERS, random)

/** The bytes with which deliveries are signed. */
export const signingKey = (secret: string): Buffer =>
  Buffer.from(secret.slice(SECRET_PREFIXES.webhookSecret.length), 'base64')

/** Sealed, because a hash cannot sign. */
export const sealWebhookSecret = (keyring: Keyring, ref: WebhookRef, secret: string, random: RandomBytes): Uint8Array =>
  seal(keyring, contextOf(ref), secret, random)

export const unsealWebhookSecret = (keyring: Keyring, ref: WebhookRef, sealed: Uint8Array): string | null =>
  unseal(keyring, contextOf(ref), sealed)

const contextOf = ({ tenantId, id }: WebhookRef): string => `webhook|${tenantId}|${id}`
