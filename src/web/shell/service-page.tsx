import { durationText, Unknown } from '../parts/amount.tsx';
import { Facts } from '../parts/facts.tsx';
import { Absent, Notice } from '../parts/notice.tsx';
import { Scroll } from '../parts/scroll.tsx';
import { useService } from '../service/service.tsx';
import { PageHead } from './page-head.tsx';

/** What the service itself knows of its data: their age, what is wrong with them, and what they were read from. */
export function ServicePage() {
  const { status } = useService();
  if (status === undefined) return <Absent error={undefined} what="the status" />;
  const { data, lastRefresh } = status;
  return (
    <>
      <PageHead title="Data" />
      <Facts
        facts={[
          ['version', status.version],
          ['age of the data', data === null ? <Unknown key="age" /> : durationText(data.ageSeconds)],
          [
            'last refresh took',
            lastRefresh.durationSeconds === null ? (
              <Unknown key="took" />
            ) : (
              `${lastRefresh.durationSeconds.toFixed(1)} s`
            ),
          ],
          [
            'window covered',
            data === null ? <Unknown key="window" /> : `${Math.floor(100 * data.windowCoverageRatio)} %`,
          ],
        ]}
      />
      {lastRefresh.error !== null && (
        <Notice kind="error" title="The last refresh failed">
          {lastRefresh.error}
        </Notice>
      )}
      {data !== null && (
        <>
          <section class="card" aria-labelledby="problems-title">
            <div class="card__head">
              <h2 id="problems-title">
                {data.problems.length === 0 ? 'No problems' : `Problems (${data.problems.length})`}
              </h2>
            </div>
            <ul class="problems">
              {data.problems.map(({ kind, subject, message, remedy }) => (
                <li key={`${kind} ${subject}`}>
                  <p>{message}</p>
                  <p class="minor">{remedy}</p>
                </li>
              ))}
            </ul>
          </section>
          <section class="card" aria-labelledby="inputs-title">
            <div class="card__head">
              <h2 id="inputs-title">Inputs</h2>
            </div>
            <Scroll label="Inputs as a table">
              <table class="plain">
                <thead>
                  <tr>
                    <th scope="col">Input</th>
                    <th scope="col">Outcome</th>
                    <th scope="col">Read from</th>
                    <th scope="col" class="number">
                      Series
                    </th>
                  </tr>
                </thead>
                <tbody>
                  {data.inputs.map(({ id, outcome, source, series, error }) => (
                    <tr key={id}>
                      <th scope="row">{id}</th>
                      <td>
                        <span class={`chip tone-outcome-${outcome}`}>{outcome}</span> {error}
                      </td>
                      <td>{source ?? <Unknown text="nothing" />}</td>
                      <td class="number">{series.toLocaleString('en')}</td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </Scroll>
          </section>
        </>
      )}
    </>
  );
}
