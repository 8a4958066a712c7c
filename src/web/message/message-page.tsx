import { useState } from 'preact/hooks';
import type { KubeletTextMeaning } from '../../explain/kubelet-text.ts';
import { Absent } from '../parts/notice.tsx';
import type { Answered } from '../service/answered.ts';
import { post } from '../service/request.ts';
import { PageHead } from '../shell/page-head.tsx';
import { MessageMeaning } from './message-meaning.tsx';

const examples: readonly (readonly [name: string, text: string])[] = [
  [
    'a pod evicted for memory',
    'The node was low on resource: memory. Threshold quantity: 100Mi, available: 84Mi. Container api was using 900Mi, request is 512Mi, has larger consumption of memory. ',
  ],
  ['an emptyDir that was too large', 'Usage of EmptyDir volume "cache" exceeds the limit "1Gi". '],
  [
    'a line of the kubelet',
    'I0301 12:00:00.000000    1234 eviction_manager.go:374] "Eviction manager: pods ranked for eviction" pods=["logging/log-shipper","ingress/ingress-nginx","batch/batch-import"]',
  ],
];

/** Paste what the kubelet said, read what it means. */
export function MessagePage() {
  const [text, setText] = useState('');
  const [meaning, setMeaning] = useState<Answered<KubeletTextMeaning>>();
  const [error, setError] = useState<Error>();
  const [isAsking, setIsAsking] = useState(false);
  const explain = async (message: string) => {
    setIsAsking(true);
    setMeaning(undefined);
    setError(undefined);
    try {
      setMeaning(await post<Answered<KubeletTextMeaning>>('api/v1/eviction-messages', { message }));
    } catch (problem) {
      setError(problem as Error);
    }
    setIsAsking(false);
  };
  return (
    <>
      <PageHead title="What does this message mean?" />
      <section class="card message">
        <form
          onSubmit={(event) => {
            event.preventDefault();
            void explain(text);
          }}
        >
          <label for="message" class="field__label">
            The message of an evicted pod, or a line of the kubelet's log
          </label>
          <textarea
            id="message"
            class="message__text"
            rows={5}
            maxLength={100_000}
            spellcheck={false}
            value={text}
            onInput={(event) => setText(event.currentTarget.value)}
          />
          <div class="message__tools">
            <button type="submit" class="button button--main" disabled={text.trim() === '' || isAsking}>
              Explain
            </button>
            <span class="minor">Try</span>
            {examples.map(([name, example]) => (
              <button
                key={name}
                type="button"
                class="button button--quiet"
                onClick={() => {
                  setText(example);
                  void explain(example);
                }}
              >
                {name}
              </button>
            ))}
          </div>
        </form>
      </section>
      {error !== undefined && <Absent error={error} what="" />}
      {meaning !== undefined && <MessageMeaning meaning={meaning} />}
    </>
  );
}
