package ingesttest

import (
	"archive/zip"
	"bytes"
	"testing"
)

// Zipped makes an archive of parts, name and contents in turn.
func Zipped(t testing.TB, parts ...string) string {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for i := 0; i < len(parts); i += 2 {
		w, err := z.Create(parts[i])
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write([]byte(parts[i+1])); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

const LampDOCX = `<w:document xmlns:w="w"><w:body>
<w:p><w:pPr><w:pStyle w:val="Ttulo1"/></w:pPr><w:r><w:t>Ley 5/2001, de faroles</w:t></w:r></w:p>
<w:p><w:pPr><w:pStyle w:val="Heading5"/></w:pPr><w:r><w:t>Artículo 1. </w:t></w:r><w:r><w:t>Altura.</w:t></w:r></w:p>
<w:p><w:r><w:t>El farol mide </w:t></w:r><w:del><w:r><w:delText>tres</w:delText><w:t>dos</w:t></w:r></w:del><w:ins><w:r><w:t>cuatro</w:t></w:r></w:ins><w:r><w:t xml:space="preserve"> metros.</w:t></w:r></w:p>
<w:tbl><w:tr><w:tc><w:p><w:r><w:t>Calle</w:t></w:r></w:p></w:tc><w:tc><w:p><w:r><w:t>Faroles</w:t></w:r></w:p></w:tc></w:tr><w:tr><w:tc><w:p><w:r><w:t>Mayor</w:t></w:r></w:p></w:tc><w:tc><w:p><w:r><w:t>12</w:t></w:r></w:p></w:tc></w:tr></w:tbl>
<w:p><w:pPr><w:pStyle w:val="Heading5"/></w:pPr><w:r><w:t>Artículo 2. Cierre.</w:t></w:r></w:p><w:p><w:r><w:t>Nada más.</w:t></w:r></w:p>
</w:body></w:document>`

const LampODT = `<office:document-content xmlns:office="o" xmlns:text="t" xmlns:table="b" xmlns:style="s"><office:automatic-styles><style:style style:name="P1" style:parent-style-name="Heading_20_1"/></office:automatic-styles><office:body><office:text>
<text:p text:style-name="P1">Ley 5/2001, de faroles</text:p><text:h text:outline-level="5">Artículo 1. Altura.</text:h>
<text:p>El farol<text:s/>mide <text:span>cuatro</text:span> metros.<text:note><text:note-citation>1</text:note-citation><text:note-body><text:p>Nota al pie.</text:p></text:note-body></text:note></text:p>
<table:table><table:table-row><table:table-cell><text:p>Calle</text:p></table:table-cell><table:table-cell><text:p>Faroles</text:p></table:table-cell></table:table-row><table:table-row><table:table-cell><text:p>Mayor</text:p></table:table-cell><table:table-cell><text:p>12</text:p></table:table-cell></table:table-row></table:table>
<text:h text:outline-level="5">Artículo 2. Cierre.</text:h><text:p>Nada más.</text:p></office:text></office:body></office:document-content>`

const LampRTF = `{\rtf1\ansi\ansicpg1252\deff0{\fonttbl{\f0 Times;}}{\stylesheet{\s0 Normal;}{\s1\b heading 1;}{\s5\b heading 5;}}{\info{\title No es texto}}
{\header Cabecera que se repite\par}\pard\s1\b Ley 5/2001, de faroles\par\pard\s5\b Art\'edculo 1. Altura.\par\pard\plain El farol mide \u99?uatro metros.{\super 1{\footnote Nota al pie.}}\par
\trowd\cellx100\cellx200 Calle\cell Faroles\cell\row\trowd Mayor\cell 12\cell\row\pard\s5\b Art\'edculo 2. Cierre.\par\pard\plain Nada m\'e1s.\par}`

// LampXML is a consolidated text of our own in the form of an official journal.
const LampXML = `<?xml version="1.0" encoding="utf-8"?>
<response><status><code>200</code><text>ok</text></status><data>
<metadatos><identificador>BOE-A-2001-77</identificador><rango codigo="1300">Ley</rango>
<titulo>Ley 5/2001, de 2 de febrero, de faroles.</titulo><fecha_publicacion>20010203</fecha_publicacion>
<estatus_derogacion>N</estatus_derogacion><url_eli>https://www.boe.es/eli/es-xx/l/2001/02/02/5</url_eli></metadatos>
<texto>
<bloque id="pr" tipo="preambulo" titulo="[preambulo]"><version id_norma="BOE-A-2001-77" fecha_publicacion="20010203" fecha_vigencia="20010223"><p class="parrafo">Los faroles dan luz.</p></version></bloque>
<bloque id="ti" tipo="encabezado" titulo="TÍTULO I"><version id_norma="BOE-A-2001-77" fecha_publicacion="20010203" fecha_vigencia="20010223"><p class="titulo_num">TÍTULO I</p><p class="titulo_tit">De la luz</p></version></bloque>
<bloque id="a1" tipo="precepto" titulo="Artículo 1">
<version id_norma="BOE-A-2001-77" fecha_publicacion="20010203" fecha_vigencia="20010223"><p class="articulo">Artículo 1. Altura.</p><p class="parrafo">El farol mide tres metros.</p></version>
<version id_norma="BOE-A-2010-5" fecha_publicacion="20100310" fecha_vigencia="20110101"><p class="articulo">Artículo 1. Altura.</p><p class="parrafo">El farol mide cuatro metros.</p><blockquote><p class="nota_pie">Se modifica por el art. 2 de la Ley 9/2010. <a class="refPost">Ref. BOE-A-2010-5</a></p></blockquote></version>
<version id_norma="BOE-A-2012-8" fecha_publicacion="20120601" fecha_vigencia=""><p class="articulo">Artículo 1. Altura.</p><p class="parrafo">El farol mide cinco metros.</p></version>
</bloque>
<bloque id="a2" tipo="precepto" titulo="Artículo 2">
<version id_norma="BOE-A-2001-77" fecha_publicacion="20010203" fecha_vigencia="20010223"><p class="articulo">Artículo 2. Multas.</p><p class="parrafo">Las multas son estas:</p>
<table class="tabla"><thead><tr><th><p class="cabeza_tabla">Falta</p></th><th><p class="cabeza_tabla">Euros</p></th></tr></thead><tbody><tr><td>Leve</td><td>30</td></tr><tr><td>Grave</td><td>300</td></tr></tbody></table></version>
</bloque>
<bloque id="a3" tipo="precepto" titulo="Artículo 3">
<version id_norma="BOE-A-2001-77" fecha_publicacion="20010203" fecha_vigencia="20010223"><p class="articulo">Artículo 3. Sereno.</p><p class="parrafo">El sereno los enciende.</p></version>
<version id_norma="BOE-A-2010-5" fecha_publicacion="20100310" fecha_vigencia="20110101"><p class="articulo">Artículo 3.</p><p class="parrafo">(Suprimido)</p></version>
</bloque>
<bloque id="dtunica" tipo="precepto" titulo="Disposición transitoria única"><version id_norma="BOE-A-2001-77" fecha_publicacion="20010203" fecha_vigencia="20010223"><p class="articulo">Disposición transitoria única. Faroles viejos.</p><p class="parrafo">Duran un año.</p></version></bloque>
<bloque id="firma" tipo="firma"><version id_norma="BOE-A-2001-77" fecha_publicacion="20010203" fecha_vigencia="20010223"><p class="firma_rey">EL FAROLERO</p></version></bloque>
</texto></data></response>`

// Seeds are stretches of laws of our own, for fuzzing.
var Seeds = []string{
	"Artículo 1. Objeto.\n\nFaroles.\n\nArtículo 2.- (75) BANCOS\n\n(*) Inciso sustituido por la Ley 3, publicada el 2 de mayo de 2001.\n",
	"TEXTO ORDENADO\n\nDISPOSICIONES FINALES\n\nPRIMERA.- Uno.\n\n«Artículo 11. Dos.\n\nANEXO II\n\n| a | b |\n|---|---|\n| 1 | 2 |\n",
	"NORMA I: UNO\n\n**_Artículo 3 bis.-_** texto [de](http://x \n y) (B.O. 1/1/2001\n\n1.ª Tres\n",
	"<!-- pág. 3 -->\n\n###### Artículo único. Fin.\n\n> <small>Nota</small>\n\nArts. 4 a 9. (Derogados)\nPrimera Disposición Final.- X",
}
