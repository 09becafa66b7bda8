package server_test

import (
	"net/url"
	"strings"
	"testing"

	"digesto"
	"digesto/pack"
	"digesto/server"
)

// answerText is the part of a page that is read as the answer.
func answerText(t *testing.T, page string) string {
	t.Helper()
	_, rest, ok := strings.Cut(page, `class="flow ladder"`)
	part, _, end := strings.Cut(rest, "</section>")
	if !ok || !end {
		t.Fatalf("no answer in %s", page)
	}
	return part
}

// TestLadder: the line that answers stands first and is marked as ours; then the clause of
// the law that bears it out, highlighted; the rest of what is quoted is folded, and nothing
// is told twice.
func TestLadder(t *testing.T) {
	w := newWorld(t, nil)
	whole := newText // two paragraphs, of which the second decides
	c := w.asker.answer.Citations[0]
	ref := *c.Ref
	ref.Start, ref.End = 0, len([]rune(whole))
	w.asker.answer.Citations = []digesto.Citation{{Quote: whole, Source: c.Source, Page: c.Page, Ref: &ref}}
	w.asker.answer.Answer = "«" + whole + "» [C1]\n\nEn pocas palabras (resumen de Digesto, vale el texto citado): El farero descansa veinte días al año. [C1]\n\nFuente: Ley de Faros, art. 2."
	notes := "Texto publicado el 01/01/2020: la fuente lo da por vigente. Se ha buscado también «semilla». Mire el convenio."
	w.asker.answer.Notes = &notes
	page := w.askForm(t, url.Values{"question": {"¿Cuánto descansa?"}})
	part := answerText(t, page)
	at := func(s string) int {
		i := strings.Index(part, s)
		if i < 0 {
			t.Fatalf("%q is missing in %s", s, part)
		}
		return i
	}
	line, clause, fold := at(`<p class="gist ours">El farero descansa veinte días al año.`), at("<mark>«2. Tendrá veinte días de descanso al año.»</mark>"), at("<details")
	if line > clause || clause > fold {
		t.Errorf("line at %d, clause at %d, fold at %d", line, clause, fold)
	}
	if strings.Contains(part[:fold], "encenderá") || strings.Contains(page, "En pocas palabras") || strings.Contains(part, "Fuente:") {
		t.Errorf("what is not asked stands above the fold: %s", part)
	}
	want(t, page, "Mire el convenio.", "<h2 class=\"rubric\" id=\"linea\">Respuesta</h2>")
	above, _, _ := strings.Cut(page, `<details class="how`)
	if strings.Contains(above, "semilla") || strings.Contains(above, "lo da por vigente") {
		t.Error("notes that change nothing stand in sight")
	}
}

// TestNearest: an answer that may not be one says so in its heading, and why.
func TestNearest(t *testing.T) {
	w := newWorld(t, nil)
	w.asker.answer.Confidence = .5
	w.asker.answer.Meta.Understood = []digesto.Understood{{Kind: "subject", Text: "¿Cuánto descansa el farero?", From: "question"}}
	w.asker.answer.Meta.Evidence = map[string]any{"unheard": .4}
	page := w.askForm(t, url.Values{"question": {"me despidieron del faro"}})
	want(t, page, "Lo más cercano", "Sí, al pie de la letra", "Puede que no", "lo que cuenta no sale en ese artículo", "¿Cuánto descansa el farero?")
}

// TestOursIsNotLaw: words of a text of ours have neither the guillemets nor the highlight
// of the law.
func TestOursIsNotLaw(t *testing.T) {
	w := newWorld(t, nil)
	w.asker.answer.Citations[0].Ref.Official = false
	page := w.askForm(t, url.Values{"question": {"¿Cuánto descansa?"}})
	part := answerText(t, page)
	if strings.Contains(part, "<mark>") || strings.Contains(part, "«"+quote) || !strings.Contains(part, "ours") {
		t.Errorf("a text of ours looks like law: %s", part)
	}
	want(t, page, "Es un resumen nuestro")
}

// TestConflictOnce: two norms that say different things are told of once, above the fold.
func TestConflictOnce(t *testing.T) {
	w := newWorld(t, nil)
	told := "Conflicto entre normas: el artículo 2 de la Ley de Faros [C1] y el artículo 9 del Decreto de Boyas dan cifras distintas. Prevalece la de mayor rango."
	w.asker.answer.Answer = "«" + quote + "» [C1]\n\n" + told
	notes := told
	w.asker.answer.Notes = &notes
	page := w.askForm(t, url.Values{"question": {"¿Cuánto descansa?"}})
	if n := strings.Count(page, "dan cifras distintas"); n != 1 {
		t.Errorf("the conflict is told %d times", n)
	}
}

// TestLeadInStandsWithItsItem: a sentence that announces a list does not stand alone.
func TestLeadInStandsWithItsItem(t *testing.T) {
	w := newWorld(t, nil)
	cite := func(label, q string) digesto.Citation {
		c := w.asker.answer.Citations[0]
		ref := *c.Ref
		ref.Label = label
		return digesto.Citation{Quote: q, Source: c.Source, Ref: &ref}
	}
	w.asker.answer.Citations = []digesto.Citation{cite("C1", "El descanso del farero será de:"), cite("C2", "a) Diez días, con menos de un año.\nb) Veinte días de descanso, desde el año.")}
	w.asker.answer.Answer = "«El descanso del farero será de:» [C1]\n«a) Diez días, con menos de un año.\nb) Veinte días de descanso, desde el año.» [C2]\n\nEn pocas palabras: Desde el año, el farero tiene veinte días. [C2]"
	part := answerText(t, w.askForm(t, url.Values{"question": {"¿Cuánto descansa?"}}))
	above, _, _ := strings.Cut(part, "<details")
	want(t, above, "«El descanso del farero será de:»", "«a) Diez días, con menos de un año. b) Veinte días de descanso, desde el año.»")
	if strings.Count(part, "será de:") != 1 {
		t.Errorf("the lead-in is told twice: %s", part)
	}
}

// TestCalculatedLinesAreMarked: a line that names a cited article in words has its mark, and
// a question at the end is no item of the list.
func TestCalculatedLinesAreMarked(t *testing.T) {
	w := newWorld(t, nil)
	w.asker.answer.Citations[0].Ref.Title = "Artículo 2. Del descanso — Ley de Faros (Ley 1234)"
	w.asker.answer.Answer = "Depende del faro:\n- Con linterna: 20 días (Ley 1234, artículo 2, inciso 1).\n- Con sirena: 25 días (Ley 1234, artículo 20).\n- Con boya: 30 días (Ley 9999, artículo 2).\n¿Tiene linterna?"
	w.asker.answer.Meta.Mode = "calculator"
	part := answerText(t, w.askForm(t, url.Values{"question": {"x"}}))
	if n := strings.Count(part, `class="cite"`); n != 1 || !strings.Contains(part, `inciso 1).<a class="cite" href="#cita-1"`) {
		t.Errorf("%d marks: %s", n, part)
	}
	if strings.Contains(part, "<li>¿Tiene") || !strings.Contains(part, "Para afinar:</b> ¿Tiene linterna?") {
		t.Errorf("what is asked back: %s", part)
	}
}

// TestNoLawHasNoCountry: what is no question of law is shown as of no country.
func TestNoLawHasNoCountry(t *testing.T) {
	w := newWorld(t, func(o *server.Options) {
		o.Packs = []*pack.Pack{{Name: "mar", Title: "Derecho del mar", FirstQuestion: "¿Cuánto descansa?"}}
	})
	w.asker.answer = digesto.Answer{Answer: "Soy un programa.", Citations: []digesto.Citation{}, Meta: &digesto.Meta{Outcome: digesto.OutcomeNonLegal, TraceID: "t6", Pack: "mar",
		Understood: []digesto.Understood{{Kind: "where", Text: "Atlántida", From: "default"}}}}
	page := w.askForm(t, url.Values{"question": {"dame una receta"}})
	_, main, _ := strings.Cut(page, "<main")
	if strings.Contains(main, "Atlántida") || strings.Contains(main, "Ámbito</b>") {
		t.Error("small talk is shown as of a country")
	}
	want(t, page, "¿Cuánto descansa?")
}

// TestCautionIsNoAnswer: what is said of a text that may not be in force stands before the
// words of the law and is never the line that answers; the two signals tell apart that the
// article is the one asked for and that its text is doubted.
func TestCautionIsNoAnswer(t *testing.T) {
	w := newWorld(t, nil)
	a := &w.asker.answer
	a.Answer = "Atención: el origen de este texto es dudoso. Atención: este texto no es el vigente.\n\n«" + quote + "» [C1]\n\nFuente: Ley de Faros, art. 2."
	a.Confidence = .5
	a.Meta.Evidence = map[string]any{"confidence": .9}
	notes := "Aviso sobre el texto citado. La fuente avisa: «(*) Cambiado. Los siguientes ». Mire el convenio."
	a.Notes = &notes
	page := w.askForm(t, url.Values{"question": {"¿Cuánto descansa?"}})
	part := answerText(t, page)
	callout, gist := strings.Index(part, `class="callout`), strings.Index(part, `<p class="gist`)
	if callout < 0 || gist < callout || !strings.Contains(part[gist:], "<mark>«"+quote+"»</mark>") || strings.Contains(part[gist:], "dudoso") {
		t.Errorf("a caution is told as the answer: %s", part)
	}
	want(t, page, "El origen de este texto es dudoso.", "Este texto no es el vigente.", "Con reservas", "Probablemente sí", "«(*) Cambiado. Los siguientes ».")
	if strings.Contains(page, "Aviso sobre el texto citado") {
		t.Error("a heading is told as a note")
	}
}

// TestAskedForAnArticle: who asks what an article says gets what is quoted of it in its order,
// not the sentence that has most of the question's words.
func TestAskedForAnArticle(t *testing.T) {
	w := newWorld(t, nil)
	c := w.asker.answer.Citations[0]
	second := *c.Ref
	second.Label, second.Start, second.End = "C2", 3, 13
	w.asker.answer.Citations = append(w.asker.answer.Citations, digesto.Citation{Quote: newText[3:13], Source: c.Source, Page: c.Page, Ref: &second})
	w.asker.answer.Answer = "«" + newText[3:13] + "» [C2]\n«" + quote + "» [C1]"
	w.asker.answer.Meta.Evidence = map[string]any{"asked": "text"}
	part := answerText(t, w.askForm(t, url.Values{"question": {"¿Qué dice el artículo 2 del descanso del farero?"}}))
	if first, then := strings.Index(part, "El farero"), strings.Index(part, quote); first < 0 || then < first || strings.Contains(part, "<details") {
		t.Errorf("%d %d in %s", first, then, part)
	}
}

// TestNothingIsAnnounced: «La ley dice» stands only before words of the law.
func TestNothingIsAnnounced(t *testing.T) {
	w := newWorld(t, nil)
	w.asker.answer.Citations[0].Ref.Official = false
	if page := w.askForm(t, url.Values{"question": {"¿Cuánto descansa?"}}); strings.Contains(page, "La ley dice:") {
		t.Error("the law is announced and not quoted")
	}
}
