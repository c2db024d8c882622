package templates

import (
	"context"
	"fmt"
	"html"
	"io"
	"strings"

	"github.com/a-h/templ"
)

// Site holds what the pages of a static site have in addition to, or instead of, those of a server. Package
// internal/site makes it.
type Site struct {
	Address func(path string) string // returns the URL of the page that a server has at the given path and query below Base
	Policy  string                   // content security policy; see InlineScripts
	Opener  templ.Attributes         // attributes of the script js/site/open.js, which opens pages by URL
	Module  string                   // name, in static/js, of the module that a page loads first, and that imports the page's own module
	Preload func(string) []string    // returns the names of the modules that a page preloads which loads the named module first; may be nil
	Body    templ.Attributes         // attributes of the body element, from which Module reads its options
	Offline string                   // text in the file menu that says which functions need a server
}

// Link returns the URL of the page at path, which is below the base path and may have a query.
func (p *Page) Link(path string) string {
	if p.Site != nil {
		return p.Site.Address(path)
	}
	return p.Base + path
}

// split returns the folder from which the page with the given module loads modules, and the name of the module in it.
// The folder is "" for a page whose script is a bundle of its own, which needs no other module.
func split(script string) (folder, module string) {
	if module, ok := strings.CutPrefix(script, labFolder); ok {
		return labFolder, module
	}
	if module, ok := strings.CutPrefix(script, "js/"); ok {
		return "js/", module
	}
	return "", script
}

// module returns the name of the module that the page loads first. script is the name of the page's own module.
func (p *Page) module(script string) string {
	if folder, _ := split(script); p.Site != nil && folder != "" {
		return folder + p.Site.Module
	}
	return script
}

// preload returns the names of the modules that a page of a static site preloads. script is the name of the page's own
// module.
func (p *Page) preload(script string) []string {
	if p.Site.Preload == nil {
		return nil
	}
	return p.Site.Preload(p.module(script))
}

// bodyAttributes returns the additional attributes of the body element in a page of a static site. script is the name
// of the page's own module.
func (p *Page) bodyAttributes(script string) templ.Attributes {
	if p.Site == nil {
		return nil
	}
	all := templ.Attributes{"data-script": ""}
	if folder, module := split(script); folder != "" {
		all["data-script"] = "./" + module
	}
	for name, value := range p.Site.Body {
		all[name] = value
	}
	return all
}

// Names of the modules of the two views of a run.
const (
	labFolder   = "bundle/lab/"
	labScript   = labFolder + "app.js"
	entryScript = "bundle/entry.js"
)

// The scripts in the HTML of pages. They run before the first paint.
const (
	// themeScript applies the saved colours and motion. theme.js saves them.
	themeScript = `
		document.documentElement.classList.add("js");
		try {
			for (const name of ["theme", "motion"]) {
				const chosen = localStorage.getItem("wheelscope." + name);
				if (chosen) document.documentElement.dataset[name] = chosen;
			}
		} catch {}
	`
	// fragmentScript opens the laboratory for a URL with the mark of a shared run in its fragment, which only scripts
	// can read.
	fragmentScript = `
		(() => {
			const open = () => {
				const to = new URL(location.href);
				to.searchParams.set("view", "lab");
				if (to.hash.startsWith("#share=")) location.replace(to);
			};
			open();
			addEventListener("hashchange", open);
		})();
	`
)

// InlineScripts returns the scripts that the HTML of pages contains, for a content security
// policy that identifies them by their digests.
func InlineScripts() []string { return []string{themeScript, fragmentScript} }

// inline renders a script element with the given content.
func inline(content string) templ.Component {
	return templ.ComponentFunc(func(ctx context.Context, w io.Writer) error {
		attributes := ""
		if nonce := templ.GetNonce(ctx); nonce != "" {
			attributes += fmt.Sprintf(` nonce="%s"`, html.EscapeString(nonce))
		}
		_, err := io.WriteString(w, "<script"+attributes+">"+content+"</script>")
		return err
	})
}
