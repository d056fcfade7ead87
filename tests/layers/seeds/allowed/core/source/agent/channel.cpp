#include "core/base/units.h"
#include "core/source/agent/channel.h"
