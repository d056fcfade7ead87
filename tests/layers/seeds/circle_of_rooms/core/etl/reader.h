#include "core/event/events.h"
