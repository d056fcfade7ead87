#include "ui/view/table/pivot.h"
