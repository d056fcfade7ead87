#include "app/tools/rows/page/rows_page.h"

#include "app/tools/tools.h"
