import {defineConfig} from 'vite';
import {viteSingleFile} from 'vite-plugin-singlefile';

// One file, everything inlined; the program puts the data in at @torsor-data@ (src/io/report.cc).
export default defineConfig({
  plugins: [viteSingleFile({removeViteModuleLoader: true})],
  build: {target: 'es2021', reportCompressedSize: false, chunkSizeWarningLimit: 2000},
  // Licences of what is built in stay in the file.
  esbuild: {legalComments: 'inline'},
});
