// What a descriptor can show.
#pragma once

namespace cbench::cli {

// Colour: the descriptor is a terminal that understands it and nobody asked for none
// (https://no-color.org: NO_COLOR set and not empty).
bool UseColor(int descriptor);

}  // namespace cbench::cli
