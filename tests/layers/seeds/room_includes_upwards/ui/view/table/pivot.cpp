#include "ui/view/analysis/panel.h"
