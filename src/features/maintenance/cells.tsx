import type { Item } from './api.ts'
import { CostEditor, DateEditor, TextEditor, TypeEditor } from './editors.tsx'
import { useCell } from './use-cell.ts'

type Props = { item: Item }

export function TypeCell({ item }: Props) {
  return <TypeEditor model={useCell(item, 'type')} />
}

export function NameCell({ item }: Props) {
  return <TextEditor model={useCell(item, 'name')} />
}

export function DescriptionCell({ item }: Props) {
  return <TextEditor model={useCell(item, 'description')} clearLabel="Clear description" />
}

export function CostCell({ item }: Props) {
  return <CostEditor model={useCell(item, 'cost')} />
}

export function StartCell({ item }: Props) {
  return <DateEditor model={useCell(item, 'dateStarted')} />
}

export function EndCell({ item }: Props) {
  return <DateEditor model={useCell(item, 'dateEnded')} clearLabel="Clear End" />
}
