import { render } from 'preact';
import { App } from './app.tsx';
import { ServiceProvider } from './service/service.tsx';

const root = document.getElementById('page');
if (root !== null) {
  render(
    <ServiceProvider>
      <App />
    </ServiceProvider>,
    root,
  );
}
