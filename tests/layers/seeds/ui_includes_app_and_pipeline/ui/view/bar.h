#pragma once
#include "app/pages/page.h"
#include "core/decode/records/clock.h"
#include "core/pipeline/pipeline.h"
