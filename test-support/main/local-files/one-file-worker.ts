/**
 * Files are read and written one after the other, so that what is asked first is answered first, and the same seed replays the same
 * world. Import this before anything that uses files.
 */
process.env['UV_THREADPOOL_SIZE'] ??= '1';
