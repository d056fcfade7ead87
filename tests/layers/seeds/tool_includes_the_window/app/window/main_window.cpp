#include "app/window/main_window.h"

#include "app/tools/tools.h"
