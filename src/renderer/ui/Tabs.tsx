import type { ReactNode } from 'react';
import { Tab, TabList, TabPanel, Tabs as AriaTabs } from 'react-aria-components';
import './tabs.css';

type TabEntry<V extends string> = {
  id: V;
  label: string;
  /** As it is shown. */
  count?: string | undefined;
  /** A dot beside the count, only when something needs the person. */
  need?: 'bad' | 'wait' | null;
  /** What count and dot mean, for assistive technology. */
  description?: string;
  content: ReactNode;
};

/** Tabs in a bar, with room for controls at its end. A tab's name stays its label: count and dot describe it. */
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
