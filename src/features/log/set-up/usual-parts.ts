import type { KindAndPosition, PartKind, Position } from '../../../../supabase/functions/_shared/kinds.ts'
import type { Item } from '../../entries/fields.ts'
import { type CommonTask, COMMON_TASKS } from '../../service/common-tasks.ts'

export type UsualPart = KindAndPosition & {
  name: string
  type: string
  isTicked: boolean
  tasks: readonly CommonTask[]
  /** The names of the tasks that start ticked. */
  ticked: readonly string[]
}

const usual = (
  name: string,
  type: string,
  [kind, position = null]: [kind: PartKind, position?: Position | null],
  { isTicked = false, ticked = [] as readonly string[], others = [] as readonly string[] },
): UsualPart => ({
  name,
  type,
  kind,
  position,
  isTicked,
  tasks: (COMMON_TASKS[type] ?? []).filter((task) => [...ticked, ...others].includes(task.name)),
  ticked,
})

const TIRE = { isTicked: true, ticked: ['Top up sealant', 'Check tread', 'Replace tire'] }
const PADS = { isTicked: true, ticked: ['Check brake pads'] }

/** In display order. */
export const USUAL_PARTS: readonly UsualPart[] = [
  usual('Chain', 'Drivetrain', ['chain'], {
    isTicked: true,
    ticked: ['Lube chain', 'Check chain wear', 'Replace chain'],
    // For chains that are waxed, not lubed.
    others: ['Wipe chain', 'Wax chain'],
  }),
  usual('Cassette', 'Drivetrain', ['cassette'], { isTicked: true }),
  usual('Front tire', 'Tires', ['tire', 'front'], TIRE),
  usual('Rear tire', 'Tires', ['tire', 'rear'], TIRE),
  usual('Front brake pads', 'Brakes', ['brake pads', 'front'], PADS),
  usual('Rear brake pads', 'Brakes', ['brake pads', 'rear'], PADS),
  usual('Wheels', 'Wheels', ['wheel', 'both'], { ticked: ['Check spokes', 'Hub service'] }),
  usual('Pedals', 'Pedals', ['pedals'], { ticked: ['Check cleats'] }),
  usual('Bar tape', 'Handlebar', ['bar tape'], { ticked: ['Replace bar tape'] }),
  usual('Saddle', 'Saddle', ['saddle'], { ticked: ['Check bolts'] }),
]

export type PartOnBike = Pick<Item, 'type'> & KindAndPosition

/** Returns whether a part on the bike may be this usual part: a pair of tires includes the front one. */
export function isInPlaceOf({ type, kind, position }: PartOnBike, usual: UsualPart): boolean {
  if (kind === null) return type === usual.type
  const [one, other] = [position ?? 'both', usual.position ?? 'both']
  return kind === usual.kind && (one === 'both' || other === 'both' || one === other)
}
