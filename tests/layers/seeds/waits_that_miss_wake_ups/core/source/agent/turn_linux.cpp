#include "core/source/agent/turn.h"

#include <barrier>
