#include "core/store/table.h"
