"""Fits the map from the tuned encoder to the space of articles.

    venv/bin/python tools/encoder/articles.py --published PUBLISHED.safetensors --law LAW.jsonl

Articles stand where the model as it was published puts them (static.safetensors was learnt
there). The tuned upper layers put a text elsewhere; a linear map (least squares, with the
mean of the tokens after the lower layers beside the last) leads back, so that one pass
serves both spaces. PUBLISHED is the model before train.py; LAW has one {"title", "text"} a
line. Of what stays apart from the fit it prints the cosine, the mean taken out.

Run from the root of the repository, after train.py.
"""
import argparse, json, random, re

import torch
import torch.nn.functional as F

from train import DIMS, LAYERS, LOWER, Encoder, entries, pieces, tensors, write


def means(model, ids, batch=32):
    """What model/e5 makes of texts: unit means after all layers and after the lower ones, [texts, 2·DIMS]."""
    order = sorted(range(len(ids)), key=lambda i: len(ids[i]))
    out = torch.zeros(len(ids), 2 * DIMS)
    with torch.no_grad():
        for at in range(0, len(order), batch):
            part = order[at : at + batch]
            n = max(len(ids[i]) for i in part)
            mask, padded = torch.zeros(len(part), n, dtype=torch.bool), torch.zeros(len(part), n, dtype=torch.long)
            for k, i in enumerate(part):
                padded[k, : len(ids[i])], mask[k, : len(ids[i])] = torch.tensor(ids[i]), True
            m = mask[:, :, None].float()
            x = model.norm(model.word[padded] + model.pos[:n], "emb_ln")
            for i in range(LAYERS):
                if i == LOWER:
                    out[part, DIMS:] = F.normalize((x * m).sum(1), dim=1)
                x = model.layer(x, mask, i)
            out[part, :DIMS] = F.normalize((x * m).sum(1), dim=1)
    return out


def main():
    p = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    p.add_argument("--published", required=True)
    p.add_argument("--model", default="third_party/e5/model.safetensors")
    p.add_argument("--static", default="third_party/e5/static.safetensors")
    p.add_argument("--digest", default="packs/*/digest/*.txt")
    p.add_argument("--law", required=True)
    p.add_argument("--questions", type=int, default=8000)
    p.add_argument("--articles", type=int, default=4000)
    p.add_argument("--seed", type=int, default=1)
    a = p.parse_args()
    random.seed(a.seed)
    law = [json.loads(line) for line in open(a.law, encoding="utf-8")]
    random.shuffle(law)
    asks = [x for e in entries(a.digest) for _, x in e["asks"]]
    sentences = [s for x in law[: a.questions] for s in re.split(r"(?<=[.;])\s+|\n", x["text"]) if 30 < len(s) < 400]
    asked = random.sample(asks, min(len(asks), a.questions * 3 // 4)) + random.sample(sentences, min(len(sentences), a.questions // 4))
    read = [x["title"] + "\n" + x["text"][:2500] for x in law if len(x["text"]) > 120][: a.articles]
    ids = pieces(asked) + pieces(read, "passage: ")
    order = random.sample(range(len(ids)), len(ids))
    ids = [ids[i] for i in order]
    raw = tensors(a.model)
    x, y = means(Encoder(raw), ids), means(Encoder(tensors(a.published)), ids)[:, :DIMS]
    x = torch.cat([x, torch.ones(len(x), 1)], 1).double()
    apart = max(1, len(ids) // 10)
    fit = x[apart:]
    w = torch.linalg.solve(fit.T @ fit + 0.01 * torch.eye(fit.shape[1]), fit.T @ y[apart:].double()).float()
    mean = tensors(a.static)["mean"]
    centred = lambda v: F.normalize(F.normalize(v, dim=1) - mean, dim=1)
    print(f"cosine of {apart} texts: {(centred(x[:apart].float() @ w) * centred(y[:apart])).sum(1).mean():.4f}")
    raw["articles.w"], raw["articles.b"] = w[:-1].contiguous(), w[-1].contiguous()
    write(a.model, raw)


if __name__ == "__main__":
    main()
