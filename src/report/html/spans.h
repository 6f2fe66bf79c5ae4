// Requests and steps as spans of time, and how many become few: a page can't hold the million
// steps of a long run, and nobody could tell them apart. Neighbours of one group that are closer
// together than the eye can see in the whole run are drawn as one.
#pragma once

#include <vector>

#include "base/clock.h"

namespace cbench::report {

struct Span {
  int group = 0;    // what it is: drawn alike, and merged only with its own
  Nanos asked = 0;  // when it wanted to begin
  Nanos begin = 0, end = 0;
  Nanos first = 0;       // of a request: its first output; 0: none
  double busy = 0;       // sum of end - begin, ns; a sum of hostile stamps must not overflow
  double predicted = 0;  // sum, ns; 0: unknown
  std::int64_t size = 0;
  int detail = -1;  // index of a text; -1: none
  int count = 1;    // how many spans are drawn as this one
};

struct ThinnedSpans {
  std::vector<Span> spans;  // by group, then in order of time
  std::size_t total = 0;    // before
  Nanos gap = 0;            // those at most this far apart became one; 0: none did
  std::size_t dropped = 0;  // if that was not enough
};

// At most `most` spans, by the smallest gap (1 µs, doubled as often as needed) that makes it so.
ThinnedSpans Thin(std::vector<Span> spans, std::size_t most);

}  // namespace cbench::report
