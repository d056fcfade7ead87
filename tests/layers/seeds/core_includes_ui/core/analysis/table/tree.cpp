#include "ui/model/rows.h"
