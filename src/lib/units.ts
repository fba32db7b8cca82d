import { METERS_PER_MILE } from '../../supabase/functions/_shared/units.ts'
import { orMissing, type Value } from './formats.ts'

const NO_BREAK_SPACE = '\u00A0'
const KILOMETERS_PER_MILE = METERS_PER_MILE / 1000
const FEET_PER_METER = 3.28084

type Quantity = {
  unit: string
  /** Converts a stored value to this unit, rounded half up. */
  of: (stored: number) => number
  /** The inverse of `of`, rounded to a whole number: 80,450 meters for 50 miles. */
  toStored: (shown: number) => number
  /** `1,234.5 mi` */
  format: (stored: Value) => string
  /** `1,235 mi` */
  formatWhole: (stored: Value) => string
}

/** Converts between hours and stored seconds. */
export const HOURS = {
  of: (seconds: number) => Math.round(seconds / 36) / 100,
  toStored: (hours: number) => Math.round(hours * 3600),
}

/** A unit system. Values are rounded only once, when converted from stored values. */
export type Units = {
  /** Used in titles: `Total Miles`. */
  name: 'Miles' | 'Kilometers'
  /** Used in rates: `36¢ per mile`. */
  one: 'mile' | 'km'
  /** Stored in meters. */
  distance: Quantity
  /** Stored in kilometers per hour. */
  speed: Quantity
  /** Stored in meters. */
  elevation: Quantity
}

export const UNITS = {
  miles: {
    name: 'Miles',
    one: 'mile',
    distance: quantity('mi', 1, (meters) => meters / METERS_PER_MILE),
    speed: quantity('mph', 1, (kilometersPerHour) => kilometersPerHour / KILOMETERS_PER_MILE),
    elevation: quantity('ft', 0, (meters) => meters * FEET_PER_METER),
  },
  kilometers: {
    name: 'Kilometers',
    one: 'km',
    distance: quantity('km', 1, (meters) => meters / 1000),
    speed: quantity('km/h', 1, (kilometersPerHour) => kilometersPerHour),
    elevation: quantity('m', 0, (meters) => meters),
  },
} as const satisfies Record<string, Units>

/** Converts a rate per kilometer to the owner's units. */
export const ratePerUnit = (perKilometer: number | null, { distance }: Units): number | null =>
  perKilometer === null ? null : (perKilometer * distance.toStored(1)) / 1000

export type UnitsId = keyof typeof UNITS

function quantity(unit: string, digits: 0 | 1, convert: (stored: number) => number): Quantity {
  const formatWith = (shownDigits: 0 | 1) => {
    const number = new Intl.NumberFormat('en-US', {
      minimumFractionDigits: shownDigits,
      maximumFractionDigits: shownDigits,
    })
    return (stored: Value) =>
      orMissing(
        stored,
        (value) => `${number.format(halfUp(convert(value), shownDigits))}${NO_BREAK_SPACE}${unit}`,
      )
  }
  return {
    unit,
    of: (stored) => halfUp(convert(stored), digits),
    toStored: (shown) => Math.round(shown / convert(1)),
    format: formatWith(digits),
    formatWhole: formatWith(0),
  }
}

// Rounding to twelve digits first turns a quotient of .49999999999999 back into a half.
function halfUp(value: number, digits: number): number {
  const scale = 10 ** digits
  return Math.round(Number((value * scale).toPrecision(12))) / scale
}
