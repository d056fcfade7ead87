#include "app/window/main_window.h"
