#pragma once

#include "core/event/events.h"
