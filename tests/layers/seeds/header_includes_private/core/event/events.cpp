#include "core/base/units.h"
