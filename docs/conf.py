"""The documentation as a site: `make docs` builds it into build/docs."""

import sys
from pathlib import Path

import metaphrase

sys.path.insert(0, str(Path(__file__).parent))

project = "metaphrase"
version = release = metaphrase.__version__
html_title = f"metaphrase {version}"
html_theme = "furo"
html_show_copyright = False
html_static_path = ["_static"]
html_css_files = ["site.css"]
exclude_patterns = ["pictures"]

extensions = ["myst_parser", "sphinx.ext.autodoc", "reference", "notebook_pages"]
myst_heading_anchors = 4
myst_links_external_new_tab = False

# The reference follows what the packages export; nothing is installed for it but the package itself.
autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_typehints_format = "short"
python_use_unqualified_type_names = True
add_module_names = False

# Links between pages must lead somewhere; types of other packages have no pages here.
nitpicky = True
nitpick_ignore_regex = [("py:.*", ".*")]
# Two classes may have one name: the compiled one, and the one around it.
suppress_warnings = ["ref.python"]
