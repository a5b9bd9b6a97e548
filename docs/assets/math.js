// Sets the mathematics of a page, $..$ and $$..$$, by KaTeX, which lies beside it.
document.addEventListener('DOMContentLoaded', () =>
  document.querySelectorAll('.arithmatex').forEach((place) =>
    renderMathInElement(place, {delimiters: [{left: '\\(', right: '\\)', display: false}, {left: '\\[', right: '\\]', display: true}]})));
