/** For apps that store tokens in the browser: all tabs share one session, and one tab at a time refreshes it. */

export type { BrowserWindow, LocksLike, StorageEventLike, StorageLike } from './browser/browser-session.ts'
export {
  type BrowserSession,
  type BrowserSessionOptions,
  browserSession,
  type LoginOutcome,
} from './browser/browser-session.ts'
