(* Reads cases, one a line: operator, parameters, then two inputs, as words. Writes what the oracle says, as JSON.

   A line is `operator n p1 … pn k x1 s1 f1 … xk sk fk m y1 s1 f1 … ym sm fm horizon`; the answer has the snapshots
   before the horizon and, where there is an algorithm, the elements that it puts out. *)
open Oracle

let words line = List.filter (fun word -> word <> "") (String.split_on_char ' ' line)

let reader line =
  let rest = ref (words line) in
  fun () ->
    match !rest with
    | word :: others -> rest := others; word
    | [] -> failwith ("the line ends too early: " ^ line)

let number next = int_of_string (next ())

let several next read = let n = number next in List.init n (fun _ -> read ())

let element next () =
  let x = number next in
  let start = number next in
  let finish = number next in
  (x, (start, finish))

let listed items = "[" ^ String.concat "," items ^ "]"
let int = string_of_int
let maybe = function Some n -> int n | None -> "null"

let snapshots row show horizon =
  let counted (e, n) = listed [listed (row e); int n] in
  listed (List.init horizon (fun t -> listed (List.sort compare (List.map counted (show t)))))

let single x = [int x]
let pair (x, y) = [int x; int y]
let left (x, y) = [int x; maybe y]
let right (x, y) = [maybe x; int y]
let full (x, y) = [maybe x; maybe y]

let logical name ps a b horizon =
  let by row show = snapshots row show horizon in
  match name, ps with
  | "filter", [] -> by single (show_filter a)
  | "map", [] -> by single (show_map a)
  | "distinct", [] -> by single (show_distinct a)
  | "union", [] -> by single (show_union a b)
  | "difference", [] -> by single (show_difference a b)
  | "intersection", [] -> by single (show_intersection a b)
  | "semijoin", [] -> by single (show_semijoin a b)
  | "antijoin", [] -> by single (show_antijoin a b)
  | "product", [] -> by pair (show_product a b)
  | "join", [] -> by pair (show_join a b)
  | "left join", [] -> by left (show_left_join a b)
  | "right join", [] -> by right (show_right_join a b)
  | "full join", [] -> by full (show_full_join a b)
  | "count", [] -> by single (show_count a)
  | "sum", [] -> by single (show_sum a)
  | "max", [] -> by single (show_max a)
  | "total count", [] -> by single (show_total_count a)
  | "grouping", [] -> by pair (show_grouping a)
  | "window", [w] -> by single (show_window w a)
  | "slide", [w; s] -> by single (show_slide w s a)
  | "unbounded", [] -> by single (show_unbounded a)
  | "landmark", [from] -> by single (show_landmark from a)
  | "reset", [from; every] -> by single (show_resetting from every a)
  | "istream", [] -> by single (show_istream a)
  | "dstream", [] -> by single (show_dstream a)
  | "rows with ties", [n] -> by single (show_rows n a)
  | "coalesce", [_] -> by single (show_itself a)
  | _ -> failwith ("no such operator: " ^ name)

let algorithm name ps a b =
  match name, ps with
  | "distinct", [] -> Some (run_distinct a)
  | "difference", [] -> Some (run_difference a b)
  | "coalesce", [longest] -> Some (run_coalesce longest a)
  | "count", [] -> Some (run_count a)
  | "sum", [] -> Some (run_sum a)
  | "max", [] -> Some (run_max a)
  | _ -> None

let elements = function
  | None -> "null"
  | Some found -> listed (List.map (fun (x, (start, finish)) -> listed [int x; int start; int finish]) found)

let answer line =
  let next = reader line in
  let name = String.map (fun c -> if c = '_' then ' ' else c) (next ()) in
  let ps = several next (fun () -> number next) in
  let a = several next (element next) in
  let b = several next (element next) in
  let horizon = number next in
  Printf.printf "{\"snapshots\": %s, \"elements\": %s}\n" (logical name ps a b horizon) (elements (algorithm name ps a b))

let () = try while true do answer (input_line stdin) done with End_of_file -> ()
