import { atom } from 'jotai'

import type { RotatedKind } from '../../../supabase/functions/_shared/kinds.ts'
import type { NamedBike } from '../bikes/api.ts'

/** The bike whose tires or other parts are rotated. The kind is the one of the part that was rotated from its details. */
export const rotatingAtom = atom<(NamedBike & { kind?: RotatedKind }) | null>(null)
