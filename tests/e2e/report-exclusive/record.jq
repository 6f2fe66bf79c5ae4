# The events of a record: in two repetitions chat and art alone, then both under greedy and credit.
# jq -nc -f record.jq; all times below are milliseconds.
def ns: . * 1000000;
def at($t): {t: ($t | ns)};

# Starts at $t; 11 tokens, the first after 50 ms, the others $gap apart.
def chat($id; $t; $gap):
  (at($t) + {ev: "issue", id: $id, task: "talk", kind: "chat", sched: ($t | ns)}),
  (at($t + 50 + 10 * $gap) + {ev: "done", id: $id, task: "talk", kind: "chat",
    sched: ($t | ns), send: ($t | ns), first: ($t + 50 | ns), content: ($t + 50 | ns),
    last: ($t + 50 + 10 * $gap | ns), end: ($t + 50 + 10 * $gap | ns),
    deltas: ([0] + [range(10) | $gap | ns]), counts: [range(11) | 1], usage: 11, stream: 11});

# Starts at $t; 5 steps, $step apart.
def image($id; $t; $step):
  (at($t) + {ev: "issue", id: $id, task: "paint", kind: "image", sched: ($t | ns)}),
  (at($t + 5 * $step) + {ev: "done", id: $id, task: "paint", kind: "image",
    sched: ($t | ns), send: ($t | ns), end: ($t + 5 * $step | ns), bytes: 1000,
    steps: [range(1; 6) | $t + . * $step | ns]});

def task($t; $task; $state): at($t) + {ev: "task", task: $task, state: $state};
def chats($id; $t; $gap): range(22) as $i | chat($id + $i; $t + $i * (50 + 10 * $gap); $gap);
def images($id; $t; $step): range(2) as $i | image($id + $i; $t + $i * 5 * $step; $step);

# Waits 2 ms, holds 5 ms, was predicted to hold 4 ms; every 10 ms.
def steps($t): range(300) as $i | ($t + $i * 10) as $t | at($t + 7)
  + {ev: "step", engine: "text", kind: "decode", size: 1, app: "chat", lane: "front",
     asked: ($t | ns), begin: ($t + 2 | ns), end: ($t + 7 | ns), predicted: (4 | ns)};

def both($strategy; $repeat; $id; $t; $gap; $step):
  (at($t) + {ev: "run", strategy: $strategy, repeat: $repeat}),
  task($t; "talk", "paint"; "started"), chats($id; $t; $gap), images($id + 50; $t; $step),
  (if $strategy == "credit" then steps($t) else empty end),
  task($t + 22 * (50 + 10 * $gap); "talk"; "finished"),
  task($t + 10 * $step; "paint"; "finished"),
  (at($t + 9000) + {ev: "run_end", status: "done"});

def repetition($repeat; $id; $t):
  (at($t) + {ev: "run", strategy: "exclusive", repeat: $repeat, alone: "chat"}),
  task($t; "talk"; "started"), chats($id; $t; 10), task($t + 3300; "talk"; "finished"),
  (at($t + 3400) + {ev: "run_end", status: "done"}),
  (at($t + 4000) + {ev: "run", strategy: "exclusive", repeat: $repeat, alone: "art"}),
  task($t + 4000; "paint"; "started"), images($id + 50; $t + 4000; 100),
  task($t + 5000; "paint"; "finished"),
  (at($t + 5100) + {ev: "run_end", status: "done"}),
  both("greedy"; $repeat; $id + 100; $t + 6000; 30; 150),
  both("credit"; $repeat; $id + 200; $t + 16000; 12; 400);

repetition(0; 1000; 1000), repetition(1; 2000; 31000)
