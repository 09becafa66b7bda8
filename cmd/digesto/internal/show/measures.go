package show

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"digesto/cmd/digesto/internal/terminal"
	"digesto/eval"
	evalrun "digesto/eval/run"
)

// Retrieval prints the measures of a search.
func Retrieval(w terminal.Screen, r eval.RetrievalReport) error {
	for _, name := range []string{"hit@1", "hit@5", "hit@10", "hit@100", "MRR@10", "nDCG@10"} {
		if v, ok := r.Metrics[name]; ok {
			fmt.Fprintf(w, "%-8s %.4f\n", name, v)
		}
	}
	_, err := fmt.Fprintf(w, "%d preguntas, %d documentos · por búsqueda: media %.2f ms, p50 %.2f, p95 %.2f, máx. %.2f\n",
		r.Queries, r.Documents, r.Latency.Mean, r.Latency.P50, r.Latency.P95, r.Latency.Max)
	return err
}

// RateNames says in Spanish what each rate of answers is.
var RateNames = map[string]string{
	"single":          "de las que tienen respuesta, contestadas desde uno de sus lugares con alguna de las palabras esperadas",
	"single_or_among": "lo mismo, o entre las lecturas que se ofrecen",
	"loud_wrong":      "de las contestadas con confianza de .6 o más, desde otro lugar o sin que nada responda",
	"answered":        "contestadas de las que tienen respuesta (1 − negativas indebidas)", "first": "primera cita en el artículo que responde", "holds": "las citas contienen la respuesta",
	"page": "páginas acertadas", "refused": "no contestadas de las que no tienen respuesta", "outcome": "… y del modo esperado", "routed": "paquete acertado",
	"not_asked": "sin preguntar de vuelta", "same_law": "sin mezclar ordenamientos", "verbatim": "citas literales en su sitio",
}

// Exam prints the marks of an exam.
func Exam(w terminal.Screen, r eval.ExamReport) error {
	row := func(name string, m eval.ExamMetrics) {
		fmt.Fprintf(w, "%-24s %4d preguntas · bien %.3f · contestadas %.3f · bien de las contestadas %.3f · nota (bien − mal/3) %.3f\n", name, m.N, m.Accuracy, m.Answered, m.Precision, m.Score)
	}
	row("todas", r.Metrics)
	if m, ok := r.Groups["plain"]; ok {
		row("comprobadas, sin negar", m)
	}
	if m, ok := r.Groups["negated"]; ok {
		row("negadas", m)
	}
	return nil
}

// rowTitles name the rows for people.
var rowTitles = map[string]string{evalrun.NoModel: "sin modelo", evalrun.Configured: "modelo configurado", evalrun.Scripted: "modelo de guion"}

// ModelRow prints how one row of a comparison of models did.
func ModelRow(w terminal.Screen, r eval.ModelRow) {
	n := r.Counts
	fmt.Fprintf(w, "%s: de %d con respuesta, acertadas %d (y entre las lecturas %d), contestadas %d; dichas con seguridad %d, de ellas mal %d; de %d sin respuesta, no contestadas %d\n",
		rowTitles[r.Name], n.Answerable, n.Single, n.Among, n.Answerable-n.FalseRefusals, n.Loud, n.LoudWrong, n.Refusable, n.Declined)
	fmt.Fprintf(w, "  %.2f s, %.1f llamadas (%d como mucho), %.0f + %.0f fichas por pregunta; %d citas, %d literales\n", r.Seconds, r.Calls, r.Most, r.In, r.Out, n.Quotes, n.Verbatim)
	if r.Drafts > 0 {
		var why []string
		for _, k := range slices.Sorted(maps.Keys(r.Fallbacks)) {
			why = append(why, fmt.Sprintf("%s %d", k, r.Fallbacks[k]))
		}
		fmt.Fprintf(w, "  %d borradores: %d frases comprobadas, %d retiradas; de las frases mostradas, sin comprobar %d; por extracción: %s\n", r.Drafts, r.Proved, r.Dropped, r.Loose, strings.Join(why, ", "))
	}
	if r.Offered > 0 {
		fmt.Fprintf(w, "  de %d cuyo lugar vio el juez: contestadas desde él %d (%.3f), y con las palabras esperadas %d (%.3f)\n", r.Offered,
			r.OfferedFirst, float64(r.OfferedFirst)/float64(r.Offered), r.OfferedRight, float64(r.OfferedRight)/float64(r.Offered))
	}
}

// Refusals prints how often was answered without the law that answers.
func Refusals(w terminal.Screen, r eval.RefusalReport) error {
	m := r.Metrics
	fmt.Fprintf(w, "con la ley: %d preguntas · negativas indebidas %.3f · primera cita acertada %.3f\n", m.Questions, m.FalseRefusals, m.Right)
	fmt.Fprintf(w, "con la ley, el nombre quitado de la pregunta: negativas %.3f · primera cita acertada %.3f\n", m.BareRefusals, m.BareRight)
	fmt.Fprintf(w, "sin la ley, la pregunta la nombra: %d · contestadas de todos modos %.3f\n", m.Named, m.AnsweredNamed)
	fmt.Fprintf(w, "sin la ley, no la nombra: %d · contestadas de todos modos %.3f; con el nombre quitado: %.3f; juntas: %.3f\n", m.Unnamed, m.AnsweredOther, m.AnsweredCut, m.AnsweredBlind)
	for _, b := range r.Bands {
		fmt.Fprintf(w, "confianza [%.1f, %.1f): %d respuestas · dicen %.3f · aciertan %.3f\n", b.From, b.To, b.Answers, b.Stated, b.RightRate)
	}
	return nil
}

// Ablation prints a search and what it is without each stage.
func Ablation(w terminal.Screen, rows []evalrun.AblationRow) {
	fmt.Fprintf(w, "%-28s %7s %7s %7s %8s\n", "", "hit@1", "hit@5", "hit@10", "nDCG@10")
	for _, r := range rows {
		fmt.Fprintf(w, "%-28s %7.4f %7.4f %7.4f %8.4f  %s\n", r.Name, r.Metrics["hit@1"], r.Metrics["hit@5"], r.Metrics["hit@10"], r.Metrics["nDCG@10"], w.Dim(r.Verdict))
	}
}

// GuideAblation prints the retriever of guides and what it is without each stage.
func GuideAblation(w terminal.Screen, rows []evalrun.GuideRow) {
	fmt.Fprintf(w, "%-30s %8s %8s %8s %9s %9s\n", "", "guide@1", "guide@3", "P@3", "negativas", "falsas")
	for _, r := range rows {
		fmt.Fprintf(w, "%-30s %8.3f %8.3f %8.3f %9.3f %9.3f  %s\n", r.Name, r.Metrics["guide@1"], r.Metrics["guide@3"], r.Metrics["P@3"], r.Refused, r.False, r.Verdict)
	}
}

// Places prints how far up the places of questions were found, by kind of question.
func Places(w terminal.Screen, ranks map[string]*eval.PlaceRanks) {
	for _, kind := range slices.Sorted(maps.Keys(ranks)) {
		r := ranks[kind]
		share := func(n int) float64 { return float64(n) / float64(max(1, r.Questions)) }
		fmt.Fprintf(w, "%-8s %4d preguntas, con entrada %.2f: primero %.2f, en 3 %.2f, en 5 %.2f, en 10 %.2f, en 20 %.2f\n",
			kind, r.Questions, share(r.Covered), share(r.First), share(r.Three), share(r.Five), share(r.Ten), share(r.Twenty))
	}
}

// References prints how many of the references labelled were found, by country.
func References(w terminal.Screen, rows []evalrun.ReferenceRow) {
	for _, r := range rows {
		fmt.Fprintf(w, "%s: %d pasajes (%d no están), %d referencias etiquetadas, %d halladas, %d bien: precisión %.3f, exhaustividad %.3f\n",
			r.Country, r.Passages, r.Lost, r.Labels, r.Found, r.Right, r.Precision, r.Recall)
	}
}

// Dialogues prints how conversations went.
func Dialogues(w terminal.Screen, r evalrun.Dialogues) {
	fmt.Fprintf(w, "%d diálogos, %d turnos: exactos %d (%.1f %%), diálogos enteros %d\n", r.DialogueReport.Dialogues, r.Turns, r.Exact, 100*r.Share, r.Whole)
	fmt.Fprintf(w, "repreguntas sin necesidad: %d de %d turnos claros (%.1f %%) · dos seguidas: %d\n", r.Unneeded, r.Clear, 100*r.Needless, r.Twice)
	if r.Loud > 0 {
		fmt.Fprintf(w, "turnos contestados con %.1f o más: %d, de otro lugar %d (%.1f %%)\n", eval.LoudFrom, r.Loud, r.LoudWrong, 100*float64(r.LoudWrong)/float64(r.Loud))
	}
	if r.Questions > 0 {
		fmt.Fprintf(w, "preguntas claras: %d, repreguntadas %d (%.1f %%), con lecturas %d\n", r.Questions, r.Clarified, 100*r.ClearShare, r.Offered)
	}
}
