/**
 * One thread for file operations, so that they finish in order and a seed replays the same world. Import this before any module
 * that uses files.
 */
process.env['UV_THREADPOOL_SIZE'] ??= '1';
