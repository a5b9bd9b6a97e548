"""For mkdocs: puts beside the pages the shim that lets them be searched from the disk and KaTeX, which sets mathematics (`make docs`
installs both), adds the reference of the C++ interface, and leads from every picture of the gallery to its live page
(tools/gallery_pages makes them)."""
import importlib.machinery
import importlib.util
import pathlib
import re

from mkdocs.structure.files import File

SHIM = pathlib.Path("build/docs-tools/node_modules/iframe-worker/shim/index.js")
KATEX = pathlib.Path("build/docs-tools/node_modules/katex/dist")
KATEX_FILES = ("katex.min.js", "katex.min.css", "contrib/auto-render.min.js", "fonts/*.woff2")
LIVE = pathlib.Path("build/docs-live")
REFERENCE = importlib.machinery.SourceFileLoader("api_reference", "tools/api_reference")


def on_files(files, config):
    files.append(File.generated(config, "assets/iframe-worker.js", abs_src_path=str(SHIM.resolve())))
    for pattern in KATEX_FILES:
        for file in sorted(KATEX.glob(pattern)):
            place = f"assets/katex/{file.relative_to(KATEX).as_posix()}"
            files.append(File.generated(config, place, abs_src_path=str(file.resolve())))
    reference = importlib.util.module_from_spec(importlib.util.spec_from_loader(REFERENCE.name, REFERENCE))
    REFERENCE.exec_module(reference)
    for name, _, text in reference.pages():
        files.append(File.generated(config, name, content=text))
    for page in sorted(LIVE.glob("*")):
        files.append(File.generated(config, f"live/{page.name}", abs_src_path=str(page.resolve())))
    return files


def on_page_markdown(markdown, page, config, files):
    """On git hosts, where there are no live pages, the gallery stands as it is written."""
    if page.file.src_uri != "gallery.md" or not LIVE.is_dir():
        return markdown
    live = {path.stem for path in LIVE.glob("*.html")}

    def led(found):
        name = found.group(2)
        return f"[{found.group(0)}](live/{name}.html){{title='Move it'}}" if name in live else found.group(0)

    return re.sub(r"!\[([^\]]*)\]\(images/gallery/(\w+)\.webp\)", led, markdown)
