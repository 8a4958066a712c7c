import { useEffect, useState } from 'preact/hooks';
import type { Play } from './play.ts';
import { tellStory } from './story.ts';

/** Sentences shown before the reader asks for all. */
const firstReasons = 4;

export function StoryText({ played }: { readonly played: Play }) {
  const story = tellStory(played);
  const announced = useSettled(story.headline, 700);
  const [shown, rest] = [story.reasons.slice(0, firstReasons), story.reasons.slice(firstReasons)];
  return (
    <div class={`story${story.isEvicting ? ' story--evicting' : ''}`} data-testid="story">
      <p class="story__headline">{story.headline}</p>
      {shown.length > 0 && (
        <ul class="story__reasons">
          {shown.map((reason) => (
            <li key={reason}>{reason}</li>
          ))}
        </ul>
      )}
      {rest.length > 0 && (
        <details class="story__rest">
          <summary>{rest.length} more</summary>
          <ul class="story__reasons">
            {rest.map((reason) => (
              <li key={reason}>{reason}</li>
            ))}
          </ul>
        </details>
      )}
      {played.notes.map((note) => (
        <p key={note} class="story__note">
          {note}
        </p>
      ))}
      <p class="only-read" role="status">
        {announced}
      </p>
    </div>
  );
}

/** A value once it has stayed the same for a while: a slider under way would be read out step by step. */
function useSettled(value: string, delayMs: number): string {
  const [settled, setSettled] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), delayMs);
    return () => clearTimeout(timer);
  }, [value, delayMs]);
  return settled;
}
