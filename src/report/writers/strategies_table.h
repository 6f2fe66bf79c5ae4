// What terminal and Markdown show of several runs: each app alone, one row a strategy, the gate.
// Cells are made in one place, so both say the same; a cell is our own text, names are not.
#pragma once

#include <string>
#include <vector>

#include "report/summary.h"
#include "report/writers/screen.h"

namespace cbench::report {

// True if there is something to compare: several runs, or apps that ran alone.
bool HasComparison(const Summary& summary);

// Null if the app did not take part under that strategy.
const AppShare* FindApp(const StrategySummary& strategy, const std::string& app);

// "1.30/2.10": p50 and p99 of the primary latency relative to the app alone.
std::string SlowdownCell(const Slowdown& slowdown);
std::string MakespanRatioCell(const StrategySummary& strategy);  // "×0.92"
std::string BusyCell(const StrategySummary& strategy);           // of the busiest device
std::string ValidCell(const StrategySummary& strategy);          // "2/3"
std::string GrainText(const StrategySummary& strategy);          // "image: step, text: request"

// The head and, for each strategy with steps, the cells after its name.
const std::vector<std::string>& GateHead();
std::vector<std::string> GateCells(const GateUse& gate);

// Terminal: at most 80 columns.
void ExclusiveBlock(Screen& screen, const Summary& summary);
void StrategiesBlock(Screen& screen, const Summary& summary);
void GateBlock(Screen& screen, const Summary& summary);

// Markdown; empty where there is nothing to say.
std::string ExclusiveSection(const Summary& summary);
std::string StrategiesSection(const Summary& summary);
std::string GateSection(const Summary& summary);

}  // namespace cbench::report
