"""The official Python clients against Digesto: what they get is what /v1/ask gives.

    clients.py openai URL
    clients.py mcp URL|PROGRAM
"""
import asyncio
import json
import sys
import urllib.request

QUESTION = "¿Cuántos días de vacaciones me corresponden al año?"


def ask(url):
    body = json.dumps({"question": QUESTION, "pack": "laboral"}).encode()
    request = urllib.request.Request(url + "/v1/ask", body, {"Content-Type": "application/json"})
    with urllib.request.urlopen(request) as reply:
        return json.load(reply)


def cited(citations):
    """The citations without what differs between two answers: nothing does."""
    return json.dumps(citations, ensure_ascii=False, sort_keys=True)


def through_openai(url):
    import openai

    client = openai.OpenAI(base_url=url + "/v1", api_key="ninguna")
    want = cited(ask(url)["citations"])
    names = [m.id for m in client.models.list()]
    assert "digesto" in names and "digesto-laboral" in names, names
    assert client.models.retrieve("digesto-laboral").owned_by
    messages = [{"role": "user", "content": QUESTION}]
    whole = client.chat.completions.create(model="digesto-laboral", messages=messages)
    choice = whole.choices[0]
    assert choice.finish_reason == "stop" and whole.usage.total_tokens > 0
    assert cited(whole.model_extra["digesto"]["citations"]) == want
    marks = choice.message.annotations
    assert marks and marks[0].type == "url_citation" and marks[0].url_citation.end_index > marks[0].url_citation.start_index
    said = client.responses.create(model="digesto-laboral", input=QUESTION)
    assert said.status == "completed" and said.output_text == choice.message.content, said
    assert cited(said.model_extra["digesto"]["citations"]) == want
    text, answer, usage, finish = "", None, None, None
    for chunk in client.chat.completions.create(model="digesto-laboral", messages=messages, stream=True, stream_options={"include_usage": True}):
        for c in chunk.choices:
            text += c.delta.content or ""
            finish = c.finish_reason or finish
        answer = (chunk.model_extra or {}).get("digesto") or answer
        usage = chunk.usage or usage
    assert text == choice.message.content, (text, choice.message.content)
    assert finish == "stop" and usage.total_tokens > 0 and cited(answer["citations"]) == want
    for model, error in (("nada", openai.NotFoundError), ("", openai.BadRequestError)):
        try:
            client.chat.completions.create(model=model, messages=messages)
        except error as e:
            assert e.body["message"], e
        else:
            raise AssertionError("no error for model " + repr(model))
    print(len(names), "models; whole and streamed answers, and responses, agree with /v1/ask")


async def through_mcp(where):
    from mcp import Client, StdioServerParameters
    from mcp.client.stdio import stdio_client

    target = where + "/mcp" if where.startswith("http") else stdio_client(StdioServerParameters(command=where, args=["mcp"]))
    async with Client(target) as session:
        tools = (await session.list_tools()).tools
        names = [t.name for t in tools]
        for t in tools:
            assert t.annotations and t.description, t.name
        assert len(names) >= 10, names
        name = next(n for n in names if n == "ask" or n.endswith("_ask") or n.startswith("ask"))
        reply = await session.call_tool(name, {"question": QUESTION, "pack": "laboral"})
        text = "".join(getattr(c, "text", "") for c in reply.content)
        assert "[C1]" in text or "quote" in text, text[:300]
        bad = await session.call_tool(name, {"question": QUESTION, "pack": "nada"})
        assert "nada" in "".join(getattr(c, "text", "") for c in bad.content)
        articles = (await session.list_resource_templates()).resource_templates
        assert [a.uri_template for a in articles] == ["digesto://ley/{norma}/{articulo}"], articles
        try:
            await session.read_resource("digesto://ley/NADA/a1")
        except Exception as e:
            assert "resources/" in str(e) or "NADA" in str(e), e
        else:
            raise AssertionError("an article that there is not was read")
        prompts = (await session.list_prompts()).prompts
        assert {p.name for p in prompts} == {"consulta", "revisar_escrito"}, prompts
        prompt = await session.get_prompt("consulta", {"pregunta": QUESTION})
        assert QUESTION in prompt.messages[0].content.text
        print(len(names), "tools,", len(prompts), "prompts, articles as resources;", name, "answers with", text.count('"quote"'), "quotations")


if __name__ == "__main__":
    if sys.argv[1] == "openai":
        through_openai(sys.argv[2])
    else:
        asyncio.run(through_mcp(sys.argv[2]))
