import java.io.*;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.*;
import java.util.regex.*;
import java.util.stream.*;

/** A small engine in one file without libraries. It knows events, and answers with panes: the pane [e - w, e) is the
 * query over the events in it, for every multiple e of the slide. With --bug, rows whose key is NULL are in no group. */
public class SmallEngine {
    static final String HELLO = """
        "protocol": 1, "engine": "small java", "inputs": "events", "results": ["panes"], "types": ["int", "str", "bool"],
        "operators": ["Source", "TimeWindow", "Filter", "Map", "Union", "Distinct", "Grouping"],
        "expressions": ["column", "constant", "+", "-", "*", "=", "<>", "<", "<=", ">", ">=", "and", "or", "not", "is null"],
        "aggregates": ["count rows", "count", "sum", "min", "max"], "latest": 50000""".replace("\n", " ");
    static final Pattern TOKEN = Pattern.compile("\"([^\"\\\\]*+(?:\\\\.[^\"\\\\]*+)*+)\"|[\\[\\]{}]|[^\\s\\[\\]{},:\"]+");
    static final Pattern ESCAPE = Pattern.compile("\\\\(?:u(....)|(.))");
    static boolean bug;
    static class Row extends ArrayList<Object> { Row(Stream<?> values) { values.forEach(this::add); } }

    /** Reads JSON: objects as maps, lists, texts, Boolean, null, and numbers as their text. */
    static Object json(Matcher tokens) {
        tokens.find();
        if (tokens.group(1) != null) return ESCAPE.matcher(tokens.group(1)).replaceAll(e -> Matcher.quoteReplacement(
            e.group(1) != null ? "" + (char) Integer.parseInt(e.group(1), 16) : ("\\" + e.group(2)).translateEscapes()));
        String token = tokens.group();
        if (token.matches("null|true|false")) return token.equals("null") ? null : (Object) token.equals("true");
        if ("]}".contains(token)) return tokens;  // the end of what is being read
        if (!"[{".contains(token)) return token;
        var items = new ArrayList<Object>();
        for (Object item; (item = json(tokens)) != tokens; ) items.add(item);
        if (token.equals("[")) return items;
        var members = new LinkedHashMap<Object, Object>();
        for (int i = 0; i < items.size(); i += 2) members.put(items.get(i), items.get(i + 1));
        return members;
    }

    static String written(Object value) {
        if (value instanceof List<?> list) return list.stream().map(SmallEngine::written).toList().toString();
        if (value instanceof Long n) return Math.abs(n) >> 53 != 0 ? "\"" + n + "\"" : n.toString();
        return !(value instanceof String text) ? String.valueOf(value) : text.chars().mapToObj(c -> c < 32 || c > 126 || c == '"' || c == '\\' ? String.format("\\u%04x", c) :
            "" + (char) c).collect(Collectors.joining("", "\"", "\""));
    }

    static Object of(Object node, String member) { return ((Map<?, ?>) node).get(member); }
    static List<?> list(Object items) { return items == null ? List.of() : (List<?>) items; }
    static long number(Object text) { return Long.parseLong((String) text); }
    static long time(Row event) { return (Long) event.get(event.size() - 1); }
    static Object decoded(Object value, Object type) { return value != null && type.equals("int") ? (Object) number(value) : value; }

    /** The value of an expression, in which null is NULL, and unknown. */
    static Object value(Object e, Row row) {
        String op = (String) of(e, "op");
        if (op.equals("column")) return row.get((int) number(of(e, "index")));
        if (op.equals("constant")) return decoded(of(e, "value"), of(e, "type"));
        var values = new Row(list(of(e, "args")).stream().map(arg -> value(arg, row)));
        if (op.equals("is null")) return values.get(0) == null;
        if ((op.equals("and") || op.equals("or")) && values.contains(op.equals("or"))) return op.equals("or");
        if (values.contains(null)) return null;
        Object a = values.get(0), b = values.get(values.size() - 1);
        int c = compare(a, b);
        return switch (op) {
            case "and", "or" -> op.equals("and");
            case "not" -> !(Boolean) a;
            case "+" -> Math.addExact((Long) a, (Long) b);
            case "-" -> Math.subtractExact((Long) a, (Long) b);
            case "*" -> Math.multiplyExact((Long) a, (Long) b);
            default -> List.of("=", "<=", ">=").contains(op) && c == 0 || op.contains("<") && c < 0 || op.contains(">") && c > 0;
        };
    }

    /** Texts are ordered by code point, as their UTF-8 is; a char of Java may be half of one. */
    @SuppressWarnings("unchecked") static int compare(Object a, Object b) {
        if (!(a instanceof String text)) return ((Comparable<Object>) a).compareTo(b);
        return Arrays.compareUnsigned(text.getBytes(StandardCharsets.UTF_8), ((String) b).getBytes(StandardCharsets.UTF_8));
    }

    static Object aggregate(Object a, List<Row> rows) {
        String function = (String) of(a, "function");
        if (function.equals("count rows")) return (long) rows.size();
        var values = rows.stream().map(row -> value(of(a, "argument"), row)).filter(Objects::nonNull).toList();
        if (function.equals("count")) return (long) values.size();
        if (!function.equals("sum")) return values.stream().reduce((x, y) -> compare(x, y) <= 0 == function.equals("min") ? x : y).orElse(null);
        return values.stream().map(v -> BigInteger.valueOf((Long) v)).reduce(BigInteger::add).map(BigInteger::longValueExact).orElse(null);
    }

    static List<Row> grouped(List<Row> rows, List<?> keys, List<?> aggregates) {
        var groups = new LinkedHashMap<Row, List<Row>>();
        for (var row : rows) groups.computeIfAbsent(new Row(keys.stream().map(k -> row.get((int) number(k)))), k -> new ArrayList<>()).add(row);
        if (bug) groups.keySet().removeIf(key -> key.contains(null));
        return groups.entrySet().stream().map(g -> new Row(Stream.concat(g.getKey().stream(), aggregates.stream().map(a -> aggregate(a, g.getValue()))))).toList();
    }

    /** The rows of the pane that ends here, from the events of each source: their values, and last their time. */
    static List<Row> pane(Object node, Map<Object, List<Row>> events, long end) {
        var inputs = list(of(node, "inputs"));
        if (of(node, "operator").equals("TimeWindow")) {
            long first = end - number(of(node, "size"));
            return events.get(of(inputs.get(0), "name")).stream().filter(e -> first <= time(e) && time(e) < end)
                .map(e -> new Row(e.stream().limit(e.size() - 1))).toList();
        }
        var rows = pane(inputs.get(0), events, end);
        return switch ((String) of(node, "operator")) {
            case "Filter" -> rows.stream().filter(row -> Boolean.TRUE.equals(value(of(node, "predicate"), row))).toList();
            case "Map" -> rows.stream().map(row -> new Row(list(of(node, "expressions")).stream().map(e -> value(e, row)))).toList();
            case "Union" -> Stream.concat(rows.stream(), pane(inputs.get(1), events, end).stream()).toList();
            case "Distinct" -> rows.stream().distinct().toList();
            case "Grouping" -> grouped(rows, list(of(node, "keys")), list(of(node, "aggregates")));
            default -> throw new UnsupportedOperationException((String) of(node, "operator"));
        };
    }

    /** The ends of all panes in which a window sees an event. */
    static Stream<Long> ends(Object node, Map<Object, List<Row>> events, long horizon) {
        if (!of(node, "operator").equals("TimeWindow")) return list(of(node, "inputs")).stream().flatMap(i -> ends(i, events, horizon));
        long size = number(of(node, "size")), slide = number(of(node, "slide"));
        return events.get(of(list(of(node, "inputs")).get(0), "name")).stream().flatMap(event -> Stream.iterate(
            (time(event) / slide + 1) * slide, e -> e <= Math.min(time(event) + size, horizon), e -> e + slide));
    }

    static String run(Object asked) {
        var events = new HashMap<Object, List<Row>>();
        ((Map<?, ?>) of(asked, "streams")).forEach((name, stream) -> {
            var types = Stream.concat(list(of(stream, "columns")).stream().map(c -> list(c).get(1)), Stream.of("int")).toList();
            events.put(name, list(of(stream, "rows")).stream().map(r -> new Row(IntStream.range(0, types.size())
                .mapToObj(i -> decoded(list(r).get(i), types.get(i))))).toList());
        });
        Object end = of(asked, "horizon"), plan = of(asked, "plan"), window = plan;
        while (!of(window, "operator").equals("TimeWindow")) window = list(of(window, "inputs")).get(0);
        long size = number(of(window, "size"));
        var rows = ends(plan, events, end == null ? Long.MAX_VALUE : number(end)).distinct().sorted().flatMap(e -> pane(plan, events, e).stream().map(
            row -> new Row(Stream.concat(row.stream(), Stream.of(e - size, e)))));
        return "\"kind\":\"panes\",\"rows\":" + written(rows.toList());
    }

    static String answer(Object asked) {
        try {
            return of(asked, "do").equals("hello") ? HELLO : run(asked);
        } catch (RuntimeException e) {
            return (e instanceof UnsupportedOperationException ? "\"unsupported\":" : "\"error\":") + written(e.toString());
        }
    }

    public static void main(String[] options) {
        bug = List.of(options).contains("--bug");
        var in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        in.lines().map(line -> json(TOKEN.matcher(line))).forEach(asked ->
            System.out.println("{\"id\":" + of(asked, "id") + "," + answer(asked) + "}"));
    }
}
