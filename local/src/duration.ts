/** A duration in its one or two largest units, rounded to the nearest, such as "3 days" or "2 h 5 min". */
export function formatDuration(seconds: number): string {
  if (seconds < 90) {
    return plural(Math.max(0, Math.round(seconds)), 'second')
  }
  const minutes = Math.round(seconds / 60)
  if (minutes < 90) {
    return plural(minutes, 'minute')
  }
  const wholeHours = Math.floor(minutes / 60)
  if (wholeHours < 48) {
    return minutes % 60 === 0 ? plural(wholeHours, 'hour') : `${wholeHours} h ${minutes % 60} min`
  }
  const hours = Math.round(minutes / 60)
  const days = Math.floor(hours / 24)
  return hours % 24 === 0 ? plural(days, 'day') : `${days} d ${hours % 24} h`
}

const plural = (count: number, unit: string): string => `${count} ${unit}${count === 1 ? '' : 's'}`
