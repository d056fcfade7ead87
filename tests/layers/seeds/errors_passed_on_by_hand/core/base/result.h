#pragma once
#define TRY(result) if (!result.hasValue()) return result.error();
