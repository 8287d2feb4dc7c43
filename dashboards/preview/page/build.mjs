// Bundles the page that draws dashboards into dist/.
import { build } from 'esbuild';
import { cp, mkdir } from 'node:fs/promises';

const modules = new URL('node_modules/', import.meta.url).pathname;
const packages = ['data', 'e2e-selectors', 'i18n', 'runtime', 'schema', 'ui'];

// The ESM and CJS builds of one package would each keep their own singletons (registries,
// services): scenes reads the CJS ones, so everything must.
const oneBuild = {
  name: 'one build of each package',
  setup(bundle) {
    bundle.onResolve({ filter: new RegExp(`^@grafana/(${packages.join('|')})$`) }, ({ path }) => ({
      path: `${modules}${path}/dist/cjs/index.cjs`,
    }));
    bundle.onResolve({ filter: /^@grafana\/schema\/dist\/esm\/raw\// }, ({ path }) => ({
      path: `${modules}${path}.js`,
    }));
  },
};

await mkdir('dist/public/fonts/inter', { recursive: true });
await build({
  entryPoints: ['src/main.tsx'],
  outfile: 'dist/main.js',
  bundle: true,
  format: 'iife',
  target: 'chrome110',
  jsx: 'automatic',
  minify: true,
  logLevel: 'error',
  plugins: [oneBuild],
  define: { 'process.env.NODE_ENV': '"production"', global: 'window' },
  loader: { '.svg': 'dataurl', '.woff2': 'file', '.woff': 'file', '.ttf': 'file', '.png': 'dataurl' },
});
await cp('src/index.html', 'dist/index.html');
await cp(`${modules}@grafana/ui/dist/public/img`, 'dist/public/img', { recursive: true });
for (const [weight, name] of [[400, 'Regular'], [500, 'Medium']]) {
  await cp(
    `${modules}@fontsource/inter/files/inter-latin-${weight}-normal.woff2`,
    `dist/public/fonts/inter/Inter-${name}.woff2`
  );
}
