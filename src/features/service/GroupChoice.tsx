import { SegmentedControl } from '../../components/SegmentedControl.tsx'

type Props = { count: number; value: boolean; onChange: (all: boolean) => void }

/** Asks whether an edit is of one task or of its group. Renders nothing for a task that was added alone. */
export function GroupChoice({ count, value, onChange }: Props) {
  if (count < 2) return null
  return (
    <div data-wide>
      <SegmentedControl
        legend="Change"
        options={[
          { value: 'one', label: 'This one' },
          { value: 'all', label: `All ${count}` },
        ]}
        value={value ? 'all' : 'one'}
        onChange={(choice) => onChange(choice === 'all')}
      />
    </div>
  )
}
