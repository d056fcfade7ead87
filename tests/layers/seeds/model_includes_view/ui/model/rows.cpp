#include "ui/view/table.h"
