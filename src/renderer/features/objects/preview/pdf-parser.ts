// A thread. In this order: PDF.js reads with what it finds when it is loaded.
import './limit-parser.ts';
import 'pdfjs-dist/build/pdf.worker.min.mjs';
