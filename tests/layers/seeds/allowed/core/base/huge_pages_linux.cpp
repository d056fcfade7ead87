#include <sys/mman.h>
#include "core/base/units.h"
