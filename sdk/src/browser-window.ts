/** As much of a browser's `window` as is used here: no more is asked for, and a test can play it. */
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
  /** null: everything was removed at once. */
  readonly key: string | null
}

export interface LocksLike {
  request<T>(name: string, work: () => Promise<T>): Promise<T>
}

/** Waits until another tab changes this key, or for this long. */
export function otherTabChanges(window: BrowserWindow, key: string, withinMs: number): Promise<void> {
  return new Promise((done) => {
    const timer = setTimeout(end, withinMs)
    window.addEventListener('storage', onStorage)
    function onStorage(event: StorageEventLike): void {
      if (event.key === key || event.key === null) end()
    }
    function end(): void {
      clearTimeout(timer)
      window.removeEventListener('storage', onStorage)
      done()
    }
  })
}
