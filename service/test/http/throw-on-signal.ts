// Preloaded into a service process: throws where no request is handled.
process.on('SIGUSR2', () => {
  throw new Error('thrown on SIGUSR2')
})
