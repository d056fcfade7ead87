#include "units.h"
#include "../base/units.h"
#include <core/base/units.h>
#include HEADER
#include "core/base/absent.h"
#include "tests/support/test_registry.h"
