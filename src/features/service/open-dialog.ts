import { atom } from 'jotai'

import type { Item } from '../entries/fields.ts'
import type { AlsoDone } from './also-done.ts'
import type { Line, Owner, ServiceEvent, Task } from './api.ts'

export type TaskOwner = Owner & {
  name: string
  /** The entry of the part. Null for a bike. */
  part: Item | null
  /** The bike, or the part's latest one. */
  bikeId: number
}

export type ServiceDialogProps =
  | { kind: 'add'; owner: TaskOwner }
  | { kind: 'edit'; task: Task }
  | { kind: 'done'; line: Line; focus?: 'day' | 'note' }
  | { kind: 'snooze'; line: Line }
  | { kind: 'forecast'; task: Task }
  | {
      kind: 'event'
      event: Pick<ServiceEvent, 'id' | 'task_id' | 'name' | 'done_at' | 'note' | 'cost'>
      /** What may have been done with it. */
      others: AlsoDone[]
      /** How many tasks of its group were done with it, itself included. */
      together: number
      /** Whether it was done just now. */
      isNew?: boolean
    }

/** The open dialog. Global, because a toast can open a dialog after its task has left the screen. */
export const serviceDialogAtom = atom<ServiceDialogProps | null>(null)
