import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

/**
 * A Chromium out of an npm package (67 MB, Linux x64), for machines without one. It is no dependency of this project,
 * because only tests need it, and only there: it is fetched at the first test run into a cache beside the packages.
 */
const PACKAGE = '@sparticuz/chromium@153.0.0';
const CACHE = resolve(import.meta.dirname, '../../node_modules/.cache/chromium');

// The package unpacks into the folder for temporary files, and adds the NSS libraries only if the environment looks
// like AWS Lambda.
const UNPACK = `import('@sparticuz/chromium').then(({ default: chromium }) => chromium.executablePath())`;

/** Installs and unpacks it once. Returns what to launch, and with which environment. */
export function packagedChromium(): { executablePath: string; env: Record<string, string> } {
  const executablePath = join(CACHE, 'chromium');
  const fonts = join(CACHE, 'fonts.conf');
  if (!existsSync(fonts)) {
    mkdirSync(CACHE, { recursive: true });
    execFileSync('npm', ['install', '--no-save', '--loglevel=error', '--prefix', CACHE, PACKAGE], { stdio: 'inherit' });
    execFileSync(process.execPath, ['--input-type=module', '--eval', UNPACK], {
      cwd: CACHE,
      env: { ...process.env, TMPDIR: CACHE, AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x' },
    });
    // Without a configuration that names its fonts it draws no text at all.
    writeFileSync(
      fonts,
      `<fontconfig><dir>${join(CACHE, 'fonts')}</dir><cachedir>${join(CACHE, 'font-cache')}</cachedir></fontconfig>`,
    );
  }
  return {
    executablePath,
    env: {
      LD_LIBRARY_PATH: join(CACHE, 'al2023', 'lib'),
      FONTCONFIG_FILE: fonts,
      TMPDIR: CACHE,
      // Without a language uPlot throws.
      LANG: 'en_US.UTF-8',
    },
  };
}
