#include "core/event/table.h"
#include "core/event/table_impl.h"
#include "core/event/row.h"
