/** The subset of the browser's `Window` that the SDK uses. Tests can pass a fake. */
export interface BrowserWindow {
  readonly localStorage: StorageLike
  readonly sessionStorage: StorageLike
  readonly location: { readonly href: string; assign(url: string): void; replace(url: string): void }
  readonly history: { replaceState(data: unknown, unused: string, url: string): void }
  readonly navigator: { readonly locks?: LocksLike | undefined }
  addEventListener(type: 'storage', listener: (event: StorageEventLike) => void): void
  removeEventListener(type: 'storage', listener: (event: StorageEventLike) => void): void
}

export interface StorageLike {
  getItem(key: string): string | null
  setItem(key: string, value: string): void
  removeItem(key: string): void
}

export interface StorageEventLike {
  /** null when `localStorage.clear()` removed all keys. */
  readonly key: string | null
}

export interface LocksLike {
  request<T>(name: string, work: () => Promise<T>): Promise<T>
}

/** Resolves when another tab changes this key, or after the timeout. */
export function waitForOtherTab(window: BrowserWindow, key: string, timeoutMs: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(end, timeoutMs)
    window.addEventListener('storage', onStorage)
    function onStorage(event: StorageEventLike): void {
      if (event.key === key || event.key === null) end()
    }
    function end(): void {
      clearTimeout(timer)
      window.removeEventListener('storage', onStorage)
      resolve()
    }
  })
}
