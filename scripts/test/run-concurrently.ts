/** Starts the jobs in order, at most `concurrency` at a time. */
export async function runConcurrently(concurrency: number, jobs: readonly (() => Promise<void>)[]): Promise<void> {
  const queue = jobs.values()
  const worker = async (): Promise<void> => {
    // All workers share one iterator, so each job runs once.
    for (const job of queue) await job()
  }
  await Promise.all(Array.from({ length: concurrency }, worker))
}
