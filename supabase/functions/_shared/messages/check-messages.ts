import type { Line } from '../contracts/to-check.ts'
import type { Day } from '../formats/days.ts'
import { counted, formatCount, formatDuration, type Formats, quote, upperFirst } from '../formats/formats.ts'

type Kind = Line['kind']

const FIELDS: Record<string, string> = { departed_at: 'start time', created_at: 'upload time', id: 'ID' }

export type MessageContext = { formats: Formats; bikeName: (gearId: number) => string }
export type Message = { title: string; why: string }

/** Says what looks wrong, and why it matters or where to look, without a period. */
export function messageOf(line: Line, context: MessageContext): Message {
  switch (line.kind) {
    case 'no_bike':
    case 'gone_bike':
    case 'sold_bike':
    case 'wrong_bike':
    case 'same_ride':
      return bikeMessage(line, context)
    case 'skipped':
      return {
        title: `Ride ${line.ride_id} was skipped`,
        why: `Its ${FIELDS[line.field] ?? line.field.replaceAll('_', ' ')} is unreadable. If the ride was synced earlier, its old values stay`,
      }
    case 'skipped_others':
      return {
        title: `${counted(line.ride_count, 'row')} of the ride list ${line.ride_count === 1 ? 'was' : 'were'} skipped`,
        why: 'No readable ID, or too many to list here',
      }
    case 'date':
      return dateMessage(line, context)
    case 'no_kind':
      return {
        title: `${counted(line.part_count, 'part')} ${line.part_count === 1 ? 'has' : 'have'} no kind`,
        why: 'They end no other part, and Lifetimes leaves them out',
      }
    case 'no_part':
    case 'two_parts':
    case 'parts_in_use':
    case 'gone_log':
    case 'late_end':
      return partMessage(line, context)
    default:
      return numberMessage(line, context)
  }
}

type OfKind<K extends Kind> = Extract<Line, { kind: K }>

function bikeMessage(
  line: OfKind<'no_bike' | 'gone_bike' | 'sold_bike' | 'wrong_bike' | 'same_ride'>,
  { formats, bikeName }: MessageContext,
): Message {
  switch (line.kind) {
    case 'no_bike': {
      const unlisted = line.of_unlisted_gear
      const ofThem =
        unlisted === 0
          ? ''
          : `. ${counted(unlisted, 'ride')} ${unlisted === 1 ? 'is' : 'are'} on a bike that Ride with GPS never listed`
      return {
        title: `${counted(line.ride_count, 'ride')} ${line.ride_count === 1 ? 'has' : 'have'} no bike`,
        why: `These ${formats.distance.format(line.distance)} aren’t counted toward any part${ofThem}`,
      }
    }
    case 'gone_bike':
      return {
        title: `${counted(line.ride_count, 'ride')} ${line.ride_count === 1 ? 'is' : 'are'} on ${bikeName(line.gear_id)}`,
        why: `Ride with GPS no longer lists this bike. ${formats.distance.format(line.distance)} still count for it here`,
      }
    case 'sold_bike': {
      const others = line.ride_count - 1
      const more = others > 0 ? ` and ${counted(others, 'other ride')}` : ''
      return {
        title: `${counted(line.ride_count, 'ride')} on ${bikeName(line.gear_id)} after it was sold`,
        why: `Sold on ${formats.day(line.sold_on)}: ${rideName(line, 0)}, ${rideDay(line, formats)}${more}. ${formats.distance.format(line.distance)} count for the bike`,
      }
    }
    case 'wrong_bike':
      return {
        title: `${rideName(line, 0)} is likely on the wrong bike`,
        why: `Indoors on ${bikeName(line.gear_id)}, ${rideDay(line, formats)}. The ${line.ride_count} indoor rides around it are on ${bikeName(line.likely)}`,
      }
    case 'same_ride':
      break
  }
  const pair = `${rideName(line, 0)} and ${rideName(line, 1)}`
  const twice = line.distance === null ? '' : `, so ${formats.distance.format(line.distance)} may count twice`
  return {
    title: line.apart === null ? `${pair} overlap` : `${pair} are likely the same ride`,
    why: `${rideDay(line, formats)}: ${sharedText(line)}${twice}`,
  }
}

function sharedText({ apart, overlap, shorter }: OfKind<'same_ride'>): string {
  if (apart !== null) return `the same distance and moving time, ${formatDuration(apart)} apart`
  const [shared, whole] = [overlap, shorter].map((seconds) => Math.round(seconds / 60))
  return whole === 0 ? 'the same start' : `${shared} of ${whole} minutes overlap`
}

function dateMessage(line: OfKind<'date'>, { formats }: MessageContext): Message {
  const wrong = 'the device’s clock was likely wrong'
  const why = line.uploaded ? `Uploaded on ${formats.day(line.uploaded)}, so ${wrong}` : upperFirst(wrong)
  return {
    title: `${rideName(line, 0)} is dated ${rideDay(line, formats)}`,
    why: line.is_ahead ? 'It counts only from that day on' : why,
  }
}

type NumberKind = 'moving_time' | 'max_speed' | 'average_speed' | 'distance' | 'time' | 'no_distance'

function numberMessage(line: OfKind<NumberKind>, { formats, bikeName }: MessageContext): Message {
  const ride = rideName(line, 0)
  const where = `${line.gear_id === null ? '' : `${bikeName(line.gear_id)}, `}${rideDay(line, formats)}`
  const distance = formats.distance.format(line.distance)
  const { value } = line
  switch (line.kind) {
    case 'moving_time':
      return {
        title: `${ride} has a moving time longer than its duration`,
        why: `${where}: moving time ${formatDuration(line.moving_time)}, duration ${formatDuration(line.duration)}`,
      }
    case 'max_speed':
      return {
        title: `${formats.speed.format(value)} on ${ride}`,
        why: `${where}: faster than any ordinary descent, likely a GPS error`,
      }
    case 'average_speed':
      return {
        title: `${formats.speed.format(value)} on average on ${ride}`,
        why: `${where}: faster than the hour record, likely recorded in a car`,
      }
    case 'distance':
      return {
        title: `${distance} on ${ride}`,
        why: `${where}: farther than anybody rides in a day`,
      }
    case 'time':
      return {
        title: `${formatDuration(value)} on ${ride}`,
        why: `${where}: ${distance} in that time; the device was likely left on`,
      }
    case 'no_distance':
      break
  }
  return {
    title: `${ride} has no distance`,
    why: `${where}: ${formatDuration(line.moving_time ?? line.duration)} counts toward its parts, but no distance does`,
  }
}

function partMessage(
  line: OfKind<'no_part' | 'two_parts' | 'parts_in_use' | 'gone_log' | 'late_end'>,
  { formats, bikeName }: MessageContext,
): Message {
  const bike = bikeName(line.gear_id)
  const [one, other] = line.items.map(({ name }) => isolate(quote(name.trim())))
  switch (line.kind) {
    case 'no_part':
    case 'two_parts': {
      const isGap = line.kind === 'no_part'
      const [missing, twice] = partNames(line.family, line.positions)
      const [since, until] = [line.since, line.until].map((day) => day && formats.day(day))
      const when = until === null ? `since ${since}` : `${since} – ${until}`
      return {
        title: `${isGap ? `No ${missing} on record` : `Two ${twice} at the same time`}: ${weight(line, formats)}`,
        why: `${bike}, ${when}: ${isGap ? 'between ' : ''}${one} and ${other}`,
      }
    }
    case 'parts_in_use':
      return {
        title: `${line.item_count === 1 ? `${one} is` : `${formatCount(line.item_count)} parts are`} still in use on ${bike}`,
        why: 'Ride with GPS no longer lists this bike. Store or move its parts, or enter their end dates. If the bike has a new ID there, attach its log',
      }
    case 'gone_log':
      return {
        title: `Ride with GPS no longer lists ${bike}`,
        why: `${line.item_count === 0 ? 'It has service tasks' : counted(line.item_count, 'log entry', 'log entries')}. If the bike has a new ID there, attach its log`,
      }
    case 'late_end':
      break
  }
  return {
    title: `${line.item_count === 1 ? one : `${formatCount(line.item_count)} parts`} ended ${counted(line.days, 'day')} after the last ride`,
    why: `${bike}: last ride ${formats.day(line.last_ride)}, end ${formats.day(line.until)}`,
  }
}

type Weight = { days: number; ride_count: number; distance: number }

/** `12 days, 3 rides, 84 mi` */
function weight({ days, ride_count, distance }: Weight, formats: Formats): string {
  const amount = formats.distance.of(distance)
  const formatted =
    amount >= 10 ? `${formatCount(amount)} ${formats.distance.unit}` : formats.distance.format(distance)
  return `${counted(days, 'day')}, ${counted(ride_count, 'ride')}, ${formatted}`
}

/** Returns the nouns for a missing part and for several: `pedals` and `pairs of pedals`. */
function partNames(family: string, positions: readonly string[] | null): [missing: string, two: string] {
  const isPair = positions?.length === 2
  const end = positions?.length === 1 ? `${positions[0]} ` : ''
  if (family === 'pedals') return ['pedals', 'pairs of pedals']
  if (family.endsWith('s')) return [`${end}${family}`, `sets of ${end}${family}`]
  return isPair ? [`${family}s`, `pairs of ${family}s`] : [`${end}${family}`, `${end}${family}s`]
}

/** Keeps the word order around Arabic or Hebrew names. */
const isolate = (text: string) => `\u2068${text}\u2069`

export function rideName({ rides }: Line, index: number): string {
  const ride = rides[index]
  if (ride === undefined) return 'A ride'
  return ride.name?.trim() ? isolate(quote(ride.name.trim())) : `Ride ${ride.id}`
}

function rideDay({ rides }: Line, formats: Formats): string {
  const start = rides[0]?.started_at
  return start ? formats.day(start.slice(0, 10) as Day) : 'no date'
}
