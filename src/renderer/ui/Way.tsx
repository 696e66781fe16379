import { Button } from 'react-aria-components';
import { Icon } from './Icon.tsx';
import type { IconName } from './icons.tsx';
import './way.css';

/** One of a few ways to continue. Its name is the action, and the line below describes it. */
export function Way(props: {
  icon: IconName;
  name: string;
  text: string;
  isFirst?: boolean;
  isPending?: boolean;
  onPress: () => void;
}) {
  const { icon, name, text, isFirst = false, isPending = false, onPress } = props;
  const about = `way-${icon}`;
  return (
    <Button
      className={`way ${isFirst ? 'way--first' : ''}`}
      aria-describedby={about}
      isPending={isPending}
      onPress={onPress}
    >
      <span className="way__tile">
        <Icon name={icon} />
      </span>
      <span>
        <span className="way__name">{name}</span>
        <span className="way__text" id={about} aria-hidden="true">
          {text}
        </span>
      </span>
      <Icon name="right" />
    </Button>
  );
}
