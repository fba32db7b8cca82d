import type { Item } from '../../entries/fields.ts'
import { type CommonTask, COMMON_TASKS } from '../../service/common-tasks.ts'

export type UsualPart = {
  name: string
  type: string
  /** The part's kind in the database, or null if it has none. */
  kind: string | null
  isTicked: boolean
  tasks: readonly CommonTask[]
  /** The names of the tasks that start ticked. */
  ticked: readonly string[]
}

const usual = (
  name: string,
  type: string,
  kind: string | null,
  { isTicked = false, ticked = [] as readonly string[], others = [] as readonly string[] },
): UsualPart => ({
  name,
  type,
  kind,
  isTicked,
  tasks: (COMMON_TASKS[type] ?? []).filter((task) => [...ticked, ...others].includes(task.name)),
  ticked,
})

const TIRE = { isTicked: true, ticked: ['Top up sealant', 'Check tread', 'Replace tire'] }
const PADS = { isTicked: true, ticked: ['Check brake pads'] }

/** In display order. */
export const USUAL_PARTS: readonly UsualPart[] = [
  usual('Chain', 'Drivetrain', 'chain', {
    isTicked: true,
    ticked: ['Lube chain', 'Check chain wear', 'Replace chain'],
    // For chains that are waxed, not lubed.
    others: ['Wipe chain', 'Wax chain'],
  }),
  usual('Cassette', 'Drivetrain', 'cassette', { isTicked: true }),
  usual('Front tire', 'Tires', 'front tire', TIRE),
  usual('Rear tire', 'Tires', 'rear tire', TIRE),
  usual('Front brake pads', 'Brakes', 'front brake pads', PADS),
  usual('Rear brake pads', 'Brakes', 'rear brake pads', PADS),
  usual('Wheels', 'Wheels', 'wheels', { ticked: ['Check spokes', 'Hub service'] }),
  usual('Pedals', 'Pedals', 'pedals', { ticked: ['Check cleats'] }),
  usual('Bar tape', 'Handlebar', null, { ticked: ['Replace bar tape'] }),
  usual('Saddle', 'Saddle', 'saddle', { ticked: ['Check bolts'] }),
]

/** `kind` is null if the part's name doesn't reveal it. */
export type PartOnBike = Pick<Item, 'type'> & { kind: string | null }

/** Returns whether a part on the bike may be this usual part: `tires` include the front tire. */
export function isInPlaceOf({ type, kind }: PartOnBike, usual: UsualPart): boolean {
  if (kind === null || usual.kind === null) return type === usual.type
  const [one, other] = [thingAndSides(kind), thingAndSides(usual.kind)]
  return one.thing === other.thing && one.sides.some((side) => other.sides.includes(side))
}

function thingAndSides(kind: string) {
  const words = kind.split(' ')
  const named = ['front', 'rear'].filter((side) => words.includes(side))
  const thing = words.filter((word) => !['front', 'rear', 'and'].includes(word)).join(' ')
  return { thing: thing.replace(/s$/, ''), sides: named.length > 0 ? named : ['front', 'rear'] }
}
