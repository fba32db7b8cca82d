import type { Day } from './calendar.ts'
import type { Place } from './places.ts'

export type Kind = 'road' | 'gravel' | 'trail' | 'commute' | 'errand' | 'trainer'

/** A ride as the rider planned it; `tripOf` turns it into what the service recorded. */
export interface Outing {
  day: Day
  /** Seconds after midnight, on the clock where it begins. */
  startsAt: number
  kind: Kind
  gearId: number | null
  place: Place
  /** Where it ends, if that is not where it began. */
  to?: Place
  name: string
  description?: string
  kilometres: number
  /** Entered by hand: nothing but a distance. Early: durations still written as a clock. */
  record?: 'by hand' | 'early'
  /** Set when it was uploaded long afterwards. */
  uploadedAt?: string
}
