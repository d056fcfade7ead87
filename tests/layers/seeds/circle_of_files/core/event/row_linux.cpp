#include "core/event/row.h"
#include "core/event/table.h"
