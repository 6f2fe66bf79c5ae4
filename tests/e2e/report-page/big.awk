# Events of an hour behind a gate: 190 000 steps of two apps and 5 000 requests.
BEGIN {
  srand(1)
  print "{\"t\":0,\"ev\":\"run\",\"strategy\":\"credit\",\"repeat\":0}"
  print "{\"t\":1,\"ev\":\"task\",\"task\":\"talk\",\"state\":\"started\"}"
  t = 1000000
  for (i = 1; i <= 190000; ++i) {
    asked = t; begin = t + int(rand() * 3000000); end = begin + 5000000 + int(rand() * 15000000)
    t = end + int(rand() * 4000000)
    printf "{\"t\":%d,\"ev\":\"step\",\"engine\":\"text\",\"kind\":\"decode\",\"begin\":%d,\"end\":%d,\"size\":%d,\"app\":\"%s\",\"asked\":%d,\"predicted\":%d}\n", end, begin, end, 1 + i % 9, rand() < 0.5 ? "chat" : "art", asked, 9000000
    if (i % 38) continue
    printf "{\"t\":%d,\"ev\":\"issue\",\"id\":%d,\"task\":\"talk\",\"kind\":\"chat\",\"sched\":%d}\n", t, i, t - 500000000
    printf "{\"t\":%d,\"ev\":\"done\",\"id\":%d,\"task\":\"talk\",\"kind\":\"chat\",\"sched\":%d,\"send\":%d,\"first\":%d,\"last\":%d,\"end\":%d,\"deltas\":[0,100000000],\"counts\":[1,9],\"stream\":10}\n", t, i, t - 500000000, t - 499000000, t - 400000000, t - 300000000, t
  }
  printf "{\"t\":%d,\"ev\":\"task\",\"task\":\"talk\",\"state\":\"finished\"}\n", t + 1
  printf "{\"t\":%d,\"ev\":\"run_end\",\"status\":\"done\"}\n", t + 2
}
