#pragma once

#include <condition_variable>
#include <latch>
#include <mutex>
#include <semaphore>

inline std::condition_variable_any wokenByStop;
