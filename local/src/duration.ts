/** A time to come or gone by, as people say it: the two largest units that matter. */
export function inWords(seconds: number): string {
  if (seconds < 90) return counted(Math.max(0, Math.round(seconds)), 'second')
  const minutes = Math.round(seconds / 60)
  if (minutes < 90) return counted(minutes, 'minute')
  const hours = Math.floor(minutes / 60)
  if (hours < 48) return minutes % 60 === 0 ? counted(hours, 'hour') : `${hours} h ${minutes % 60} min`
  const days = Math.floor(hours / 24)
  return hours % 24 === 0 ? counted(days, 'day') : `${days} d ${hours % 24} h`
}

const counted = (count: number, unit: string): string => `${count} ${unit}${count === 1 ? '' : 's'}`
