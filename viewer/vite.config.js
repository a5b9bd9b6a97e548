import {createHash} from 'node:crypto';
import {defineConfig} from 'vite';
import {viteSingleFile} from 'vite-plugin-singlefile';

const sha = (text) => `'sha256-${createHash('sha256').update(text, 'utf8').digest('base64')}'`;

/** Nothing runs, styles or loads but what was built in: hashes of script and style, no network at all. */
function securityPolicy() {
  return {
    name: 'security-policy',
    enforce: 'post',
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        for (const file of Object.values(bundle)) {
          if (!file.fileName.endsWith('.html')) continue;
          const html = String(file.source);
          const inside = (tag) => [...html.matchAll(new RegExp(`<${tag}\\b([^>]*)>([\\s\\S]*?)</${tag}>`, 'g'))]
            .filter(([, attributes]) => !attributes.includes('application/json')).map(([, , text]) => sha(text)).join(' ');
          const policy = `default-src 'none'; script-src ${inside('script')}; style-src ${inside('style')}; ` +
            "img-src data: blob:; media-src blob:; base-uri 'none'; form-action 'none'";
          file.source = html.replace('<meta charset="utf-8">', `<meta charset="utf-8">\n<meta http-equiv="Content-Security-Policy" content="${policy}">`);
        }
      },
    },
  };
}

// One file, everything inlined; the program puts the data in at @torsor-data@ (src/torsor/page/report.cc).
export default defineConfig({
  plugins: [viteSingleFile(), securityPolicy()],
  build: {target: 'es2021', modulePreload: false, reportCompressedSize: false, chunkSizeWarningLimit: 2000, rollupOptions: {output: {format: 'iife'}}},
  // Licences of what is built in stay in the file.
  esbuild: {legalComments: 'inline'},
});
