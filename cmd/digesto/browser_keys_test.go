package main

import (
	"encoding/json"
	"strings"
	"testing"

	"digesto/internal/browser"
	"digesto/internal/long"
)

// watchFocus marks what can be focused, and notes in order what is, and whether that
// can be seen: by an outline or a shadow of the element, its label or what frames it.
const watchFocus = `(()=>{
	const seen=e=>e.checkVisibility({visibilityProperty:true})&&!e.closest('[inert]');
	const all=[...document.querySelectorAll('a[href],button,input:not([type=hidden]),select,textarea,summary,[tabindex]')].filter(e=>!e.disabled&&e.tabIndex>=0&&(seen(e)||e.matches('.skip'))&&
		!(e.type==='radio'&&e!==(document.querySelector('input[name="'+e.name+'"]:checked')||document.querySelector('input[name="'+e.name+'"]'))));
	const ring=x=>{const s=getComputedStyle(x);return s.outlineStyle!=='none'&&parseFloat(s.outlineWidth)>=2||s.boxShadow!=='none'};
	const name=e=>e.tagName.toLowerCase()+(e.id?'#'+e.id:'')+(e.name?'[name='+e.name+']':'')+' '+(e.textContent||e.value||'').trim().slice(0,30);
	window.walked={met:new Set(),dark:new Set()};
	document.addEventListener('focusin',e=>{const t=e.target;walked.met.add(t);
		if(dark(t))walked.dark.add(t)});
	const dark=t=>{const r=t.getBoundingClientRect();return ![t,t.closest('label'),t.closest('form'),t.parentElement].some(x=>x&&ring(x))||r.width*r.height===0};
	const still=t=>{t.focus({focusVisible:true});return dark(t)}; // a page that was still being drawn shows it now
	window.walked.left=()=>JSON.stringify({All:all.length,Left:all.filter(e=>!walked.met.has(e)&&e.isConnected).map(name),Dark:[...walked.dark].filter(e=>e.isConnected&&still(e)).map(name)});
	return all.length+4*all.filter(e=>e.type==='date').length})()` // a date has several stops within

// TestKeyboard goes through every page by Tab alone (without DIGESTO_LONG, the first
// three on a narrow screen): each control is reached, the focus is always to be seen, and the end leads
// out of the page or back to its beginning.
func TestKeyboard(t *testing.T) {
	base := serveLaw(t, lawData(t, map[string]string{"laboral": "versions", "argentina": "conversation"}))
	for name, look := range long.Some(map[string]browser.Look{"wide": {}, "narrow": {Width: 320, Height: 640, Dark: true}}, "narrow") {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := browser.Own(t) // the focus is where the keys go, and there is one
			for _, page := range pagesToTry[:long.Of(len(pagesToTry), 3)] {
				tab := b.Tab(t, look)
				open(tab, base, page)
				n := browser.Eval[int](tab, watchFocus)
				tab.Press(strings.Repeat("\t", n+3)) // once round, and a little more: a trap would keep the last ones away
				var got struct {
					All        int
					Left, Dark []string
				}
				if err := json.Unmarshal([]byte(browser.Eval[string](tab, "walked.left()")), &got); err != nil {
					t.Fatal(err)
				}
				if len(got.Left) > 0 || got.All < 3 {
					t.Errorf("%s: of %d controls Tab does not reach %q", page, got.All, got.Left)
				}
				if len(got.Dark) > 0 {
					t.Errorf("%s: the focus is not to be seen on %q", page, got.Dark)
				}
			}
		})
	}
}

// TestEscape closes by keys what keys have opened, and gives the focus back.
func TestEscape(t *testing.T) {
	b := browser.Start(t)
	base := serveLaw(t, lawData(t, map[string]string{"laboral": "versions"}))
	tab := b.Tab(t, browser.Look{Width: 320, Height: 640})
	open(tab, base, "?¿Cuántos días de descanso tiene el farero?")
	tab.TabTo(".menu-open")
	tab.Press("\r")
	tab.Wait("document.querySelector('#menu').matches(':popover-open')")
	tab.Press("\x1b")
	tab.Wait("!document.querySelector('#menu').matches(':popover-open')&&document.activeElement.matches('.menu-open')")
	tab.TabTo(".gist .cite")
	tab.Press("\r")
	tab.Wait("document.querySelector('dialog.sheet')?.open")
	tab.Press("\x1b")
	tab.Wait("!document.querySelector('dialog.sheet')&&document.activeElement.matches('.cite')")
}
