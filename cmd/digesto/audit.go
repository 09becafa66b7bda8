package main

import (
	"cmp"
	"fmt"

	"digesto/cmd/digesto/internal/terminal"
)

// auditCmd groups what is done with the audit log.
type auditCmd struct {
	Verify auditVerifyCmd `cmd:"" help:"Comprueba sin red que nadie ha cambiado el registro de auditoría."`
}

// Examples of the group.
func (auditCmd) Examples() []string { return []string{"digesto audit verify"} }

// auditVerifyCmd checks the log.
type auditVerifyCmd struct {
	Key   string `name:"key" placeholder:"CLAVE" help:"Clave pública en base64, guardada aparte. Sin ella, la de la carpeta."`
	Since string `name:"checkpoint" placeholder:"LÍNEA:FIRMA" help:"Última firma que se guardó aparte: debe seguir en el registro."`
}

// Examples of the command.
func (auditVerifyCmd) Examples() []string {
	return []string{"digesto audit verify", "digesto audit verify --json --data /srv/digesto", "digesto audit verify --key CLAVE --checkpoint LÍNEA:FIRMA"}
}

// Run names the first broken line; exit 7 when there is one.
func (c auditVerifyCmd) Run(a *program) error {
	dir, err := a.NeedData()
	if err != nil {
		return err
	}
	r, err := a.VerifyAudit(dir, c.Key)
	if err != nil {
		return err
	}
	switch {
	case a.json:
		err = a.printJSON(r)
	case r.Broken > 0:
		_, err = fmt.Fprintf(a.out, "Registro alterado: la línea %d %s. Antes de ella, %d líneas enteras.\n", r.Broken, terminal.Clean(r.Why), r.Lines)
	default:
		_, err = fmt.Fprintf(a.out, "Registro entero: %d líneas, %d firmas, firmado hasta la línea %d. Clave pública %s\nÚltima firma, para guardarla aparte con la clave: %s\n", r.Lines, r.Checkpoints, r.Signed, r.Key, cmp.Or(r.Checkpoint, "no hay"))
	}
	if r.Torn > 0 && !a.json {
		fmt.Fprintf(a.out, "La última línea está sin terminar (%d octetos), como la deja un corte: se quita al seguir escribiendo.\n", r.Torn)
	}
	if err == nil && r.Broken > 0 {
		return checkFailed("el registro de auditoría está alterado", "Guárdelo tal como está y compárelo con una copia de seguridad: lo que hay antes de esa línea es lo que se escribió.")
	}
	if err == nil && c.Since != "" && !r.Holds(c.Since) {
		return checkFailed("la firma guardada aparte no está en el registro: se han quitado líneas del final, o es el de otra carpeta", "Revise que --checkpoint es LÍNEA:FIRMA, tal como lo dio esta orden, y compare el registro con una copia de seguridad.")
	}
	return err
}
