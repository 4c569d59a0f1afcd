import { createHash } from 'node:crypto'
import type { AccountId } from '../ids.ts'
import type { Brand } from './brand.ts'

export interface ShownApp {
  /** null: a guest tenant. */
  readonly owner: AccountId | null
  /** The owner controls the domain of the callback. */
  readonly verified: boolean
  readonly brand: Brand | null
}

/**
 * A hash of what the consent page says about who an app is. When it changes, a remembered consent no longer counts. The
 * host is not part of it, because consents are stored by host; nor is the color, which says nothing about who it is.
 */
export function shownAppHash({ owner, verified, brand }: ShownApp): string {
  const shown = brand && [brand.name, brand.logo?.hash ?? null, brand.privacyUrl, brand.termsUrl]
  return createHash('sha256')
    .update(JSON.stringify(['app', owner, verified, shown]))
    .digest('base64url')
}

/** Other text is no such hash. */
export const isShownAppHash = (text: string): boolean => /^[A-Za-z0-9_-]{43}$/.test(text)
