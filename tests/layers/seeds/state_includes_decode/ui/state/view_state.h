#include "core/decode/clock.h"
