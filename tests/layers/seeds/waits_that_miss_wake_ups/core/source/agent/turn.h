#pragma once

#include <condition_variable>
#include <latch>
#include <mutex>
#include <semaphore>
