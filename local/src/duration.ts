/** A duration in its one or two largest units, such as "3 days" or "2 h 5 min". */
export function formatDuration(seconds: number): string {
  if (seconds < 90) return plural(Math.max(0, Math.round(seconds)), 'second')
  const minutes = Math.round(seconds / 60)
  if (minutes < 90) return plural(minutes, 'minute')
  const hours = Math.floor(minutes / 60)
  if (hours < 48) return minutes % 60 === 0 ? plural(hours, 'hour') : `${hours} h ${minutes % 60} min`
  const days = Math.floor(hours / 24)
  return hours % 24 === 0 ? plural(days, 'day') : `${days} d ${hours % 24} h`
}

const plural = (count: number, unit: string): string => `${count} ${unit}${count === 1 ? '' : 's'}`
