#include "core/event/events.h"
#include "core/base/units.h"
