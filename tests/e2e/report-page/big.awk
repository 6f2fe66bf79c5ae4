# Stamps are printed as %.0f, since %d ends at 2³¹ in some awks.
# Events of an hour behind a gate: 190 000 steps of two apps and 5 000 requests.
BEGIN {
  srand(1)
  print "{\"t\":0,\"ev\":\"run\",\"strategy\":\"credit\",\"repeat\":0}"
  print "{\"t\":1,\"ev\":\"task\",\"task\":\"talk\",\"state\":\"started\"}"
  t = 1000000
  for (i = 1; i <= 190000; ++i) {
    asked = t; begin = t + int(rand() * 3000000); end = begin + 5000000 + int(rand() * 15000000)
    t = end + int(rand() * 4000000)
    printf "{\"t\":%.0f,\"ev\":\"step\",\"engine\":\"text\",\"kind\":\"decode\",\"begin\":%.0f,\"end\":%.0f,\"size\":%d,\"app\":\"%s\",\"asked\":%.0f,\"predicted\":%d}\n", end, begin, end, 1 + i % 9, rand() < 0.5 ? "chat" : "art", asked, 9000000
    if (i % 38) continue
    printf "{\"t\":%.0f,\"ev\":\"issue\",\"id\":%d,\"task\":\"talk\",\"kind\":\"chat\",\"sched\":%.0f}\n", t, i, t - 500000000
    printf "{\"t\":%.0f,\"ev\":\"done\",\"id\":%d,\"task\":\"talk\",\"kind\":\"chat\",\"sched\":%.0f,\"send\":%.0f,\"first\":%.0f,\"last\":%.0f,\"end\":%.0f,\"deltas\":[0,100000000],\"counts\":[1,9],\"stream\":10}\n", t, i, t - 500000000, t - 499000000, t - 400000000, t - 300000000, t
  }
  printf "{\"t\":%.0f,\"ev\":\"task\",\"task\":\"talk\",\"state\":\"finished\"}\n", t + 1
  printf "{\"t\":%.0f,\"ev\":\"run_end\",\"status\":\"done\"}\n", t + 2
}
