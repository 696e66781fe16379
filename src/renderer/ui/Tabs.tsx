import type { ReactNode } from 'react';
import { Tab, TabList, TabPanel, Tabs as AriaTabs } from 'react-aria-components';
import './tabs.css';

type TabEntry<V extends string> = {
  id: V;
  label: string;
  /** Already formatted. */
  count?: string | undefined;
  /** A dot beside the count, shown only when something needs attention. */
  need?: 'bad' | 'wait' | null;
  /** What the count and the dot mean, for assistive technology. */
  description?: string;
  content: ReactNode;
};

/**
 * Tab bar with room for controls at its end. A tab's accessible name is its label alone; count and dot are its
 * description.
 */
export function Tabs<V extends string>(props: {
  label: string;
  tabs: readonly TabEntry<V>[];
  selected: V;
  onSelect: (id: V) => void;
  after?: ReactNode;
}) {
  const { label, tabs, selected, onSelect, after } = props;
  return (
    <AriaTabs
      className="tabs"
      selectedKey={selected}
      onSelectionChange={(key) => {
        const tab = tabs.find(({ id }) => id === key);
        if (tab !== undefined) onSelect(tab.id);
      }}
    >
      <div className="tabs__bar">
        <TabList aria-label={label} className="tabs__list">
          {tabs.map(({ id, label: name, count, need, description }) => (
            <Tab key={id} id={id} className="tab" {...describe(id, description)}>
              {name}
              {count !== undefined && (
                <span className="tab__count figures" aria-hidden="true">
                  {count}
                </span>
              )}
              {need != null && <span className={`tab__need tab__need--${need}`} aria-hidden="true" />}
              {description !== undefined && (
                <span id={`tab-about-${id}`} hidden>
                  {description}
                </span>
              )}
            </Tab>
          ))}
        </TabList>
        {after}
      </div>
      {tabs.map(({ id, content }) => (
        <TabPanel key={id} id={id} className="tabs__panel">
          {content}
        </TabPanel>
      ))}
    </AriaTabs>
  );
}

function describe(id: string, description: string | undefined) {
  return description === undefined ? {} : { 'aria-describedby': `tab-about-${id}` };
}
