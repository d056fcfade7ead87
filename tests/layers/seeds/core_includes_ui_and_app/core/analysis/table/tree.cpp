#include "ui/model/rows.h"
#include "app/pages/page.h"
