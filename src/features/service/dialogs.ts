import { atom } from 'jotai'

import type { Owner, ServiceEvent, Task } from './api.ts'

/** What a task is or will be on, for the form. */
export type TaskOwner = Owner & {
  /** The name of the part or bike. */
  name: string
  /** The type of the part, for common tasks. Null for a bike. */
  type: string | null
}

export type ServiceDialogProps =
  | { kind: 'add'; owner: TaskOwner; gearId: number }
  | { kind: 'edit'; task: Task }
  | { kind: 'snooze'; task: Task }
  | { kind: 'forecast'; task: Task }
  | {
      kind: 'event'
      event: Pick<ServiceEvent, 'id' | 'task_id' | 'name' | 'done_at' | 'note' | 'cost'>
      gearId: number
      /** The other tasks of the part or bike, which can be marked done, too. */
      others: Task[]
    }

/** The open dialog. Global, because a toast can open one after its task left the screen. */
export const serviceDialogAtom = atom<ServiceDialogProps | null>(null)
