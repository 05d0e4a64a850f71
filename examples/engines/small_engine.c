// A small engine in C, of integers and booleans. It knows events, and answers with snapshots: for each moment at which
// something can change, the plan over the rows of that moment. With --bug, the SUM of nothing but NULLs is 0.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
typedef long long i64;
typedef struct { i64 null, n; } Value;
typedef struct { Value v[32]; } Row;
typedef struct { Row *at; int size; } Bag;
typedef struct Json { char kind, *text; int size; struct Json *items; } Json;  // kind: { [ " or the first of a word
static const Value NOTHING = {1, 0};
static const char *HELLO = "'protocol':1,'engine':'small c','inputs':'events','results':['snapshots'],'types':['int','bool'],"
    "'operators':['Source','TimeWindow','Filter','Map','Union','Distinct','Grouping'],'aggregates':['count rows','count','sum'],"
    "'expressions':['column','constant','+','-','*','=','<>','<','<=','>','>=','and','or','not','is null']";
static int bug;
static const char *trouble, *why;  // "error" or "unsupported", once something is wrong
static char memory[1 << 29], *room;  // of one request; what is never touched costs nothing
static void *grown(void *old, int size, size_t each) {  // room for one more than so many items
    if (size & (size - 1)) return old;
    void *found = memcpy(room, old ? old : "", old ? each * size : 0);
    room += (each * (size ? 2 * size : 1) + 15) / 16 * 16;
    return room < memory + sizeof memory ? found : (exit(1), NULL);
}
static void skip(char **at) { while (**at && strchr(" ,:\t\r\n", **at)) ++*at; }
static Json parse(char **at) {  // the members of an object are items: name, value, name, value ...
    Json found = (skip(at), (Json){.kind = **at, .text = *at});
    if (strchr("{[", found.kind)) {
        for (++*at, skip(at); !strchr("}]", **at); skip(at)) {
            Json item = parse(at);
            found.items = grown(found.items, found.size, sizeof(Json)), found.items[found.size++] = item;
        }
        ++*at;
    } else if (found.kind == '"') {
        for (found.text = ++*at; **at != '"'; ++*at) *at += **at == '\\';
        *(*at)++ = 0;
    } else while (**at && !strchr(",:]} \n", **at)) ++*at;
    return found;
}
static Json none = {.kind = 'n', .text = ""};
static Json *of(Json *object, const char *name) {
    for (int i = 0; i + 1 < object->size; i += 2) if (!strcmp(object->items[i].text, name)) return &object->items[i + 1];
    return &none;
}
static int is(Json *json, const char *text) { return json->kind == '"' && !strcmp(json->text, text); }
static i64 number(Json *json) { return json->kind == 'n' ? 1LL << 61 : strtoll(json->text, NULL, 10); }  // null is for ever
static Value value_in(Json *j) { return j->kind == 'n' ? NOTHING : (Value){0, strchr("tf", j->kind) ? j->kind == 't' : number(j)}; }

static Value value_of(Json *e, const Value *row) {
    Json *op = of(e, "op"), *args = of(e, "args");
    if (is(op, "column")) return row[number(of(e, "index"))];
    if (is(op, "constant")) return value_in(of(e, "value"));
    Value a = value_of(&args->items[0], row), b = args->size > 1 ? value_of(&args->items[1], row) : a, found = {0, 0};
    if (is(op, "is null")) return (Value){0, a.null};
    int or = is(op, "or"), logical = or || is(op, "and");
    if (logical && ((!a.null && a.n == or) || (!b.null && b.n == or))) return (Value){0, or};
    if (a.null || b.null) return NOTHING;
    if (is(op, "+") ? __builtin_add_overflow(a.n, b.n, &found.n) : is(op, "-") ? __builtin_sub_overflow(a.n, b.n, &found.n)
        : is(op, "*") ? __builtin_mul_overflow(a.n, b.n, &found.n) : 0) trouble = "error", why = "an integer leaves 64 bits";
    if (logical || is(op, "not")) found.n = logical ? !or : !a.n;
    if (strpbrk(op->text, "<=>")) found.n = strchr(op->text, a.n < b.n ? '<' : a.n > b.n ? '>' : '=') != NULL;
    return found;
}
static int same(const Row *a, const Row *b, Json *keys, int width) {  // on the key columns or, without keys, on all
    for (int i = 0, c; i < (keys ? keys->size : width); i++)
        if (c = keys ? number(&keys->items[i]) : i, memcmp(&a->v[c], &b->v[c], sizeof(Value))) return 0;
    return 1;
}
static Value aggregate(Json *a, Bag rows, Row *group, Json *keys) {
    __int128 sum = 0, count = 0;
    for (int i = 0; i < rows.size; i++) {
        if (!same(&rows.at[i], group, keys, 0)) continue;
        Value v = is(of(a, "function"), "count rows") ? (Value){0, 0} : value_of(of(a, "argument"), rows.at[i].v);
        count += !v.null, sum += v.n;
    }
    if (!is(of(a, "function"), "sum")) return (Value){0, (i64)count};
    if (sum != (i64)sum) trouble = "error", why = "a sum leaves 64 bits";
    return count || bug ? (Value){0, (i64)sum} : NOTHING;
}
static void add(Bag *to, Row row) { to->at = grown(to->at, to->size, sizeof(Row)), to->at[to->size++] = row; }

static Bag rows_at(Json *node, Json *streams, i64 t) {
    Json *op = of(node, "operator"), *inputs = of(node, "inputs"), *keys = is(op, "Distinct") ? NULL : of(node, "keys");
    int window = is(op, "TimeWindow") && is(of(inputs->items, "operator"), "Source"), width = of(node, "columns")->size;
    Bag out = {0}, in = inputs->size && !window ? rows_at(inputs->items, streams, t) : out;
    if (!strstr("Source Filter Map Union Distinct Grouping", op->text) && !window) trouble = "unsupported", why = op->text;
    if (window || is(op, "Source")) {  // a window shows what was there in its last instants, seen from the last slide
        i64 size = window ? number(of(node, "size")) : 1, slide = window ? number(of(node, "slide")) : 1, last = t / slide * slide;
        Json *rows = of(of(streams, of(window ? inputs->items : node, "name")->text), "rows");
        for (int i = 0; i < rows->size; i++) {
            Row row;
            i64 time = number(&rows->items[i].items[width]);
            for (int c = 0; c < width; c++) row.v[c] = value_in(&rows->items[i].items[c]);
            if (last - size < time && time <= last) add(&out, row);
        }
    } else for (int i = 0; i < in.size; i++) {
        Row row = in.at[i];
        int keep = is(op, "Filter") ? value_of(of(node, "predicate"), row.v).n == 1 : 1;
        for (int c = 0; is(op, "Map") && c < width; c++) row.v[c] = value_of(&of(node, "expressions")->items[c], in.at[i].v);
        if (is(op, "Distinct") || is(op, "Grouping")) for (int j = 0; j < i; j++) keep &= !same(&in.at[j], &in.at[i], keys, width);
        for (int c = 0; keep && is(op, "Grouping") && c < width; c++) row.v[c] = c < keys->size ? in.at[i].v[number(&keys->items[c])]
            : aggregate(&of(node, "aggregates")->items[c - keys->size], in, &in.at[i], keys);
        if (keep) add(&out, row);
    }
    Bag right = is(op, "Union") ? rows_at(&inputs->items[1], streams, t) : (Bag){0};
    for (int i = 0; i < right.size; i++) add(&out, right.at[i]);
    return out;
}
static int earlier(const void *a, const void *b) { return (*(i64 *)a > *(i64 *)b) - (*(i64 *)a < *(i64 *)b); }
static i64 *moments(Json *node, Json *streams, i64 size, i64 slide, i64 *found, int *n) {  // when rows come and go
    Json *rows = of(of(streams, of(node, "name")->text), "rows"), *inputs = of(node, "inputs");
    if (is(of(node, "operator"), "TimeWindow")) size = number(of(node, "size")), slide = number(of(node, "slide"));
    for (int i = 0; i < inputs->size; i++) found = moments(&inputs->items[i], streams, size, slide, found, n);
    for (int i = 0; i < 2 * rows->size; i++) {
        i64 t = number(&rows->items[i / 2].items[of(node, "columns")->size]) + (i % 2 ? size : 0);
        found = grown(found, *n, sizeof(i64)), found[(*n)++] = (t + slide - 1) / slide * slide;
    }
    return found;
}
static void show(Json *columns, i64 t, Bag rows) {
    printf("[\"%lld\",[", t);
    for (int r = 0; r < rows.size; r++, putchar(']')) for (int c = 0; c < columns->size; c++) {
        Value v = rows.at[r].v[c];
        printf("%s", c ? "," : r ? ",[" : "[");
        printf(v.null ? "null" : !is(&columns->items[c].items[1], "bool") ? "\"%lld\"" : v.n ? "true" : "false", v.n);
    }
    printf("]]");
}
static void run(Json *plan, Json *streams, i64 horizon) {
    int n = 0, m = 0;
    i64 *times = moments(plan, streams, 1, 1, NULL, &n);
    for (int i = n ? qsort(times, n, sizeof(i64), earlier), 0 : 0; i < n; i++) if (times[i] < horizon && (!m || times[i] > times[m - 1])) times[m++] = times[i];
    for (int i = 0; i < m; i++) rows_at(plan, streams, times[i]);  // if something is wrong, nothing is printed
    if (!trouble) printf("\"kind\":\"snapshots\",\"rows\":[");
    for (int i = 0; i < m && !trouble; i++) printf("%s", i ? "," : ""), show(of(plan, "columns"), times[i], rows_at(plan, streams, times[i]));
    if (!trouble) putchar(']');
}

int main(int count, char **options) {
    char *line = NULL, *at;
    size_t size = 0;
    for (bug = count > 1 && !strcmp(options[1], "--bug"); room = memory, getline(&line, &size, stdin) > 0; fflush(stdout)) {
        Json asked = (at = line, parse(&at)), *wanted = of(&asked, "do");
        printf("{\"id\":%lld,", number(of(&asked, "id")));
        trouble = is(wanted, "run") || is(wanted, "hello") ? NULL : "error", why = "there is no such request";
        if (is(wanted, "run")) run(of(&asked, "plan"), of(&asked, "streams"), number(of(&asked, "horizon")));
        for (const char *c = HELLO; *c && is(wanted, "hello"); c++) putchar(*c == '\'' ? '"' : *c);
        if (trouble) printf("\"%s\":\"%s\"", trouble, why);
        puts("}");
    }
}
