#include "core/source/agent/turn.h"

#include <barrier>
#include <condition_variable>

static std::condition_variable_any wokenByStopHere;
