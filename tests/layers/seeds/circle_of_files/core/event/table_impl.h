#pragma once
#include "core/event/table.h"
